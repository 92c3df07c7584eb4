"""One reference through the chain, and many at once. Read this first.

1. A format has read the input into references; each comes here with its place in the file.
2. The strategies are asked in order, one of two stages twice; each stage adds what it found.
3. After each, the validator decides over everything found so far. VALID ends the walk;
   otherwise the walk goes on and the last decision stands; it names the works that may have been meant.
4. A VALID verdict with a best match is remembered.
5. Reports render the verdicts; statistics sum them up.

A strategy never issues a verdict, and the validator never looks anything up.
"""

from __future__ import annotations

from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from citeproof.errors import CiteproofError, one_line
from citeproof.frozen import changed, frozen
from citeproof.models import Findings, Inquiry, Issue, MatchKind, Outcome, Reference, Severity, Status, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from citeproof.models import Diagnostic


class Strategy(Protocol):
    """One link of the chain: it looks somewhere and brings findings."""

    @property
    def name(self) -> str:
        """The name that evidence and statistics show."""

    def search(self, reference: Reference) -> Findings:
        """Return what this link knows about ``reference``; a failed source is part of the findings."""


@runtime_checkable
class LastResort(Strategy, Protocol):
    """A link that is asked only where what is known so far calls for it: asking costs money, trust or time."""

    def wanted(self, verdict: Verdict) -> bool:
        """Whether to ask after ``verdict``."""


@runtime_checkable
class TwoStage(Strategy, Protocol):
    """A link that first looks for what settles most references, and looks further only for the others."""

    def search_further(self, reference: Reference, verdict: Verdict) -> Findings:
        """Return what may explain a reference better than ``verdict`` does, which is not VALID."""


class Validator(Protocol):
    """The one place where a reference and all findings so far become a verdict."""

    def decide(self, reference: Reference, findings: Findings) -> Verdict:
        """Return the verdict that follows from ``findings`` alone."""

    def explain(self, verdict: Verdict, findings: Findings) -> Verdict:
        """Return the final ``verdict`` with the works that may have been meant, where it is not VALID."""


class Memory(Protocol):
    """Where VALID verdicts are remembered."""

    def remember(self, verdict: Verdict) -> None:
        """Keep ``verdict`` for later runs; a duplicate is ignored."""


class Outside(Protocol):
    """What a run has under way beyond this machine."""

    def reopen(self) -> bool:
        """Let sources that were given up be asked again; return whether there were any."""

    def stop(self) -> None:
        """End all waiting for answers: nobody wants them any more."""


@frozen
class Examination:
    """A verdict with all that it was decided from, so that what follows from it can be looked into."""

    reference: Reference
    """As it was decided on: read anew, where a strategy did so."""
    findings: Findings
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class _Step:
    """One stage of one strategy."""

    name: str
    search: Callable[[Reference, Verdict | None], Findings]
    wanted: Callable[[Verdict], bool]
    """Whether to ask after a verdict that is not VALID."""


class Pipeline:
    """The chain of strategies with the validator behind each."""

    def __init__(
        self,
        strategies: Sequence[Strategy],
        validator: Validator,
        memory: Memory | None = None,
        outside: Outside | None = None,
        witness: Callable[[Examination], None] | None = None,
    ) -> None:
        """``outside`` is what the links reach beyond this machine, if they do.

        ``witness`` is called with each examination as it is done, from the thread that did it.
        """
        self._outside = outside
        self._witness = witness
        self._strategies = tuple(strategies)
        self._steps = tuple(_steps(strategies))
        self._validator = validator
        self._memory = memory

    @property
    def strategies(self) -> tuple[str, ...]:
        """The names of the links, in the order in which they are asked."""
        return tuple(strategy.name for strategy in self._strategies)

    def verify(self, reference: Reference) -> Verdict:
        """Return the verdict on one reference."""
        return self.examine(reference).verdict

    def examine(self, reference: Reference) -> Examination:
        """Return the verdict on one reference with what it was decided from."""
        findings = Findings()
        verdict: Verdict | None = None
        for step in self._steps:
            if verdict and not step.wanted(verdict):
                continue
            found = _search(step, reference, verdict)
            if verdict and found == Findings():
                continue
            findings = findings + found if verdict else found
            reference = findings.reparsed or reference
            decision = changed(self._validator.decide(reference, findings), decided_by=step.name)
            if verdict and _same(decision, verdict):
                decision = changed(decision, decided_by=verdict.decided_by)
            verdict = decision
            if verdict.status is Status.VALID:
                break
        verdict = self._validator.explain(verdict or self._validator.decide(reference, findings), findings)
        self.remember(verdict)
        examination = Examination(reference, findings, verdict)
        if self._witness:
            self._witness(examination)
        return examination

    def witnessed(self, witness: Callable[[Examination], None]) -> Pipeline:
        """Return this chain with ``witness``."""
        return Pipeline(self._strategies, self._validator, self._memory, self._outside, witness)

    def deciding(self, validator: Validator) -> Pipeline:
        """Return this chain with another validator."""
        return Pipeline(self._strategies, validator, self._memory, self._outside, self._witness)

    def remember(self, verdict: Verdict) -> None:
        """Keep ``verdict`` for later runs, where it can be kept."""
        if self._memory and _memorable(verdict):
            self._memory.remember(verdict)

    def verify_all(self, entries: Iterable[Reference | Diagnostic], concurrent: int = 10) -> Iterator[Verdict]:
        """Yield one verdict for each of ``entries``, in their order, at most ``concurrent`` at work at a time.

        The excess waits; none is rejected. An entry that could not be read is an ERROR that says why.
        Closing the iterator drops what has not begun.
        """
        with ThreadPoolExecutor(max_workers=concurrent, thread_name_prefix="verify") as pool:
            waiting: deque[Future[Verdict]] = deque()
            try:
                for entry in entries:
                    waiting.append(pool.submit(self.answer, entry))
                    if len(waiting) > 4 * concurrent:
                        yield waiting.popleft().result()
                while waiting:
                    yield waiting.popleft().result()
            except BaseException:
                if self._outside:
                    self._outside.stop()
                raise
            finally:
                pool.shutdown(wait=False, cancel_futures=True)

    def second_chance(self, verdicts: Sequence[Verdict], concurrent: int = 10) -> list[Verdict]:
        """Return ``verdicts`` at the end of a run, those that a given-up source left open verified once more."""
        places = [place for place, verdict in enumerate(verdicts) if left_open(verdict)]
        result = list(verdicts)
        if places and self._outside and self._outside.reopen():
            again = self.verify_all([result[place].reference for place in places], concurrent)
            for place, verdict in zip(places, again, strict=True):
                result[place] = verdict
        return result

    def answer(self, entry: Reference | Diagnostic) -> Verdict:
        """Return the verdict on ``entry``; a fault of our own costs no other entry its verdict."""
        if not isinstance(entry, Reference):
            return unreadable(entry)
        try:
            return self.verify(entry)
        except CiteproofError:
            raise
        except Exception as error:  # noqa: BLE001 - as in _search
            return own_fault(entry, error)


def own_fault(reference: Reference, error: Exception) -> Verdict:
    """Return the verdict on a reference that this program itself failed on: it could not be checked."""
    message = f"a fault of citeproof, worth reporting: {one_line(error)}"
    issue = Issue("program.fault", Severity.ISSUE, cited="", recorded="", explanation=message)
    return Verdict(reference, Status.ERROR, "program_fault", confidence=1.0, issues=(issue,))


def unreadable(entry: Diagnostic) -> Verdict:
    """Return the verdict on an entry that no reference could be read from.

    It could not be checked, unless it is a mere note: an entry that describes no work has nothing to be checked.
    """
    issue = Issue(entry.code, entry.severity, cited="", recorded="", explanation=entry.message)
    reference = Reference(entry.key, raw=entry.raw, place=entry.place)
    if entry.severity is Severity.NOTE:
        return Verdict(reference, Status.UNVERIFIED, "not_a_reference", confidence=1.0, issues=(issue,))
    return Verdict(reference, Status.ERROR, "unreadable_entry", confidence=1.0, issues=(issue,))


def _same(decision: Verdict, earlier: Verdict) -> bool:
    """Whether a strategy's findings left the decision as it was, so that the earlier one's credit stands."""
    return all(
        getattr(decision, name) == getattr(earlier, name)
        for name in ("status", "reason", "issues", "best_match", "flags")
    )


def _memorable(verdict: Verdict) -> bool:
    """VALID by a record: a web hit is no record, and would come back from the cache as one."""
    best = verdict.best_match
    return verdict.status is Status.VALID and best is not None and best.match is not MatchKind.WEB


def left_open(verdict: Verdict) -> bool:
    """Whether a verdict is open because a source failed, so that asking once more may settle it."""
    failed = any(inquiry.outcome is Outcome.FAILED for inquiry in verdict.evidence)
    return verdict.status is Status.ERROR and failed


def _steps(strategies: Iterable[Strategy]) -> Iterator[_Step]:
    """Yield the stages of the chain in the order in which they are asked."""
    for strategy in strategies:
        yield _Step(strategy.name, _first(strategy), strategy.wanted if isinstance(strategy, LastResort) else _always)
        if isinstance(strategy, TwoStage):
            yield _Step(strategy.name, _second(strategy), _always)


def _first(strategy: Strategy) -> Callable[[Reference, Verdict | None], Findings]:
    return lambda reference, _: strategy.search(reference)


def _second(strategy: TwoStage) -> Callable[[Reference, Verdict | None], Findings]:
    return lambda reference, verdict: strategy.search_further(reference, verdict) if verdict else Findings()


def _always(_: Verdict) -> bool:
    return True


def _search(step: _Step, reference: Reference, verdict: Verdict | None) -> Findings:
    """Take one step; a fault of its own code is evidence too, and never ends the run of a bibliography."""
    try:
        return step.search(reference, verdict)
    except Exception as error:  # noqa: BLE001 - one reference must not cost the verdicts of all others
        return Findings(inquiries=(Inquiry(step.name, Outcome.FAILED, one_line(error)),))
