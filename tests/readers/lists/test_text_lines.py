"""What a line of a text looks like."""

from __future__ import annotations

import pytest

from citeproof.readers.lists.text_lines import is_lead, is_like_reference, is_sentence

ONE = "A. Lee and B. Ray. On winter in old towns. Journal of Snow, 2019."
TWO = "Fox, C. (2020). A second title about foxes. Journal of Foxes."
SIX = "Kim et al. A third title about kites. KiteConf, 2021."


@pytest.mark.parametrize("text", [ONE, TWO, SIX, '"On winter", A. Lee, Snow 2019'])
def test_is_like_reference_is_true_of_references(text: str) -> None:
    assert is_like_reference(text)


@pytest.mark.parametrize(
    "text",
    [
        "On winter in old towns",
        "Deep Learning for X, Y. and Z., 2012: A Survey",
        "Proceedings of the 5th Workshop on Snow, WoS 2008, Oslo, Norway, May 3, 2008",
        "Here are some papers that were published in 2019:",
        "Let me know if you need papers from 2019!",
    ],
)
def test_is_like_reference_is_false_of_titles_and_sentences(text: str) -> None:
    assert not is_like_reference(text)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("Here are some papers that were published in 2019:", True),
        ("I hope this helps!", True),
        ("Let me know if you need more", True),
        ("Dear all", False),
        ("Dear, A. On winter. Snow, 2019.", False),
        ("Hope, Ann and Will, Bo. On winter. Snow, 2019.", False),
        ("I. Lee. On winter. Snow, 2019.", False),
        ("On winter: is it cold?", False),
    ],
)
def test_is_sentence_is_true_of_what_people_write_around_a_list(
    text: str, *, sentence: bool
) -> None:
    assert is_sentence(text) is sentence


@pytest.mark.parametrize(
    ("text", "lead"),
    [
        ("Papers on snow:", True),
        ("**Papers on snow:**", True),
        ("Here is all that I found on snow and on ice in towns:", True),
        ("A theory of snow and of ice in nine towns of old:", False),
        ("Papers on snow", False),
    ],
)
def test_is_lead_is_true_of_what_introduces_a_list(text: str, *, lead: bool) -> None:
    assert is_lead(text) is lead
