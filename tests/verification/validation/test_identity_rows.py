"""Each row of the tables of identity, with a comparison for which it is the first that holds."""

from dataclasses import replace
from typing import Any

import pytest

from citeproof.model.record import Candidate, MatchKind, Record
from citeproof.model.reference import Reference
from citeproof.text.normalize import normalize_title
from citeproof.text.similarity import similarity
from citeproof.verification.validation.compare.venues import VenueAgreement
from citeproof.verification.validation.comparison import Comparison, Identity
from citeproof.verification.validation.identity import (
    OTHER_TITLE,
    SAME_TITLE,
    VERSIONS,
    Row,
    compared,
    identify,
)
from tests.verification.validation.conferences import KNOWN

LONG = "On the Grazing Habits of Alpine Sheep in Winter"
RECORD = Record(
    "conf/ics/A21", LONG, ("Ann Alma", "Bo Berg"), 2021, "ICS", "inproceedings", doi="10.1145/7.8"
)
REFERENCE = Reference(
    "a", LONG, ("Ann Alma", "Bo Berg"), year=2021, venue="ICS", entry_type="inproceedings"
)
OTHERS = ("Cy Cole", "Di Dorn")
SHORT = "On Sheep"
ARTICLE = {"key": "journals/wool/A21", "venue": "J. Wool", "pub_type": "article", "doi": ""}
PREPRINT = {"key": "journals/corr/1", "venue": "CoRR", "publtype": "informal", "doi": ""}
BOOK = {"key": "books/A21", "venue": "", "pub_type": "book", "doi": ""}


def item(
    cited: dict[str, Any], recorded: dict[str, Any], match: MatchKind = MatchKind.TITLE
) -> Comparison:
    reference, record = replace(REFERENCE, **cited), replace(RECORD, **recorded)
    alike = similarity(normalize_title(reference.title), normalize_title(record.title))
    return compared(reference, Candidate(record, alike, match), KNOWN)


def first(rows: tuple[Row, ...], given: Comparison) -> int:
    return next(place for place, row in enumerate(rows) if row.holds(given))


VERSION_CASES: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"doi": "10.1145/7.8"}, {}),
    ({"year": 2020}, {"title": f"Book review: {LONG}", "authors": OTHERS}),
    ({"entry_type": "inbook", "authors": ("Ed Eck",)}, BOOK),
    ({"entry_type": "book", "venue": ""}, ARTICLE),
    ({"entry_type": "book", "venue": "", "year": 1999}, ARTICLE),
    ({"venue": "", "year": 2017, "volume": "3", "entry_type": "article"}, {}),
    ({"entry_type": "phdthesis", "venue": ""}, {**BOOK, "pub_type": "phdthesis"}),
    ({"entry_type": "techreport", "venue": ""}, {}),
    ({}, PREPRINT),
    ({}, {}),
    ({"venue": ""}, {}),
    ({"venue": ""}, ARTICLE),
    ({"venue": "Somewhere in the Alps", "entry_type": "misc"}, {"venue": "", "key": "x"}),
    ({"venue": "COG"}, {}),
]


@pytest.mark.parametrize("place", range(len(VERSION_CASES)))
def test_compared_versions_decides_by_the_first_row_that_holds(place: int) -> None:
    cited, recorded = VERSION_CASES[place]
    given = item(cited, recorded)
    assert first(VERSIONS, given) == place, VERSIONS[first(VERSIONS, given)].because
    assert given.version is VERSIONS[place].identity


def test_versions_has_a_case_for_each_row() -> None:
    assert len(VERSION_CASES) == len(VERSIONS)


SAME_CASES: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"title": f"Correction to: {LONG}"}, {}),
    ({"title": "Editorial Notes", "year": 2010}, {"title": "Editorial Notes"}),
    ({}, {}),
    ({"authors": ()}, {}),
    ({"title": SHORT, "authors": ()}, {"title": SHORT}),
    ({"title": f"{LONG}: A New Look at Old Habits", "authors": OTHERS}, {}),
    ({"authors": OTHERS}, {}),
    ({"title": "Sheep Graze in Winter", "authors": OTHERS}, {"title": "Sheep Graze in Winter"}),
    (
        {"title": SHORT, "authors": OTHERS, "venue": "COG", "doi": "10.1145/7.8"},
        {"title": SHORT},
    ),
    ({"title": SHORT, "authors": OTHERS}, {"title": SHORT}),
]


@pytest.mark.parametrize("place", range(len(SAME_CASES)))
def test_same_title_decides_by_the_first_row_that_holds(place: int) -> None:
    given = item(*SAME_CASES[place])
    assert given.title.same
    assert first(SAME_TITLE, given) == place, SAME_TITLE[first(SAME_TITLE, given)].because
    is_work = SAME_TITLE[place].identity is Identity.CITED
    assert (identify(given) is not Identity.ANOTHER) is is_work


def test_same_title_has_a_case_for_each_row_and_takes_others_for_another_work() -> None:
    assert len(SAME_CASES) == len(SAME_TITLE)
    given = item({"title": SHORT, "authors": OTHERS, "venue": "COG"}, {"title": SHORT})
    assert identify(given) is Identity.ANOTHER


CHANGED = LONG.replace("Alpine", "Arctic")
OTHER_CASES: list[tuple[dict[str, Any], dict[str, Any], MatchKind]] = [
    ({"title": CHANGED, "authors": OTHERS}, {}, MatchKind.TITLE),
    ({"title": CHANGED, "year": 2022}, {}, MatchKind.TITLE),
    ({"title": "Counting Goats", "doi": "10.1145/7.8"}, {}, MatchKind.DOI),
    (
        {"title": "Counting Goats", "venue": "COG", "arxiv_id": "2101.00001"},
        {"arxiv_id": "2101.00001", "doi": ""},
        MatchKind.ARXIV_ID,
    ),
    ({"title": LONG.replace("Winter", "Summer")}, {}, MatchKind.TITLE),
    ({"title": LONG.replace("Grazing", "Mysterious")}, {}, MatchKind.AUTHORS),
]


@pytest.mark.parametrize("place", range(len(OTHER_CASES)))
def test_identify_other_title_decides_by_the_first_row_that_holds(place: int) -> None:
    given = item(*OTHER_CASES[place])
    assert not given.title.same
    assert first(OTHER_TITLE, given) == place, OTHER_TITLE[first(OTHER_TITLE, given)].because
    is_work = OTHER_TITLE[place].identity is Identity.CITED
    assert (identify(given) is not Identity.ANOTHER) is is_work


def test_identify_takes_a_similar_title_of_the_next_year_for_another_work_at_conferences_only() -> (
    None
):
    paper = item({"title": CHANGED, "year": 2022}, {"doi": ""})
    article = item(
        {"title": CHANGED, "year": 2022, "venue": "J. Wool", "entry_type": "article"}, ARTICLE
    )
    assert paper.venue is article.venue is VenueAgreement.SAME
    assert identify(paper) is Identity.ANOTHER
    assert identify(article) is not Identity.ANOTHER


@pytest.mark.parametrize(
    ("cited", "match", "identity"),
    [
        ({}, MatchKind.TITLE, Identity.CITED),
        ({}, MatchKind.NEARBY, Identity.ANOTHER),
        ({"venue": "COG"}, MatchKind.TITLE, Identity.ANOTHER),
        ({"authors": ("Ann Alma",)}, MatchKind.TITLE, Identity.ANOTHER),
        ({"year": 2020, "entry_type": "article"}, MatchKind.TITLE, Identity.ANOTHER),
    ],
)
def test_identify_takes_a_damaged_title_that_was_found_for_the_work_where_all_else_agrees(
    cited: dict[str, Any], match: MatchKind, identity: Identity
) -> None:
    given = item({"title": "On Hazing Rabbits of Alpine Sleep, Winter", **cited}, {}, match)
    assert given.candidate.similarity < 0.9
    assert identify(given) is identity


def test_other_title_has_a_case_for_each_row() -> None:
    assert len(OTHER_CASES) == len(OTHER_TITLE)


@pytest.mark.parametrize("row", [*VERSIONS, *SAME_TITLE, *OTHER_TITLE])
def test_each_row_says_itself_in_a_sentence(row: Row) -> None:
    assert row.because.endswith(".")
    assert row.because[0].isupper()


@pytest.mark.parametrize(
    ("cited", "recorded", "about"),
    [
        ({}, {**ARTICLE, "pages": "11-29"}, False),
        ({}, {**ARTICLE, "pages": "11"}, False),
        ({"authors": OTHERS}, {**ARTICLE, "pages": "11"}, True),
        ({"authors": OTHERS}, {**ARTICLE, "pages": "11-29"}, False),
        ({"year": 2018}, {**ARTICLE, "pages": "11"}, True),
        ({"year": 2020}, {**ARTICLE, "pages": "11"}, False),
        ({"authors": OTHERS}, {**PREPRINT, "pub_type": "article", "pages": "11"}, False),
        ({"authors": OTHERS}, {"pages": "11"}, False),
    ],
)
def test_version_an_article_of_one_page_by_others_or_of_another_year_is_about_the_work(
    cited: dict[str, Any], recorded: dict[str, Any], *, about: bool
) -> None:
    assert (item(cited, recorded).version is Identity.ABOUT) is about
