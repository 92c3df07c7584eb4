"""Conditions of several parts: each part alone decides in one case."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from pydantic import ValidationError

from citeproof.model.findings import Findings, Inquiry, Outcome
from citeproof.model.record import Candidate, MatchKind, Record, Volume
from citeproof.model.reference import Reference
from citeproof.model.verdict import Status
from citeproof.verification.evidence.line import Said
from citeproof.verification.strategies.online import settled
from citeproof.verification.validation import identity
from citeproof.verification.validation.case import Case
from citeproof.verification.validation.claim import (
    Form,
    cites_no_conference,
    claimed_form,
    is_unsigned,
    out_of_scope,
)
from citeproof.verification.validation.compare.identifiers import doi_agrees
from citeproof.verification.validation.compare.venues import Venues
from citeproof.verification.validation.policy import DEFAULT
from tests.verification.validation.cases import TODAY, case

if TYPE_CHECKING:
    from collections.abc import Callable

    from citeproof.verification.validation.comparison import Comparison

PEOPLE = ("Ada Almgren", "Bo Berg")
CITED = Reference(
    "k", title="Counting Sheep in Wide Meadows", authors=PEOPLE, year=2001, venue="ICS"
)
SAME = Record("conf/ics/1", CITED.title, PEOPLE, 2001, "ICS", "inproceedings", source="dblp")


class _Sheep(Venues):
    def resolve(self, name: str) -> frozenset[str]:
        return frozenset({"conf/ics"}) if name == "ICS" else frozenset()

    def of_record(self, record: Record) -> frozenset[str]:
        return frozenset({"conf/ics"}) if record.venue == "ICS" else frozenset()

    def companion_not_held(self, venue: str, _year: int, _complete: float) -> bool:
        return venue == "conf/ics"


def _item(reference: Reference, record: Record) -> Comparison:
    (item,) = Case.of(
        reference, Findings((Candidate(record, 1.0),)), TODAY, _Sheep(), DEFAULT
    ).compared
    return item


@pytest.mark.parametrize(
    ("predicate", "reference", "record", "holds"),
    [
        (identity.confirms, CITED, SAME, True),
        (identity.confirms, CITED, replace(SAME, year=2002), True),
        (identity.confirms, CITED, replace(SAME, year=2003), False),
        (identity.confirms, CITED, replace(SAME, year=None), False),
        (identity.confirms, replace(CITED, year=None), SAME, False),
        (identity.confirms, CITED, replace(SAME, title="Painting Kettles"), False),
        (identity.confirms, CITED, replace(SAME, authors=("Cy Chan",)), False),
        (
            identity.confirms,
            replace(CITED, year=None, doi="10.1/x"),
            replace(SAME, doi="10.1/x"),
            True,
        ),
        (identity.agrees_but_for_title, CITED, replace(SAME, title="Painting Kettles"), True),
        (identity.agrees_but_for_title, CITED, replace(SAME, year=2002), True),
        (identity.agrees_but_for_title, CITED, replace(SAME, year=2003), False),
        (identity.agrees_but_for_title, CITED, replace(SAME, year=None), False),
        (identity.agrees_but_for_title, replace(CITED, year=None), SAME, False),
        (identity.agrees_but_for_title, CITED, replace(SAME, venue="COG"), False),
        (identity.agrees_but_for_title, CITED, replace(SAME, authors=("Cy Chan",)), False),
        (
            identity.agrees_but_for_title,
            replace(CITED, year=None, doi="10.1/x"),
            replace(SAME, doi="10.1/x"),
            True,
        ),
        (identity.may_be_retitled, CITED, replace(SAME, title="Painting", year=2002), True),
        (identity.may_be_retitled, CITED, replace(SAME, year=2003), False),
        (identity.may_be_retitled, CITED, replace(SAME, authors=PEOPLE[:1]), False),
        (
            identity.is_stranger,
            CITED,
            Record("k", "Painting Kettles", ("Cy Chan",), 2001),
            True,
        ),
        (identity.is_stranger, CITED, Record("k", "Painting Kettles", PEOPLE[:1], 2001), False),
        (
            identity.is_stranger,
            CITED,
            Record("k", "Counting Sheep", ("Cy Chan",), 2001),
            False,
        ),
        (
            identity.is_stranger,
            CITED,
            Record("k", "Counting Kettles", ("Cy Chan",), 2001),
            False,
        ),
    ],
)
def test_identity_of_a_record(
    predicate: Callable[[Comparison], bool], reference: Reference, record: Record, holds: bool
) -> None:
    assert bool(predicate(_item(reference, record))) == holds


@pytest.mark.parametrize(
    ("changes", "holds"),
    [
        ({}, True),
        ({"title": "Counting sheep in wide meadows."}, True),
        ({"title": "Painting Kettles"}, False),
        ({"authors": PEOPLE[:1]}, False),
        ({"doi": "10.1/X"}, True),
        ({"doi": "10.1/y"}, False),
    ],
)
def test_are_versions_by_equal_dois_else_by_title_and_authors(
    changes: dict[str, Any], holds: bool
) -> None:
    record = replace(SAME, doi="10.1/x")
    assert identity.are_versions(record, replace(SAME, **changes)) == holds
    different = replace(SAME, doi="10.1/x", title="Painting", authors=())
    assert identity.are_versions(record, different)


def _settled(reference: Reference, *records: Record, answered: tuple[str, ...] = ()) -> bool:
    inquiries = tuple(Inquiry(name, Outcome.ANSWERED) for name in answered)
    failed = (Inquiry("arxiv", Outcome.FAILED, "timed out"),)
    candidates = tuple(Candidate(record, 1.0) for record in records)
    return settled(reference, Findings(candidates, (*inquiries, *failed)))


def test_settled_when_two_sources_have_the_work() -> None:
    crossref, openalex = (replace(SAME, source=name) for name in ("crossref", "openalex"))
    repeater = replace(SAME, source="doi_org")
    assert _settled(CITED, crossref, openalex)
    assert not _settled(CITED, crossref, crossref)
    assert not _settled(CITED, crossref, repeater)
    assert not _settled(CITED, repeater)
    assert not _settled(CITED, crossref, replace(openalex, title="Painting Kettles"))


def test_settled_only_after_the_cited_doi_was_looked_up() -> None:
    two = [replace(SAME, source=name) for name in ("crossref", "openalex")]
    cited = replace(CITED, doi="10.1/x")
    assert not _settled(cited, *two)
    assert _settled(cited, *two, answered=("doi_org",))
    assert _settled(cited, two[0], replace(two[1], doi="10.1/X"))
    arxiv = replace(CITED, doi="10.48550/arxiv.1706.03762", arxiv_id="1706.03762")
    assert _settled(arxiv, *two, answered=("arxiv",))


def test_settled_only_after_the_cited_arxiv_id_was_looked_up() -> None:
    two = [replace(SAME, source=name) for name in ("crossref", "openalex")]
    cited = replace(CITED, arxiv_id="1706.03762")
    assert not _settled(cited, *two)
    assert _settled(cited, *two, answered=("arxiv",))
    assert _settled(cited, two[0], replace(two[1], arxiv_id="1706.03762"))
    by_id = Candidate(replace(SAME, source="dblp"), 1.0, MatchKind.ARXIV_ID)
    candidates = (*(Candidate(one, 1.0) for one in two), by_id)
    assert settled(cited, Findings(candidates))


@pytest.mark.parametrize(
    ("fields", "outside"),
    [
        ({"entry_type": "phdthesis"}, True),
        ({"entry_type": "phdthesis", "arxiv_id": "1706.03762"}, False),
        ({"entry_type": "misc", "url": "https://x.example", "venue": ""}, True),
        ({"entry_type": "misc", "venue": ""}, False),
        ({"entry_type": "misc", "url": "https://x.example"}, False),
        ({"entry_type": "misc", "url": "https://x.example", "venue": "", "doi": "10.1/x"}, False),
        ({"entry_type": "article", "url": "https://x.example", "venue": ""}, False),
    ],
)
def test_out_of_scope_are_theses_and_web_pages(fields: dict[str, Any], outside: bool) -> None:
    assert out_of_scope(replace(CITED, **fields)) == outside


@pytest.mark.parametrize(
    ("fields", "no_conference"),
    [
        ({"entry_type": "incollection"}, True),
        ({"entry_type": "article"}, False),
        ({"entry_type": "article", "venue": "Vision"}, True),
        ({"entry_type": "article", "venue": "Machine Vision"}, False),
        ({"entry_type": "article", "venue": "vision"}, False),
        ({"entry_type": "article", "volume": "3"}, True),
        ({"entry_type": "article", "number": "3"}, True),
        ({"entry_type": "inproceedings", "venue": "Vision", "volume": "3"}, False),
    ],
)
def test_cites_no_conference_by_kind_issue_or_a_plain_word(
    fields: dict[str, Any], no_conference: bool
) -> None:
    assert cites_no_conference(replace(CITED, **fields)) == no_conference


@pytest.mark.parametrize(
    ("fields", "unsigned"),
    [
        ({"entry_type": "misc", "venue": ""}, True),
        ({"entry_type": "misc"}, False),
        ({"entry_type": "misc", "venue": "", "doi": "10.1/x"}, False),
        ({"entry_type": "misc", "venue": "", "arxiv_id": "1706.03762"}, False),
        ({"entry_type": "article", "volume": "3"}, True),
        ({"entry_type": "article", "pages": "3"}, True),
        ({"entry_type": "article"}, False),
        ({"entry_type": "phdthesis"}, True),
        ({"entry_type": "misc", "venue": "", "authors": ("Anonymous", "Bo Berg")}, False),
        ({"entry_type": "misc", "venue": "", "authors": ("Bo Berg",)}, False),
    ],
)
def test_is_unsigned_work_of_a_kind_that_may_have_no_author(
    fields: dict[str, Any], unsigned: bool
) -> None:
    assert is_unsigned(replace(CITED, **{"authors": ("Anonymous",), **fields})) == unsigned


@pytest.mark.parametrize(
    ("fields", "form"),
    [
        ({"venue": "CoRR"}, Form.PREPRINT),
        ({"venue": "", "arxiv_id": "1706.03762"}, Form.PREPRINT),
        ({"arxiv_id": "1706.03762"}, Form.PAPER),
        ({"venue": "Springer"}, Form.BOOK),
        ({"venue": "", "publisher": "Springer"}, Form.BOOK),
        ({"venue": ""}, Form.UNSTATED),
        ({"venue": "", "note": "Unpublished manuscript"}, Form.REPORT),
    ],
)
def test_claimed_form_without_a_kind_follows_from_the_venue(
    fields: dict[str, Any], form: Form
) -> None:
    assert claimed_form(replace(CITED, entry_type="", **fields)) is form


@pytest.mark.parametrize(
    ("changes", "found"),
    [
        ({}, True),
        ({"title": "Painting Kettles"}, False),
        ({"year": 2002}, False),
        ({"venue": "COG"}, False),
        ({"authors": PEOPLE[:1]}, False),
        ({"authors": (*PEOPLE, "Cy Chan")}, True),
        ({"authors": (*PEOPLE, "Cy Chan", "Di Dahl")}, False),
    ],
)
def test_by_same_authors_needs_year_venue_and_a_word(changes: dict[str, Any], found: bool) -> None:
    record = (
        replace(SAME, title="Counting Goats", **changes)
        if "title" not in changes
        else (replace(SAME, **changes))
    )
    examined = case(CITED, [record], venues=_Sheep())
    assert examined.by_same_authors({"conf/ics"}) == (record if found else None)
    assert examined.by_same_authors({"conf/cog"}) is None


class _Certain(_Sheep):
    def is_certain(self, _name: str) -> bool:
        return True


class _Both(_Certain):
    def resolve(self, name: str) -> frozenset[str]:
        return frozenset({"conf/cog", "conf/ics"}) if name == "ICS" else frozenset()


def test_lacks_companion_if_one_of_the_held_volumes_does() -> None:
    goats, sheep = (
        Volume(f"{venue}/2001", venue, 2001, 90, 1.0, "pages") for venue in ("conf/cog", "conf/ics")
    )
    both = case(CITED, volumes=(goats, sheep), venues=_Both())
    assert both.held_volumes == (goats, sheep)
    assert both.lacks_companion
    assert case(CITED, volumes=(sheep,), venues=_Certain()).lacks_companion
    assert not case(CITED, volumes=(goats,), venues=_Both()).lacks_companion


@pytest.mark.parametrize(
    ("cited", "recorded", "agrees"),
    [
        ("10.1/x", "10.1/X", True),
        ("10.1/x", "10.1/y", False),
        ("", "", False),
        ("", "10.1/x", False),
    ],
)
def test_doi_agrees_if_a_record_has_it(cited: str, recorded: str, agrees: bool) -> None:
    assert doi_agrees(replace(CITED, doi=cited), [replace(SAME, doi=recorded)]) == agrees


def test_said_is_frozen_so_that_a_replay_cannot_change_it() -> None:
    said = Said(status=Status.VALID, reason="record_agrees", confidence=1.0)
    with pytest.raises(ValidationError):
        said.reason = "other"
    assert hash(said) == hash(said.model_copy())
