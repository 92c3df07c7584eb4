"""Arrange a run for people: problems, undecided entries, the other entries, and then the summary of
the run.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePath
from shlex import quote
from typing import Any, NamedTuple, Self

from citeproof.model.errors import Exit
from citeproof.model.quantity import quantity
from citeproof.model.reference import Place
from citeproof.model.run import Run, Statistics
from citeproof.model.verdict import Status, Verdict
from citeproof.report.advice import for_reason
from citeproof.report.misses import miss_lines
from citeproof.report.wording import NOTICES, sent_line, shown_key
from citeproof.verification.validation.policy import MEASURED

MARKS = {
    Status.VALID: "✓",
    Status.SUSPICIOUS: "!",
    Status.INVALID: "✗",
    Status.UNVERIFIED: "?",
    Status.ERROR: "⚠",
}
STYLES = {
    Status.VALID: "green",
    Status.SUSPICIOUS: "yellow",
    Status.INVALID: "bold red",
    Status.UNVERIFIED: "cyan",
    Status.ERROR: "magenta",
}
"""Style of each status on a terminal, in the notation of the library rich."""
WORST_FIRST = (Status.INVALID, Status.SUSPICIOUS, Status.ERROR, Status.UNVERIFIED, Status.VALID)
"""All statuses from the worst to the best. Reports list entries in this order."""


class Detail(StrEnum):
    """The amount of detail in a report for people."""

    PROBLEMS = "problems"
    USUAL = "usual"
    """Problems, a few lines on undecided entries, and the summary."""
    FULL = "full"
    """All details of every reference, with codes."""


@dataclass(frozen=True, slots=True)
class View:
    """The user's options for the content of a report. Some formats ignore some options."""

    detail: Detail = Detail.USUAL
    everything: bool = False
    """Whether to list also VALID references, and all entries of long lists."""
    failing: tuple[Status, ...] = (Status.SUSPICIOUS, Status.INVALID, Status.ERROR)
    """Statuses that make the exit code nonzero."""
    exits: bool = True
    """Whether the command that writes the report ends with the exit code of the run."""

    def lists(self, status: Status) -> bool:
        """Return whether entries of ``status`` that are not problems are listed."""
        return (
            self.detail is not Detail.PROBLEMS or status is Status.ERROR or status in self.failing
        )

    def fails(self, verdict: Verdict) -> bool:
        """Return whether ``verdict`` makes the exit code nonzero."""
        return verdict.status in self.failing and not verdict.is_accepted


USUAL = View()
NAMELESS = "(no document)"
"""Name that reports show for references without a document, such as references from the Python
interface.
"""
MOST_NOTES = 6
"""Maximum number of notes on a run that are shown without ``-v``."""
_NOT_A_FILE = re.compile(r"^<|^$|\.(?:zip|tar|tgz|gz)/")
"""Regex for document names that are not file names, such as ``<stdin>`` or
``papers.zip/refs.bib``.
"""


class Group(NamedTuple):
    """Verdicts with the same status and reason, and a sentence that explains the reason."""

    status: Status
    reason: str
    sentence: str
    verdicts: tuple[Verdict, ...]

    @property
    def heading(self) -> str:
        """Heading with symbol, number and status: ``✓ 3 VALID with notes``."""
        noted = " with notes" if self.verdicts[0].is_noted else ""
        return f"{MARKS[self.status]} {len(self.verdicts):,} {self.status.value}{noted}"


@dataclass(frozen=True, slots=True)
class Overview:
    """The verdicts of a run in sections.

    Each verdict is in one of ``problems``, ``groups``, ``valid`` and ``accepted``.
    """

    problems: tuple[Verdict, ...]
    """References for which :func:`is_problem` is true, sorted by status and then by the odds of
    being invented.
    """
    groups: tuple[Group, ...]
    """References with the status ERROR, grouped by reason, then UNVERIFIED references, grouped by
    reason, then VALID references with notes.
    """
    valid: tuple[Verdict, ...]
    """VALID references without notes."""
    accepted: tuple[Verdict, ...]
    lapsed: tuple[Verdict, ...]
    """References that a person has accepted, but whose acceptance has expired or whose entry has
    changed since.

    Each of them is also in ``problems``, ``groups`` or ``valid``.
    """

    @classmethod
    def of(cls, verdicts: Iterable[Verdict]) -> Self:
        """Sort ``verdicts`` into the sections of an overview."""
        given = tuple(verdicts)
        every = [verdict for verdict in given if not verdict.is_accepted]
        problems = sorted(
            filter(is_problem, every), key=lambda one: (WORST_FIRST.index(one.status), -odds(one))
        )
        rest = [verdict for verdict in every if not is_problem(verdict)]
        noted = [verdict for verdict in rest if verdict.is_noted]
        groups = (
            *_groups(rest, Status.ERROR),
            *_groups(rest, Status.UNVERIFIED),
            *_groups(noted, Status.VALID),
        )
        return cls(
            tuple(problems),
            groups,
            tuple(one for one in rest if one.is_valid and not one.notes),
            tuple(verdict for verdict in given if verdict.is_accepted),
            tuple(verdict for verdict in every if verdict.acceptance),
        )


def is_problem(verdict: Verdict) -> bool:
    """Return whether the reference is SUSPICIOUS or INVALID, or the work is retracted or has a
    notice of concern.
    """
    return verdict.is_flagged or not NOTICES.keys().isdisjoint(verdict.flags)


def odds(verdict: Verdict) -> float:
    """Return the factor by which facts about the reference change the odds that the reference is
    invented; 0 if the factor is unknown.
    """
    # rounded, so that references with equal facts stay in order
    return round(verdict.chance.ratio, 9) if verdict.chance else 0.0


def short_names(files: Iterable[str]) -> dict[str, str]:
    """Return a map from each file to its path without the folders that all ``files`` share."""
    known = dict.fromkeys(files)
    parts = [PurePath(file).parts[:-1] for file in known]
    shared = 0
    while parts and all(len(own) > shared and own[shared] == parts[0][shared] for own in parts):
        shared += 1
    return {file: str(PurePath(*PurePath(file).parts[shared:])) if file else "" for file in known}


def names_in(run: Run) -> dict[str, str]:
    """Return the :func:`short_names` of the documents with the references of ``run``."""
    return short_names(verdict.reference.file for verdict in run.verdicts)


def place_in(place: Place, names: dict[str, str]) -> str:
    """Return ``place`` as a text with the short name of the file, such as ``refs.bib:12``."""
    where = str(place)
    return (
        names.get(place.file, place.file) + where[len(place.file) :]
        if where.startswith(place.file)
        else where
    )


def _groups(verdicts: Sequence[Verdict], status: Status) -> list[Group]:
    own = [verdict for verdict in verdicts if verdict.status is status]
    frequent = Counter(verdict.reason for verdict in own).most_common()
    own.sort(key=odds, reverse=True)
    return [
        Group(
            status,
            reason,
            for_reason(next(one for one in own if one.reason == reason)),
            tuple(one for one in own if one.reason == reason),
        )
        for reason, _ in frequent
    ]


def sum_line(statistics: Statistics) -> str:
    """Return the totals in one line: ``24 entries: ✗ 2 invalid, ! 5 suspicious, ✓ 17 valid``."""
    entries = quantity(statistics.entries, "entry", "entries")
    counted = ((status, statistics.by_status[status]) for status in WORST_FIRST)
    said = ", ".join(
        f"{MARKS[status]} {count:,} {status.lower()}" for status, count in counted if count
    )
    accepted = sum(statistics.accepted.values())
    return f"{entries}: {said or 'nothing to check'}" + (
        f"; {accepted:,} of them accepted" if accepted else ""
    )


def basis_lines(run: Run) -> Iterator[str]:
    """Yield lines that state the basis of the verdicts: database, policy, cache, failed sources,
    and outgoing requests.
    """
    yield checked_against(run.database)
    if run.policy != MEASURED:
        yield (
            f"Policy: {run.policy}. How often verdicts are right was measured only under the policy"
            f" {MEASURED}."
        )
    yield from remembered_lines(run)
    yield from miss_lines(run)
    yield from (f"Failures: {line}." for line in run.in_brief().failures)
    yield (
        "Sent: " + "; ".join(map(sent_line, run.sent)) + "."
        if run.sent
        else "Nothing left this machine."
    )


def checked_against(database: Mapping[str, Any]) -> str:
    """Return a sentence that names the databases described in ``database`` and the dates of their
    sources.
    """
    if not database:
        return "No database was queried."
    return (
        f"Checked against {' and '.join(map(_database, [database, *database.get('further', ())]))}."
    )


def remembered_lines(run: Run) -> Iterator[str]:
    """Yield up to three lines about verdicts from the cache: origin and number of the verdicts, and
    the keys of some references.
    """
    for said, (count, entries) in sorted(
        run.in_brief().remembered.items(), key=lambda item: -item[1][0]
    )[:3]:
        keys = ", ".join(shown_key(entry) or str(entry.place) or entry.title for entry in entries)
        more = f" and {count - len(entries):,} more" if count > len(entries) else ""
        yield f"{count:,} {'verdict was' if count == 1 else 'verdicts were'} {said}: {keys}{more}."


def shown_notes(run: Run, *, everything: bool) -> tuple[str, ...]:
    """Return the notes on ``run``.

    Without ``everything``, return at most the first three and the last two.
    """
    left_out = len(run.notes) - MOST_NOTES + 1
    if everything or left_out <= 1:
        return run.notes
    # The last two notes concern the whole run.
    return (
        *run.notes[: MOST_NOTES - 3],
        f"... and {left_out} more notes; -v shows them",
        *run.notes[-2:],
    )


def exit_meaning(run: Run, view: View) -> Iterator[str]:
    """Yield a sentence that explains the exit code of ``run``: ``Exit code 3: some references could
    not be checked.`` Yield nothing if the command does not end with such an exit code.
    """
    if not view.exits:
        return
    code = run.exit_code(view.failing)
    wanted = [
        status for status in WORST_FIRST if status in view.failing and status is not Status.ERROR
    ]
    found = [status for status in wanted if run.statistics.counting(status)]
    accepted = any(run.statistics.accepted.get(status) for status in view.failing)
    clean = (
        f"no reference is {' or '.join(wanted).lower()}"
        if wanted
        else "with --fail-on never, no status affects the exit code"
    )
    meaning = {
        Exit.CLEAN: f"{clean}, except accepted references" if accepted else clean,
        Exit.FLAGGED: f"some references are {' or '.join(found).lower()}",
        Exit.INCOMPLETE: (
            "some references could not be read"
            if run.lost
            else "some references could not be checked"
        ),
        Exit.INTERRUPTED: "the run was interrupted",
    }[code]
    errors = run.statistics.counting(Status.ERROR) if Status.ERROR not in view.failing else 0
    passed = (
        "; references that could not be checked do not affect the exit code"
        if errors and code in {Exit.CLEAN, Exit.FLAGGED}
        else ""
    )
    yield f"Exit code {code.value}: {meaning}{passed}."


def next_step(run: Run) -> str:
    """Return a line with a command or an option that the user may need next.

    Empty if there is nothing to do.
    """
    problems = Overview.of(run.verdicts).problems
    named = (one.reference for one in problems if not _NOT_A_FILE.search(one.reference.file))
    if wrong := next(named, None):
        file = quote(wrong.file)
        entry = wrong.key or wrong.doi or wrong.title
        # a work that was not found cannot be corrected
        can_fix = wrong.file.endswith(".bib") and any(one.best_match for one in problems)
        fix = f"citeproof fix {file} shows corrections; " if can_fix else ""
        return f"{fix}citeproof explain {file} {quote(entry)} says why."
    if run.statistics.counting(Status.UNVERIFIED) and run.database and not run.sent:
        return "--enable-online queries further sources about unverified references."
    return ""


def _database(described: Mapping[str, Any]) -> str:
    """Return a phrase on the database that ``described`` describes: its name and size, and the date
    of the newest record of each source.
    """
    name = PurePath(str(described.get("path", ""))).name
    days: dict[str, dict[str, None]] = {}
    for source in described.get("sources", ()):
        days.setdefault(source["name"], {})[source["dump_date"]] = None
    sources = [
        f"{name} to {' and '.join(filter(None, own))}".removesuffix(" to ")
        for name, own in days.items()
    ]
    size = f"{described['records']:,} records" if "records" in described else ""
    about = ": ".join(filter(None, (size, ", ".join(sources))))
    return f"{name} ({about})" if about else name
