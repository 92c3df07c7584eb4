"""The options of ``citeproof serve``, and limits that several modules of the service use."""

from dataclasses import dataclass
from pathlib import Path

from citeproof.settings import default_runtime_store
from citeproof.store.runtime.jobs import JobStore
from citeproof.store.runtime.store import RuntimeStore
from citeproof.store.runtime.title_log import TitleLog, hashed_titles
from citeproof.store.sql import LOCK_WAIT_SECONDS, ServerAddress

MAX_DOCUMENT_BYTES = 32 * 2**20
"""Maximum number of bytes of a document that a client sends."""
MAX_NAME = 200
"""Maximum number of characters of a document's name."""
MAX_REFERENCES = 5_000
"""Maximum number of references in a verification job. The command line has no limit."""
HARD_SECONDS = 630
"""Seconds after which a worker process is killed if its job has not ended."""
SMALL_REFERENCES = 50
"""Maximum number of references of a small job.

The request that creates a small job waits for the result.
"""
GRACE_SECONDS = 30
"""Maximum seconds for stopping the service. Requests that are still running are then cut off."""
CLOSING_SECONDS = 5
"""Part of :data:`GRACE_SECONDS`, in seconds, that is reserved for stopping child processes and for
the last writes.
"""
# maximum hours for which results are stored if the option --no-title-log is set
_CONFIDENTIAL_HOURS = 0.25


@dataclass(frozen=True, slots=True)
class Options:
    """The options of ``citeproof serve``. They are sent to each process of the service."""

    database: Path
    runtime_store: Path | ServerAddress
    index_dir: Path | None = None
    threshold: float = 0.9
    host: str = "127.0.0.1"
    port: int = 8092
    workers: int = 1
    title_log: bool = True
    retain_days: float | None = None
    retain_hours: float = 24.0
    token: str = ""
    rate_limit: int = 0
    allowed_hosts: tuple[str, ...] = ()
    lock_wait: float = LOCK_WAIT_SECONDS
    grace: int = GRACE_SECONDS
    log_level: str = "INFO"

    @property
    def job_hours(self) -> float:
        """Number of hours after which an ended job is deleted."""
        return self.retain_hours if self.title_log else min(self.retain_hours, _CONFIDENTIAL_HOURS)

    def open_store(self) -> RuntimeStore:
        """Open or create the database in which the service records searches and jobs (the runtime
        store).
        """
        place = self.runtime_store
        titles = TitleLog()
        if not self.title_log:  # if the store is on a server, the key is a file on this host
            titles = hashed_titles(
                default_runtime_store() if isinstance(place, ServerAddress) else place
            )
        return RuntimeStore(place, titles, self.lock_wait)

    def open_jobs(self) -> JobStore:
        """Open the verification jobs in the runtime store. The runtime store must exist already."""
        return JobStore(self.runtime_store, self.lock_wait)
