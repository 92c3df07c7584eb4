"""The result of checking one or more bibliographies: verdicts, statistics and notes."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from html import escape
from typing import Any, Self

from citeproof.model.account import Unread
from citeproof.model.chance import BASE_RATE, Odds, PaperChance, carried_by
from citeproof.model.errors import Exit
from citeproof.model.findings import Outcome
from citeproof.model.quantity import quantity
from citeproof.model.reference import Extraction, Reference, name_of
from citeproof.model.verdict import FLAGGED, OutgoingRequests, Status, Verdict

# maximum number of references listed for each source and date of cached records
_MOST_REMEMBERED = 10


def counted(by_status: Mapping[str, int]) -> str:
    """Return the numbers of entries in ``by_status``, a map from status to number, as text without
    zeros: ``3 valid, 1 error``.
    """
    return ", ".join(f"{count:,} {name.lower()}" for name, count in by_status.items() if count)


@dataclass(frozen=True, slots=True)
class Statistics:
    """Statistics of a run. The numbers in ``by_status`` add up to ``entries``."""

    entries: int
    by_status: Mapping[str, int]
    by_strategy: Mapping[str, int]
    """Map from the name of a search strategy, such as ``cache``, to the number of verdicts that the
    strategy decided.
    """
    cache_hits: int
    """Number of searches that a cache answered with at least one record."""
    lookups_by_method: Mapping[str, int]
    failures: Mapping[str, int]
    """Map from the name of a source to the number of failed searches."""
    seconds: float
    """Elapsed time of the verification in seconds, without reading the input."""
    accepted: Mapping[str, int] = field(default_factory=dict)
    """Map from a status to the number of references with this status that a person has accepted.

    Zeros are left out.
    """

    @classmethod
    def of(cls, verdicts: Iterable[Verdict], seconds: float) -> Statistics:
        """Return the statistics of ``verdicts`` that took ``seconds`` in total."""
        return Tally.of(verdicts).statistics(seconds)

    def __add__(self, other: Statistics) -> Statistics:
        """Return the sums of the numbers and times of two runs."""
        sums: list[Any] = []
        for part in fields(self):
            one, two = getattr(self, part.name), getattr(other, part.name)
            counts = isinstance(one, Mapping)
            sums.append(
                {key: one.get(key, 0) + two.get(key, 0) for key in {**one, **two}}
                if counts
                else one + two
            )
        return Statistics(*sums)

    def __str__(self) -> str:
        """Return a summary as one line: ``4 entries: 3 valid, 1 error; 0.2 s``."""
        entries = quantity(self.entries, "entry", "entries")
        counts = counted(self.by_status) or "nothing to check"
        return f"{entries}: {counts}; {self.seconds:.1f} s"

    def counting(self, status: Status) -> int:
        """Return the number of references with ``status`` that no person has accepted."""
        return self.by_status[status] - self.accepted.get(status, 0)

    @property
    def per_second(self) -> float:
        """Number of references per second."""
        return self.entries / self.seconds if self.seconds else 0.0


@dataclass(slots=True)
class Tally:
    """Counts that are updated with every verdict. With them, a run can report totals without
    keeping the verdicts in memory.
    """

    statuses: Counter[str] = field(default_factory=Counter)
    strategies: Counter[str] = field(default_factory=Counter)
    methods: Counter[str] = field(default_factory=Counter)
    failures: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    """Map from the name of a source to the number of failed searches for each reason."""
    accepted: Counter[str] = field(default_factory=Counter)
    cache_hits: int = 0
    papers: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    odds: defaultdict[str, list[tuple[Odds, str]]] = field(
        default_factory=lambda: defaultdict(list)
    )
    """Map from the name of a paper to a list with a pair for each reference.

    A pair has :attr:`Chance.odds` of the reference, and its citation key.
    """
    base_rate: float = BASE_RATE
    remembered: Counter[str] = field(default_factory=Counter)
    remembered_entries: defaultdict[str, list[Reference]] = field(
        default_factory=lambda: defaultdict(list)
    )

    @classmethod
    def of(cls, verdicts: Iterable[Verdict]) -> Self:
        """Return the counts of ``verdicts``."""
        tally = cls()
        for verdict in verdicts:
            tally.add(verdict)
        return tally

    def add(self, verdict: Verdict) -> None:
        """Add ``verdict`` to the counts."""
        status = verdict.status.value
        self.statuses[status] += 1
        self.papers[verdict.reference.paper][status] += 1
        if verdict.chance:
            named = verdict.chance.odds, name_of(verdict.reference)
            self.odds[verdict.reference.paper].append(named)
            self.base_rate = verdict.chance.base_rate
        if verdict.is_accepted:
            self.accepted[status] += 1
        if verdict.decided_by:
            self.strategies[verdict.decided_by] += 1
        if verdict.remembered:
            self.remembered[verdict.remembered] += 1
            if self.remembered[verdict.remembered] <= _MOST_REMEMBERED:
                self.remembered_entries[verdict.remembered].append(verdict.reference)
        for inquiry in verdict.evidence:
            if inquiry.outcome is Outcome.FAILED:
                # keeps "timed out" of "timed out (not asked for 60 s)"
                reason = inquiry.detail.partition(" (not asked")[0]
                self.failures[inquiry.source][reason] += 1
            elif inquiry.method:
                self.methods[inquiry.method] += 1
            self.cache_hits += inquiry.from_cache and inquiry.records > 0

    def statistics(self, seconds: float) -> Statistics:
        """Return the statistics of the verdicts that were added.

        ``seconds`` is the elapsed time of the run.
        """
        return Statistics(
            entries=self.statuses.total(),
            by_status=_by_status(self.statuses),
            by_strategy=dict(self.strategies),
            cache_hits=self.cache_hits,
            lookups_by_method=dict(self.methods),
            failures={source: reasons.total() for source, reasons in self.failures.items()},
            seconds=seconds,
            accepted=dict(self.accepted),
        )

    def brief(self) -> Brief:
        """Return totals for reports: counts of each paper, failures of sources, and verdicts from
        the cache.
        """
        papers = []
        for name, counts in self.papers.items():
            odds = self.odds[name]
            invented = PaperChance.of([one for one, _ in odds], self.base_rate)
            papers.append(PaperSum(name, _by_status(counts), invented, tuple(carried_by(odds))))
        failures = (
            f"{source} {reasons.total()}" + (f": {reason}" if reason else "")
            for source, reasons in self.failures.items()
            for reason in reasons
        )
        remembered = {
            said: (count, tuple(self.remembered_entries[said]))
            for said, count in self.remembered.items()
        }
        return Brief(tuple(papers), tuple(failures), remembered)


@dataclass(frozen=True, slots=True)
class PaperSum:
    """Numbers for one paper: the entries with each status, and the estimated number of invented
    references.
    """

    name: str
    """Name of the paper, as in :attr:`Paper.name`."""
    by_status: Mapping[str, int]
    invented: PaperChance = field(default_factory=PaperChance)
    carried_by: tuple[str, ...] = ()
    """Names of at most five references that are most probably invented, most probable first.

    The names come from :func:`name_of`.
    """

    @property
    def entries(self) -> int:
        """Number of entries in the paper."""
        return sum(self.by_status.values())


@dataclass(frozen=True, slots=True)
class Paper:
    """The verdicts on the references of one paper."""

    name: str
    """Name of the document as the user gave it, or the path in a folder or archive:
    ``papers.zip/12/main.tex``.
    """
    verdicts: tuple[Verdict, ...]
    """Verdicts in the order of the entries.

    If the run ended early, the last verdicts are missing.
    """

    @property
    def by_status(self) -> dict[str, int]:
        """Number of verdicts for every status."""
        return _by_status(Counter(verdict.status.value for verdict in self.verdicts))


@dataclass(frozen=True, slots=True)
class Brief:
    """Totals of a run that reports show in addition to :class:`Statistics`."""

    papers: tuple[PaperSum, ...] = ()
    """Totals of every paper, in the order of the input."""
    failures: tuple[str, ...] = ()
    """One line per source and reason of failures: ``dblp 3: timed out``. The number counts all
    failures of the source, whatever the reason.
    """
    remembered: Mapping[str, tuple[int, tuple[Reference, ...]]] = field(default_factory=dict)
    """Map from :attr:`Verdict.remembered` to a pair: the number of verdicts, and the first ten
    references.
    """


class Ending(StrEnum):
    """How a run ended."""

    COMPLETE = "complete"
    """Every entry has a verdict."""
    INTERRUPTED = "interrupted"
    """The user stopped the run. Entries after the last verdict were not checked."""
    FAILED = "failed"
    """An error ended the run. Entries after the last verdict were not checked."""


@dataclass(frozen=True, slots=True)
class Run:
    """The result of a run: everything that a report shows."""

    database: Mapping[str, Any]
    """Description of the database, such as path, sources and dates; empty if no database was
    used.
    """
    notes: tuple[str, ...]
    """Remarks on the whole run, such as a source that was not available."""
    verdicts: tuple[Verdict, ...]
    """Verdicts in the order of the entries.

    Incomplete if the run ended early or did not keep verdicts in memory.
    """
    statistics: Statistics
    sent: tuple[OutgoingRequests, ...] = ()
    """For every host, the number of requests and the names of the fields of references that were
    sent.
    """
    ending: Ending = Ending.COMPLETE
    extractions: tuple[Extraction, ...] = ()
    """How well each reference list in plain text was read, in the order of the documents."""
    policy: str = "default"
    """Name of the policy, which says how serious each difference is."""
    brief: Brief | None = None
    """Totals of a run that did not keep ``verdicts`` in memory; None if ``verdicts`` is
    complete.
    """
    settings: Mapping[str, str] = field(default_factory=dict)
    """Map from the name of a setting to the path of the project's file that set it.

    Settings that do not affect verdicts are left out.
    """
    unread: tuple[Unread, ...] = ()
    """Lines of the documents that were not read as references, in order."""

    @property
    def papers(self) -> tuple[Paper, ...]:
        """The verdicts grouped by paper, in the order of the input."""
        found: dict[str, list[Verdict]] = {}
        for verdict in self.verdicts:
            found.setdefault(verdict.reference.paper, []).append(verdict)
        return tuple(Paper(name, tuple(verdicts)) for name, verdicts in found.items())

    def in_brief(self) -> Brief:
        """Return ``brief``. If it is None, return the totals of ``verdicts``."""
        return self.brief or Tally.of(self.verdicts).brief()

    def _repr_html_(self) -> str:
        """Return an HTML table for Jupyter, with a row for each entry and the statistics as the
        caption.
        """
        table = "<tr><th>key</th><th>status</th><th>title</th><th>what differs</th></tr>"
        for one in self.verdicts:
            differs = "; ".join(issue.explanation for issue in one.issues)
            row = (one.reference.key, one.status, one.reference.title, differs)
            table += f"<tr>{''.join(f'<td>{escape(text)}</td>' for text in row)}</tr>"
        return f"<table><caption>{escape(str(self.statistics))}</caption>{table}</table>"

    @property
    def lost(self) -> bool:
        """Whether some line looks like a reference and was not read, or some list seems to have
        been read wrongly.
        """
        return any(line.lost for line in self.unread) or any(one.fault for one in self.extractions)

    def exit_code(self, fail_on: Iterable[Status] = (*FLAGGED, Status.ERROR)) -> Exit:
        """Return the exit code of the command line.

        ``fail_on`` has the statuses that ``--fail-on`` names. The default is that of the command
        line.

        References that a person has accepted are ignored.

        The code is 130 if the run was interrupted. It is 3 if the run failed, or if ERROR is in
        ``fail_on`` and an entry has this status or references were :attr:`lost`. It is 1 if an
        entry has another status in ``fail_on``, and otherwise 0.
        """
        if self.ending is Ending.INTERRUPTED:
            return Exit.INTERRUPTED
        wanted = frozenset(fail_on)
        found = {status for status in wanted if self.statistics.counting(status)}
        lost = Status.ERROR in wanted and self.lost
        if self.ending is Ending.FAILED or Status.ERROR in found or lost:
            return Exit.INCOMPLETE
        return Exit.FLAGGED if found else Exit.CLEAN


def _by_status(counts: Counter[str]) -> dict[str, int]:
    return {status.value: counts[status.value] for status in Status}
