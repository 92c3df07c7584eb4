"""What the stores need of an engine: SQL that SQLite and PostgreSQL both understand, with ``?`` for a value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from citeproof.errors import DatabaseError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from contextlib import AbstractContextManager

LOCK_WAIT_SECONDS = 30.0
"""How long a write waits for another process's lock before it fails."""


class StoreError(DatabaseError):
    """A store that citeproof writes could not be used; what it read may be as good as ever."""


class CommitUnknownError(StoreError):
    """The store was lost while it recorded a change: nobody knows whether it did, so it must not be made again."""


class SqlStore(Protocol):
    """A database that citeproof itself writes while it runs; safe to share between threads."""

    @property
    def name(self) -> str:
        """What a message calls it: its path, or its address without password."""

    def execute(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Run one statement and return its rows; raise :class:`DatabaseError` when it fails."""

    def change(self, sql: str, values: Sequence[Any] = ()) -> int:
        """Run one statement and return how many rows it inserted, updated or deleted."""

    def execute_many(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        """Run one statement for each of ``rows`` in one transaction."""

    def transaction(self) -> AbstractContextManager[None]:
        """All statements of this thread inside take effect together or not at all."""

    def reading(self) -> AbstractContextManager[None]:
        """All statements of this thread inside see one moment."""

    def writing(self, lock_wait: float | None = ...) -> AbstractContextManager[None]:
        """As :meth:`transaction`, with the lock that one writer of the store has at a time.

        Raises :class:`StoreBusyError` when another process keeps it for ``lock_wait`` seconds (none: as long as
        every statement waits). Not to be nested.
        """

    def close(self) -> None:
        """Let go of the file or the server."""
