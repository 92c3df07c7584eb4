"""Table ``search_results`` in an SQLite file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from citeproof.cache.sql_answers import SqlAnswerCache
from citeproof.cache.sqlite.file import open_cache_file

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime, timedelta
    from pathlib import Path


class SqliteAnswerCache(SqlAnswerCache):
    """An :class:`~citeproof.cache.AnswerCache` in an SQLite file."""

    def __init__(self, path: Path, clock: Callable[[], datetime], max_age: timedelta) -> None:
        """Open or create the cache at ``path``; answers older than ``max_age`` are asked anew.

        Raises :class:`DatabaseError` for a file of anything else.
        """
        super().__init__(open_cache_file(path), clock, max_age)
