"""The same work from several sources is one work with several records when it is judged."""

from dataclasses import replace

import pytest

from citeproof.model.findings import Findings, Inquiry, Outcome
from citeproof.model.record import Candidate, MatchKind, Record
from citeproof.model.reference import Reference
from citeproof.verification.validation.case import Case
from citeproof.verification.validation.compare.venues import NO_VENUES
from citeproof.verification.validation.policy import DEFAULT
from citeproof.verification.validator import Validator
from tests.verification.validation.cases import TODAY

DBLP = Record(
    "conf/l/Rios01",
    "Lanterns along the Harbour: Light for Fleets",
    ("Zoë Ríos", "Kenji Abe"),
    2001,
    "Lamps",
    doi="10.4242/l.1",
    source="dblp",
)
CROSSREF = replace(
    DBLP, key="10.4242/l.1", title="Lanterns along the Harbour", source="crossref", year=2002
)
OPENALEX = replace(DBLP, key="W1", source="openalex", arxiv_id="0101.00001", doi="")
REFERENCE = Reference("k", DBLP.title, DBLP.authors, year=2002, doi="10.4242/l.1")
ASKED = (Inquiry("bibliographic_database", Outcome.ANSWERED, complete=True),)


def case(*records: tuple[Record, MatchKind, float]) -> Case:
    candidates = tuple(Candidate(record, similarity, kind) for record, kind, similarity in records)
    return next(
        iter(Case.of(REFERENCE, Findings(candidates, ASKED), TODAY, NO_VENUES, DEFAULT).by_work())
    )


def test_one_title_by_one_group_of_people_is_one_work() -> None:
    found = case((DBLP, MatchKind.TITLE, 1.0), (OPENALEX, MatchKind.TITLE, 1.0))
    assert {record.source for record in found.records} == {"dblp", "openalex"}


def test_one_identifier_in_two_sources_is_one_work_with_and_without_its_subtitle() -> None:
    found = case((DBLP, MatchKind.TITLE, 1.0), (CROSSREF, MatchKind.DOI, 0.8))
    assert {record.source for record in found.records} == {"dblp", "crossref"}
    assert found.holders_of(MatchKind.DOI) == ()


@pytest.mark.parametrize(
    "other",
    [
        (replace(CROSSREF, title="On Trees"), MatchKind.DOI, 0.2),
        (
            replace(CROSSREF, title="Lanterns along the Harbour and Light for Boats"),
            MatchKind.DOI,
            0.9,
        ),
        (replace(CROSSREF, authors=("Piet Wolff",)), MatchKind.DOI, 0.8),
    ],
)
def test_others_stay_other_works(other: tuple[Record, MatchKind, float]) -> None:
    found = case((DBLP, MatchKind.TITLE, 1.0), other)
    assert [record.source for record in found.records] == ["dblp"]


def test_a_year_that_one_of_the_sources_states_agrees() -> None:
    candidates = (Candidate(DBLP, 1.0), Candidate(CROSSREF, 0.8, MatchKind.DOI))
    verdict = Validator(today=lambda: TODAY).decide(REFERENCE, Findings(candidates, ASKED))
    assert verdict.status == "VALID"


def test_a_record_without_the_subtitle_contradicts_nobody_where_another_agrees() -> None:
    short = replace(CROSSREF, title="Lanterns", year=DBLP.year)
    candidates = (Candidate(DBLP, 1.0), Candidate(short, 0.3, MatchKind.DOI))
    verdict = Validator(today=lambda: TODAY).decide(REFERENCE, Findings(candidates, ASKED))
    assert verdict.status == "VALID"
    alone = Validator(today=lambda: TODAY).decide(REFERENCE, Findings(candidates[1:], ASKED))
    assert alone.status == "SUSPICIOUS"


@pytest.mark.parametrize(("source", "status"), [("crossref", "SUSPICIOUS"), ("openalex", "VALID")])
def test_only_the_registrar_contradicts_a_record_of_the_doi_that_agrees(
    source: str, status: str
) -> None:
    other = replace(DBLP, title=f"Torches {DBLP.title.partition(' ')[2]}", source=source)
    candidates = (Candidate(DBLP, 1.0), Candidate(other, 0.9, MatchKind.DOI))
    reference = replace(REFERENCE, year=DBLP.year)
    verdict = Validator(today=lambda: TODAY).decide(reference, Findings(candidates, ASKED))
    assert verdict.status == status
