"""Which parts of a run the user asked to see, and how each status looks."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from citeproof.model.verdict import Status, Verdict

MARKS = {
    Status.VALID: "✓",
    Status.SUSPICIOUS: "!",
    Status.INVALID: "✗",
    Status.UNVERIFIED: "?",
    Status.ERROR: "⚠",
}
"""Mark of each status."""
STYLES = {
    Status.VALID: "green",
    Status.SUSPICIOUS: "yellow",
    Status.INVALID: "bold red",
    Status.UNVERIFIED: "cyan",
    Status.ERROR: "magenta",
}
"""Style of each status on a terminal, in the terms of rich."""
WORST_FIRST = (Status.INVALID, Status.SUSPICIOUS, Status.ERROR, Status.UNVERIFIED, Status.VALID)
"""The statuses in the order in which reports list them."""


class Detail(StrEnum):
    """How much a report in prose shows."""

    PROBLEMS = "problems"
    """Only problems."""
    USUAL = "usual"
    """Problems, entries left open in a few lines, and the summary."""
    FULL = "full"
    """All details of every reference, with codes."""


@dataclass(frozen=True, slots=True)
class View:
    """The user's choice of what to show; each format uses what applies to it."""

    detail: Detail = Detail.USUAL
    everything: bool = False
    """List VALID references too, and shorten no list."""
    failing: tuple[Status, ...] = (Status.SUSPICIOUS, Status.INVALID, Status.ERROR)
    """The statuses for which the exit code is not 0."""

    def fails(self, verdict: Verdict) -> bool:
        """Return whether the exit code is not 0 because of ``verdict``."""
        return verdict.status in self.failing and not verdict.is_accepted


USUAL = View()
