"""The positions at which a title may end, and what follows them."""

import re

import pytest

from citeproof.readers.strings import venues
from citeproof.readers.strings.endings import Endings
from citeproof.readers.strings.features import A_YEAR, Words, weight_of
from tests.fuzz.seeds import STRINGS


@pytest.mark.parametrize(
    "text", [*STRINGS, "vol. 3, 1-9, in press, 4. , ,", f"On winter.{' ,' * 80}Snow", "On. A"]
)
def test_closing_only_lowers_the_score_and_what_follows_keeps_to_its_bound(text: str) -> None:
    text = " ".join(text.split())
    endings = Endings(text, Words(text), last=len(text))
    assert endings.known
    for place, ending in enumerate(endings.known):
        weight, clues = endings.following(place)
        assert weight_of(clues) == weight <= ending.most, text[ending.behind :]
        assert weight_of(endings.closing(ending)) <= 0, text[: ending.title_end]


@pytest.mark.parametrize(
    ("text", "closing"),
    [
        ("On snow, 1984. Press", "has:ends_in_date"),
        ("On snow 1984. Press 1985", "has:ends_in_year"),
        ("On snow. Proc. Press", "has:ends_abbreviated"),
        ("Snow of the. Press", "has:ends_joining"),
        ("Graph minors. VIII. Press", "has:ends_in_numeral"),
    ],
)
def test_closing_is_the_last_word_of_the_title(text: str, closing: str) -> None:
    endings = Endings(text, Words(text), last=len(text))
    last = max((one for one in endings.known if one.kind == "stop"), key=lambda one: one.start)
    assert endings.closing(last) == (closing,)


@pytest.mark.parametrize(
    "text", [*STRINGS, "Snow 3, 1-9, in press, 4. 5", "Snow 3. 1-9, 4(2) May 2001."]
)
def test_behind_numbers_that_follow_alone_are_the_same_wherever_one_begins_to_look(
    text: str,
) -> None:
    text = " ".join(text.split())
    for ending in Endings(text, Words(text), last=len(text)).known:
        rest = text[ending.behind :]
        alone = venues.NOTHING_BUT_NUMBERS.match(rest) is not None
        found = re.findall(r"\d+", rest) if alone else []
        a_year = len(found) == 1 and re.fullmatch(r"(?:1[89]|20)\d\d", found[0])
        assert ending.numbers == (A_YEAR if a_year else len(found) + bool(found)), rest
