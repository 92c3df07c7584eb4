"""Decide on a reference, and explain the verdict. The pipeline calls the validator after each search."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date

from citeproof.model.chance import BASE_RATE
from citeproof.model.findings import Findings
from citeproof.model.verdict import Status, Verdict
from citeproof.verification.certainty.chance import chance_on
from citeproof.verification.explanation.nearest import near_miss, nearest_works
from citeproof.verification.explanation.searched import searched
from citeproof.verification.validation.decide import Decider
from citeproof.verification.validation.policy import DEFAULT, MEASURED, Policy
from citeproof.verification.validation.venues import NO_VENUES, Venues


class Validator(Decider):
    """Turns findings into verdicts, and explains them. It looks nothing up and has no state."""

    def __init__(
        self,
        venues: Venues = NO_VENUES,
        *,
        policy: Policy = DEFAULT,
        today: Callable[[], date] = date.today,
        base_rate: float = BASE_RATE,
    ) -> None:
        """``base_rate`` is the share of invented references, for :attr:`Verdict.chance`."""
        super().__init__(venues, policy=policy, today=today)
        self.base_rate = base_rate

    def explain(self, verdict: Verdict, findings: Findings) -> Verdict:
        """Return ``verdict`` with its chance of invention and, unless VALID, the nearest real works."""
        if verdict.status is not Status.VALID:
            open_ = verdict.status is Status.UNVERIFIED
            meant = nearest_works(verdict, (*findings.candidates, *findings.remembered), self.venues)
            said = searched(verdict.reference, findings, verdict.reason, self.venues) if open_ else ""
            verdict = replace(verdict, meant=meant, searched=f"{said}{near_miss(meant)}" if said else "")
        if self.policy.name != MEASURED:
            return verdict
        return replace(verdict, chance=chance_on(verdict, findings.volumes, self.base_rate))
