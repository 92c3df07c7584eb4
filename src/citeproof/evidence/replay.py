"""Deciding again from evidence, without any source, and saying what differs and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from citeproof.evidence.line import Figures, Said, rules_version
from citeproof.evidence.venues import KeptVenues
from citeproof.validation.decide import Validator
from citeproof.validation.policy import DEFAULT, Policy

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from citeproof.evidence.line import Evidence
    from citeproof.evidence.venues import Question
    from citeproof.models import Verdict
    from citeproof.validation.venues import Venues


@dataclass(frozen=True, slots=True)
class Replay:
    """A verdict as it was and as it is."""

    evidence: Evidence
    now: Said
    why: str = ""
    """What the difference comes from, in words; empty where there is none."""

    @property
    def equal(self) -> bool:
        """Whether the verdict says what it said."""
        return self.now == self.evidence.verdict

    def differences(self) -> Iterator[str]:
        """Yield what differs, a line each."""
        was, now = self.evidence.verdict, self.now
        if (was.status, was.reason) != (now.status, now.reason):
            yield f"was {was.status.value} ({was.reason}), is {now.status.value} ({now.reason})"
        codes, codes_now = {issue.code for issue in was.issues}, {issue.code for issue in now.issues}
        for label, found in (("no longer says", codes - codes_now), ("now says", codes_now - codes)):
            if found:
                yield f"{label} {', '.join(sorted(found))}"
        if codes == codes_now and was.issues != now.issues:
            yield "says the same issues otherwise"
        for field in ("confidence", "flags", "best_match", "meant", "searched"):
            before, after = getattr(was, field), getattr(now, field)
            if before != after:
                yield f"{field}: was {_shown(before)}, is {_shown(after)}"


def replay(evidence: Evidence, policy: Policy | None = None) -> Replay:
    """Return the verdict of ``evidence`` as the rules of this program and ``policy`` decide it now.

    Where no policy is given, it is the default as it is now, or the other one that the evidence keeps. Under a policy
    of another name the confidence does not count as a difference: it was measured under one policy alone.

    Raises :class:`InputError` where the evidence cannot be understood.
    """
    policy = policy or _policy(evidence)
    answers = evidence.answers()
    verdict, unanswered = _decided(evidence, answers, policy)
    now = Said.of(verdict)
    if policy.name != evidence.policy.name:
        now = now.model_copy(update={"confidence": evidence.verdict.confidence})
    if now == evidence.verdict:
        return Replay(evidence, now)
    return Replay(evidence, now, "; ".join(_causes(evidence, answers, policy, unanswered)))


def verdict_of(evidence: Evidence) -> Verdict:
    """Return the verdict that :func:`replay` compares, in full, but for which strategy decided it."""
    return _decided(evidence, evidence.answers(), _policy(evidence))[0]


def _policy(evidence: Evidence) -> Policy:
    return DEFAULT if evidence.policy.name == DEFAULT.name else evidence.policy.policy()


def _decided(evidence: Evidence, answers: Mapping[Question, Any], policy: Policy) -> tuple[Verdict, set[str]]:
    venues = KeptVenues(answers)
    validator = Validator(cast("Venues", venues), policy=policy, today=lambda: evidence.day)
    verdict = validator.decide(evidence.reference, evidence.findings)
    return validator.explain(verdict, evidence.findings), venues.unanswered


def _causes(evidence: Evidence, answers: Mapping[Question, Any], policy: Policy, unanswered: set[str]) -> Iterator[str]:
    """Yield why the verdict is another one: the policy, where the kept one says what was said; else the rules."""
    figures = Figures.of(policy)
    if figures != evidence.policy:
        under_kept, _ = _decided(evidence, answers, evidence.policy.policy())
        if policy.name != evidence.policy.name:
            yield f"other policy: {evidence.policy.name} then, {policy.name} now"
        else:
            changed = ", ".join(_changed(evidence.policy, figures))
            yield f"other policy: {changed or 'the order of its codes'}"
        if Said.of(under_kept) == evidence.verdict:
            return
    if rules_version() != evidence.rules:
        yield f"other rules: {evidence.rules} then, {rules_version()} now"
    elif figures == evidence.policy:
        yield "the same rules and policy: the evidence was changed, or a rule looks at more than it is given"
    if unanswered:
        yield f"the venue table is asked what it was not asked then ({', '.join(sorted(unanswered))})"


def _changed(was: Figures, now: Figures) -> Iterator[str]:
    for name, before in {**was.weights, **was.thresholds}.items():
        after = {**now.weights, **now.thresholds}.get(name)
        if after != before:
            yield f"{name} {before:g} then, {'nothing' if after is None else f'{after:g}'} now"
    yield from (f"{name} is new" for name in now.weights.keys() - was.weights.keys())


def _shown(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(":".join(one) if isinstance(one, tuple) else str(one) for one in value) or "none"
    return str(value) if value not in (None, "") else "none"
