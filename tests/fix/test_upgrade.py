"""Which publication a reference cites, and as what its preprint was published."""

from dataclasses import replace
from datetime import date

import pytest

from citeproof.fix.publication import Publication
from citeproof.fix.upgrade import (
    cited_publication,
    plan_completion,
    plan_upgrade,
    published_version,
)
from citeproof.model.findings import Findings
from citeproof.model.record import Candidate, Record
from citeproof.model.reference import Reference
from citeproof.readers.document import Document
from citeproof.readers.formats import bibtex
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


VALIDATOR = Validator(today=lambda: date(2026, 1, 1))
ENTRY = """@{kind}{{k,
  author = {{Smith, Ann B. and Jones, Bob}},
  title = {{Looking at Many Things Again}},
  {rest}
}}"""


def found(records: tuple[Record, ...]) -> Findings:
    return Findings(tuple(Candidate(record, 1.0) for record in records))


def planned(plan: object, kind: str, rest: str, *records: Record) -> str:
    """Return the text of an entry after a step; empty if it has no plan."""
    document = Document.of_text(ENTRY.format(kind=kind, rest=rest), "refs.bib")
    (reference,) = bibtex.read(document).references
    verdict = VALIDATOR.decide(reference, found(records))
    case = VALIDATOR.case(reference, found(records))
    made = plan(reference, verdict, case, document.text, ascii_only=True)  # type: ignore[operator]
    return document.edited(sorted(made.edits)).text if made else ""


def keys(of: object, reference: Reference, *records: Record) -> list[str]:
    case = VALIDATOR.case(reference, found(records))
    assert case.records
    return [record.key for record in of(case)]  # type: ignore[operator]


def test_of_several_publications_the_one_that_agrees_is_cited() -> None:
    assert keys(cited_publication, CITED, PREPRINT, PAPER, ARTICLE) == [PAPER.key]


def test_an_entry_with_only_the_organization_cites_the_only_publication() -> None:
    cited = replace(CITED, venue="", publisher="Proceedings of the Conference on Looking")
    assert keys(cited_publication, cited, PAPER) == [PAPER.key]


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


FULL = replace(ARTICLE, volume="7", number="3", venue="J. Looking", doi="10.1000/looking")


@pytest.mark.parametrize(
    ("kind", "record", "added"),
    [
        ("article", FULL, ["volume = {7}", "number = {3}", "pages = {1--9}", "doi = {10.1000/lo"]),
        ("article", replace(FULL, volume=""), ["pages = {1--9}", "doi = {10.1000/lo"]),
        ("inproceedings", FULL, ["pages = {1--9}", "doi = {10.1000/lo"]),
        ("misc", FULL, []),
    ],
)
def test_plan_completion_adds_what_the_entry_type_has(
    kind: str, record: Record, added: list[str]
) -> None:
    name = "journal" if kind != "inproceedings" else "booktitle"
    text = planned(plan_completion, kind, f"{name} = {{J. Looking}},\n  year = {{2019}}", record)
    assert bool(text) is bool(added)
    assert [one for one in ("volume", "number", "pages", "doi") if f" {one} = " in text] == [
        one.partition(" ")[0] for one in added
    ]
    assert all(one in text for one in added)


def test_plan_completion_adds_year_and_venue_of_the_only_publication() -> None:
    text = planned(plan_completion, "article", "note = {Read}", FULL)
    assert "  journal = {J. Looking}," in text
    assert "  year = {2019}" in text
    assert planned(plan_completion, "article", "note = {Read}", FULL, PREPRINT) == ""


def test_plan_upgrade_writes_type_venue_and_year_of_the_paper() -> None:
    preprint = "journal = {arXiv preprint arXiv:1612.00001},\n  month = dec,\n  year = {2016}"
    text = planned(plan_upgrade, "article", preprint, PREPRINT, PAPER)
    assert text.startswith("@inproceedings{k,")
    assert "booktitle = {CVPR}" in text
    assert "year = {2017}" in text
    assert "eprint = {1612.00001}" in text
    assert "month" not in text
    text = planned(plan_upgrade, "article", preprint, PREPRINT, FULL)
    assert text.startswith("@article{k,")
    assert "journal = {J. Looking}" in text
    assert "volume = {7}" in text


@pytest.mark.parametrize("gone", ["publisher = {A Press}", "series = {LNCS}", "crossref = {x}"])
def test_plan_upgrade_leaves_an_entry_with_fields_of_a_publication(gone: str) -> None:
    preprint = f"journal = {{arXiv preprint arXiv:1612.00001}},\n  {gone},\n  year = 2016"
    assert planned(plan_upgrade, "article", preprint, PREPRINT, PAPER) == ""


def test_published_version_may_be_long_before_the_latest_preprint() -> None:
    latest = replace(PREPRINT, key="journals/corr/2", year=2024)
    assert keys(published_version, AS_PREPRINT, latest, PAPER) == [PAPER.key]
    late = replace(AS_PREPRINT, year=2024)
    assert keys(published_version, late, latest, PAPER) == []


def test_published_version_has_the_people_of_all_preprints() -> None:
    others = replace(PREPRINT, key="journals/corr/2", authors=("Ann B. Smith", "Cem Day"))
    assert keys(published_version, AS_PREPRINT, PREPRINT, others, PAPER) == []
