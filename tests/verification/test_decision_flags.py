from dataclasses import replace

import pytest

from citeproof.model.findings import Findings
from citeproof.model.record import Candidate, MatchKind, Notice, Record
from citeproof.model.reference import Reference
from citeproof.model.verdict import Status, Verdict
from citeproof.verification.decision import flagged

RECORD = Record("k", "Effects of moonlight", ("Hanna Gale",), doi="10.1/x", source="crossref")
NOTICE = "https://doi.org/10.1/notice"


def flag(*others: Record, best: Record = RECORD) -> Verdict:
    verdict = Verdict(
        Reference("r", best.title),
        Status.VALID,
        "record_agrees",
        1.0,
        best_match=Candidate(best, 1.0),
    )
    return flagged(verdict, Findings(tuple(Candidate(record, 1.0) for record in (best, *others))))


def test_flagged_a_retraction_is_a_flag_with_its_link_and_changes_no_status() -> None:
    verdict = flag(best=replace(RECORD, retraction=NOTICE))
    assert (verdict.status, verdict.flags) == (Status.VALID, ("retracted",))
    assert verdict.best_match
    assert verdict.best_match.record.retraction == NOTICE


def test_flagged_another_source_may_know_of_it() -> None:
    verdict = flag(replace(RECORD, source="europe_pmc", key="9", concern=NOTICE))
    assert verdict.flags == ("expression_of_concern",)
    assert verdict.best_match
    assert verdict.best_match.record.concern == NOTICE


@pytest.mark.parametrize(
    "other", [replace(RECORD, doi="10.1/y"), replace(RECORD, doi="", authors=("Someone Else",))]
)
def test_flagged_the_notice_of_another_work_is_not_its_own(other: Record) -> None:
    assert flag(replace(other, retraction=NOTICE)).flags == ()


def test_flagged_without_a_doi_title_and_authors_decide() -> None:
    assert flag(replace(RECORD, doi="", retraction=NOTICE)).flags == ("retracted",)


def test_flagged_nothing_found_has_no_flags() -> None:
    nothing = Verdict(Reference("r"), Status.UNVERIFIED, "title_not_found", 0.5)
    assert flagged(nothing, Findings()) == nothing


def test_flagged_the_notice_of_a_work_that_only_explains_a_conflict_is_no_flag() -> None:
    other = Candidate(replace(RECORD, retraction=NOTICE), 0.4, MatchKind.DOI)
    verdict = Verdict(
        Reference("r", "Another title", doi="10.1/x"),
        Status.INVALID,
        "identity_conflict",
        1.0,
        best_match=other,
    )
    assert flagged(verdict, Findings((other,))).flags == ()


@pytest.mark.parametrize("best", [None, Candidate(replace(RECORD, title="Herding cats"), 0.2)])
def test_flagged_a_notice_on_the_cited_doi_is_a_flag_though_the_work_was_not_found(
    best: Candidate | None,
) -> None:
    verdict = Verdict(
        Reference("r", RECORD.title, doi="10.1/x"),
        Status.UNVERIFIED,
        "title_not_found",
        0.5,
        best_match=best,
    )
    notice = Notice("retraction", NOTICE, "crossref")
    noted = flagged(verdict, Findings(notices=(notice,)))
    assert (noted.flags, noted.notices, noted.best_match) == (("retracted",), (notice,), best)
