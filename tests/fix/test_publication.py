"""Where a work was published, taken whole from the records of one publication."""

from __future__ import annotations

from dataclasses import replace

import pytest

from citeproof.fix.publication import Publication, agreements
from citeproof.model.record import Record
from citeproof.model.reference import Reference
from tests.fix.works import CITED, OF_REGISTRAR, PAPER, PREPRINT, judged

ARTICLE = replace(PAPER, pub_type="article", venue="J. Wool", volume="7", number="3")


def test_of_takes_all_values_from_one_publication() -> None:
    assert Publication.of([ARTICLE]) == Publication(
        "article", "J. Wool", "7", "3", "11-19", "2021", PAPER.doi
    )
    assert str(Publication.of([ARTICLE])) == (
        "J. Wool 2021, volume 7, number 3, pages 11-19, DOI 10.1000/ics.21"
    )


def test_of_leaves_out_what_two_records_of_a_publication_state_differently() -> None:
    found = Publication.of([PAPER, replace(OF_REGISTRAR, venue="Sheep Conference")])
    assert found == Publication("inproceedings", pages="11-19", year="2021", doi=PAPER.doi)


@pytest.mark.parametrize(
    "records",
    [
        [],
        [PAPER, replace(ARTICLE, doi="10.1000/wool")],
        [PAPER, replace(PAPER, year=2022)],
        [PREPRINT],
        [replace(ARTICLE, venue="Electronic Colloquium on Computational Complexity (ECCC)")],
        [replace(PAPER, pub_type="book")],
        [replace(PAPER, pub_type="incollection")],
    ],
    ids=["none", "two", "two years", "a preprint", "a report", "a book", "a chapter"],
)
def test_of_is_none_for_what_is_no_single_paper(records: list[Record]) -> None:
    assert Publication.of(records) is None


@pytest.mark.parametrize(
    ("name", "record", "value"),
    [
        ("pages", replace(PAPER, pages="12:1-12:28"), "12:1-12:28"),
        ("pages", replace(PAPER, pages="377-"), ""),
        ("volume", replace(ARTICLE, volume="abs/1612.00001"), ""),
        ("volume", replace(ARTICLE, volume="12"), "12"),
        ("volume", replace(PAPER, volume="12"), ""),
        ("number", replace(ARTICLE, number="POPL"), ""),
        ("doi", replace(PAPER, doi="10.5555/12"), ""),
    ],
)
def test_value_of_an_unusual_form_is_empty(name: str, record: Record, value: str) -> None:
    found = Publication.of([record])
    assert found
    assert found.value(name) == value


def test_written_is_latex_without_the_number_of_a_part() -> None:
    found = Publication("inproceedings", "Größe & ICS (2)", pages="11-19", doi="10.1/a_b")
    assert found.written("venue", ascii_only=True) == r"Gr{\"o}{\ss}e \& ICS"
    assert found.written("pages", ascii_only=True) == "11--19"
    assert found.written("doi", ascii_only=True) == "10.1/a_b"


@pytest.mark.parametrize(
    ("cited", "expected"),
    [
        (CITED, {"venue": True, "year": True}),
        (replace(CITED, venue="COG", year=2020), {"venue": False, "year": False}),
        (replace(CITED, venue="International Congress of Shepherds", year=None), {}),
        (
            replace(CITED, doi=PAPER.doi, pages="11--20", volume="3"),
            {"venue": True, "year": True, "doi": True, "pages": True},
        ),
        (
            replace(CITED, doi="10.1000/cog", pages="12"),
            {"venue": True, "year": True, "doi": False, "pages": False},
        ),
    ],
)
def test_agreements_are_of_what_both_state(cited: Reference, expected: dict[str, bool]) -> None:
    _, case = judged(cited, PAPER)
    assert case.best
    assert agreements(case.best) == expected
