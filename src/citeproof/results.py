"""One run over one or more bibliographies: what was asked, each result, and their sum."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum
from html import escape
from typing import TYPE_CHECKING, Any

from citeproof.errors import Exit
from citeproof.models import Outcome, Status

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from citeproof.models import Extraction, OutgoingRequests, Verdict


@dataclass(frozen=True, slots=True)
class Statistics:
    """The sum of a run. ``by_status`` always adds up to ``entries``."""

    entries: int
    by_status: Mapping[str, int]
    by_strategy: Mapping[str, int]
    """How many references each strategy decided."""
    cache_hits: int
    """Questions that a cache answered with a record."""
    lookups_by_method: Mapping[str, int]
    failures: Mapping[str, int]
    """How often each source failed."""
    seconds: float
    """Wall-clock time, without reading the input."""
    accepted: Mapping[str, int] = field(default_factory=dict)
    """How many of each status a person has accepted: a part of ``by_status``. A status without any is left out."""

    @classmethod
    def of(cls, verdicts: Iterable[Verdict], seconds: float) -> Statistics:
        """Sum up ``verdicts``, which took ``seconds`` together."""
        tally = Tally()
        for verdict in verdicts:
            tally.add(verdict)
        return tally.statistics(seconds)

    def __add__(self, other: Statistics) -> Statistics:
        """Return the sum of two runs, as if one had followed the other: the times add up too."""
        return Statistics(
            self.entries + other.entries,
            _sum(self.by_status, other.by_status),
            _sum(self.by_strategy, other.by_strategy),
            self.cache_hits + other.cache_hits,
            _sum(self.lookups_by_method, other.lookups_by_method),
            _sum(self.failures, other.failures),
            self.seconds + other.seconds,
            _sum(self.accepted, other.accepted),
        )

    def __str__(self) -> str:
        """Return the sum in one line: ``4 entries: 3 valid, 1 error; 0.2 s``."""
        counts = ", ".join(f"{count} {status.lower()}" for status, count in self.by_status.items() if count)
        entries = "1 entry" if self.entries == 1 else f"{self.entries} entries"
        return f"{entries}: {counts or 'nothing to check'}; {self.seconds:.1f} s"

    def counting(self, status: Status) -> int:
        """Return how many references have ``status`` and are not accepted by a person."""
        return self.by_status[status] - self.accepted.get(status, 0)

    @property
    def per_second(self) -> float:
        """References a second."""
        return self.entries / self.seconds if self.seconds else 0.0


@dataclass(slots=True)
class Tally:
    """The sum of the verdicts so far, for a run that keeps none of them."""

    statuses: Counter[str] = field(default_factory=Counter)
    strategies: Counter[str] = field(default_factory=Counter)
    methods: Counter[str] = field(default_factory=Counter)
    failures: Counter[str] = field(default_factory=Counter)
    accepted: Counter[str] = field(default_factory=Counter)
    cache_hits: int = 0

    def add(self, verdict: Verdict) -> None:
        """Count ``verdict``."""
        self.statuses[verdict.status.value] += 1
        if verdict.is_accepted:
            self.accepted[verdict.status.value] += 1
        if verdict.decided_by:
            self.strategies[verdict.decided_by] += 1
        for inquiry in verdict.evidence:
            if inquiry.outcome is Outcome.FAILED:
                self.failures[inquiry.source] += 1
            elif inquiry.method:
                self.methods[inquiry.method] += 1
            self.cache_hits += inquiry.from_cache and inquiry.records > 0

    def statistics(self, seconds: float) -> Statistics:
        """Return the sum of what was counted, which took ``seconds``."""
        return Statistics(
            entries=self.statuses.total(),
            by_status={status.value: self.statuses[status.value] for status in Status},
            by_strategy=dict(self.strategies),
            cache_hits=self.cache_hits,
            lookups_by_method=dict(self.methods),
            failures=dict(self.failures),
            seconds=seconds,
            accepted=dict(self.accepted),
        )


@dataclass(frozen=True, slots=True)
class PaperSum:
    """How many entries of one paper have which status."""

    name: str
    """As of :class:`Paper`."""
    by_status: Mapping[str, int]

    @property
    def entries(self) -> int:
        """How many entries have a verdict."""
        return sum(self.by_status.values())


@dataclass(frozen=True, slots=True)
class Paper:
    """The verdicts on what one paper cites."""

    name: str
    """The document as the user named it, or as it is called in its folder or archive: ``papers.zip/12/main.tex``."""
    verdicts: tuple[Verdict, ...]
    """In the order of its entries; fewer where the run ended early."""

    @property
    def entries(self) -> int:
        """How many entries have a verdict."""
        return len(self.verdicts)

    @property
    def by_status(self) -> dict[str, int]:
        """How many of its verdicts have each status; always adds up to ``entries``."""
        counts = Counter(verdict.status for verdict in self.verdicts)
        return {status.value: counts[status] for status in Status}


@dataclass(frozen=True, slots=True)
class Brief:
    """What a run that keeps no verdicts still knows of them besides their statistics."""

    papers: tuple[PaperSum, ...] = ()
    """In their order."""
    failures: tuple[str, ...] = ()
    """Which sources failed, how often and why, in words."""
    remembered: Mapping[str, int] = field(default_factory=dict)
    """How many verdicts rest on what an earlier run verified, by what is said of that."""


class Ending(StrEnum):
    """How a run came to its end."""

    COMPLETE = "complete"
    """Every entry has a verdict."""
    INTERRUPTED = "interrupted"
    """Somebody stopped it; the entries after the last verdict were not checked."""
    FAILED = "failed"
    """A fault that concerned more than one reference ended it; the entries after the last verdict were not checked."""


@dataclass(frozen=True, slots=True)
class Run:
    """Everything a report shows."""

    database: Mapping[str, Any]
    """What the answers rest on: path, records, sources, dates; empty when no database was asked."""
    notes: tuple[str, ...]
    """What the user must know about the whole run, such as a source that was not available."""
    verdicts: tuple[Verdict, ...]
    """One for each entry of the input, in its order; fewer where the run ended early."""
    statistics: Statistics
    sent: tuple[OutgoingRequests, ...] = ()
    """What left the machine: to which hosts, which fields."""
    ending: Ending = Ending.COMPLETE
    extractions: tuple[Extraction, ...] = ()
    """How well the lists of running text among the documents could be read, in their order."""
    policy: str = "default"
    """The policy under which the verdicts were decided."""
    brief: Brief | None = None
    """Of a run that handed its verdicts on and kept none; else None."""

    @property
    def papers(self) -> tuple[Paper, ...]:
        """The verdicts by paper, in the order of the input; together they are all verdicts."""
        found: dict[str, list[Verdict]] = {}
        for verdict in self.verdicts:
            found.setdefault(verdict.reference.paper, []).append(verdict)
        return tuple(Paper(name, tuple(verdicts)) for name, verdicts in found.items())

    def _repr_html_(self) -> str:
        """Return what a notebook shows: a row for each entry, and the sum."""
        rows = ((one.reference.key, one.status, one.reference.title, _said(one)) for one in self.verdicts)
        lines = ("".join(f"<td>{escape(text)}</td>" for text in row) for row in rows)
        body = "".join(f"<tr>{line}</tr>" for line in lines)
        head = "<tr><th>key</th><th>status</th><th>title</th><th>what differs</th></tr>"
        return f"<table><caption>{escape(str(self.statistics))}</caption>{head}{body}</table>"

    def exit_code(self, fail_on: Iterable[Status]) -> Exit:
        """Return the exit code: the first that applies. What a person has accepted does not count.

        130 when the run was interrupted, 3 when it failed or when ``fail_on`` names ERROR and something could not be
        checked, 1 when another status in ``fail_on`` occurs, else 0.
        """
        if self.ending is Ending.INTERRUPTED:
            return Exit.INTERRUPTED
        found = {status for status in fail_on if self.statistics.counting(status)}
        if self.ending is Ending.FAILED or Status.ERROR in found:
            return Exit.INCOMPLETE
        return Exit.FLAGGED if found else Exit.CLEAN


def _said(verdict: Verdict) -> str:
    return "; ".join(issue.explanation for issue in verdict.issues)


def _sum(one: Mapping[str, int], other: Mapping[str, int]) -> dict[str, int]:
    """Add two tallies name by name; a name that only one of them has stays."""
    return {name: one.get(name, 0) + other.get(name, 0) for name in {**one, **other}}
