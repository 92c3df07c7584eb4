"""Decide recorded verdicts again without searching, and report which verdicts differ and why."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

from citeproof.model.chance import BASE_RATE
from citeproof.model.verdict import Verdict
from citeproof.model.version import code_version
from citeproof.verification.evidence.line import (
    RULES,
    AskedVenues,
    Evidence,
    Figures,
    Question,
    Said,
)
from citeproof.verification.validation.compare.venues import Venues
from citeproof.verification.validation.policy import DEFAULT, Policy
from citeproof.verification.validator import Validator


@dataclass(frozen=True, slots=True)
class Replay:
    """A recorded verdict, and the verdict that the current rules reach from the same evidence."""

    evidence: Evidence
    now: Said
    why: str = ""
    """Reason why the two verdicts differ, as a sentence. Empty if they are equal."""

    @property
    def equal(self) -> bool:
        """Whether the recorded verdict and the new verdict are the same."""
        return self.now == self.evidence.verdict

    def differences(self) -> Iterator[str]:
        """Yield one line of text for each difference between the recorded verdict and the new
        verdict.
        """
        was, now = self.evidence.verdict, self.now
        if (was.status, was.reason) != (now.status, now.reason):
            yield f"was {was.status.value} ({was.reason}), is {now.status.value} ({now.reason})"
        codes, codes_now = (
            {issue.code for issue in was.issues},
            {issue.code for issue in now.issues},
        )
        for label, found in (
            ("no longer reports", codes - codes_now),
            ("now reports", codes_now - codes),
        ):
            if found:
                yield f"{label} {', '.join(sorted(found))}"
        if codes == codes_now and was.issues != now.issues:
            yield "reports the same issues in other words"
        for field in ("confidence", "flags", "best_match", "meant", "searched"):
            before, after = getattr(was, field), getattr(now, field)
            if before != after:
                yield f"{field}: was {_shown(before)}, is {_shown(after)}"


def replay(evidence: Evidence, policy: Policy | None = None) -> Replay:
    """Decide the verdict in ``evidence`` again with the current rules, and compare it with the
    recorded verdict.

    If ``policy`` is None, the recorded policy is used. However, if the recorded policy is
    ``default``, the current version of ``default`` is used. Confidences are not compared if
    ``policy`` has another name than the recorded policy. Raises :class:`InputError` if the evidence
    is malformed.
    """
    policy = policy or _policy(evidence)
    answers = evidence.answers()
    verdict, unanswered = _decided(evidence, answers, policy)
    now = Said.of(verdict)
    if policy.name != evidence.policy.name:
        now = now.model_copy(update={"confidence": evidence.verdict.confidence})
    causes = () if now == evidence.verdict else _causes(evidence, answers, policy, unanswered)
    return Replay(evidence, now, "; ".join(causes))


def verdict_of(evidence: Evidence, base_rate: float = BASE_RATE) -> Verdict:
    """Decide the verdict in ``evidence`` again.

    ``base_rate`` is the assumed share of invented references.
    """
    return _decided(evidence, evidence.answers(), _policy(evidence), base_rate)[0]


def _policy(evidence: Evidence) -> Policy:
    return DEFAULT if evidence.policy.name == DEFAULT.name else evidence.policy.policy()


def _decided(
    evidence: Evidence,
    answers: Mapping[Question, Any],
    policy: Policy,
    base_rate: float = BASE_RATE,
) -> tuple[Verdict, set[str]]:
    venues = AskedVenues(answers=answers)
    validator = Validator(
        cast("Venues", venues), policy=policy, today=lambda: evidence.day, base_rate=base_rate
    )
    verdict = validator.decide(evidence.reference, evidence.findings)
    return validator.explain(verdict, evidence.findings), venues.unanswered


def _causes(
    evidence: Evidence, answers: Mapping[Question, Any], policy: Policy, unanswered: set[str]
) -> Iterator[str]:
    """Yield reasons why the new verdict differs from the recorded verdict.

    If the recorded policy still gives the recorded verdict, the change of the policy is the only
    reason. ``answers`` are the recorded answers of the venue table, and ``unanswered`` the names of
    its methods for which no answer was recorded.
    """
    figures = Figures.of(policy)
    if figures != evidence.policy:
        under_kept, _ = _decided(evidence, answers, evidence.policy.policy())
        if policy.name != evidence.policy.name:
            yield f"other policy: {evidence.policy.name} then, {policy.name} now"
        else:
            yield (
                "other policy:"
                f" {', '.join(_changed(evidence.policy, figures)) or 'the order of its codes'}"
            )
        if Said.of(under_kept) == evidence.verdict:
            return
    if (rules := code_version(*RULES)) != evidence.rules:
        yield f"other rules: {evidence.rules} then, {rules} now"
    elif figures == evidence.policy:
        yield (
            "the same rules and policy: the evidence was changed, or a rule uses data that the"
            " evidence does not have"
        )
    if unanswered:
        yield (
            "the rules query the venue table for facts that the evidence does not have"
            f" ({', '.join(sorted(unanswered))})"
        )


def _changed(was: Figures, now: Figures) -> Iterator[str]:
    for name, before in {**was.weights, **was.thresholds}.items():
        after = {**now.weights, **now.thresholds}.get(name)
        if after != before:
            yield f"{name} {before:g} then, {'nothing' if after is None else f'{after:g}'} now"
    yield from (f"{name} is new" for name in now.weights.keys() - was.weights.keys())


def _shown(value: object) -> str:
    if isinstance(value, tuple):
        return (
            ", ".join(":".join(one) if isinstance(one, tuple) else str(one) for one in value)
            or "none"
        )
    return str(value) if value not in (None, "") else "none"
