"""A number with its noun."""

from __future__ import annotations

import pytest

from citeproof.model.quantity import quantity


@pytest.mark.parametrize(
    ("number", "nouns", "said"),
    [
        (0, ("paper",), "0 papers"),
        (1, ("paper",), "1 paper"),
        (1234, ("paper",), "1,234 papers"),
        (1, ("entry", "entries"), "1 entry"),
        (2, ("entry", "entries"), "2 entries"),
    ],
)
def test_quantity_has_the_plural_unless_there_is_one(
    number: int, nouns: tuple[str, ...], said: str
) -> None:
    assert quantity(number, *nouns) == said
