"""The heaviest combinations come first, although most are never weighed in full."""

import pytest

from citeproof.readers.strings.combinations import Combinations, year_of
from tests.fuzz.seeds import STRINGS

_UNTITLED = (
    "Willems, E. P. Environment and Behavior 1990, 22, 468; (b) Lee, A. In Proc. Snow [J]. 12,"
    " 3. i 4"
)


@pytest.mark.parametrize("text", [*STRINGS, _UNTITLED])
def test_heaviest_first_the_heaviest_come_first_and_of_equal_ones_the_one_proposed_first(
    text: str,
) -> None:
    combinations = Combinations(" ".join(text.split()))
    every = sorted(combinations, key=lambda each: each.weight, reverse=True)
    assert every
    assert list(combinations.heaviest_first()) == every


@pytest.mark.parametrize(
    ("text", "dated", "year"),
    [
        ("Snow in 1984. Press, 2004", "", 2004),
        ("Snow (1984). Press, 2004", "", 1984),
        ("Snow (1984) and (1990). Press", "", 1990),
        ("Snow 2004", "(1984).", 1984),
        ("Snow 2004", "(n.d.).", 2004),
        ("Snow, Press 1984, accessed May 2, 2019", "", 1984),
        ("Snow, Press 1984, pp. 1999-2010", "", 1984),
        ("Snow, vol. Winter2004b", "", 2004),
        ("Snow, 72004", "", 2004),
        ("Snow", "", None),
    ],
)
def test_year_of_is_the_last_year_in_brackets_or_else_the_last(
    text: str, dated: str, year: int | None
) -> None:
    assert year_of(text, dated) == year
