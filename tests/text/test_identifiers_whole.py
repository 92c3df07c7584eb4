"""What is an identifier as a whole, and what only holds one."""

import pytest

from citeproof.model.record import MatchKind
from citeproof.text.identifiers import Identifier, are_twins, identifier_in

DOI = Identifier(MatchKind.DOI, "10.5555/lamps.2012.11")
ARXIV = Identifier(MatchKind.ARXIV_ID, "1203.0042")


@pytest.mark.parametrize(
    ("text", "identifier"),
    [
        ("10.5555/LAMPS.2012.11", DOI),
        (" doi: 10.5555/lamps.2012.11 ", DOI),
        ("https://doi.org/10.5555/lamps.2012.11", DOI),
        ("1203.0042", ARXIV),
        ("arXiv:1203.0042v3", ARXIV),
        ("https://arxiv.org/abs/1203.0042", ARXIV),
        ("10.48550/arXiv.1203.0042", ARXIV),
        ("math/0211159", Identifier(MatchKind.ARXIV_ID, "math/0211159")),
    ],
)
def test_identifier_in_an_identifier_is_recognised_in_every_spelling(
    text: str, identifier: Identifier
) -> None:
    assert identifier_in(text) == identifier


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Lamps",
        "1984",
        "Lamp Trees, doi 10.5555/lamps.2012.11",
        "Notes on arXiv:1203.0042",
        "10." + "5" * 100_000,
    ],
)
def test_identifier_in_a_title_is_no_identifier_whatever_it_holds(text: str) -> None:
    assert identifier_in(text) is None


@pytest.mark.parametrize(
    ("doi", "other", "twins"),
    [
        ("10.1145/253262.253332", "10.1145/253260.253332", True),
        ("10.1145/253262.253332", "10.1109/253260.253332", False),
        ("10.1145/253262.3332", "10.1145/253260.3332", False),
        ("10.1145/253332", "10.1145/253260.253332", False),
    ],
)
def test_are_twins_if_registrant_and_paper_number_agree(doi: str, other: str, twins: bool) -> None:
    assert are_twins(doi, other) is twins
