"""What closes a report: the sum, what the answers rest on, notes, and what the exit code means."""

from __future__ import annotations

from collections import Counter
from pathlib import PurePath
from typing import TYPE_CHECKING

from citeproof.errors import Exit
from citeproof.models import Status
from citeproof.presentation.looks import MARKS, WORST_FIRST
from citeproof.validation.policy import MEASURED
from citeproof.wording import failure_lines, remembered, sent_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from citeproof.presentation.view import View
    from citeproof.results import Run, Statistics

MOST_NOTES = 6
"""Most notes that are shown where not all are wanted."""
_MOST_ORIGINS = 3
"""Most days and sources of remembered verdicts that are named; -v names each with its entry."""
_OF_THE_RUN = 2
"""So many of them are the last ones."""


def counts(statistics: Statistics) -> str:
    """Return the sum, worst first: ``24 entries: ✗ 2 invalid, ! 5 suspicious, ✓ 17 valid``."""
    entries = "1 entry" if statistics.entries == 1 else f"{statistics.entries:,} entries"
    counted = ((status, statistics.by_status[status]) for status in WORST_FIRST)
    said = ", ".join(f"{MARKS[status]} {count:,} {status.lower()}" for status, count in counted if count)
    accepted = sum(statistics.accepted.values())
    return f"{entries}: {said or 'nothing to check'}" + (f"; {accepted:,} of them accepted" if accepted else "")


def basis(run: Run) -> Iterator[str]:
    """Yield on what the answers rest, which sources failed, and what left the machine."""
    yield f"Checked against {_database(run)}." if run.database else "No database was asked."
    if run.policy != MEASURED:
        yield f"Policy: {run.policy}. How often verdicts are right was measured under the policy {MEASURED} alone."
    kept = Counter(run.brief.remembered if run.brief else filter(None, map(remembered, run.verdicts)))
    for said, count in kept.most_common(_MOST_ORIGINS):
        yield f"{count:,} {'verdict was' if count == 1 else 'verdicts were'} {said}."
    failures = run.brief.failures if run.brief else failure_lines(run.verdicts)
    yield from (f"Failures: {line}." for line in failures)
    yield "Sent: " + "; ".join(map(sent_line, run.sent)) + "." if run.sent else "Nothing left this machine."


def notes(run: Run, *, everything: bool) -> tuple[str, ...]:
    """Return the notes on ``run``; of many the first and the last, which concern the run as a whole."""
    if everything or len(run.notes) <= MOST_NOTES:
        return run.notes
    left_out = len(run.notes) - MOST_NOTES + 1
    head = MOST_NOTES - 1 - _OF_THE_RUN
    return (*run.notes[:head], f"... and {left_out} more notes; -v shows them", *run.notes[-_OF_THE_RUN:])


def exit_meaning(run: Run, view: View) -> str:
    """Return what the exit code of ``run`` means, as a sentence."""
    code = run.exit_code(view.failing)
    wanted = [status for status in WORST_FIRST if status in view.failing and status is not Status.ERROR]
    found = [status for status in wanted if run.statistics.counting(status)]
    accepted = any(run.statistics.accepted.get(status) for status in view.failing)
    meaning = {
        Exit.CLEAN: (f"no reference is {_either(wanted)}" if wanted else "with --fail-on never nothing is flagged")
        + (" but accepted ones" if accepted else ""),
        Exit.FLAGGED: f"some references are {_either(found)}",
        Exit.INCOMPLETE: "some references could not be checked",
        Exit.INTERRUPTED: "the run was interrupted",
    }[code]
    errors = run.statistics.counting(Status.ERROR) if Status.ERROR not in view.failing else 0
    passed = "; what could not be checked does not count" if errors and code in {Exit.CLEAN, Exit.FLAGGED} else ""
    return f"Exit code {code.value}: {meaning}{passed}."


def _either(statuses: Sequence[Status]) -> str:
    return " or ".join(status.lower() for status in statuses)


def _database(run: Run) -> str:
    """Return what the database is: its name, its size, and up to which day its sources go."""
    name = PurePath(str(run.database.get("path", ""))).name
    sources = [
        source["name"] + (f" to {source['dump_date']}" if source["dump_date"] else "")
        for source in run.database.get("sources", ())
    ]
    size = f"{run.database['records']:,} records" if "records" in run.database else ""
    about = ": ".join(filter(None, (size, ", ".join(sources))))
    return f"{name} ({about})" if about else name
