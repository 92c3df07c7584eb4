"""Which DOI, arXiv id and RFC a reference cites."""

import pytest

from citeproof.model.record import Record
from citeproof.model.reference import Reference
from citeproof.verification.validation.compare.identifiers import (
    arxiv_id_of,
    doi_agrees,
    is_dated,
    rfc_of,
)


@pytest.mark.parametrize(
    ("cited", "recorded", "agrees"),
    [
        ("10.1145/Ice.1", ["10.1145/ice.1"], True),
        ("10.1145/ice.1", ["", "10.1145/snow.2", "10.1145/ICE.1"], True),
        ("10.1145/ice.1", ["10.1145/ice.12"], False),
        ("10.1145/ice.1", [], False),
        ("", [""], False),
    ],
)
def test_doi_agrees_in_any_case_with_one_record(
    cited: str, recorded: list[str], *, agrees: bool
) -> None:
    records = [Record("k", "On ice", doi=doi) for doi in recorded]
    assert doi_agrees(Reference("a", doi=cited), records) is agrees


@pytest.mark.parametrize(
    ("arxiv_id", "doi", "found"),
    [
        ("2001.00001", "", "2001.00001"),
        ("2001.00001", "10.48550/arXiv.1907.00002", "2001.00001"),
        ("", "10.48550/arXiv.1907.00002", "1907.00002"),
        ("", "10.48550/ARXIV.1907.00002v3", "1907.00002"),
        ("", "10.48550/arxiv.cs/0112017", "cs/0112017"),
        ("", "10.1145/arxiv.1907.00002", ""),
        ("", "", ""),
    ],
)
def test_arxiv_id_of_reads_the_doi_of_arxiv(arxiv_id: str, doi: str, found: str) -> None:
    assert arxiv_id_of(Reference("a", arxiv_id=arxiv_id, doi=doi)) == found


@pytest.mark.parametrize(
    ("fields", "number"),
    [
        ({"note": "RFC 7231"}, "7231"),
        ({"note": " IETF RFC 7231 (Proposed Standard) "}, "7231"),
        ({"venue": "Request for Comments", "number": "793"}, "793"),
        ({"venue": "RFC", "volume": "793"}, "793"),
        ({"url": "https://www.rfc-editor.org/rfc/rfc7231.html"}, "7231"),
        ({"url": "https://datatracker.ietf.org/doc/html/rfc7231"}, "7231"),
        ({"url": "https://tools.ietf.org/html/rfc793", "note": "RFC 793"}, "793"),
        ({"url": "https://tools.ietf.org/html/rfc793", "note": "RFC 7231"}, ""),
        ({"note": "See RFC 7231 and others"}, ""),
        ({"note": "RFC 7231", "doi": "10.17487/RFC7231"}, ""),
        ({"url": "https://example.org/rfc7231"}, ""),
        ({"number": "793"}, ""),
    ],
)
def test_rfc_of_needs_a_field_that_names_one_rfc_alone(fields: dict[str, str], number: str) -> None:
    assert rfc_of(Reference("a", **fields)) == number  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("year", "dated"), [(2018, False), (2019, True), (2020, True), (2021, True), (2022, False)]
)
def test_is_dated_within_a_year_of_the_arxiv_id(year: int, *, dated: bool) -> None:
    assert is_dated(Reference("a", arxiv_id="2003.00001", year=year)) is dated


def test_is_dated_needs_an_arxiv_id_and_a_year() -> None:
    assert is_dated(Reference("a", arxiv_id="2003.00001")) is False
    assert is_dated(Reference("a", year=2020)) is False
