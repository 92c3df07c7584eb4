"""The interface to what differs between SQLite and PostgreSQL in a runtime store."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from citeproof.store.sql import SqlStore


class Engine(ABC):
    """The connections of one process to a runtime store, its liveness lock, and the documents of jobs.

    The owner of a row is the name of a liveness lock, which the process that works on the row holds. The lock is
    released when that process ends in any way, so other processes can then take over the row.
    """

    OLDEST_FIRST: str
    """End of a ``SELECT`` that returns the oldest job that no other worker has locked."""

    def __init__(self, store: SqlStore, reader: SqlStore, lock_wait: float) -> None:
        self.store = store
        self.reader = reader
        """Connection whose reads never wait for a write of ``store``."""
        self.lock_wait = lock_wait
        """Time-out of a write, in seconds."""
        self.owner = ""
        """Name of this process's liveness lock; empty before :meth:`register`."""

    @abstractmethod
    def migrate(self) -> None:
        """Bring the tables to the newest layout, inside ``store.writing()``.

        Raises :class:`~citeproof.model.errors.DatabaseError` if they have a newer one.
        """

    @abstractmethod
    def register(self) -> None:
        """Take the liveness lock of this process, inside a write transaction."""

    @abstractmethod
    def is_alive(self, owner: str) -> bool:
        """Return whether a process holds the liveness lock ``owner``."""

    @abstractmethod
    def adding(self, job_id: str, document: bytes) -> AbstractContextManager[None]:
        """Return a write transaction to add a job in, which stores its document too; neither stays after a failure."""

    @abstractmethod
    def changing_job(self) -> AbstractContextManager[None]:
        """Return a transaction to change one job in."""

    @abstractmethod
    def document(self, job_id: str) -> bytes | None:
        """Return the document of a job; None if it is gone."""

    @abstractmethod
    def delete_document(self, job_id: str) -> None:
        """Delete the document of a job, if it exists."""

    @abstractmethod
    def delete_orphans(self, now: float) -> None:
        """Delete documents that belong to no open job; ``now`` is in seconds since 1970."""

    @abstractmethod
    def pruning(self) -> AbstractContextManager[SqlStore]:
        """Return the connection to delete old events with."""

    def renew(self) -> None:  # noqa: B027 - not needed in SQLite
        """Take the liveness lock again if the connection that held it was lost."""

    def require_in_place(self) -> None:  # noqa: B027 - a server has no file
        """Raise :class:`~citeproof.model.errors.DatabaseError` if the store's file was removed or replaced."""

    def erase(self) -> None:  # noqa: B027 - not needed in PostgreSQL
        """Remove deleted text from the write-ahead log, unless a reader needs it."""

    def close(self) -> None:
        """Release the liveness lock and close all connections."""
        self.store.close()
        self.reader.close()
