from dataclasses import replace

import pytest

from citeproof.model.findings import Inquiry, Outcome
from citeproof.model.reference import Reference, Severity
from citeproof.model.verdict import CACHE, Acceptance, Issue, Lapse, Status, Verdict

NOTE = Issue("year.near", Severity.NOTE, "2020", "2021", "recorded as 2021, cited as 2020")
ISSUE = Issue("year.off", Severity.ISSUE, "2010", "2021", "the year does not agree")
VALID = Verdict(Reference("a", "On Sheep"), Status.VALID, "record_agrees", 0.99)
REMEMBERED = Inquiry(CACHE, Outcome.ANSWERED, "verified by dblp on 2026-11-20", from_cache=True)


def test_verdict_divides_its_issues_by_severity() -> None:
    verdict = replace(VALID, status=Status.SUSPICIOUS, issues=(NOTE, ISSUE))
    assert (verdict.counted, verdict.notes) == ((ISSUE,), (NOTE,))


def test_is_noted_is_true_of_valid_references_with_notes_only() -> None:
    assert replace(VALID, issues=(NOTE,)).is_noted
    assert not VALID.is_noted
    assert not replace(VALID, status=Status.SUSPICIOUS, issues=(NOTE,)).is_noted


@pytest.mark.parametrize("lapsed", [None, *Lapse])
def test_is_accepted_ends_when_the_acceptance_lapses(lapsed: Lapse | None) -> None:
    acceptance = Acceptance("our own archive", "2026-11-22", lapsed=lapsed)
    assert replace(VALID, acceptance=acceptance).is_accepted is (lapsed is None)
    assert not VALID.is_accepted


def test_remembered_says_which_cached_record_decided() -> None:
    decided = replace(VALID, evidence=(REMEMBERED,), decided_by=CACHE)
    assert decided.remembered == "verified by dblp on 2026-11-20"
    assert replace(decided, decided_by="api").remembered == ""
    assert replace(decided, evidence=(replace(REMEMBERED, from_cache=False),)).remembered == ""
