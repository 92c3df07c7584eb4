"""What may stand behind a title is looked for only where it can begin."""

import pytest

from citeproof.readers.strings import venues
from citeproof.readers.strings.features import Words
from citeproof.readers.strings.following import Following
from citeproof.readers.strings.venues import BEHIND, FIRST
from tests.fuzz.seeds import STRINGS

_BEHIND_TITLES = (
    "in: Proceedings of X",
    "In Lee, A. (Ed.), Snow",
    "en Madrid",
    "Dans: Neige",
    "Ph.D. thesis, X",
    "(master's thesis)",
    "Unpublished",
    "U.S. Patent 1",
    "Cambridge, MA: MIT Press",
    "2nd ed.",
    "(3rd edition)",
    "second edition",
    "eds. A",
    "(trans. by B)",
    "hrsg. von C",
    "übers. von D",
    "Gondwana Research 21, 394-405",
    "vol. 3",
    "Nr. 7",
    "S. 12",
    "Bd. 2",
    "pp. 1-9",
    "(4): 1",
    "[12]",
    "art. 3",
    "J. Snow 3",
    "Ann. Phys.",
    "a lower word",
    "Éditions du Seuil",
    "2001, 3",
    "(1999)",
    "ISSUE 3",
    "ch. 4",
    "no. 5",
    "Accessed 3 May",
    "Working Paper 7",
    "Bachelor thesis",
    "ed. by E",
    "Second. New York: Wiley",
    "2nd. Bonn: Ice",
    "Wiley, New York, second edition, 2004",
    "VIII. A theorem",
    "volume 82 of Lecture Notes",
)


def test_what_may_stand_behind_a_title_is_looked_for_wherever_it_can_begin() -> None:
    texts = {string[at:] for string in STRINGS for at in range(len(string))} | set(_BEHIND_TITLES)
    met = set()
    for name, first in FIRST.items():
        found = [text for text in texts if text[0] not in " ,.;:" and BEHIND[name].match(text)]
        assert [text for text in found if not first.match(text[:2])] == [], name
        met |= {name} if found else set()
    assert met == set(FIRST)


@pytest.mark.parametrize(
    ("behind", "sign"),
    [
        ("Annual Workshop on snow", "stop:container_soon"),
        ("Annual. Workshop on snow", ""),
        ("Munich Academic", "stop:publisher"),
        ("Munich, Academic", ""),
        ("Gondwana Research 21, 394-405", "stop:numbered"),
        ("Gondwana: Research 21, 394-405", ""),
        ("Gondwana Research", ""),
    ],
)
def test_features_a_word_not_far_behind_a_title_shows_it_where_no_sign_parts_them(
    behind: str, sign: str
) -> None:
    text = f"On winter. {behind}"
    following = Following(text, Words(text))
    assert {
        found
        for found in following.features(len("On winter."), "stop", 0)
        if found.rpartition(":")[2] in venues.SOON
    } == ({sign} - {""})
