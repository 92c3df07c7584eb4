"""The pipeline decides verdicts on references, one at a time or many in parallel.

Read this module first.

1. Strategies search in order, each in up to two stages. Each stage adds what it finds to the
   findings.
2. After each stage, the validator decides a verdict from all findings so far. VALID ends the
   search. Otherwise the last verdict is used, and the works that may be cited are added to it.
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
from citeproof.model.record import MatchKind, Record
from citeproof.model.reference import Diagnostic, Reference, Severity
from citeproof.model.verdict import Issue, Status, Verdict
from citeproof.verification.validation.identity import Comparisons
from citeproof.verification.validator import Validator

# fields of a verdict that are compared to find out whether a strategy has changed the verdict
_DECIDED = ("status", "reason", "issues", "best_match", "flags")


class Strategy:
    """Searches for a reference in one kind of source, such as a database.

    Returns findings, from which verdicts are decided.
    """

    name: str
    """Name of the strategy in evidence and statistics."""
    online = False
    """Whether the strategy queries online sources instead of local records."""

    def wanted(self, verdict: Verdict) -> bool:
        """Return whether a search is wanted, given the ``verdict`` so far.

        This verdict is never VALID.
        """
        return True

    def search(self, reference: Reference) -> Findings:
        """Return what this strategy finds for ``reference``.

        The findings say whether a source failed.
        """
        raise NotImplementedError

    def records_within(self, text: str, shortest: int, most: int) -> Sequence[Record]:
        """Return at most ``most`` records whose title occurs in ``text`` as a sequence of whole
        words, longest title first. The title must have at least ``shortest`` letters.

        Empty if the strategy cannot search titles in a text, which is the default.
        """
        return ()

    def search_further(self, reference: Reference, verdict: Verdict) -> Findings:
        """Return what a second search finds for ``reference``.

        ``verdict`` is the verdict so far.
        """
        return Findings()

    def title_counts(self, words: Sequence[str]) -> tuple[tuple[str, int], ...]:
        """Return a pair for each of the normalised ``words``: the word, and the number of titles
        that contain the word.

        Empty if the strategy cannot count words, which is the default.
        """
        return ()


class OnlineSources(Protocol):
    """Interface to the online sources of a run, for retries and cancellation."""

    def reopen(self) -> bool:
        """Enable the sources that were disabled after failures.

        Return whether any source was disabled.
        """

    def stop(self) -> None:
        """Cancel all pending requests."""


@dataclass(frozen=True, slots=True)
class Examination:
    """A verdict, with the reference and the findings from which the verdict was decided."""

    reference: Reference
    """The reference that was verified. A strategy may have parsed it again."""
    findings: Findings
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Pipeline:
    """Lets the strategies search one after another.

    The validator decides a verdict after each search.
    """

    chain: Sequence[Strategy]
    validator: Validator
    memory: Callable[[Verdict], None] | None = None
    """Function that stores a verdict for later runs, for example in the cache."""
    online: OnlineSources | None = None
    on_examination: Callable[[Examination], None] | None = None
    """Callback that gets each :class:`Examination`, in the thread that verified the reference."""

    @property
    def strategies(self) -> tuple[str, ...]:
        """Names of the strategies, in the order in which they search."""
        return tuple(strategy.name for strategy in self.chain)

    def verify(self, reference: Reference) -> Verdict:
        """Return the verdict on one reference."""
        return self.examine(reference).verdict

    def examine(self, reference: Reference) -> Examination:
        """Return the verdict on one reference, and the findings from which the verdict was
        decided.
        """
        validator = replace(self.validator, comparer=Comparisons())
        findings = Findings()
        verdict: Verdict | None = None
        decided_by = ""
        for strategy, further in product(self.chain, (False, True)):
            if verdict and not further and not strategy.wanted(verdict):
                continue
            found = _search(strategy, reference, verdict if further else None)
            if verdict and found == Findings():
                continue
            findings = findings + found if verdict else found
            if not strategy.online:
                findings = replace(findings, local=len(findings.candidates))
            reference = findings.reparsed or reference
            decision = validator.decide(reference, findings)
            if not verdict or any(
                getattr(decision, name) != getattr(verdict, name) for name in _DECIDED
            ):
                decided_by = strategy.name
            verdict = decision
            if verdict.status is Status.VALID:
                break
        verdict = replace(verdict or validator.decide(reference, findings), decided_by=decided_by)
        verdict = validator.explain(verdict, findings)
        self.remember(verdict)
        examination = Examination(reference, findings, verdict)
        if self.on_examination:
            self.on_examination(examination)
        return examination

    def remember(self, verdict: Verdict) -> None:
        """Store a VALID ``verdict`` for later runs.

        Verdicts that only a web search confirmed are not stored.
        """
        best = verdict.best_match
        if (
            self.memory
            and verdict.status is Status.VALID
            and best
            and best.match is not MatchKind.WEB
        ):
            self.memory(verdict)

    def verify_all(
        self, entries: Iterable[Reference | Diagnostic], concurrent: int = 10
    ) -> Iterator[Verdict]:
        """Yield a verdict for each of ``entries``, in order. ``concurrent`` threads verify entries
        at the same time.

        Closing the iterator ends the run.
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
                if self.online:
                    self.online.stop()
                raise
            finally:
                pool.shutdown(wait=False, cancel_futures=True)

    def second_chance(self, verdicts: Sequence[Verdict], concurrent: int = 10) -> list[Verdict]:
        """Verify the references again for which a source failed, ``concurrent`` at the same time.
        Return all verdicts, in the order of ``verdicts``.
        """
        result = list(verdicts)
        places = [place for place, verdict in enumerate(verdicts) if is_retryable(verdict)]
        if places and self.online and self.online.reopen():
            again = self.verify_all([result[place].reference for place in places], concurrent)
            for place, verdict in zip(places, again, strict=True):
                result[place] = verdict
        return result

    def answer(self, entry: Reference | Diagnostic) -> Verdict:
        """Return the verdict on ``entry``.

        An internal error is not raised. It gives a verdict with the status ERROR.
        """
        if not isinstance(entry, Reference):
            return unreadable(entry)
        try:
            return self.verify(entry)
        except CiteproofError:
            raise
        except Exception as error:  # noqa: BLE001 - as in _search
            return own_fault(entry, error)


def own_fault(reference: Reference, error: Exception) -> Verdict:
    """Return a verdict with the status ERROR for a reference on which citeproof itself failed with
    ``error``.
    """
    message = f"a fault of citeproof, please report it: {one_line(error)}"
    issue = Issue(
        IssueCode.PROGRAM_FAULT.value, Severity.ISSUE, cited="", recorded="", explanation=message
    )
    return Verdict(
        reference, Status.ERROR, ReasonCode.PROGRAM_FAULT.value, confidence=1.0, issues=(issue,)
    )


def unreadable(entry: Diagnostic) -> Verdict:
    """Return the verdict on an entry that could not be read or checked. The status is ERROR, or
    UNVERIFIED if the entry is a note that cites no work.
    """
    issue = Issue(entry.code, entry.severity, cited="", recorded="", explanation=entry.message)
    status, reason = Status.ERROR, ReasonCode.UNREADABLE_ENTRY
    if entry.severity is Severity.NOTE:
        status, reason = Status.UNVERIFIED, ReasonCode.NOT_A_REFERENCE
    elif entry.code == IssueCode.PROGRAM_FAULT:
        reason = ReasonCode.PROGRAM_FAULT
    reference = Reference(entry.key, raw=entry.raw, place=entry.place)
    return Verdict(reference, status, reason.value, confidence=1.0, issues=(issue,))


def is_retryable(verdict: Verdict) -> bool:
    """Return whether a source failed and a retry may change the verdict."""
    failed = any(inquiry.outcome is Outcome.FAILED for inquiry in verdict.evidence)
    local = any(issue.code == IssueCode.SOURCES_FAILED for issue in verdict.issues)
    return failed and (verdict.status is Status.ERROR or local)


def _search(strategy: Strategy, reference: Reference, verdict: Verdict | None) -> Findings:
    """Return the findings of ``search``, or of ``search_further`` if a ``verdict`` is given.

    An exception is recorded in the findings as a failure.
    """
    try:
        return (
            strategy.search_further(reference, verdict) if verdict else strategy.search(reference)
        )
    # a failure on one reference must not stop the verification of the others
    except Exception as error:  # noqa: BLE001
        return Findings(inquiries=(Inquiry(strategy.name, Outcome.FAILED, one_line(error)),))
