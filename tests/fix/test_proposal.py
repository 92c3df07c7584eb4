"""What is corrected, and what stays a question."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from citeproof.fix import proposal
from citeproof.fix.proposal import Proposal, proposals
from citeproof.model.record import Record, Volume
from citeproof.model.reference import Place, Span
from tests.fix.works import CITED, OF_REGISTRAR, PAPER, PREPRINT, judged
from tests.verification.validation.conferences import HELD, Known

if TYPE_CHECKING:
    from citeproof.model.reference import Reference
    from citeproof.verification.validation.compare.venues import Venues

WITH_DOI = replace(CITED, doi=PAPER.doi)
SPRINGS = replace(CITED, title="The Patience of Sheep in Summer Pastures")
ARTICLE = replace(
    PAPER,
    key="journals/wool/AB22",
    year=2022,
    venue="J. Wool",
    pub_type="article",
    doi="10.1000/wool",
    pages="1-30",
    volume="7",
    crossref="",
)


def proposed(
    reference: Reference,
    *records: Record,
    volumes: tuple[Volume, ...] = (),
    venues: Venues | None = None,
) -> list[Proposal]:
    known = {"venues": venues} if venues else {}
    return list(proposals(*judged(reference, *records, volumes=volumes, **known)))


def only(found: list[Proposal]) -> tuple[dict[str, object], str]:
    assert len(found) == 1, found
    return dict(found[0].values), found[0].doubt


def beside(reference: Reference, *names: str) -> Reference:
    """Return ``reference`` with further fields in its entry."""
    return replace(
        reference, place=Place("refs.bib", 1, fields=tuple((name, Span(0, 1)) for name in names))
    )


@pytest.mark.parametrize(
    ("records", "cited", "doubt"),
    [
        ((PAPER,), SPRINGS, proposal.ONE_RECORD),
        ((PAPER, PREPRINT), SPRINGS, ""),
        ((PAPER, OF_REGISTRAR), SPRINGS, ""),
        ((PAPER,), replace(SPRINGS, doi=PAPER.doi), ""),
        ((PAPER,), replace(SPRINGS, doi="10.1000/other"), proposal.ONE_RECORD),
        (
            (replace(PAPER, title="The Patience of Sheep in Pastures"),),
            replace(SPRINGS, doi=PAPER.doi, title="The Patience of Sheep in Pastures Today"),
            proposal.ONE_RECORD,
        ),
        (
            (replace(OF_REGISTRAR, title="The Patience of Sheep in Pastures"),),
            replace(SPRINGS, doi=PAPER.doi, title="The Patience of Sheep in Pastures Today"),
            "",
        ),
    ],
    ids=[
        "one record",
        "two versions",
        "two sources",
        "the cited DOI",
        "another DOI",
        "a word that the record may have lost",
        "a word that the registrar does not have",
    ],
)
def test_proposals_of_a_title_need_two_records_or_the_cited_doi(
    records: tuple[Record, ...], cited: Reference, doubt: str
) -> None:
    values, found = only([one for one in proposed(cited, *records) if "title" in one.about])
    assert values == {"title": records[0].title}
    assert found == doubt


def test_proposals_of_a_title_need_one_title_in_all_records() -> None:
    plural = replace(PREPRINT, title="The Patience of Sheep in Winter Pasture")
    values, doubt = only(proposed(replace(SPRINGS, doi=PAPER.doi), PAPER, plural))
    assert (values, doubt) == ({"title": PAPER.title}, proposal.DIFFERENT_VALUES)


NAMES = [
    (("Ann Alma", "Cem Cole"), (PAPER,), proposal.ONE_RECORD),
    (("Ann Alma", "Cem Cole"), (PAPER, PREPRINT), ""),
    (("Ann Alma", "Cem Cole"), (PAPER, replace(PREPRINT, authors=("Ann Alma", "B. Berg"))), ""),
    (
        ("Ann Alma", "Cem Cole"),
        (PAPER, replace(PREPRINT, authors=("Ann Alma", "Bo Berg", "Di Day"))),
        proposal.DIFFERENT_VALUES,
    ),
    (("Ann Alma", "Ole Berg"), (PAPER, PREPRINT), proposal.ONE_RECORD),
    (("Ann Alma", "Ole Berg"), (PAPER, OF_REGISTRAR), ""),
]


@pytest.mark.parametrize(("authors", "records", "doubt"), NAMES)
def test_proposals_of_names_need_two_records(
    authors: tuple[str, ...], records: tuple[Record, ...], doubt: str
) -> None:
    assert only(proposed(replace(CITED, authors=authors), *records)) == (
        {"authors": PAPER.authors},
        doubt,
    )


@pytest.mark.parametrize(
    ("authors", "record", "doubt"),
    [
        (("Ann Alma", "Cem Cole"), PAPER, ""),
        (("Ann Alma", "Ole Berg"), PAPER, proposal.ONE_RECORD),
        (("Ann Alma", "Ole Berg"), OF_REGISTRAR, ""),
    ],
)
def test_proposals_of_given_names_need_the_registrar_and_not_only_the_cited_doi(
    authors: tuple[str, ...], record: Record, doubt: str
) -> None:
    assert only(proposed(replace(WITH_DOI, authors=authors), record))[1] == doubt


def test_proposals_of_a_publication_are_whole() -> None:
    cited = replace(CITED, venue="COG", year=2021)
    paper = replace(PAPER, year=2022)
    values, doubt = only(proposed(cited, paper, volumes=(HELD,)))
    assert (values, doubt) == ({"venue": "ICS", "year": "2022"}, "")


AT_GOATS = replace(CITED, venue="COG")
PLACES = [
    ("a held volume lacks it", AT_GOATS, PAPER, Known(), ""),
    ("no volume is held", AT_GOATS, PAPER, None, proposal.OTHER_VERSION),
    (
        "workshops are not held",
        AT_GOATS,
        PAPER,
        Known(companions_missing=True),
        proposal.OTHER_VERSION,
    ),
    (
        "a single author",
        replace(AT_GOATS, authors=("Ann Alma",)),
        replace(PAPER, authors=("Ann Alma",)),
        Known(),
        proposal.OTHER_VERSION,
    ),
    (
        "another kind",
        AT_GOATS,
        replace(PAPER, pub_type="article"),
        Known(),
        proposal.OTHER_KIND,
    ),
    (
        "an entry type that is no paper's",
        replace(AT_GOATS, entry_type="misc"),
        PAPER,
        Known(),
        proposal.OTHER_KIND,
    ),
    ("other pages", replace(AT_GOATS, pages="70-79"), PAPER, Known(), proposal.OTHER_VERSION),
    ("the pages agree", replace(AT_GOATS, pages="11--19"), PAPER, None, ""),
    ("the DOI agrees", replace(AT_GOATS, doi=PAPER.doi), PAPER, None, ""),
    (
        "a series stays",
        beside(replace(AT_GOATS, doi=PAPER.doi), "series"),
        PAPER,
        None,
        "series may not belong to that publication",
    ),
    (
        "a link with the DOI",
        beside(replace(AT_GOATS, doi=PAPER.doi, url=f"https://doi.org/{PAPER.doi}"), "url"),
        PAPER,
        None,
        "",
    ),
    (
        "another link",
        beside(replace(AT_GOATS, doi=PAPER.doi, url="https://example.org"), "url"),
        PAPER,
        None,
        "url may not belong to that publication",
    ),
    (
        "a volume stays",
        replace(AT_GOATS, doi=PAPER.doi, volume="80"),
        PAPER,
        None,
        "volume may not belong to that publication",
    ),
]


@pytest.mark.parametrize(
    ("cited", "record", "venues", "doubt"),
    [each[1:] for each in PLACES],
    ids=[each[0] for each in PLACES],
)
def test_proposals_of_a_venue_need_proof_that_the_work_is_not_at_the_cited_one(
    cited: Reference, record: Record, venues: Known | None, doubt: str
) -> None:
    volumes = (HELD,) if venues else ()
    found = proposed(cited, record, volumes=volumes, venues=venues)
    values, found_doubt = only(found)
    assert (values["venue"], found_doubt) == ("ICS", doubt)


@pytest.mark.parametrize(
    ("cited", "values", "doubt"),
    [
        (CITED, {"year": "2021"}, ""),
        (beside(CITED, "month"), {"year": "2021"}, "month may not belong to that publication"),
        (beside(replace(CITED, pages="11-19"), "month"), {"year": "2021"}, ""),
        (
            replace(CITED, pages="70-79"),
            {"year": "2021", "pages": "11-19"},
            proposal.OTHER_VERSION,
        ),
        (
            replace(CITED, pages="70-79", doi=PAPER.doi),
            {"year": "2021", "pages": "11-19"},
            "",
        ),
        (replace(CITED, venue=""), {"year": "2021"}, proposal.OTHER_VERSION),
        (replace(CITED, venue="", pages="11-19"), {"year": "2021"}, proposal.OTHER_VERSION),
        (replace(CITED, venue="", doi=PAPER.doi), {"year": "2021"}, ""),
    ],
)
def test_proposals_of_a_year_need_the_venue_and_nothing_that_contradicts(
    cited: Reference, values: dict[str, str], doubt: str
) -> None:
    assert only(proposed(replace(cited, year=2017), PAPER)) == (values, doubt)


@pytest.mark.parametrize(
    ("year", "doi", "doubt"),
    [
        (2021, "10.1000/pasture.5", proposal.OTHER_VERSION),
        (2021, "1000/ics.21", ""),
        (2020, "1000/ics.21", proposal.OTHER_VERSION),
    ],
    ids=["it may have two", "it cannot be", "the year is one off"],
)
def test_proposals_of_a_doi_need_a_wrong_doi_and_the_right_place(
    year: int, doi: str, doubt: str
) -> None:
    values, found = only(proposed(replace(CITED, year=year, doi=doi), PAPER))
    assert (values["doi"], found) == (PAPER.doi, doubt)


def test_proposals_name_the_publication_that_agrees_best() -> None:
    cited = replace(CITED, year=2017, pages="11-19")
    assert only(proposed(cited, ARTICLE, PAPER)) == ({"year": "2021"}, "")


def test_proposals_name_no_preprint_and_no_report() -> None:
    cited = replace(CITED, year=2015)
    report = replace(
        PAPER, venue="Electronic Colloquium on Computational Complexity (ECCC)", pub_type="article"
    )
    for record in (PREPRINT, report):
        assert all(one.doubt for one in proposed(replace(cited, venue="COG"), record))


def test_proposals_are_none_where_nothing_is_decided() -> None:
    assert proposed(CITED, PAPER) == []
    assert proposed(replace(CITED, title="A Work that Nobody Wrote")) == []


@pytest.mark.parametrize(
    ("cited", "doubt"),
    [
        (CITED, ""),
        (replace(CITED, venue=""), ""),
        (replace(CITED, year=2022), ""),
        (replace(CITED, year=2025), proposal.NOT_IDENTIFIED),
    ],
    ids=["venue and year", "the year", "the venue, a year off", "another year"],
)
def test_proposals_of_names_need_the_year_or_the_venue(cited: Reference, doubt: str) -> None:
    wrong = replace(cited, authors=("Ann Alma", "Cem Cole"))
    found = [one for one in proposed(wrong, PAPER, PREPRINT) if "authors" in one.about]
    assert only(found)[1] == doubt
