"""Which publication a reference cites, and as what its preprint was published."""

from dataclasses import replace
from datetime import date

import pytest

from citeproof.fix.publication import Publication
from citeproof.fix.upgrade import cited_publication, published_version
from citeproof.model.findings import Findings
from citeproof.model.record import Candidate, Record
from citeproof.model.reference import Reference
from citeproof.verification.validator import Validator

PEOPLE = ("Ann B. Smith", "Bob Jones")
PAPER = Record(
    "conf/x/SmithJ17",
    "Looking at Many Things Again",
    PEOPLE,
    2017,
    "CVPR",
    "inproceedings",
    "10.1/cvpr",
    pages="1-9",
)
ARTICLE = replace(
    PAPER, key="journals/y/SmithJ19", year=2019, venue="PAMI", pub_type="article", doi="10.1/pami"
)
PREPRINT = Record(
    "journals/corr/1",
    PAPER.title,
    PEOPLE,
    2016,
    "CoRR",
    "article",
    "10.48550/arxiv.1612.1",
    "1612.00001",
    publtype="informal",
)
CITED = Reference("k", PAPER.title, PEOPLE, year=2017, venue="CVPR", entry_type="inproceedings")
AS_PREPRINT = replace(CITED, venue="arXiv preprint", year=2016, entry_type="article")


def keys(of: object, reference: Reference, *records: Record) -> list[str]:
    findings = Findings(tuple(Candidate(record, 1.0) for record in records))
    case = Validator(today=lambda: date(2026, 1, 1)).case(reference, findings)
    assert case.records
    return [record.key for record in of(case)]  # type: ignore[operator]


def test_of_several_publications_the_one_that_agrees_is_cited() -> None:
    assert keys(cited_publication, CITED, PREPRINT, PAPER, ARTICLE) == [PAPER.key]


@pytest.mark.parametrize(
    "cited",
    [
        replace(CITED, venue=""),
        replace(CITED, year=2018),
        replace(CITED, doi="10.1/pami"),
        replace(CITED, authors=PEOPLE[:1]),
        replace(CITED, title="Looking at Many Things Again: A Survey"),
        replace(CITED, venue="", entry_type="misc"),
    ],
    ids=[
        "no venue",
        "another year",
        "another DOI",
        "fewer people",
        "a subtitle",
        "a type without a venue",
    ],
)
def test_what_does_not_agree_or_may_be_either_is_not_certain(cited: Reference) -> None:
    assert keys(cited_publication, cited, PAPER, ARTICLE) == []


def test_records_of_one_publication_from_two_sources_are_one() -> None:
    again = replace(
        PAPER, key="10.1/cvpr", source="crossref", venue="Conf. on Computer Vision", pages="1-9"
    )
    assert keys(cited_publication, replace(CITED, doi="10.1/cvpr"), PAPER, again) == [
        PAPER.key,
        again.key,
    ]
    publication = Publication.of((PAPER, again))
    assert publication
    assert (publication.pages, publication.venue) == ("1-9", "")


def test_a_preprint_has_one_published_version() -> None:
    assert keys(published_version, AS_PREPRINT, PREPRINT, PAPER) == [PAPER.key]
    assert keys(
        published_version,
        replace(AS_PREPRINT, authors=("A. Smith",), and_others=True),
        PREPRINT,
        PAPER,
    )


@pytest.mark.parametrize(
    "records",
    [
        (PREPRINT,),
        (PREPRINT, PAPER, ARTICLE),
        (PREPRINT, replace(PAPER, authors=(*PEOPLE, "Cem Day"))),
        (PREPRINT, replace(PAPER, authors=PEOPLE[::-1])),
        (PREPRINT, replace(PAPER, title="Looking at Many Things Again!  In Colour")),
        (PREPRINT, replace(PAPER, year=2014)),
        (PREPRINT, replace(PAPER, venue="CVPR Workshops")),
        (PREPRINT, replace(PAPER, pub_type="book")),
    ],
    ids=[
        "none",
        "two",
        "more people",
        "another order",
        "another title",
        "before",
        "beside",
        "book",
    ],
)
def test_what_may_be_another_work_is_no_published_version(records: tuple[Record, ...]) -> None:
    assert keys(published_version, AS_PREPRINT, *records) == []


def test_a_preprint_with_a_doi_that_is_not_arxivs_is_left_alone() -> None:
    assert keys(
        published_version, replace(AS_PREPRINT, doi="10.48550/arxiv.1612.00001"), PREPRINT, PAPER
    )
    assert (
        keys(published_version, replace(AS_PREPRINT, doi="10.5281/zenodo.1"), PREPRINT, PAPER) == []
    )


def test_others_are_known_from_the_preprints_record_alone() -> None:
    assert (
        keys(published_version, replace(AS_PREPRINT, authors=PEOPLE[:1], and_others=True), PAPER)
        == []
    )
