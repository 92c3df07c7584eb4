"""A reference and everything found become a verdict. Read ``Validator.decide`` first.

1. A case is made: every record is compared with the reference, and there is a case for each work that may be meant.
2. Each rule brings the differences that it sees: of the entry itself, of its fields against all records of the
   work, of its identifiers, of the volume that it claims.
3. What a faulty reading of running text may explain becomes an open question. The policy weighs what is left.
   The heaviest difference decides what a work is to the reference, and the work against which least is to be said is
   the one that is meant. Before a reference is called impossible, works are considered that agree in all but the title.
4. What was remembered from earlier runs may confirm a reference, and accuses none. A hit of a web search may confirm
   what nothing else knows. A retraction becomes a flag.
5. Sources that failed, or of which none was broad, may turn the verdict into ERROR.
"""

from __future__ import annotations

from datetime import date
from operator import itemgetter
from typing import TYPE_CHECKING

from citeproof.frozen import changed
from citeproof.models import Outcome, Status, Verdict
from citeproof.validation.calibration import UNMEASURED, confidence
from citeproof.validation.case import Case
from citeproof.validation.codes import REASONS
from citeproof.validation.compare.titles import title_form
from citeproof.validation.explain import nearest_works
from citeproof.validation.flags import flagged
from citeproof.validation.outage import after_silence
from citeproof.validation.policy import DEFAULT, MEASURED, Policy, Weight
from citeproof.validation.reading import as_read, doubted
from citeproof.validation.rules import differences
from citeproof.validation.scope import out_of_scope
from citeproof.validation.searched import found_nowhere, searched
from citeproof.validation.venues import NO_VENUES
from citeproof.validation.web import with_web_hits

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from citeproof.models import Candidate, Findings, Issue, Reference
    from citeproof.validation.venues import Venues

_IMPOSSIBLE = frozenset({"doi.malformed", "doi.unassigned", "arxiv.malformed"})
_IN_NO_SOURCE = frozenset({"identifier.absent", "preprint.absent"})
_NOT_IN_IT = frozenset({"volume.not_found", "volume.without_it"})


class Validator:
    """The one place where findings become a verdict. It looks nothing up and keeps nothing."""

    def __init__(
        self, venues: Venues = NO_VENUES, *, policy: Policy = DEFAULT, today: Callable[[], date] = date.today
    ) -> None:
        """``venues`` is what the data teach about venues, ``policy`` what differences weigh, ``today`` the clock."""
        self.venues = venues
        self.policy = policy
        self._today = today

    def decide(self, reference: Reference, findings: Findings) -> Verdict:
        """Return the verdict that follows from ``findings`` alone."""
        verdict = self._by_all(reference, findings)
        return verdict if self.policy.name == MEASURED else changed(verdict, confidence=UNMEASURED)

    def _by_all(self, reference: Reference, findings: Findings) -> Verdict:
        verdict = self._decide(reference, findings)
        if verdict.status is not Status.VALID and findings.remembered:
            known = (*findings.candidates, *findings.remembered)
            confirmed = self._decide(reference, changed(findings, candidates=known))
            return confirmed if confirmed.status is Status.VALID else verdict
        return verdict

    def _decide(self, reference: Reference, findings: Findings) -> Verdict:
        today = self._today()
        verdict = self._by_records(reference, findings, today)
        verdict = with_web_hits(verdict, findings)
        verdict = flagged(verdict, findings)
        return after_silence(verdict, findings, today.year, self.policy)

    def case(self, reference: Reference, findings: Findings) -> Case:
        """Return what a decision by records rests on: the work that is taken to be meant, with all of its records."""
        return self._best_explanation(Case.of(reference, findings, self._today(), self.venues, self.policy))[0]

    def explain(self, verdict: Verdict, findings: Findings) -> Verdict:
        """Return ``verdict`` with the nearest real works, where it is not VALID; it stays what it is."""
        if verdict.status is Status.VALID:
            return verdict
        open_ = verdict.status is Status.UNVERIFIED
        return changed(
            verdict,
            meant=nearest_works(verdict, (*findings.candidates, *findings.remembered), self.venues),
            searched=searched(verdict.reference, findings, verdict.reason, self.venues) if open_ else "",
        )

    def _by_records(self, reference: Reference, findings: Findings, today: date) -> Verdict:
        if not title_form(reference.title).normal:
            doubt = tuple(map(self.policy.issue, doubted(reference)))
            return self._verdict(reference, findings, "parse_suspect" if doubt else "no_title", doubt)
        case, issues, weight = self._best_explanation(Case.of(reference, findings, today, self.venues, self.policy))
        reason = _reason(case, issues, weight)
        best = case.work or (case.found if REASONS[reason].status is not Status.UNVERIFIED else ())
        if reason == "parse_suspect":
            issues = (*issues, *map(self.policy.issue, doubted(reference)))
        return self._verdict(reference, findings, reason, issues, best[0].candidate if best else None)

    def _verdict(
        self,
        reference: Reference,
        findings: Findings,
        reason: str,
        issues: tuple[Issue, ...],
        best_match: Candidate | None = None,
    ) -> Verdict:
        return Verdict(
            reference,
            REASONS[reason].status,
            reason,
            confidence=confidence(reason),
            issues=issues,
            best_match=best_match,
            evidence=findings.inquiries,
            policy=self.policy.name,
        )

    def _best_explanation(self, case: Case) -> tuple[Case, tuple[Issue, ...], Weight]:
        """Return the case with least to be said against the reference, with its issues and the heaviest weight."""
        best = self._lightest(case.by_work())
        if best[2] is Weight.CONFLICT or _is_of_others(best):
            best = min([best, *map(self._weighed, case.by_explanation())], key=lambda one: (one[2], _is_of_others(one)))
        return best

    def _lightest(self, cases: Iterable[Case]) -> tuple[Case, tuple[Issue, ...], Weight]:
        """Return the first of ``cases`` that weighs least; one of which nothing is to be said ends the search."""
        weighed = []
        for case in cases:
            weighed.append(self._weighed(case))
            if weighed[-1][2] is Weight.NOTE:
                break
        return min(weighed, key=itemgetter(2))

    def _weighed(self, case: Case) -> tuple[Case, tuple[Issue, ...], Weight]:
        issues = self.policy.weigh(as_read(case, differences(case)))
        return case, issues, self.policy.heaviest(issues)


def _is_of_others(explanation: tuple[Case, tuple[Issue, ...], Weight]) -> bool:
    """Whether the work of a case has nothing but its title from the reference."""
    return any(item.code == "authors.another_work" for item in explanation[1])


def _reason(case: Case, issues: tuple[Issue, ...], weight: Weight) -> str:
    """Return why the reference of a case with these issues has its status.

    Of a work that agrees in title, people, year and venue, an identifier of another work is a wrong detail.
    """
    codes = {item.code for item in issues}
    if weight is Weight.CONFLICT:
        if "year.future" in codes:
            return "future_date"
        if "volume.absent" in codes:
            return "absent_from_complete_volume"
        if codes & _IN_NO_SOURCE:
            return "absent_from_complete_source"
        return "metadata_mismatch" if case.explained else "identity_conflict"
    if weight is Weight.ISSUE:
        if "authors.placeholder" in codes:
            return "placeholder_authors"
        if codes & _IMPOSSIBLE:
            return "malformed_identifier"
        return "not_in_cited_volume" if codes & _NOT_IN_IT else "metadata_mismatch"
    if "reading.unclear" in codes:
        return "parse_suspect"
    if case.work:
        return "not_confirmed" if weight is Weight.OPEN else "record_agrees"
    return _unknown(case)


def _unknown(case: Case) -> str:
    """Return why nothing is known of the reference of a case."""
    if not any(inquiry.outcome is Outcome.ANSWERED for inquiry in case.findings.inquiries):
        return "not_asked"
    if case.reference.doubts:
        return "parse_suspect"
    if out_of_scope(case.reference):
        return "out_of_scope"
    if any(item.title.same for item in case.compared):
        return "common_title"
    return "found_nowhere" if found_nowhere(case.findings) else "title_not_found"
