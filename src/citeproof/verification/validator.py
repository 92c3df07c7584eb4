"""Decide the verdict on a reference from its findings. Read ``Validator.decide`` first.

1. Every record is compared with the reference. A case is made for each work that may be cited.
2. Each rule returns the differences that it finds: in the entry itself, between fields and all
   records of the work, in
   identifiers, and in the cited volume.
3. Differences that a wrong parse of running text may explain become open questions. The policy sets
   the weight of all
   other differences. The heaviest difference decides a case, and the lightest case wins. Before a
   reference is called
   INVALID, works with a similar title that agree in all other fields are considered. Running text
   is called SUSPICIOUS
   or INVALID only if each likely parse is SUSPICIOUS or INVALID.
4. Records from earlier runs may confirm a reference that no record of the queried sources
   contradicts. They contradict nothing. A hit of a web search may confirm a work
   that no source has. A retraction becomes a flag.
5. If a source failed, or no source has most works of the cited kind, the verdict may become ERROR.
"""

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, replace
from datetime import date
from operator import itemgetter

from citeproof.model.chance import BASE_RATE
from citeproof.model.findings import Covers, Findings, Outcome
from citeproof.model.record import Candidate, MatchKind
from citeproof.model.reference import Reference, Severity
from citeproof.model.verdict import FLAGGED, Issue, Status, Verdict
from citeproof.verification.certainty import UNMEASURED, chance_on, confidence, deciding
from citeproof.verification.explanation import near_miss, nearest_works, searched
from citeproof.verification.validation.adjustments import after_silence, flagged, with_web_hits
from citeproof.verification.validation.case import Case
from citeproof.verification.validation.claim import out_of_scope
from citeproof.verification.validation.codes import CODES, REASONS
from citeproof.verification.validation.compare.titles import title_form
from citeproof.verification.validation.compare.venues import NO_VENUES, VenueAgreement, Venues
from citeproof.verification.validation.identity import is_stranger
from citeproof.verification.validation.policy import DEFAULT, MEASURED, Policy, Weight
from citeproof.verification.validation.reading import as_read, doubted
from citeproof.verification.validation.rules import differences

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
Issues = tuple[Issue, ...]
Explanation = tuple[Case, Issues, Weight]
"""How well one work explains a reference: the case with this work, the issues, and the weight of
the worst issue.
"""


@dataclass(frozen=True, slots=True)
class Validator:
    """Decides verdicts from findings, and explains them.

    A validator searches nothing and has no state.
    """

    venues: Venues = NO_VENUES
    _: KW_ONLY
    policy: Policy = DEFAULT
    today: Callable[[], date] = date.today
    base_rate: float = BASE_RATE
    """Assumed share of invented references, 0 to 1, from which :attr:`Verdict.chance` is
    computed.
    """

    def decide(self, reference: Reference, findings: Findings) -> Verdict:
        """Return the verdict on ``reference``.

        It depends only on ``findings``, the policy and the date.
        """
        verdict = self._by_likely_readings(self._by_all(reference, findings), findings)
        return verdict if self.policy.name == MEASURED else replace(verdict, confidence=UNMEASURED)

    def explain(self, verdict: Verdict, findings: Findings) -> Verdict:
        """Return ``verdict`` with the chance that the reference is invented.

        Unless VALID, add the nearest works.
        """
        if verdict.status is not Status.VALID:
            open_ = verdict.status is Status.UNVERIFIED
            meant = nearest_works(
                verdict, (*findings.candidates, *findings.remembered), self.venues
            )
            said = (
                searched(verdict.reference, findings, verdict.reason, self.venues) if open_ else ""
            )
            verdict = replace(
                verdict, meant=meant, searched=f"{said}{near_miss(meant)}" if said else ""
            )
        if self.policy.name != MEASURED:
            return verdict
        return replace(verdict, chance=chance_on(verdict, findings.volumes, self.base_rate))

    def _by_likely_readings(self, verdict: Verdict, findings: Findings) -> Verdict:
        """Return UNVERIFIED instead of a flagged ``verdict`` if another likely parse of the text is
        not flagged.
        """
        reference = verdict.reference
        if verdict.status not in FLAGGED or not (reference.doubts and reference.string):
            return verdict
        from citeproof.readers.strings.reference import likely_readings

        if all(
            self._by_all(other, findings).status in FLAGGED for other in likely_readings(reference)
        ):
            return verdict
        doubt = tuple(map(self.policy.issue, doubted(reference)))
        return self._verdict(reference, findings, "parse_suspect", doubt, verdict.best_match)

    def _by_all(self, reference: Reference, findings: Findings) -> Verdict:
        verdict = self._decide(reference, findings)
        silent = verdict.status is not Status.VALID and not _is_contradicted(verdict)
        if silent and findings.remembered:
            known = (*findings.candidates, *findings.remembered)
            confirmed = self._decide(reference, replace(findings, candidates=known))
            if confirmed.status is Status.VALID:
                return confirmed
            if (
                verdict.reason in {"title_not_found", "found_nowhere"}
                and confirmed.status in FLAGGED
            ):
                return replace(verdict, reason="remembered_differs")
        return verdict

    def _decide(self, reference: Reference, findings: Findings) -> Verdict:
        today = self.today()
        verdict = flagged(
            with_web_hits(self._by_records(reference, findings, today), findings), findings
        )

        def by_local_records() -> Verdict | None:
            if findings.reparsed or not findings.local:
                return None
            local = replace(
                findings, candidates=findings.candidates[: findings.local], unknown_identifiers=()
            )
            return self._by_records(reference, local, today)

        return after_silence(verdict, findings, today.year, self.policy, by_local_records)

    def case(self, reference: Reference, findings: Findings) -> Case:
        """Return the case that decides the verdict: the work that is assumed to be cited, with all
        of its records.
        """
        return self._best_explanation(
            Case.of(reference, findings, self.today(), self.venues, self.policy)
        )[0]

    def _by_records(self, reference: Reference, findings: Findings, today: date) -> Verdict:
        if not title_form(reference.title).normal:
            doubt = tuple(map(self.policy.issue, doubted(reference)))
            return self._verdict(
                reference, findings, "parse_suspect" if doubt else "no_title", doubt
            )
        case, issues, weight = self._best_explanation(
            Case.of(reference, findings, today, self.venues, self.policy)
        )
        reason = _reason(case, issues, weight)
        best = case.work or (case.found if REASONS[reason].status is not Status.UNVERIFIED else ())
        if reason == "parse_suspect":
            issues = (*issues, *map(self.policy.issue, doubted(reference)))
        return self._verdict(
            reference, findings, reason, issues, best[0].candidate if best else None
        )

    def _verdict(
        self,
        reference: Reference,
        findings: Findings,
        reason: str,
        issues: Issues,
        best: Candidate | None = None,
    ) -> Verdict:
        status, asked = REASONS[reason].status, findings.inquiries
        sure = confidence(reason, deciding(issues) if status in FLAGGED else "")
        return Verdict(
            reference, status, reason, sure, issues, best, evidence=asked, policy=self.policy.name
        )

    def _best_explanation(self, case: Case) -> Explanation:
        """Return the case with the least serious differences, among all works that may be cited."""
        weighed = []
        for one in case.by_work():  # a case without issues that count ends the search
            weighed.append(self._weighed(one))
            if weighed[-1][2] is Weight.NOTE:
                break
        best = min(weighed, key=itemgetter(2))
        if best[2] is Weight.CONFLICT or _is_of_others(best):
            best = min(
                [best, *map(self._weighed, case.by_explanation())],
                key=lambda one: (one[2], _is_of_others(one)),
            )
        return best

    def _weighed(self, case: Case) -> Explanation:
        issues = self.policy.weigh(as_read(case, differences(case)))
        return case, issues, self.policy.heaviest(issues)


def _is_contradicted(verdict: Verdict) -> bool:
    """Return whether a record found in this run, and not only the absence of one, counts against
    the reference.
    """
    return verdict.best_match is not None and any(
        issue.severity is Severity.ISSUE and CODES[issue.code].rule != "absence"
        for issue in verdict.issues
    )


def _is_of_others(explanation: Explanation) -> bool:
    return any(item.code == "authors.another_work" for item in explanation[1])


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

    One record may be wrong.

    Two records, or one record and an identifier of another work, say that other authors wrote the
    work of this title. Or an identifier leads to a work whose title and authors both differ from
    the cited title and authors. That work must not be at the cited venue and time, because records
    may mix up the identifiers of neighbouring papers.
    """
    if case.explained:
        return False
    if "authors.other_people" in codes:
        several = len({record.authors for record in case.records}) < len(case.records)
        return several or not codes.isdisjoint({"doi.other_work", "arxiv.other_work"})
    strangers = (*case.holders_of(MatchKind.DOI), *case.holders_of(MatchKind.ARXIV_ID))
    beside = [
        item.record
        for item in case.compared
        if item.venue is VenueAgreement.SAME and item.year_gap <= 1
    ]
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
