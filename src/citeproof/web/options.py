"""The options of ``citeproof serve``, and the limits of the service."""

from dataclasses import dataclass
from pathlib import Path

from citeproof.settings import default_runtime_store
from citeproof.store.runtime.jobs import JobStore
from citeproof.store.runtime.store import RuntimeStore
from citeproof.store.runtime.title_log import TitleLog, hashed_titles
from citeproof.store.server_address import ServerAddress
from citeproof.store.sql import LOCK_WAIT_SECONDS

MAX_DOCUMENT_BYTES = 32 * 2**20
"""Maximum number of bytes of a document."""
MAX_NAME = 200
"""Maximum number of characters of a document's name."""
MOST_UNPACKED = 256 * 2**20
"""Maximum number of bytes that are unpacked from an archive; on the command line 4 GB."""
LARGEST_MEMBER = 64 * 2**20
"""Maximum number of bytes of an unpacked document; on the command line 256 MB."""
MOST_MEMBERS = 10_000
"""Maximum number of files read from an archive; on the command line 100,000."""
MAX_REFERENCES = 5_000
"""Maximum number of references of a job; the command line has no such limit."""
MOST_WAITING = 100
"""Maximum number of jobs that wait in the queue."""
MOST_AT_ONCE = 4
"""Maximum number of worker processes, which run jobs, of one server process."""
READING_SECONDS = 300.0
"""Maximum seconds for reading an archive."""
JOB_SECONDS = 600.0
"""Maximum seconds of a job. After them it ends with its verdicts so far."""
HARD_SECONDS = 630
"""Seconds after which the worker process of a job is killed, because reading a document may hang."""
MOST_MEMORY = 2 * 2**30
"""Maximum number of bytes of memory of a worker, without mapped files. There is no limit on Windows."""
SMALL_REFERENCES = 50
"""Maximum number of references of a small job. The request waits until a small job has ended."""
SMALL_SECONDS = 2.0
"""Maximum seconds that a request waits for a small job."""
CONFIDENTIAL_HOURS = 0.25
"""Maximum hours for which the results of a job are stored with ``--no-title-log``. Their sender must read them."""
GRACE_SECONDS = 30
"""Maximum seconds for stopping. Requests that are still running shortly before the end are cut."""
CLOSING_SECONDS = 5
"""Part of :data:`GRACE_SECONDS` that is reserved for stopping the child processes and for the last writes."""


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
        """Return the hours for which a job is stored after its end."""
        return self.retain_hours if self.title_log else min(self.retain_hours, CONFIDENTIAL_HOURS)

    def open_store(self) -> RuntimeStore:
        """Open or create the runtime store."""
        place = self.runtime_store
        titles = TitleLog()
        if not self.title_log:  # for a store on a server, the key is a file on this host
            titles = hashed_titles(default_runtime_store() if isinstance(place, ServerAddress) else place)
        return RuntimeStore(place, titles, self.lock_wait)

    def open_jobs(self) -> JobStore:
        """Open the jobs of the runtime store, which exists already."""
        return JobStore(self.runtime_store, self.lock_wait)
