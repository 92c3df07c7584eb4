"""What the silence of sources does to a verdict: it may turn it into ERROR, and into nothing else.

A source that could not be asked might hold the record that agrees, or know better what an identifier
names. So a verdict survives a failure only where no answer could change it:

* VALID by a record, each cited identifier on a record that was found by that identifier. More
  records of a work only confirm more;
* a year so far ahead that no record vouches for it, and an entry without a title;
* placeholders for authors, where no identifier could lead to another work.

None of these but VALID survives a failed second reading, after which the entry may be another one.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from citeproof.models import MatchKind, Outcome, Status
from citeproof.text.identifiers import is_doi
from citeproof.validation.calibration import confidence
from citeproof.validation.compare.identifiers import arxiv_id_of
from citeproof.validation.compare.years import is_far_ahead
from citeproof.validation.difference import Difference
from citeproof.validation.policy import DEFAULT, Policy
from citeproof.validation.web import FLAG

if TYPE_CHECKING:
    from citeproof.models import Coverage, Findings, Reference, Verdict

FAILED = "source_failed"
NARROW = "no_broad_source"
CODES = {
    "sources.narrow": (
        "None of the sources that hold such works broadly has looked for the title, in a run that asks some."
    )
}
_WITHOUT_SOURCES = frozenset({"no_title"})
"""Reasons that rest on the entry alone."""


def after_silence(verdict: Verdict, findings: Findings, this_year: int, policy: Policy = DEFAULT) -> Verdict:
    """Return ``verdict``, or ERROR where a source failed, or was not asked, whose answer might have changed it.

    What was found so far stays in the verdict: issues, best match and nearest works.
    """
    if any(inquiry.outcome is Outcome.FAILED for inquiry in findings.inquiries):
        return verdict if _stands(verdict, findings, this_year) else _error(verdict, FAILED)
    if verdict.status is not Status.UNVERIFIED or verdict.reason in _WITHOUT_SOURCES:
        return verdict
    coverage = findings.coverage
    if coverage is None or not coverage.sources or _has_answered(coverage, findings):
        return verdict
    narrow = policy.issue(_too_narrow(coverage, findings))
    return _error(replace(verdict, issues=(*verdict.issues, narrow)), NARROW)


def is_open(verdict: Verdict) -> bool:
    """Whether nobody knows the work, and no failure stands in the way of asking elsewhere."""
    return verdict.status is Status.UNVERIFIED or verdict.reason == NARROW


def _error(verdict: Verdict, reason: str) -> Verdict:
    return replace(verdict, status=Status.ERROR, reason=reason, confidence=confidence(reason))


def _stands(verdict: Verdict, findings: Findings, this_year: int) -> bool:
    """Whether no answer of the sources that failed could change ``verdict``."""
    if verdict.status is Status.VALID:
        return FLAG not in verdict.flags and _identifiers_confirmed(verdict.reference, findings)
    if findings.unread:
        return False
    if verdict.reason == "placeholder_authors":
        return _identifiers_confirmed(verdict.reference, findings)
    if verdict.reason == "future_date":
        return is_far_ahead(verdict.reference.year, this_year)
    return verdict.reason in _WITHOUT_SOURCES


def _identifiers_confirmed(reference: Reference, findings: Findings) -> bool:
    """Whether each cited identifier was looked up and found; where it names another work, the verdict says so."""
    found = {candidate.match for candidate in findings.candidates}
    arxiv_id = arxiv_id_of(reference).lower()
    doi_is_arxivs = bool(arxiv_id) and reference.doi.lower().endswith(arxiv_id)
    return (not is_doi(reference.doi) or doi_is_arxivs or MatchKind.DOI in found) and (
        not arxiv_id or MatchKind.ARXIV_ID in found
    )


def _has_answered(coverage: Coverage, findings: Findings) -> bool:
    return any(inquiry.searched and inquiry.source in coverage.sources for inquiry in findings.inquiries)


def _too_narrow(coverage: Coverage, findings: Findings) -> Difference:
    """Say who would have to be asked."""
    asked = {inquiry.source for inquiry in findings.inquiries if inquiry.outcome is Outcome.ANSWERED}
    by_identifier = [name for name in coverage.sources if name in asked]
    explanation = f"no source that holds {coverage.kind} broadly has looked for it; ask {_either(coverage.sources)}"
    if by_identifier:
        explanation += f" ({_either(by_identifier)} without a key looks up identifiers alone)"
    return Difference("sources.narrow", "", ", ".join(coverage.sources), explanation)


def _either(names: list[str] | tuple[str, ...]) -> str:
    return " or ".join(filter(None, (", ".join(names[:-1]), names[-1])))
