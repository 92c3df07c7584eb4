"""What the web service remembers about its own work: counters, events, batch runs. Never part of an answer.

Each engine is a package beside this file.
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from concurrent.futures import Future

    from citeproof.runtime.events import BatchRun, BatchSummary, Search
    from citeproof.runtime.statistics import Statistics


class RuntimeStore(Protocol):
    """The store as one process sees it; any number of processes share one.

    The result of each future means that the event is on disk, so an answer that waits for it is never forgotten.
    Its :class:`~citeproof.errors.StoreBusyError` means that another process held the store's lock too long, any
    other :class:`~citeproof.errors.DatabaseError` that the store cannot be written.
    """

    def record_single(self, request_id: str, max_candidates: int, search: Search) -> Future[None]:
        """Record one title search and its counters."""

    def record_failed(self, request_id: str, max_candidates: int, search: Search) -> None:
        """Record one title search whenever the lock is free again: its answer was an error already."""

    def start_run(self, run: BatchRun) -> Future[None]:
        """Record that a batch is running."""

    def record_item(self, run_id: str, position: int, search: Search) -> Future[None]:
        """Record one title of a batch."""

    def complete_run(self, run_id: str, summary: BatchSummary) -> Future[None]:
        """Record that a batch is completed, with its counters."""

    def abandon_run(self, run: BatchRun, status: str, reason: str, summary: BatchSummary) -> None:
        """Record that a batch is ``failed`` or ``interrupted``, as soon as the lock is free, start included."""

    def count_page_view(self) -> Future[None]:
        """Count one view of the page, whenever the lock is free."""

    def log(self, level: str, event: str, message: str) -> None:
        """Record an event of the service itself, whenever the lock is free."""

    def statistics(self) -> Statistics:
        """Return the counters and record counts; never waits for a writer.

        Raises :class:`~citeproof.errors.DatabaseError` when the store is not there any more.
        """

    def prune(self, days: float) -> int:
        """Delete the events older than ``days`` and return how many went."""

    def close(self, patience: float = ...) -> None:
        """Write what is queued, waiting up to ``patience`` seconds for the lock, and let go of the store."""


def new_run_id() -> str:
    """Return an identifier for a batch run that nobody can guess."""
    return secrets.token_hex(16)
