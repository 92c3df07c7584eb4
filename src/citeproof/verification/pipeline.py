"""The chain of strategies that turns one reference, or many at once, into verdicts. Read this module first.

1. The strategies are asked in order, each in up to two stages. Each stage adds its findings.
2. After each stage the validator decides from all findings so far. VALID ends the chain. Otherwise the last decision
   is the verdict, and the works that may have been meant are added to it.
3. A VALID verdict with a best match is written to the cache.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import product
from typing import Protocol

from citeproof.model.codes import IssueCode, ReasonCode
from citeproof.model.errors import CiteproofError, one_line
from citeproof.model.findings import Findings, Inquiry, Outcome
from citeproof.model.record import MatchKind
from citeproof.model.reference import Diagnostic, Reference, Severity
from citeproof.model.verdict import Issue, Status, Verdict
from citeproof.verification.validator import Validator

_DECIDED = ("status", "reason", "issues", "best_match", "flags")  # fields that differ between two decisions


class Strategy:
    """A link of the chain: it searches in one place, in one or two stages, and returns findings, never a verdict."""

    name: str
    """The name that evidence and statistics show."""
    online = False
    """Whether the strategy queries online sources instead of local records."""

    def wanted(self, verdict: Verdict) -> bool:
        """Return whether to search, given the ``verdict`` so far, which is not VALID. A query may cost money."""
        return True

    def search(self, reference: Reference) -> Findings:
        """Return what this strategy finds about ``reference``. The findings say if a source failed."""
        raise NotImplementedError

    def search_further(self, reference: Reference, verdict: Verdict | None) -> Findings:
        """Return what a second stage finds. ``verdict`` is the verdict so far, not VALID; None if there is none."""
        return Findings()

    def title_counts(self, words: Sequence[str]) -> tuple[tuple[str, int], ...]:
        """Return each of the normalised ``words`` with the number of titles that contain it; by default none."""
        return ()


class Outside(Protocol):
    """The online sources of a run, which can fail and be stopped."""

    def reopen(self) -> bool:
        """Enable the sources again that were disabled after failures. Return whether there were any."""

    def stop(self) -> None:
        """Cancel all pending requests."""


@dataclass(frozen=True, slots=True)
class Examination:
    """A verdict, with the reference and the findings from which it was decided."""

    reference: Reference
    """The reference on which the verdict was decided. A strategy may have parsed the entry again."""
    findings: Findings
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Pipeline:
    """Asks the strategies in order. After each strategy, the validator decides."""

    chain: Sequence[Strategy]
    validator: Validator
    memory: Callable[[Verdict], None] | None = None
    """Function that stores a verdict for later runs, such as in the cache."""
    outside: Outside | None = None
    witness: Callable[[Examination], None] | None = None
    """Function that is called with each finished examination, from the thread that made it."""

    @property
    def strategies(self) -> tuple[str, ...]:
        """Names of the strategies in order."""
        return tuple(strategy.name for strategy in self.chain)

    def verify(self, reference: Reference) -> Verdict:
        """Return the verdict on one reference."""
        return self.examine(reference).verdict

    def examine(self, reference: Reference) -> Examination:
        """Return the verdict on one reference with the findings from which it was decided."""
        findings = Findings()
        verdict: Verdict | None = None
        decided_by = ""
        for strategy, further in product(self.chain, (False, True)):
            if verdict and not further and not strategy.wanted(verdict):
                continue
            found = _search(strategy, reference, verdict, further=further)
            if verdict and found == Findings():
                continue
            findings = findings + found if verdict else found
            if not strategy.online:
                findings = replace(findings, local=len(findings.candidates))
            reference = findings.reparsed or reference
            decision = self.validator.decide(reference, findings)
            if not verdict or any(getattr(decision, name) != getattr(verdict, name) for name in _DECIDED):
                decided_by = strategy.name
            verdict = decision
            if verdict.status is Status.VALID:
                break
        verdict = replace(verdict or self.validator.decide(reference, findings), decided_by=decided_by)
        verdict = self.validator.explain(verdict, findings)
        self.remember(verdict)
        examination = Examination(reference, findings, verdict)
        if self.witness:
            self.witness(examination)
        return examination

    def remember(self, verdict: Verdict) -> None:
        """Store a VALID ``verdict`` for later runs, unless a web search confirmed it: its hit would become a record."""
        best = verdict.best_match
        if self.memory and verdict.status is Status.VALID and best and best.match is not MatchKind.WEB:
            self.memory(verdict)

    def verify_all(self, entries: Iterable[Reference | Diagnostic], concurrent: int = 10) -> Iterator[Verdict]:
        """Yield verdicts on ``entries`` in order, ``concurrent`` at a time. Closing the iterator cancels the others."""
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
                if self.outside:
                    self.outside.stop()
                raise
            finally:
                pool.shutdown(wait=False, cancel_futures=True)

    def second_chance(self, verdicts: Sequence[Verdict], concurrent: int = 10) -> list[Verdict]:
        """Return ``verdicts`` after a retry of those that are undecided because a source failed."""
        result = list(verdicts)
        places = [place for place, verdict in enumerate(verdicts) if is_retryable(verdict)]
        if places and self.outside and self.outside.reopen():
            again = self.verify_all([result[place].reference for place in places], concurrent)
            for place, verdict in zip(places, again, strict=True):
                result[place] = verdict
        return result

    def answer(self, entry: Reference | Diagnostic) -> Verdict:
        """Return the verdict on ``entry``. An internal error becomes an ERROR of this entry only."""
        if not isinstance(entry, Reference):
            return unreadable(entry)
        try:
            return self.verify(entry)
        except CiteproofError:
            raise
        except Exception as error:  # noqa: BLE001 - as in _search
            return own_fault(entry, error)


def own_fault(reference: Reference, error: Exception) -> Verdict:
    """Return the verdict ERROR for a reference on which an internal error occurred."""
    message = f"a fault of citeproof, please report it: {one_line(error)}"
    issue = Issue(IssueCode.PROGRAM_FAULT.value, Severity.ISSUE, cited="", recorded="", explanation=message)
    return Verdict(reference, Status.ERROR, ReasonCode.PROGRAM_FAULT.value, confidence=1.0, issues=(issue,))


def unreadable(entry: Diagnostic) -> Verdict:
    """Return the verdict ERROR on an entry that could not be read; UNVERIFIED if it describes no work (a note)."""
    issue = Issue(entry.code, entry.severity, cited="", recorded="", explanation=entry.message)
    status, reason = Status.ERROR, ReasonCode.UNREADABLE_ENTRY
    if entry.severity is Severity.NOTE:
        status, reason = Status.UNVERIFIED, ReasonCode.NOT_A_REFERENCE
    reference = Reference(entry.key, raw=entry.raw, place=entry.place)
    return Verdict(reference, status, reason.value, confidence=1.0, issues=(issue,))


def is_retryable(verdict: Verdict) -> bool:
    """Return whether a source failed, so that a retry may change the verdict."""
    failed = any(inquiry.outcome is Outcome.FAILED for inquiry in verdict.evidence)
    local = any(issue.code == IssueCode.SOURCES_FAILED for issue in verdict.issues)
    return failed and (verdict.status is Status.ERROR or local)


def _search(strategy: Strategy, reference: Reference, verdict: Verdict | None, *, further: bool) -> Findings:
    """Return the findings of one stage of ``strategy``. An exception becomes a failed inquiry."""
    try:
        return strategy.search_further(reference, verdict) if further else strategy.search(reference)
    except Exception as error:  # noqa: BLE001 - one reference must not cost the verdicts of all others
        return Findings(inquiries=(Inquiry(strategy.name, Outcome.FAILED, one_line(error)),))
