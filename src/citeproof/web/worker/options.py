"""What a service was told at its start, and how long it may take to stop."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from citeproof.storage.sql import LOCK_WAIT_SECONDS

if TYPE_CHECKING:
    from pathlib import Path

    from citeproof.server_address import ServerAddress

CONFIDENTIAL_HOURS = 0.25
"""How long the results of a job are kept at most where titles are confidential: who asked has to read them."""
GRACE_SECONDS = 30
"""How long the server may take to stop. Requests that are still running shortly before are cut and marked."""
CLOSING_SECONDS = 5
"""How much of it is kept for what comes after the requests: the end of the search process, the last writes."""


@dataclass(frozen=True, slots=True)
class Options:
    """What ``citeproof serve`` was told; handed to each worker process."""

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
    lock_wait: float = LOCK_WAIT_SECONDS
    grace: int = GRACE_SECONDS
    log_level: str = "INFO"

    @property
    def job_hours(self) -> float:
        """How long a job is kept after its end."""
        return self.retain_hours if self.title_log else min(self.retain_hours, CONFIDENTIAL_HOURS)
