from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from citeproof.models import Candidate, Findings, Inquiry, MatchKind, Outcome, Record, Reference, Status, Verdict
from citeproof.validation.outage import after_failures

REFERENCE = Reference("r", "Ribbon tables", doi="10.1/x", arxiv_id="2105.01234")
RECORD = Record("k", "Ribbon tables", doi="10.1/X", arxiv_id="2105.01234")
FAILED = Inquiry("crossref", Outcome.FAILED, "timed out")
ANSWERED = Inquiry("dblp", Outcome.ANSWERED)


def verdict(status: Status, **changes: Any) -> Verdict:
    return replace(Verdict(REFERENCE, status, "reason", 1.0, flags=()), **changes)


def findings(*records: Record, inquiries: tuple[Inquiry, ...] = (ANSWERED, FAILED), alike: float = 1.0) -> Findings:
    return Findings(tuple(Candidate(record, alike) for record in records), inquiries)


@pytest.mark.parametrize("status", Status)
def test_without_a_failure_nothing_changes(status: Status) -> None:
    skipped = Inquiry("doi_org", Outcome.SKIPPED)
    assert after_failures(verdict(status), findings(inquiries=(ANSWERED, skipped))) == verdict(status)


@pytest.mark.parametrize("status", [status for status in Status if status is not Status.VALID])
def test_with_a_failure_only_valid_survives(status: Status) -> None:
    result = after_failures(verdict(status, best_match=Candidate(RECORD, 1.0)), findings(RECORD))
    assert (result.status, result.reason, result.confidence) == (Status.ERROR, "source_failed", 0.5)
    assert result.best_match == Candidate(RECORD, 1.0), "what was found so far is shown"


def test_valid_survives_where_each_identifier_is_confirmed() -> None:
    assert after_failures(verdict(Status.VALID), findings(RECORD)).status is Status.VALID


@pytest.mark.parametrize("missing", [{"doi": ""}, {"arxiv_id": ""}, {"doi": "10.1/y"}])
def test_valid_falls_where_one_is_not(missing: dict[str, str]) -> None:
    assert after_failures(verdict(Status.VALID), findings(replace(RECORD, **missing))).status is Status.ERROR  # type: ignore[arg-type]


def test_an_identifier_on_a_record_of_another_title_confirms_nothing() -> None:
    assert after_failures(verdict(Status.VALID), findings(RECORD, alike=0.5)).status is Status.ERROR


def test_arxivs_doi_is_confirmed_by_the_id() -> None:
    cited = Reference("r", "Ribbon tables", doi="10.48550/arXiv.2105.01234")
    valid = verdict(Status.VALID, reference=cited)
    assert after_failures(valid, findings(RECORD)).status is Status.VALID


def test_a_weak_match_does_not_survive() -> None:
    weak = verdict(Status.VALID, flags=("weak_web_match",))
    assert after_failures(weak, findings(RECORD)).status is Status.ERROR


def test_an_entry_without_a_title_stays_what_it_is() -> None:
    untitled = verdict(Status.UNVERIFIED, reason="no_title")
    assert after_failures(untitled, findings()) == untitled


def test_nearby_records_confirm_nothing() -> None:
    near = Findings((Candidate(RECORD, 1.0, MatchKind.NEARBY),), (FAILED,))
    assert after_failures(verdict(Status.VALID), near).status is Status.ERROR
