"""What a user wants to see of a run."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from citeproof.models import Status

if TYPE_CHECKING:
    from citeproof.models import Verdict


class Detail(StrEnum):
    """How much a report for people says."""

    PROBLEMS = "problems"
    """Problems, and nothing else."""
    USUAL = "usual"
    """Problems, what is open in a few lines, and the summary."""
    FULL = "full"
    """Everything about every reference, with the codes for machines."""


@dataclass(frozen=True, slots=True)
class View:
    """What a user wants to see of a run; each report takes of it what has a meaning there."""

    detail: Detail = Detail.USUAL
    everything: bool = False
    """List what is VALID too, and shorten no list."""
    failing: tuple[Status, ...] = (Status.SUSPICIOUS, Status.INVALID, Status.ERROR)
    """The statuses that make the exit code another one than 0."""

    def fails(self, verdict: Verdict) -> bool:
        """Whether ``verdict`` makes the exit code another one than 0."""
        return verdict.status in self.failing and not verdict.is_accepted


USUAL = View()
