from dataclasses import replace
from typing import Any

import pytest

from citeproof.model.findings import Agreement, FieldName
from citeproof.model.record import Candidate, Record
from citeproof.model.reference import Reference
from citeproof.text.similarity import runs
from citeproof.verification.validation.comparison import Comparison
from citeproof.verification.validation.identity import compared
from tests.verification.validation.conferences import KNOWN

SAME, PARTLY, DIFFERENT, UNCLEAR, ABSENT = (
    Agreement.SAME,
    Agreement.PARTLY,
    Agreement.DIFFERENT,
    Agreement.UNCLEAR,
    Agreement.ABSENT,
)
CITED = Reference(
    "a",
    "Counting sheep in flocks",
    ("Ann Alma", "Bo Berg"),
    year=2021,
    venue="ICS",
    doi="10.1145/1.2",
    arxiv_id="2101.00001",
    pages="11--29",
    volume="7",
    number="3",
)
RECORD = Record(
    "conf/ics/A21",
    "Counting Sheep in Flocks.",
    ("Ann Alma", "Bo Berg"),
    2021,
    "ICS",
    "inproceedings",
    doi="10.1145/1.2",
    arxiv_id="2101.00001",
    pages="11-30",
    volume="7",
    number="3",
)


def beside(record: Record, similarity: float = 1.0, **changes: Any) -> Comparison:
    cited = replace(CITED, **changes)
    return compared(cited, Candidate(record, similarity), KNOWN)


FIELDS: tuple[tuple[FieldName, object, Agreement], ...] = (
    ("title", "Counting sheep in flocks", SAME),
    ("title", "Counting goats in flocks", PARTLY),
    ("title", "", ABSENT),
    ("authors", ("A. Alma", "B. Berg"), SAME),
    ("authors", ("Ann Alma", "Cy Chen"), PARTLY),
    ("authors", ("Ann Alma",), PARTLY),
    ("authors", ("Cy Chen", "Di Dorn"), DIFFERENT),
    ("authors", (), ABSENT),
    ("year", 2021, SAME),
    ("year", 2020, DIFFERENT),
    ("year", None, ABSENT),
    ("venue", "International Conference on Sheep", SAME),
    ("venue", "COG", DIFFERENT),
    ("venue", "Intergalactic Congress of Shepherds", UNCLEAR),
    ("venue", "", ABSENT),
    ("doi", "10.1145/1.2", SAME),
    ("doi", "10.1145/1.3", DIFFERENT),
    ("doi", "10.48550/arXiv.2101.00001", UNCLEAR),
    ("doi", "", ABSENT),
    ("arxiv_id", "2101.00001", SAME),
    ("arxiv_id", "2101.00002", DIFFERENT),
    ("pages", "11", SAME),
    ("pages", "12--30", DIFFERENT),
    ("pages", "", ABSENT),
    ("volume", "LNCS 7", SAME),
    ("volume", "8", DIFFERENT),
    ("number", "3/4", SAME),
    ("number", "5", DIFFERENT),
)


@pytest.mark.parametrize(("name", "cited", "agreement"), FIELDS)
def test_field_says_how_a_cited_value_agrees(
    name: FieldName, cited: Any, agreement: Agreement
) -> None:
    compared = beside(RECORD, **{str(name): cited}).field(name)
    assert (compared.field, compared.agreement) == (name, agreement)


@pytest.mark.parametrize("name", ["authors", "year", "venue", "doi", "arxiv_id", "pages", "volume"])
def test_field_is_absent_if_the_record_has_no_value(name: FieldName) -> None:
    nothing: dict[str, Any] = {"authors": (), "year": None}
    record = replace(RECORD, **{name: nothing.get(name, "")})
    assert beside(record).field(name).agreement is ABSENT


def test_field_a_less_similar_title_is_different() -> None:
    title = "Counting goats in flocks"
    assert beside(RECORD, 0.65, title=title).field("title").agreement is PARTLY
    assert beside(RECORD, 0.64, title=title).field("title").agreement is DIFFERENT


def test_field_names_the_words_and_authors_that_differ() -> None:
    title = beside(RECORD, title="Counting goats in flocks").field("title")
    assert (title.only_cited, title.only_recorded) == (("goats",), ("Sheep",))
    people = beside(RECORD, authors=("Ann Alma", "Cy Chen")).field("authors")
    assert (people.cited, people.recorded) == ("Ann Alma; Cy Chen", "Ann Alma; Bo Berg")
    assert (people.only_cited, people.only_recorded) == (("Cy Chen",), ("Bo Berg",))


def test_compare_counts_the_years_between_reference_and_record() -> None:
    assert [beside(RECORD, year=year).year_gap for year in (2021, 2019, 2024, None)] == [0, 2, 3, 0]
    assert beside(replace(RECORD, year=None)).year_gap == 0
    assert beside(RECORD, year=None, venue="ICS 2018").year_gap == 3
    assert beside(RECORD, year=None, venue="ICS 2018, reprinted 2019").year_gap == 0


def test_has_cited_place_needs_the_volume_and_the_first_page() -> None:
    assert beside(RECORD).has_cited_place
    assert not beside(RECORD, volume="8").has_cited_place
    assert not beside(RECORD, pages="12").has_cited_place
    assert beside(RECORD, volume="8").has_cited_page


def test_authors_agree_only_if_both_sides_name_people() -> None:
    assert beside(RECORD).authors_agree
    assert not beside(RECORD, authors=()).authors_agree
    assert not beside(replace(RECORD, authors=())).authors_agree
    assert not beside(RECORD, authors=("Cy Chen", "Di Dorn")).authors_agree


def test_runs_joins_neighbouring_words_that_are_alike() -> None:
    words = [("a", True), ("b", True), ("c", False), ("d", True)]
    assert runs(words) == [("a b", True), ("c", False), ("d", True)]
