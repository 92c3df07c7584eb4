"""Verdicts where a source failed, was not asked, or a record is only remembered."""

from dataclasses import replace

import pytest

from citeproof.model.findings import Findings
from citeproof.model.verdict import Status
from tests.verification.demos import BY_TITLE, FAILED, REFERENCE, VALIDATOR, found


def test_decide_a_failed_source_makes_an_error_of_a_miss_and_of_nothing_else() -> None:
    miss = VALIDATOR.decide(
        replace(REFERENCE, title="Nobody ever wrote this"), found(inquiry=FAILED)
    )
    hit = VALIDATOR.decide(REFERENCE, found(BY_TITLE, inquiry=FAILED))
    assert (miss.status, miss.reason) == (Status.ERROR, "source_failed")
    assert hit.status is Status.VALID


def test_decide_keeps_what_local_records_prove_though_a_source_failed() -> None:
    cited = replace(REFERENCE, year=2023)
    local = replace(found(BY_TITLE, inquiry=FAILED), local=1)
    verdict = VALIDATOR.decide(cited, local)
    assert (verdict.status, [issue.code for issue in verdict.issues]) == (
        Status.SUSPICIOUS,
        ["year.off", "sources.failed"],
    )
    assert VALIDATOR.decide(cited, replace(local, local=0)).reason == "source_failed"


@pytest.mark.parametrize(
    ("year", "status", "reason"),
    [
        (2020, Status.VALID, "record_agrees"),
        (2023, Status.UNVERIFIED, "remembered_differs"),
    ],
)
def test_decide_says_that_a_remembered_record_differs(
    year: int, status: Status, reason: str
) -> None:
    findings = replace(found(), remembered=(BY_TITLE,))
    verdict = VALIDATOR.decide(replace(REFERENCE, year=year), findings)
    assert (verdict.status, verdict.reason) == (status, reason)


def test_decide_nobody_was_asked() -> None:
    assert VALIDATOR.decide(REFERENCE, Findings()).reason == "not_asked"
