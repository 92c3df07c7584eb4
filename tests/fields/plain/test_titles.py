"""What may stand behind a title, and what a title holds: looked for once a text, and only where it can be."""

from __future__ import annotations

import pytest

from citeproof.fields.plain import titles
from tests.fuzz.seeds import STRINGS

_BEHIND_TITLES = (
    "in: Proceedings of X", "In Lee, A. (Ed.), Snow", "en Madrid", "Dans: Neige", "Ph.D. thesis, X",
    "(master's thesis)", "Unpublished", "U.S. Patent 1", "Cambridge, MA: MIT Press", "2nd ed.", "(3rd edition)",
    "second edition", "eds. A", "(trans. by B)", "hrsg. von C", "übers. von D", "Gondwana Research 21, 394-405",
    "vol. 3", "Nr. 7", "S. 12", "Bd. 2", "pp. 1-9", "(4): 1", "[12]", "art. 3", "J. Snow 3", "Ann. Phys.",
    "a lower word", "Éditions du Seuil", "2001, 3", "(1999)", "ISSUE 3", "ch. 4", "no. 5", "Accessed 3 May",
    "Working Paper 7", "Bachelor thesis", "ed. by E",
)  # fmt: skip


def test_what_may_stand_behind_a_title_is_looked_for_wherever_it_can_begin() -> None:
    texts = {string[at:] for string in STRINGS for at in range(len(string))} | set(_BEHIND_TITLES)
    met = set()
    for name, first in titles.FIRST.items():
        found = [text for text in texts if text[0] not in " ,.;:" and titles.BEHIND[name].match(text)]
        assert [text for text in found if not first.match(text[0])] == [], name
        met |= {name} if found else set()
    assert met == set(titles.FIRST)


@pytest.mark.parametrize(
    ("text", "title", "named"),
    [
        ("Phys. Rev. 12, 3", "Phys. Rev", True),
        ("Phys. Rev A, 3", "Phys. Rev A", False),
        ("J. Am. Chem. Soc, 3", "Am. Chem. Soc", True),
        ("The Journal of Snow 3", "The Journal of Snow", True),
        ("The Journals of Snow 3", "The Journals of Snow", False),
        ("Snow. J. Cold 3", "Snow", False),
    ],
)
def test_two_abbreviated_words_or_a_word_of_venues_name_a_venue(text: str, title: str, named: bool) -> None:
    start = text.index(title)
    made = titles.Title(title, start, start + len(title), "comma", (), 0.0)
    assert titles.Ends(text).names_venue(made) is named
