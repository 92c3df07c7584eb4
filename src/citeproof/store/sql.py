"""Addresses and errors of databases that citeproof writes, in SQLite and PostgreSQL."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import urlsplit

from citeproof.model.errors import ConfigurationError, DatabaseError

Row: TypeAlias = tuple[Any, ...]
"""The values of one row of a table, in the order of the columns."""
LOCK_WAIT_SECONDS = 30.0
"""Default for the maximum time in seconds that a write waits for a lock that another process holds.
"""
# Regex for the start of a URL of another database than PostgreSQL: ``mysql://host/db``, or
# ``mysql:/host/db`` if the URL was converted to a path.
_OTHER_SCHEME = re.compile(r"(?!postgres)[A-Za-z][A-Za-z0-9+.-]+:/")


class StoreError(DatabaseError):
    """Raised if a database that citeproof writes (:data:`SqlStore`) cannot be read or written.

    The bibliographic databases, from which results come, are not affected.
    """


class CommitUnknownError(StoreError):
    """Raised if the connection was lost and it is unknown whether a transaction was committed.

    Do not retry.
    """


@dataclass(frozen=True, slots=True)
class ServerAddress:
    """Address of a PostgreSQL server, such as
    ``postgresql://user:password@host:port/database?options``.
    """

    url: str = field(repr=False)  # the address with the password; not for messages or logs

    def __str__(self) -> str:
        """Return the address without password and options, for messages."""
        parts = urlsplit(self.url)
        user, at, host = parts.netloc.rpartition("@")
        return f"postgresql://{user.partition(':')[0]}{at}{host}{parts.path}"


def file_or_server(subject: str, place: object) -> Path | ServerAddress:
    """Parse ``place`` as the URL of a PostgreSQL server or as the path of a file.

    Raises :class:`ConfigurationError`, whose message begins with ``subject``, if ``place`` is
    neither.
    """
    # Messages show no part of the address: in ``postgres://u:p@ss@host/db``, a part of the password
    # looks like a host.
    if isinstance(place, ServerAddress):
        return place
    text = str(place)
    if _OTHER_SCHEME.match(text):
        scheme = text.partition(":")[0]
        raise ConfigurationError(
            f"{subject}: {scheme} is not supported; name a file, or a server as postgresql://..."
        )
    if not text.startswith(("postgresql:", "postgres:", "postgresql+")):
        return Path(text)
    if not text.startswith(("postgresql://", "postgres://")):
        raise ConfigurationError(
            f"{subject}: write the address as postgresql://user:password@host:port/database"
        )
    before_options = text.partition("?")[0]
    if (
        before_options.count("@") > urlsplit(text).netloc.count("@")
        or before_options.count("@") > 1
        or "#" in text
    ):
        raise ConfigurationError(
            f"{subject}: the address cannot be understood; write @ / : ? # of a password as %40 %2F"
            " %3A %3F %23"
        )
    return ServerAddress(text)


@contextmanager
def on_failure(undo: Callable[[], object]) -> Iterator[None]:
    """Context manager that calls ``undo`` if the block raises an exception."""
    try:
        yield
    except BaseException:
        undo()
        raise
