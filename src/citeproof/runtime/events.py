"""What the web service tells the runtime store."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from citeproof.models import Lookup


@dataclass(frozen=True, slots=True)
class Search:
    """One title that was looked up, with the answer or the error it led to."""

    title: str
    lookup: Lookup | None = None
    error: BaseException | None = None

    @property
    def found(self) -> bool:
        """Whether a title at or above the threshold was found."""
        return self.lookup is not None and self.lookup.found


@dataclass(frozen=True, slots=True)
class BatchRun:
    """A batch as it starts."""

    run_id: str
    request_id: str
    limit: int
    """The most titles that a batch may hold."""
    total_input: int
    """Titles as they were sent, before blank and repeated ones were dropped."""
    max_candidates: int


@dataclass(frozen=True, slots=True)
class BatchSummary:
    """What became of a batch so far."""

    total_processed: int = 0
    found_count: int = 0
    not_found_count: int = 0
    error_count: int = 0
    duration_ms: float = 0.0
