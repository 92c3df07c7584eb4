"""The lists of authors with which a reference string may begin."""

import pytest

from citeproof.readers.strings.authors import FORMS, proposals

STRINGS = [
    "Lindqvist, A. B., & Rønning, Q. (2012). Lamp trees. Wick Press.",
    "Lindqvist A B, O’Neill C and van der Berg D. Lamp trees in the dark. Lamps 2012.",
    "A. Lindqvist, Q. Rønning. Lamp Trees: Sorting by Light. In Lamps, 2012.",
    "Anna Lindqvist, Quentin Rønning, et al. Lamp trees. 2012.",
    "LINDQVIST (A.B.), RØNNING (Q.), Lamp trees, Wick Press, 2012",
    "National Library of Lamps. Lamp trees. 2012.",
    "———. Lamp trees. 2012.",
]


@pytest.mark.parametrize("text", STRINGS)
def test_proposals_are_the_same_whether_han_letters_follow(text: str) -> None:
    found = [(one.names, one.end, one.form) for one in proposals(text)]
    assert len(found) > 1
    assert {form for *_, form in found} & FORMS.keys()
    assert [(one.names, one.end, one.form) for one in proposals(f"{text} 研究")] == found


def test_proposals_take_no_han_letter_for_a_capital() -> None:
    forms = {one.form for one in proposals("王伟, 李. 研究. 2012.")}
    assert "han" in forms
    assert not forms & {"inverted", "inverted_bare"}
