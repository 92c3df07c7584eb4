"""Decide the verdict on a reference from everything that was found. Read :func:`decide` first.

The evidence is complete before the decision is made. It consists of records of databases and online
sources, records that earlier runs verified, web pages, other readings of a text, and the sources
that failed. Nothing changes a decision afterwards.

1. Every record is compared with the reference. For each work that may be cited, a case is made: the
   reference together with all records of this work.
2. Each rule returns the differences that it finds. Differences that may come from a wrong parse of
   running text become open questions. The policy weighs all differences together. The case with the
   least serious differences decides.
3. Before a reference is called INVALID, other works are tried: works with a similar title that
   agree in all other fields.
4. A web page may confirm a work that no source has.
5. A failed source might have a record that agrees, or the record of a cited identifier. If its
   answer could change the decision, the status is ERROR.
6. A record that an earlier run verified may confirm a reference that no record contradicts.
7. A reference in running text is SUSPICIOUS or INVALID only if every likely reading of the text is.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from operator import itemgetter
from typing import NamedTuple

from citeproof.model.findings import Covers, Findings, Outcome
from citeproof.model.record import Candidate, MatchKind
from citeproof.model.reference import Reference, Severity
from citeproof.model.verdict import FLAGGED, Issue, Status, Verdict
from citeproof.text.identifiers import is_doi
from citeproof.text.title_words import title_form
from citeproof.verification.validation.case import Case
from citeproof.verification.validation.claim import out_of_scope
from citeproof.verification.validation.codes import CODES, REASONS
from citeproof.verification.validation.compare.identifiers import arxiv_id_of
from citeproof.verification.validation.compare.venues import NO_VENUES, Venues
from citeproof.verification.validation.identity import (
    Comparer,
    agrees_but_for_title,
    are_versions,
    compared,
    is_of_work,
    is_stranger,
)
from citeproof.verification.validation.notes import are_too_many
from citeproof.verification.validation.policy import Difference, Policy, Weight
from citeproof.verification.validation.reading import as_read, doubted
from citeproof.verification.validation.rules import differences
from citeproof.verification.validation.rules.year import is_far_ahead

Issues = tuple[Issue, ...]
Explanation = tuple[Case, Issues, Weight]
"""An explanation of a reference by one work: the case with this work, the issues, and the weight of
all issues together.
"""
_REASONS = {
    "absent_from_complete_volume": {"volume.absent"},
    "absent_from_complete_source": {"identifier.absent", "preprint.absent"},
    "placeholder_authors": {"authors.placeholder"},
    "malformed_identifier": {
        "doi.malformed",
        "doi.unassigned",
        "arxiv.malformed",
        "isbn.malformed",
    },
    "not_in_cited_volume": {"volume.not_found", "volume.without_it"},
}
"""Map from a reason for SUSPICIOUS to the issue codes that lead to it. The first match applies."""
FLAGS = {
    "retracted": (
        "The work was retracted. The best match, or else the verdict, links to the notice."
    ),
    "expression_of_concern": (
        "The publisher has expressed concern about the work. The best match, or else the verdict,"
        " links to the notice."
    ),
    "weak_web_match": ("Only a web page confirms the work: the title and one more fact agree."),
}
"""Map from a flag of a verdict to the meaning of the flag, in the order of the documentation."""
# map from the kind of a publisher's notice to the flag
_OF_KINDS = {"retraction": "retracted", "concern": "expression_of_concern"}
_UNDECIDED = frozenset({"title_not_found", "found_nowhere", "out_of_scope", "common_title"})
"""Reasons of verdicts that no record confirms or contradicts.

A web search hit may replace such a verdict.
"""
_FAILED = "source_failed"  # reason of an ERROR verdict: a source failed
# reason of an ERROR verdict: no queried source has most works of the cited kind
_NARROW = "no_broad_source"


class Decision(NamedTuple):
    """A decision: the reason, from which the status follows, with the issues and the record on
    which it is based.
    """

    reason: str
    issues: Issues = ()
    best: Candidate | None = None

    @property
    def status(self) -> Status:
        """Status that follows from the reason."""
        return REASONS[self.reason].status

    @property
    def is_flagged(self) -> bool:
        """Whether the decision accuses the reference: SUSPICIOUS or INVALID."""
        return self.status in FLAGGED

    @property
    def is_by_contradiction(self) -> bool:
        """Whether the decision is based on a record that contradicts the reference, not only on the
        absence of a record.
        """
        counted = (issue.code for issue in self.issues if issue.severity is Severity.ISSUE)
        return self.best is not None and any(CODES[code].rule != "absence" for code in counted)


@dataclass(frozen=True)
class Evidence:
    """A reading of a reference, and everything that was found for this reading. A reading is one
    way to split the text of the reference into fields.
    """

    reference: Reference
    findings: Findings
    today: date
    venues: Venues
    policy: Policy
    comparer: Comparer = compared

    @property
    def by_records(self) -> Decision:
        """Decision from the records of databases and online sources."""
        return self._decided(self.findings)

    @property
    def by_local_records(self) -> Decision | None:
        """Decision from the records of local databases, as an offline run would decide.

        None if there are no such records, or if the entry was parsed again.
        """
        found = self.findings
        if found.reparsed or not found.local:
            return None
        local = found.candidates[: found.local]
        return self._decided(replace(found, candidates=local, unknown_identifiers=()))

    @cached_property
    def page(self) -> Candidate | None:
        """The web page that has the cited title and most other cited facts, such as the year. None
        if no page has the title and another cited fact.
        """
        hits = [one for one in self.findings.candidates if one.match is MatchKind.WEB and one.facts]
        return max(hits, key=lambda hit: (len(hit.facts), hit.similarity), default=None)

    @cached_property
    def failed(self) -> Sequence[str]:
        """Names of the sources that failed."""
        asked = self.findings.inquiries
        return sorted({one.source for one in asked if one.outcome is Outcome.FAILED})

    def with_remembered(self) -> Evidence:
        """Return the evidence with the records of earlier runs added to the other records."""
        found = self.findings
        known = (*found.candidates, *found.remembered)
        return replace(self, findings=replace(found, candidates=known))

    def issue(self, code: str, recorded: str, explanation: str) -> Issue:
        """Return an issue about the sources instead of the reference, with the weight that the
        policy gives to ``code``. ``recorded`` names the sources.
        """
        return self.policy.issue(Difference(code, "", recorded, explanation))

    def explanation(self, findings: Findings) -> Explanation:
        """Return the explanation of the reference by the work whose differences are least serious,
        among all works in ``findings`` that may be cited.
        """
        case = Case.of(
            self.reference, findings, self.today, self.venues, self.policy, self.comparer
        )
        weighed = []
        for one in case.by_work():  # a case without issues, except notes, ends the search
            weighed.append(_weighed(one))
            if weighed[-1][2] is Weight.NOTE:
                break
        best = min(weighed, key=itemgetter(2))
        if best[2] is Weight.CONFLICT or _is_of_others(best) or _is_elsewhere(best):
            best = min(
                [best, *map(_weighed, case.by_explanation())],
                key=lambda one: (one[2], _is_of_others(one)),
            )
        return best

    def _decided(self, findings: Findings) -> Decision:
        doubt = tuple(map(self.policy.issue, doubted(self.reference)))
        if not title_form(self.reference.title).normal:
            return Decision("parse_suspect" if doubt else "no_title", doubt)
        case, issues, weight = self.explanation(findings)
        reason = _reason(case, issues, weight)
        best = case.work or (case.found if REASONS[reason].status is not Status.UNVERIFIED else ())
        if reason == "parse_suspect":
            issues = (*issues, *doubt)
        return Decision(reason, issues, best[0].candidate if best else None)


def decide(evidence: Evidence) -> Decision:
    """Return the decision on a reference."""
    decision, reference = _on_one_reading(evidence), evidence.reference
    if not decision.is_flagged or not (reference.doubts and reference.string):
        return decision
    from citeproof.readers.strings.reference import likely_readings

    others = (replace(evidence, reference=other) for other in likely_readings(reference))
    if all(_on_one_reading(other).is_flagged for other in others):
        return decision
    doubt = tuple(map(evidence.policy.issue, doubted(reference)))
    return Decision("parse_suspect", doubt, decision.best)


def _on_one_reading(evidence: Evidence) -> Decision:
    """Return the decision on one reading of the reference. Records of earlier runs are used only if
    no record of this run decides.
    """
    decision = _by_sources(evidence)
    is_decided = decision.status is Status.VALID or decision.is_by_contradiction
    if is_decided or not evidence.findings.remembered:
        return decision
    again = _by_sources(evidence.with_remembered())
    if again.status is Status.VALID:
        return again
    is_silent = decision.reason in {"title_not_found", "found_nowhere"}
    return (
        decision._replace(reason="remembered_differs")
        if is_silent and again.is_flagged
        else decision
    )


def _by_sources(evidence: Evidence) -> Decision:
    """Return the decision from records, web pages and failures of the sources of this run."""
    decision, findings = evidence.by_records, evidence.findings
    if decision.reason in _UNDECIDED and evidence.page:
        decision = Decision("weak_web_match", decision.issues, evidence.page)
    if evidence.failed:
        return _despite_failures(evidence, decision)
    coverage = findings.coverage
    is_open = decision.status is Status.UNVERIFIED and decision.reason != "no_title"
    if not (is_open and coverage and coverage.sources) or any(
        inquiry.searched and inquiry.source in coverage.sources for inquiry in findings.inquiries
    ):
        return decision
    asked = {one.source for one in findings.inquiries if one.outcome is Outcome.ANSWERED}
    explanation = (
        f"no source that has nearly all {coverage.kind} was searched; query"
        f" {_either(coverage.sources)}"
    )
    if by_identifier := [name for name in coverage.sources if name in asked]:
        explanation += f" (without an API key, {_either(by_identifier)} looks up only identifiers)"
    narrow = evidence.issue("sources.narrow", ", ".join(coverage.sources), explanation)
    return Decision(_NARROW, (*decision.issues, narrow), decision.best)


def _despite_failures(evidence: Evidence, decision: Decision) -> Decision:
    """Return ``decision`` if no answer of a failed source could change it. Otherwise return the
    decision that local records prove.

    If local records prove nothing, return a decision with the status ERROR.
    """
    if _is_final(evidence, decision):
        return decision
    local = None if evidence.findings.unread else evidence.by_local_records
    if not (decision.is_flagged and local and local.is_flagged):
        return decision._replace(reason=_FAILED)
    kept = decision if decision.status is Status.SUSPICIOUS else local
    explanation = (
        f"could not query {', '.join(evidence.failed)}; the verdict is based on local records"
    )
    issue = evidence.issue("sources.failed", "", explanation)
    return kept._replace(issues=(*kept.issues, issue))


def _is_final(evidence: Evidence, decision: Decision) -> bool:
    """Return whether no answer of a failed source could change ``decision``.

    VALID is final if a record was found for each cited identifier, because further records only
    confirm. Placeholders instead of authors are final too. If the entry could not be parsed again,
    only VALID is final, because a new parse might change the title or the authors.
    """
    reference, unread = evidence.reference, evidence.findings.unread
    is_valid = decision.status is Status.VALID
    if is_valid and decision.best and "identifier" in decision.best.facts:
        return True
    if is_valid or (decision.reason == "placeholder_authors" and not unread):
        return _identifiers_confirmed(reference, evidence.findings)
    is_future = decision.reason == "future_date" and is_far_ahead(
        reference.year, evidence.today.year
    )
    return not unread and (is_future or decision.reason == "no_title")


def is_open(verdict: Verdict) -> bool:
    """Return whether the work was found in no source so far, so that other sources should be
    queried.
    """
    unknown = verdict.reason == _FAILED and not verdict.best_match and not verdict.issues
    return verdict.status is Status.UNVERIFIED or verdict.reason == _NARROW or unknown


def flagged(verdict: Verdict, findings: Findings, venues: Venues = NO_VENUES) -> Verdict:
    """Return ``verdict`` with its flags. A flag says that only a web page confirmed the work, that
    the work was retracted, or that its publisher has expressed concern.
    """
    weak = ("weak_web_match",) * (verdict.reason == "weak_web_match")
    best, notices = verdict.best_match, findings.notices
    found = [one.record for one in (*((best,) if best else ()), *findings.candidates)]
    if not notices and not any(one.retraction or one.concern for one in found):
        return replace(verdict, flags=weak) if weak else verdict
    is_valid = verdict.status is Status.VALID
    if best is None or not (is_valid or is_of_work(compared(verdict.reference, best, venues))):
        # the best match is another work, which explains the verdict
        kinds = {notice.kind for notice in notices}
        return replace(verdict, flags=(*weak, *_flags(kinds)), notices=notices)
    same = [one for one in found if are_versions(best.record, one)]
    known = {
        kind: next(filter(None, (getattr(record, kind) for record in same)), "")
        for kind in _OF_KINDS
    }
    known |= {notice.kind: notice.url for notice in reversed(notices) if not known[notice.kind]}
    kinds = {kind for kind, url in known.items() if url}
    if kinds:
        noted = replace(best.record, retraction=known["retraction"], concern=known["concern"])
        best = replace(best, record=noted)
    return replace(verdict, flags=(*weak, *_flags(kinds)), best_match=best)


def _flags(kinds: Collection[str]) -> Sequence[str]:
    return [flag for kind, flag in _OF_KINDS.items() if kind in kinds]


def _weighed(case: Case) -> Explanation:
    found = list(as_read(case, differences(case)))
    issues = case.policy.weigh(found)
    weight = case.policy.heaviest(issues)
    notes = [item.code for item in issues]
    is_clear = case.cited and not case.reference.doubts and weight is Weight.NOTE
    if is_clear and are_too_many(notes):
        issues = (case.policy.issue(_many(notes)), *issues)
        weight = case.policy.heaviest(issues)
    return case, issues, weight


def _many(notes: Sequence[str]) -> Difference:
    """Return the difference ``details.many``, which makes a reference with too many ``notes``
    SUSPICIOUS.
    """
    explanation = (
        f"{len(notes)} details differ a little; fewer than one correct reference in 1,000 has all"
        " these differences"
    )
    return Difference("details.many", ", ".join(notes), "", explanation)


def _is_elsewhere(explanation: Explanation) -> bool:
    """Return whether the record of the explanation is of another venue than the cited venue.

    The record may then be another version of the work, and the cited volume may have the work under
    a similar title.
    """
    codes = {item.code for item in explanation[1]}
    return not codes.isdisjoint({"venue.different", "venue.twice", "preprint.as_published"})


def _is_of_others(explanation: Explanation) -> bool:
    return any(item.code == "authors.another_work" for item in explanation[1])


def _identifiers_confirmed(reference: Reference, findings: Findings) -> bool:
    """Return whether a record was found for each cited DOI and arXiv id.

    The record may describe another work.
    """
    found = {candidate.match for candidate in findings.candidates}
    arxiv_id = arxiv_id_of(reference).lower()
    doi_is_arxivs = bool(arxiv_id) and reference.doi.lower().endswith(arxiv_id)
    by_doi = not is_doi(reference.doi) or doi_is_arxivs or MatchKind.DOI in found
    return by_doi and (not arxiv_id or MatchKind.ARXIV_ID in found)


def _either(names: Sequence[str]) -> str:
    return " or ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def _reason(case: Case, issues: Issues, weight: Weight) -> str:
    codes = {item.code for item in issues}
    if "year.future" in codes and weight is Weight.CONFLICT:
        return "future_date"
    if weight is Weight.CONFLICT and _cannot_be(case, codes):
        return "identity_conflict"
    if weight >= Weight.ISSUE:
        return next(
            (reason for reason, own in _REASONS.items() if codes & own), "metadata_mismatch"
        )
    if "reading.unclear" in codes:
        return "parse_suspect"
    if case.work:
        return "not_confirmed" if weight is Weight.OPEN else "record_agrees"
    return _unknown(case)


def _cannot_be(case: Case, codes: set[str]) -> bool:
    """Return whether two facts from separate records show that the cited work cannot exist.

    ``codes`` are the issue codes of the case. One record alone is not enough, because it may be
    wrong.

    There are two such cases. First, two records, or one record and an identifier of another work,
    say that other authors wrote the work with this title. Second, a cited identifier belongs to a
    work with another title and other authors. That work must not be of the cited venue and time,
    because records may mix up the identifiers of neighbouring papers.
    """
    if case.best and agrees_but_for_title(case.best):
        return False
    if "authors.other_people" in codes:
        several = len({record.authors for record in case.records}) < len(case.records)
        return several or not codes.isdisjoint({"doi.other_work", "arxiv.other_work"})
    strangers = (*case.holders_of(MatchKind.DOI), *case.holders_of(MatchKind.ARXIV_ID))
    beside = [item.record for item in case.compared if item.has_cited_venue and item.year_gap <= 1]
    return all(item.record not in beside and is_stranger(item) for item in strangers)


def _unknown(case: Case) -> str:
    if not any(inquiry.outcome is Outcome.ANSWERED for inquiry in case.findings.inquiries):
        return "not_asked"
    if case.reference.doubts:
        return "parse_suspect"
    if out_of_scope(case.reference):
        return "out_of_scope"
    if any(item.title.same for item in case.compared):
        return "common_title"
    return "found_nowhere" if _all_broad_searched(case.findings) else "title_not_found"


def _all_broad_searched(findings: Findings) -> bool:
    """Return whether the title was searched in all sources that have most works of the cited
    kind.
    """
    broad = findings.coverage.sources if findings.coverage else ()
    if online := [inquiry for inquiry in findings.inquiries if inquiry.source in broad]:
        return all(inquiry.searched and inquiry.outcome is Outcome.ANSWERED for inquiry in online)
    local = any(source.covers is Covers.KIND for source in findings.covered)
    return local and any(inquiry.complete for inquiry in findings.inquiries)
