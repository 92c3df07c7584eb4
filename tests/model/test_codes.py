"""The enums name codes that have a meaning, and no others."""

from citeproof.model.codes import IssueCode, ReasonCode
from citeproof.verification.validation.codes import CODES, REASONS


def test_issue_codes_are_those_with_a_meaning() -> None:
    assert {code.value for code in IssueCode} <= set(CODES)


def test_reason_codes_are_those_with_a_meaning() -> None:
    assert {code.value for code in ReasonCode} <= set(REASONS)
