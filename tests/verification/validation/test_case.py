"""What is derived of a case is derived once."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from citeproof.model.findings import Findings, Inquiry, Outcome
from citeproof.model.record import Candidate, MatchKind, Record, Volume
from citeproof.model.reference import Reference
from citeproof.text import normalize
from citeproof.text.title_words import title_form
from citeproof.verification.validation.compare.venues import VenueAgreement
from citeproof.verification.validator import Validator
from tests.verification.validation.cases import case
from tests.verification.validation.conferences import CLAIM, HELD, KNOWN, PAPER, PREPRINT

if TYPE_CHECKING:
    from collections.abc import Iterator

REFERENCE = Reference(
    "a", "Counting Sheep (extended abstract)", ("Ada Alma",), year=2020, venue="ICS"
)
RECORDS = (
    Record("conf/ics/A20", "Counting Sheep", ("Ada Alma",), 2020, "ICS", source="dblp"),
    Record("conf/ics/B20", "Counting the Sheep", ("Bo Berg",), 2020, "ICS", source="dblp"),
    Record("conf/ics/C20", "Counting Cheap", ("Cy Chen",), 2020, "ICS", source="dblp"),
)


@pytest.fixture
def normalized(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Return the titles that are normalised, wherever in the program."""
    seen: list[str] = []
    original = normalize.normalize_title

    def counting(title: str) -> str:
        seen.append(title)
        return original(title)

    for name, module in list(sys.modules.items()):
        if name.startswith("citeproof.") and getattr(module, "normalize_title", None) is original:
            monkeypatch.setattr(module, "normalize_title", counting)
    title_form.cache_clear()
    yield seen
    title_form.cache_clear()


@pytest.mark.parametrize(
    "reference", [REFERENCE, replace(REFERENCE, authors=("Xu Yang",), year=1990)]
)
def test_decide_a_title_is_normalised_once_and_once_without_its_remark(
    reference: Reference, normalized: list[str]
) -> None:
    kinds = (MatchKind.TITLE, MatchKind.DOI, MatchKind.NEARBY)
    findings = Findings(
        tuple(Candidate(record, 0.95, kind) for record, kind in zip(RECORDS, kinds, strict=True)),
        (Inquiry("db", Outcome.ANSWERED, complete=True),),
    )
    validator = Validator()
    verdict = validator.explain(validator.decide(reference, findings), findings)
    assert verdict.reason in {
        "record_agrees",
        "metadata_mismatch",
        "identity_conflict",
        "common_title",
    }
    assert normalized.count(REFERENCE.title) == 1
    assert normalized.count("Counting Sheep") <= 2, (
        "the record's title, and the cited one without its remark"
    )
    assert all(normalized.count(record.title) <= 1 for record in RECORDS[1:])


def test_case_parts_the_records_of_the_work_from_the_others() -> None:
    other = replace(PAPER, key="conf/ics/B21", authors=("Bo Berg", "Cy Chen"))
    made = case(CLAIM, (other, PREPRINT, PAPER), venues=KNOWN)
    assert made.records == (PAPER, PREPRINT)
    assert [item.record for item in made.compared] == [PAPER, PREPRINT, other]
    assert made.cited_venues == {"conf/cog"}


def test_case_without_a_record_has_no_work() -> None:
    made = case(CLAIM)
    assert made.best is None
    assert made.records == ()


def test_best_authors_are_of_the_cited_version_or_year() -> None:
    cited = replace(CLAIM, venue="ICS", authors=("Ann Alma", "Bo Berg"))
    printed = replace(PAPER, authors=("Ann Alma", "Cy Chen"))
    early = replace(PREPRINT, authors=("Ann Alma", "Bo Berg"), year=2017)
    found = case(cited, (printed, early), venues=KNOWN)
    assert {item.record for item in found.work} == {printed, early}
    assert found.best_authors
    assert found.best_authors.record == printed
    late = case(cited, (printed, replace(early, year=2020)), venues=KNOWN)
    assert late.best_authors
    assert late.best_authors.record.authors == cited.authors


def test_venue_a_record_of_a_thesis_without_a_venue_does_not_count() -> None:
    thesis = replace(PAPER, key="phd/A21", venue="", pub_type="phdthesis", crossref="")
    assert case(CLAIM, (thesis, PAPER), venues=KNOWN).venue is VenueAgreement.DIFFERENT
    assert case(CLAIM, (thesis,), venues=KNOWN).venue is VenueAgreement.NOT_COMPARABLE


def test_best_authors_are_those_that_agree_best_of_several_records() -> None:
    cited = replace(CLAIM, venue="ICS", authors=("Ann Alma", "Bo Berg"))
    others = replace(PAPER, key="conf/ics/X21", authors=("Xi Xu", "Yo Yu"))
    shortened = replace(PAPER, key="conf/ics/B21", authors=("Ann Alma",))
    own = replace(PAPER, authors=("Ann Alma", "Bo Berg"))
    for records in ((others, own), (own, others), (shortened, own), (others, shortened, own)):
        best = case(cited, records, venues=KNOWN).best_authors
        assert best
        assert best.record == own


WORKSHOP = Volume("conf/cog:kids/2021", "conf/cog:kids", 2021, 9, 1.0, "pages")


@pytest.mark.parametrize(
    ("venue", "entry_type", "volume", "volumes"),
    [
        ("COG", "inproceedings", "", [HELD]),
        ("COG Workshop on Kids", "inproceedings", "", [HELD, WORKSHOP]),
        ("COG", "article", "3", []),
    ],
)
def test_volumes_of_workshops_only_if_one_is_cited_and_of_conferences_unless_an_article_is(
    venue: str, entry_type: str, volume: str, volumes: list[Volume]
) -> None:
    cited = replace(CLAIM, venue=venue, entry_type=entry_type, volume=volume)
    made = case(cited, volumes=(HELD, WORKSHOP), venues=KNOWN)
    assert list(made.volumes) == volumes


def test_held_volumes_are_of_the_cited_year_and_venue() -> None:
    others = (
        replace(HELD, key="conf/cog/2020", year=2020),
        replace(HELD, key="conf/ics/2021", venue="conf/ics"),
    )
    assert case(CLAIM, volumes=(*others, HELD), venues=KNOWN).held_volumes == (HELD,)
    assert case(CLAIM, volumes=others, venues=KNOWN).held_volumes == ()
    dated = replace(CLAIM, venue="COG 2019")
    assert case(dated, volumes=(HELD,), venues=KNOWN).held_volumes == ()
    partly = replace(HELD, completeness=0.5)
    assert case(CLAIM, volumes=(partly,), venues=KNOWN).held_volumes == ()
