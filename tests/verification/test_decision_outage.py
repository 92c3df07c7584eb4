"""What the silence of sources does to a verdict."""

from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from citeproof.model.findings import Coverage, Findings, Inquiry, Outcome
from citeproof.model.record import Candidate, MatchKind, Record
from citeproof.model.reference import Reference, Severity
from citeproof.model.verdict import Status, Verdict
from citeproof.verification.decision import Decision, Evidence, decide, is_open
from citeproof.verification.validation.compare.venues import NO_VENUES
from citeproof.verification.validation.policy import DEFAULT

REFERENCE = Reference("r", "Ribbon tables", doi="10.1234/x", arxiv_id="2105.01234", year=2020)
RECORD = Record("k", "Ribbon tables", doi="10.1234/X", arxiv_id="2105.01234")
BY_DOI = Candidate(RECORD, 1.0, MatchKind.DOI)
BY_ARXIV_ID = Candidate(RECORD, 1.0, MatchKind.ARXIV_ID)
FAILED = Inquiry("crossref", Outcome.FAILED, "timed out")
ANSWERED = Inquiry("dblp", Outcome.ANSWERED, searched=True)
ARTICLES = Coverage("journal articles", ("crossref", "openalex"))
TODAY = date(2026, 11, 20)


REASON = {
    Status.VALID: "record_agrees",
    Status.SUSPICIOUS: "metadata_mismatch",
    Status.INVALID: "identity_conflict",
    Status.UNVERIFIED: "not_confirmed",
}


class Given(Evidence):
    """Evidence whose records are known to decide in a certain way."""

    by_records = Decision("not_asked")
    by_local_records = None


def decision(status: Status, **changes: Any) -> Decision:
    return Decision(REASON[status])._replace(**changes)


def after(
    before: Decision,
    *candidates: Candidate,
    inquiries: tuple[Inquiry, ...] = (FAILED,),
    reference: Reference = REFERENCE,
    local: Decision | None = None,
    **found: Any,
) -> Decision:
    findings = Findings(candidates, (ANSWERED, *inquiries), **found)
    known = type("Known", (Given,), {"by_records": before, "by_local_records": local})
    evidence: Evidence = known(reference, findings, TODAY, NO_VENUES, DEFAULT)
    return decide(evidence)


@pytest.mark.parametrize("status", REASON)
def test_without_a_failure_nothing_changes(status: Status) -> None:
    skipped = Inquiry("doi_org", Outcome.SKIPPED)
    assert after(decision(status), inquiries=(skipped,)) == decision(status)


@pytest.mark.parametrize("status", [status for status in REASON if status is not Status.VALID])
def test_decide_with_a_failure_others_than_valid_fall(status: Status) -> None:
    result = after(decision(status, best=BY_DOI), BY_DOI, BY_ARXIV_ID)
    assert (result.status, result.reason) == (Status.ERROR, "source_failed")
    assert result.best == BY_DOI, "what was found so far is shown"


def test_decide_valid_survives_where_each_identifier_was_looked_up() -> None:
    assert after(decision(Status.VALID), BY_DOI, BY_ARXIV_ID).status is Status.VALID
    unidentified = replace(REFERENCE, doi="", arxiv_id="")
    result = after(decision(Status.VALID), Candidate(RECORD, 1.0), reference=unidentified)
    assert result.status is Status.VALID


@pytest.mark.parametrize("found", [(), (BY_DOI,), (BY_ARXIV_ID,), (Candidate(RECORD, 1.0),)])
def test_decide_valid_falls_where_one_was_not(found: tuple[Candidate, ...]) -> None:
    """A record that states the identifier is not enough: who gives it out may know it for another
    work's.
    """
    assert after(decision(Status.VALID), *found).status is Status.ERROR


def test_decide_arxivs_doi_is_confirmed_by_the_id() -> None:
    cited = Reference("r", "Ribbon tables", doi="10.48550/arXiv.2105.01234")
    result = after(decision(Status.VALID), BY_ARXIV_ID, reference=cited)
    assert result.status is Status.VALID


def test_decide_what_is_no_doi_cannot_be_anothers() -> None:
    cited = Reference("r", "Ribbon tables", doi="https://example.org/ribbon")
    assert after(decision(Status.VALID), reference=cited).status is Status.VALID


def test_decide_a_weak_match_survives_where_the_identifiers_are_confirmed() -> None:
    page = Candidate(RECORD, 1.0, MatchKind.WEB, facts=("author",))
    unknown = decision(Status.UNVERIFIED, reason="title_not_found")
    assert after(unknown, page).status is Status.ERROR
    weak = Decision("weak_web_match", best=page)
    assert after(unknown, page, BY_DOI, BY_ARXIV_ID) == weak
    by_identifier = replace(page, facts=("identifier",))
    assert after(unknown, by_identifier) == weak._replace(best=by_identifier)


def test_is_open_where_a_source_failed_and_nothing_was_found() -> None:
    failed = Verdict(REFERENCE, Status.ERROR, "source_failed", 0.5)
    assert is_open(failed)
    assert not is_open(replace(failed, best_match=BY_DOI))


@pytest.mark.parametrize(
    ("status", "proved", "kept"),
    [
        (Status.SUSPICIOUS, Status.SUSPICIOUS, Status.SUSPICIOUS),
        (Status.SUSPICIOUS, Status.INVALID, Status.SUSPICIOUS),
        (Status.INVALID, Status.SUSPICIOUS, Status.SUSPICIOUS),
        (Status.INVALID, Status.INVALID, Status.INVALID),
        (Status.SUSPICIOUS, Status.VALID, Status.ERROR),
        (Status.UNVERIFIED, Status.SUSPICIOUS, Status.ERROR),
    ],
)
def test_decide_what_local_records_prove_stays(
    status: Status, proved: Status, kept: Status
) -> None:
    result = after(decision(status), BY_DOI, local=decision(proved))
    assert result.status is kept
    said = [(issue.code, issue.severity, issue.explanation) for issue in result.issues]
    note = (
        "sources.failed",
        Severity.NOTE,
        "could not query crossref; the verdict is based on local records",
    )
    assert said == ([] if kept is Status.ERROR else [note])


def test_decide_an_entry_without_a_title_stays_what_it_is() -> None:
    untitled = decision(Status.UNVERIFIED, reason="no_title")
    assert after(untitled) == untitled


@pytest.mark.parametrize(
    ("year", "stays"), [(2026, False), (2027, False), (2028, True), (2099, True)]
)
def test_decide_a_year_that_no_record_can_vouch_for_stays_impossible(
    year: int, stays: bool
) -> None:
    future = decision(Status.INVALID, reason="future_date")
    assert (after(future, reference=replace(REFERENCE, year=year)) == future) is stays


def test_decide_placeholders_stay_placeholders_where_no_identifier_is_left_open() -> None:
    anonymous = decision(Status.SUSPICIOUS, reason="placeholder_authors")
    assert after(anonymous, BY_DOI, BY_ARXIV_ID) == anonymous
    assert after(anonymous, BY_DOI).status is Status.ERROR


@pytest.mark.parametrize(
    ("reason", "year"), [("no_title", 2020), ("future_date", 2099), ("placeholder_authors", 2020)]
)
def test_decide_none_of_these_survives_a_failed_second_reading(reason: str, year: int) -> None:
    cited = replace(REFERENCE, year=year)
    result = after(Decision(reason), BY_DOI, BY_ARXIV_ID, reference=cited)
    assert result.status is not Status.ERROR
    result = after(Decision(reason), BY_DOI, BY_ARXIV_ID, reference=cited, unread=True)
    assert result.status is Status.ERROR


@pytest.mark.parametrize(
    ("inquiry", "enough"),
    [
        (Inquiry("crossref", Outcome.ANSWERED, searched=True), True),
        (Inquiry("openalex", Outcome.ANSWERED, searched=True), True),
        (Inquiry("openalex", Outcome.ANSWERED), False),
        (Inquiry("arxiv", Outcome.ANSWERED, searched=True), False),
        (Inquiry("crossref", Outcome.SKIPPED), False),
    ],
)
def test_is_open_unverified_needs_a_broad_source_that_looked_for_the_title(
    inquiry: Inquiry, enough: bool
) -> None:
    unknown = decision(Status.UNVERIFIED, reason="title_not_found")
    result = after(unknown, inquiries=(inquiry,), coverage=ARTICLES)
    assert (result == unknown) is enough
    if not enough:
        assert (result.status, result.reason) == (Status.ERROR, "no_broad_source")
        assert result.issues[-1].code == "sources.narrow"
        assert (
            "no source that has nearly all journal articles was searched"
            in result.issues[-1].explanation
        )
        assert "query crossref or openalex" in result.issues[-1].explanation
        assert ("without an API key, openalex" in result.issues[-1].explanation) is (
            inquiry.source == "openalex"
        )
        open_verdict = Verdict(REFERENCE, result.status, result.reason, 0.5)
        assert is_open(open_verdict), "a web search or a second reading may still find it"


@pytest.mark.parametrize("coverage", [None, Coverage("web pages", ())])
def test_decide_offline_and_where_nobody_is_broad_a_miss_is_a_miss(
    coverage: Coverage | None,
) -> None:
    unknown = decision(Status.UNVERIFIED, reason="title_not_found")
    assert after(unknown, inquiries=(), coverage=coverage) == unknown


@pytest.mark.parametrize("status", [Status.VALID, Status.SUSPICIOUS, Status.INVALID])
def test_decide_what_rests_on_facts_needs_no_broad_source(status: Status) -> None:
    assert after(decision(status), inquiries=(), coverage=ARTICLES) == decision(status)


def test_decide_an_entry_without_a_title_needs_no_broad_source() -> None:
    untitled = decision(Status.UNVERIFIED, reason="no_title")
    assert after(untitled, inquiries=(), coverage=ARTICLES) == untitled


def test_decide_a_failure_comes_before_narrowness() -> None:
    assert after(decision(Status.UNVERIFIED), coverage=ARTICLES).reason == "source_failed"
