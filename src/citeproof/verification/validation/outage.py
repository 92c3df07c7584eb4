"""Effect of failed sources on a verdict: it may become ERROR, never another status.

A source that failed might have a record that agrees, or the record of an identifier. A verdict survives a failure
only if no answer could change it:

* VALID by a record, if each cited identifier led to a record: further records only confirm;
* VALID by a web search under the same condition: it is the fallback for failed sources;
* SUSPICIOUS and INVALID by local records: an offline run would decide the same;
* a year too far in the future for any record, and an entry without a title;
* placeholders for authors, if no identifier could lead to another work.

Only VALID survives if parsing the entry again has failed, because this might change the reference.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from citeproof.model.findings import Findings, Outcome
from citeproof.model.record import MatchKind
from citeproof.model.reference import Reference
from citeproof.model.verdict import FLAGGED, Status, Verdict
from citeproof.text.identifiers import is_doi
from citeproof.verification.certainty.calibration import confidence
from citeproof.verification.validation.compare.identifiers import arxiv_id_of
from citeproof.verification.validation.policy import DEFAULT, Difference, Policy
from citeproof.verification.validation.rules.year import is_far_ahead

FAILED = "source_failed"
NARROW = "no_broad_source"


def after_silence(
    verdict: Verdict,
    findings: Findings,
    this_year: int,
    policy: Policy = DEFAULT,
    by_local_records: Callable[[], Verdict | None] = lambda: None,
) -> Verdict:
    """Return ``verdict``, or ERROR if a source that failed or was not asked might have changed it.

    An ERROR keeps issues, best match and nearest works. ``by_local_records`` decides without online sources.
    """
    failed = sorted({inquiry.source for inquiry in findings.inquiries if inquiry.outcome is Outcome.FAILED})
    if failed:
        if _is_final(verdict, findings, this_year):
            return verdict
        proved = by_local_records() if verdict.status in FLAGGED and not findings.unread else None
        if not proved or proved.status not in FLAGGED:
            return _error(verdict, FAILED)
        kept = verdict if verdict.status is Status.SUSPICIOUS else proved
        explanation = f"could not ask {', '.join(failed)}; this rests on local records"
        return replace(kept, issues=(*kept.issues, policy.issue(Difference("sources.failed", "", "", explanation))))
    coverage = findings.coverage
    if verdict.status is not Status.UNVERIFIED or verdict.reason == "no_title" or not (coverage and coverage.sources):
        return verdict
    if any(inquiry.searched and inquiry.source in coverage.sources for inquiry in findings.inquiries):
        return verdict
    asked = {inquiry.source for inquiry in findings.inquiries if inquiry.outcome is Outcome.ANSWERED}
    explanation = f"no source that holds {coverage.kind} broadly has looked for it; ask {_either(coverage.sources)}"
    if by_identifier := [name for name in coverage.sources if name in asked]:
        explanation += f" ({_either(by_identifier)} without a key looks up identifiers alone)"
    narrow = Difference("sources.narrow", "", ", ".join(coverage.sources), explanation)
    return _error(replace(verdict, issues=(*verdict.issues, policy.issue(narrow))), NARROW)


def is_open(verdict: Verdict) -> bool:
    """Return whether no source knows the work yet, so that other sources should be queried."""
    unknown = verdict.reason == FAILED and not verdict.best_match and not verdict.issues
    return verdict.status is Status.UNVERIFIED or verdict.reason == NARROW or unknown


def _error(verdict: Verdict, reason: str) -> Verdict:
    return replace(verdict, status=Status.ERROR, reason=reason, confidence=confidence(reason))


def _is_final(verdict: Verdict, findings: Findings, this_year: int) -> bool:
    """Return whether no answer of a failed source could change ``verdict``."""
    if verdict.status is Status.VALID and verdict.best_match and "identifier" in verdict.best_match.facts:
        return True
    if verdict.status is Status.VALID or (verdict.reason == "placeholder_authors" and not findings.unread):
        return _identifiers_confirmed(verdict.reference, findings)
    far_ahead = verdict.reason == "future_date" and is_far_ahead(verdict.reference.year, this_year)
    return not findings.unread and (far_ahead or verdict.reason == "no_title")


def _identifiers_confirmed(reference: Reference, findings: Findings) -> bool:
    """Return whether a record was found by each cited identifier, of the cited work or of another one."""
    found = {candidate.match for candidate in findings.candidates}
    arxiv_id = arxiv_id_of(reference).lower()
    doi_is_arxivs = bool(arxiv_id) and reference.doi.lower().endswith(arxiv_id)
    by_doi = not is_doi(reference.doi) or doi_is_arxivs or MatchKind.DOI in found
    return by_doi and (not arxiv_id or MatchKind.ARXIV_ID in found)


def _either(names: Sequence[str]) -> str:
    return " or ".join(filter(None, (", ".join(names[:-1]), names[-1])))
