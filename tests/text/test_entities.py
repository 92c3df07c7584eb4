"""Character entities as text, whatever stands behind the ampersand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeproof.text.entities import resolve_entities


@pytest.mark.parametrize(
    ("text", "resolved"),
    [
        ("R&amp;D", "R&D"),
        ("&eacute;&#233;&#xE9;", "ééé"),
        ("a & b", "a & b"),
        ("&nosuch;", "&nosuch;"),
        ("plain", "plain"),
        ("a&#x8D;b&#13;c", "a b c"),
    ],
)
def test_entities(text: str, resolved: str) -> None:
    assert resolve_entities(text) == resolved


def test_a_number_that_no_one_can_read_stays() -> None:
    text = "&#" + "9" * 5000 + ";"
    assert resolve_entities(text) == text


@given(st.text(alphabet="&#xX019aF;lt ", max_size=80))
def test_any_text_is_read(text: str) -> None:
    assert isinstance(resolve_entities(text), str)
