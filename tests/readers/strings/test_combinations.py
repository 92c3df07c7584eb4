"""The heaviest combinations come first, although most are never weighed in full."""

import pytest

from citeproof.readers.strings.combinations import Combinations
from tests.fuzz.seeds import STRINGS

_UNTITLED = (
    "Willems, E. P. Environment and Behavior 1990, 22, 468; (b) Lee, A. In Proc. Snow [J]. 12,"
    " 3. i 4"
)


@pytest.mark.parametrize("text", [*STRINGS, _UNTITLED])
def test_the_heaviest_come_first_and_of_equal_ones_the_one_proposed_first(text: str) -> None:
    combinations = Combinations(" ".join(text.split()))
    every = sorted(combinations, key=lambda each: each.weight, reverse=True)
    assert every
    assert list(combinations.heaviest_first()) == every
