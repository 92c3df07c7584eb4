"""What speaks for an ending is found where it matters, and is no more than was thought."""

import re

import pytest

from citeproof.readers.strings import venues
from citeproof.readers.strings.endings import Endings
from citeproof.readers.strings.features import A_YEAR, Words
from tests.fuzz.seeds import STRINGS


@pytest.mark.parametrize(
    "text", [*STRINGS, "vol. 3, 1-9, in press, 4. , ,", f"On winter.{' ,' * 80}Snow", "On. A"]
)
def test_weighed_what_follows_weighs_no_more_than_its_first_letters_let_it(text: str) -> None:
    text = " ".join(text.split())
    endings = Endings(text, Words(text))
    _, found = endings.behind(0, len(text) + 1)
    for place, ending in enumerate(found):
        assert endings.weighed(place).following_weight <= ending.most, text[ending.behind :]


@pytest.mark.parametrize(
    "text", [*STRINGS, "Snow 3, 1-9, in press, 4. 5", "Snow 3. 1-9, 4(2) May 2001."]
)
def test_behind_numbers_that_follow_alone_are_the_same_wherever_one_begins_to_look(
    text: str,
) -> None:
    text = " ".join(text.split())
    _, endings = Endings(text, Words(text)).behind(0, len(text) + 1)
    for ending in endings:
        rest = text[ending.behind :]
        alone = venues.NOTHING_BUT_NUMBERS.match(rest) is not None
        found = re.findall(r"\d+", rest) if alone else []
        a_year = len(found) == 1 and re.fullmatch(r"(?:1[89]|20)\d\d", found[0])
        assert ending.numbers == (A_YEAR if a_year else len(found) + bool(found)), rest
