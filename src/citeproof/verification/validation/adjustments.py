"""Adjust a verdict after the rules have decided: flags, confirmation by a web search, and ERROR
after failed sources.

A failed source might have a record that agrees, or the record of a cited identifier. So the verdict
becomes ERROR if an answer of the failed source could change it. These verdicts do not change:

* VALID by a record, if each cited identifier led to a record, because further records only confirm
  the reference;
* VALID by a web search, if each cited identifier led to a record, because the web search replaces
  the failed source;
* SUSPICIOUS and INVALID by local records, because an offline run would decide the same;
* a year that is too far in the future for any record, and an entry without a title;
* placeholders in place of authors, if no identifier could lead to another work.

If the entry could not be parsed again, every verdict but VALID becomes ERROR: the title or the
authors might change.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import Any

from citeproof.model.findings import Findings, Outcome
from citeproof.model.record import MatchKind, Record
from citeproof.model.reference import Reference
from citeproof.model.verdict import FLAGGED, Status, Verdict
from citeproof.text.identifiers import is_doi
from citeproof.text.normalize import normalize_title
from citeproof.verification.certainty import confidence
from citeproof.verification.validation.compare.identifiers import arxiv_id_of
from citeproof.verification.validation.compare.titles import title_form
from citeproof.verification.validation.policy import DEFAULT, Difference, Policy
from citeproof.verification.validation.rules.year import is_far_ahead

FLAGS = {
    "retracted": (
        "The work was retracted; the best match, or else the verdict, links to the notice."
    ),
    "expression_of_concern": (
        "Its publisher voiced concern about the work; the notice is linked in the same place."
    ),
    "weak_web_match": "Confirmed by a web search alone: an equal title and one more agreeing fact.",
}
"""Map from a flag of a verdict to the meaning of the flag, in the order of the documentation."""
# from kind of publisher's notice to flag
_OF_KINDS = {"retraction": "retracted", "concern": "expression_of_concern"}
_UNDECIDED = frozenset({"title_not_found", "found_nowhere", "out_of_scope", "common_title"})
"""Reasons of verdicts that no record confirms or contradicts.

A web search hit may replace such a verdict.
"""
_SAME_TITLE = 0.9  # minimum similarity of two titles of one work
_FAILED = "source_failed"  # reason of an ERROR verdict: a source failed
# reason of an ERROR verdict: no queried source has most works of the cited kind
_NARROW = "no_broad_source"


def flagged(verdict: Verdict, findings: Findings) -> Verdict:
    """Return ``verdict`` with flags if the cited work was retracted, or if its publisher voiced
    concern.
    """
    best, notices = verdict.best_match, findings.notices
    cited = best and (
        best.similarity >= _SAME_TITLE or best.match in {MatchKind.MAIN_TITLE, MatchKind.SAME_WORDS}
    )
    if best is None or not cited:  # another work, which explains the verdict
        return (
            _with(verdict, {notice.kind for notice in notices}, notices=notices)
            if notices
            else verdict
        )
    records = [candidate.record for candidate in (best, *findings.candidates)]
    if not notices and not any(record.retraction or record.concern for record in records):
        return verdict
    same = [best.record, *(record for record in records[1:] if _same_work(best.record, record))]
    known = {
        kind: next(filter(None, (getattr(record, kind) for record in same)), "")
        for kind in _OF_KINDS
    }
    known |= {notice.kind: notice.url for notice in reversed(notices) if not known[notice.kind]}
    noted = replace(best.record, retraction=known["retraction"], concern=known["concern"])
    return _with(
        verdict,
        {kind for kind, url in known.items() if url},
        best_match=replace(best, record=noted),
    )


def _with(verdict: Verdict, kinds: Collection[str], **found: Any) -> Verdict:
    flags = (*verdict.flags, *(flag for kind, flag in _OF_KINDS.items() if kind in kinds))
    return replace(verdict, flags=flags, **found)


def _same_work(record: Record, other: Record) -> bool:
    """Return whether two records have equal DOIs or, without DOIs, equal titles and authors."""
    if record.doi and other.doi:
        return record.doi.lower() == other.doi.lower()
    same_title = title_form(record.title).normal == title_form(other.title).normal
    return same_title and [*map(normalize_title, record.authors)] == [
        *map(normalize_title, other.authors)
    ]


def with_web_hits(verdict: Verdict, findings: Findings) -> Verdict:
    """Return ``verdict``, or VALID if no record decided it and a web page has the title and another
    cited fact.
    """
    if verdict.reason not in _UNDECIDED:
        return verdict
    hits = [candidate for candidate in findings.candidates if candidate.match is MatchKind.WEB]
    best = max(hits, key=lambda hit: (len(hit.facts), hit.similarity), default=None)
    if best is None or not best.facts:
        return verdict
    weak = "weak_web_match"
    valid = replace(
        verdict, status=Status.VALID, reason=weak, confidence=confidence(weak), best_match=best
    )
    return replace(valid, flags=(*verdict.flags, weak))


def after_silence(
    verdict: Verdict,
    findings: Findings,
    this_year: int,
    policy: Policy = DEFAULT,
    by_local_records: Callable[[], Verdict | None] = lambda: None,
) -> Verdict:
    """Return ``verdict``, or ERROR if a source that failed or was not queried might have changed
    the verdict.

    ``by_local_records`` returns the verdict that the records of local databases give without online
    records.
    """
    failed = sorted(
        {inquiry.source for inquiry in findings.inquiries if inquiry.outcome is Outcome.FAILED}
    )
    if failed:
        if _is_final(verdict, findings, this_year):
            return verdict
        proved = by_local_records() if verdict.status in FLAGGED and not findings.unread else None
        if not proved or proved.status not in FLAGGED:
            return _error(verdict, _FAILED)
        kept = verdict if verdict.status is Status.SUSPICIOUS else proved
        explanation = f"could not ask {', '.join(failed)}; this rests on local records"
        return replace(
            kept,
            issues=(*kept.issues, policy.issue(Difference("sources.failed", "", "", explanation))),
        )
    coverage = findings.coverage
    if (
        verdict.status is not Status.UNVERIFIED
        or verdict.reason == "no_title"
        or not (coverage and coverage.sources)
    ):
        return verdict
    if any(
        inquiry.searched and inquiry.source in coverage.sources for inquiry in findings.inquiries
    ):
        return verdict
    asked = {
        inquiry.source for inquiry in findings.inquiries if inquiry.outcome is Outcome.ANSWERED
    }
    explanation = (
        f"no source that holds {coverage.kind} broadly has looked for it; ask"
        f" {_either(coverage.sources)}"
    )
    if by_identifier := [name for name in coverage.sources if name in asked]:
        explanation += f" ({_either(by_identifier)} without a key looks up identifiers alone)"
    narrow = Difference("sources.narrow", "", ", ".join(coverage.sources), explanation)
    return _error(replace(verdict, issues=(*verdict.issues, policy.issue(narrow))), _NARROW)


def is_open(verdict: Verdict) -> bool:
    """Return whether the verdict is still open: no source has the work yet, so other sources should
    be queried.
    """
    unknown = verdict.reason == _FAILED and not verdict.best_match and not verdict.issues
    return verdict.status is Status.UNVERIFIED or verdict.reason == _NARROW or unknown


def _error(verdict: Verdict, reason: str) -> Verdict:
    return replace(verdict, status=Status.ERROR, reason=reason, confidence=confidence(reason))


def _is_final(verdict: Verdict, findings: Findings, this_year: int) -> bool:
    """Return whether no answer of a failed source could change ``verdict``."""
    if (
        verdict.status is Status.VALID
        and verdict.best_match
        and "identifier" in verdict.best_match.facts
    ):
        return True
    if verdict.status is Status.VALID or (
        verdict.reason == "placeholder_authors" and not findings.unread
    ):
        return _identifiers_confirmed(verdict.reference, findings)
    far_ahead = verdict.reason == "future_date" and is_far_ahead(verdict.reference.year, this_year)
    return not findings.unread and (far_ahead or verdict.reason == "no_title")


def _identifiers_confirmed(reference: Reference, findings: Findings) -> bool:
    """Return whether a record was found for each cited DOI and arXiv id.

    The record may be of another work.
    """
    found = {candidate.match for candidate in findings.candidates}
    arxiv_id = arxiv_id_of(reference).lower()
    doi_is_arxivs = bool(arxiv_id) and reference.doi.lower().endswith(arxiv_id)
    by_doi = not is_doi(reference.doi) or doi_is_arxivs or MatchKind.DOI in found
    return by_doi and (not arxiv_id or MatchKind.ARXIV_ID in found)


def _either(names: Sequence[str]) -> str:
    return " or ".join(filter(None, (", ".join(names[:-1]), names[-1])))
