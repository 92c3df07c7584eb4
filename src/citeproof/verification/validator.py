"""Decide verdicts on references, and explain them."""

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, replace
from datetime import date

from citeproof.model.chance import BASE_RATE
from citeproof.model.findings import Findings
from citeproof.model.reference import Reference
from citeproof.model.verdict import FLAGGED, Status, Verdict
from citeproof.verification.certainty import UNMEASURED, chance_on, confidence, deciding
from citeproof.verification.decision import Evidence, decide, flagged
from citeproof.verification.explanation import near_miss, nearest_works, searched
from citeproof.verification.validation.case import Case
from citeproof.verification.validation.compare.venues import NO_VENUES, Venues
from citeproof.verification.validation.identity import Comparer, compared
from citeproof.verification.validation.policy import DEFAULT, MEASURED, Policy


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
    comparer: Comparer = compared
    """Function that compares a reference with a record."""

    def decide(self, reference: Reference, findings: Findings) -> Verdict:
        """Return the verdict on ``reference``.

        The verdict depends only on the two arguments, the venues, the policy and the date.
        """
        decision = decide(self._evidence(reference, findings))
        code = deciding(decision.issues) if decision.status in FLAGGED else ""
        is_measured = self.policy.name == MEASURED
        verdict = Verdict(
            reference,
            decision.status,
            decision.reason,
            confidence(decision.reason, code) if is_measured else UNMEASURED,
            decision.issues,
            decision.best,
            evidence=findings.inquiries,
            policy=self.policy.name,
        )
        return flagged(verdict, findings, self.venues)

    def case(self, reference: Reference, findings: Findings) -> Case:
        """Return the case that decides the verdict: the work that is assumed to be cited, with all
        of its records.
        """
        return self._evidence(reference, findings).explanation(findings)[0]

    def _evidence(self, reference: Reference, findings: Findings) -> Evidence:
        return Evidence(reference, findings, self.today(), self.venues, self.policy, self.comparer)

    def explain(self, verdict: Verdict, findings: Findings) -> Verdict:
        """Return ``verdict`` with the probability that the reference is invented.

        If the status is not VALID, also add the most similar works.
        """
        if verdict.status is not Status.VALID:
            meant = nearest_works(
                verdict,
                (*findings.candidates, *findings.remembered),
                self.venues,
                self.comparer,
            )
            said = (
                searched(verdict.reference, findings, verdict.reason, self.venues)
                if verdict.status is Status.UNVERIFIED
                else ""
            )
            verdict = replace(
                verdict, meant=meant, searched=f"{said}{near_miss(meant)}" if said else ""
            )
        if self.policy.name != MEASURED:
            return verdict
        return replace(verdict, chance=chance_on(verdict, findings.volumes, self.base_rate))
