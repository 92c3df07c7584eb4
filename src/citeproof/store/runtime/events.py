"""Searches, batch runs and statistics as values that the web service and the runtime store exchange.

:class:`TitleLog` decides how titles are recorded: as they are, or as keyed hashes where titles are confidential.
"""

import hmac
import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from citeproof.model.errors import ConfigurationError
from citeproof.model.record import Lookup

COUNTERS = tuple(
    """single_search_requests single_search_errors single_search_found
    batch_search_requests batch_search_items_total batch_search_found_total web_page_views
    verify_jobs verify_jobs_failed verify_references verify_milliseconds""".split()  # noqa: SIM905 - reads as words
)
"""Names of the counters in a runtime store."""
TABLES = (
    "runtime_counters", "single_search_events", "batch_runs", "batch_items", "event_logs", "jobs", "job_verdicts",
)  # fmt: skip
"""Names of the tables of a runtime store that the documentation describes."""
HOURS = 24
"""Number of hours in :attr:`Statistics.hours`."""


@dataclass(frozen=True, slots=True)
class Search:
    """A title that was looked up, with the result or the error."""

    title: str
    lookup: Lookup | None = None
    error: BaseException | None = None

    @property
    def found(self) -> bool:
        """Whether a title at or above the threshold was found."""
        return self.lookup is not None and self.lookup.found


@dataclass(frozen=True, slots=True)
class BatchRun:
    """A batch of titles, as it is recorded at its start."""

    run_id: str
    request_id: str
    limit: int
    """Maximum titles of a batch."""
    total_input: int
    """Number of titles in the request, with blank and repeated ones."""
    max_candidates: int


@dataclass(frozen=True, slots=True)
class BatchSummary:
    """The counts of a batch so far."""

    total_processed: int = 0
    found_count: int = 0
    not_found_count: int = 0
    error_count: int = 0
    duration_ms: float = 0.0


@dataclass(frozen=True, slots=True)
class Hour:
    """Counts of the searches and jobs in one hour, without rows that were deleted."""

    hour: str
    """Start of the hour in UTC, ``2026-11-20T20:00Z``."""
    searches: int = 0
    """Number of titles that were looked up."""
    found: int = 0
    """Number of titles that were found."""
    documents: int = 0
    """Number of verification jobs that ended."""
    failed: int = 0
    """Number of verification jobs that failed."""


@dataclass(frozen=True, slots=True)
class Statistics:
    """Counts of the runtime store at one moment."""

    counters: Mapping[str, int]
    tables: Mapping[str, int]
    """Number of rows of each table."""
    jobs: Mapping[str, int]
    """Number of verification jobs that are ``waiting`` and ``running``."""
    hours: tuple[Hour, ...]
    """The last :data:`HOURS` hours, oldest first, with the current one."""


def new_run_id() -> str:
    """Return a random identifier of a batch run, 128 bits in hexadecimal."""
    return secrets.token_hex(16)


KEY_BYTES = 32
"""Length of the key for hashes, in bytes."""


class TitleLog:
    """Converts titles, and texts that may quote one, into what the store records.

    Example: ``TitleLog().title("A Title")`` is ``"A Title"``; with a key it is ``"hmac-sha256:3c1e..."``.
    """

    def __init__(self, key: bytes = b"") -> None:
        """Record HMAC-SHA-256 hashes with ``key``, or plain titles if ``key`` is empty."""
        self._key = key

    def title(self, title: str) -> str:
        """Return ``title`` or its hash. The hash ignores case, so that repeated searches can be counted."""
        if not self._key:
            return title
        return "hmac-sha256:" + hmac.digest(self._key, title.casefold().encode(), "sha256").hex()

    def matched_key(self, key: str) -> str:
        """Return the key of the record that was found; empty with hashes, because it identifies the title."""
        return "" if self._key else key

    def failure(self, error: BaseException) -> str:
        """Return type and message of an error; with hashes only the type, because messages may quote titles."""
        return type(error).__name__ if self._key else f"{type(error).__name__}: {error}"


def hashed_titles(store: Path) -> TitleLog:
    """Return a :class:`TitleLog` that hashes with the key in the file beside ``store``, which is created at first use.

    Without this file, nobody can test whether a hash is that of a given title. Raises
    :class:`~citeproof.model.errors.ConfigurationError` if the key cannot be read or created.
    """
    path = store.with_name(store.name + ".key")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # A complete file is linked into place, so that no other process reads a part of a key.
        draft = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(secrets.token_bytes(KEY_BYTES))
        try:
            os.link(draft, path)
        except FileExistsError:
            pass
        finally:
            draft.unlink()
        key = path.read_bytes()
    except OSError as error:
        raise ConfigurationError(f"{path}: the key for hashed titles cannot be used: {error}") from error
    if len(key) != KEY_BYTES:
        raise ConfigurationError(f"{path}: holds {len(key)} bytes instead of a key of {KEY_BYTES}; move it away")
    return TitleLog(key)
