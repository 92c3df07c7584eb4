"""Table ``scholar_results`` in an SQLite file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from citeproof.cache.sql_verified import SqlVerificationCache
from citeproof.cache.sqlite.file import open_cache_file

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime
    from pathlib import Path


class SqliteVerificationCache(SqlVerificationCache):
    """A :class:`~citeproof.cache.VerificationCache` in an SQLite file."""

    CONTAINS = "instr(lower(title), lower(?))"
    NEWEST_FIRST = "created_at DESC, rowid DESC"

    def __init__(
        self, path: Path, clock: Callable[[], datetime], source_dates: Mapping[str, str] | None = None
    ) -> None:
        """Open or create the cache at ``path``; raise :class:`DatabaseError` for a file of anything else."""
        super().__init__(open_cache_file(path), clock, source_dates)
