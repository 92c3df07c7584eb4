"""Offsets of comments, braces and arguments."""

import pytest

from citeproof.text.tex_syntax import (
    after_blank,
    closing_braces,
    group,
    optional,
    without_comments,
)


def test_without_comments_keeps_offsets_and_escaped_signs() -> None:
    text = "a % b {\n5\\% c\\\\% d\n% e"
    assert without_comments(text) == "a      \n5\\% c\\\\   \n   "


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("{a{b}}", {0: 5, 2: 4}),
        ("{a\\}b}", {0: 5}),
        ("}{a}", {1: 3}),
        ("{{a}", {1: 3}),
        ("", {}),
    ],
)
def test_closing_braces_pairs_braces(text: str, pairs: dict[int, int]) -> None:
    assert closing_braces(text) == pairs


def test_group_skips_white_space_before_it() -> None:
    text = "\\cite  {a} b"
    closing = closing_braces(text)
    assert group(text, 5, closing) == (8, 9)
    assert group(text, 10, closing) is None
    assert after_blank(text, 5) == 7
    assert after_blank(text, 0) == 0


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("[a [b]{]}] {c}", (1, 9)),
        ("  [a]", (3, 4)),
        ("[{[}]", (1, 4)),
        ("[a", None),
        ("{a}", None),
        ("", None),
    ],
)
def test_optional_ends_at_its_own_bracket(text: str, found: tuple[int, int] | None) -> None:
    assert optional(text) == found
