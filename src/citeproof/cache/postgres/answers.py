"""Table ``search_results`` in PostgreSQL."""

from __future__ import annotations

from typing import TYPE_CHECKING

from citeproof.cache.postgres.tables import open_cache
from citeproof.cache.sql_answers import SqlAnswerCache

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime, timedelta

    from citeproof.server_address import ServerAddress


class PostgresAnswerCache(SqlAnswerCache):
    """An :class:`~citeproof.cache.AnswerCache` in the tables of a PostgreSQL schema."""

    ASKED = "source = ? AND md5(query) = md5(?)"

    def __init__(self, address: ServerAddress, clock: Callable[[], datetime], max_age: timedelta) -> None:
        """Connect to ``address``; answers older than ``max_age`` are asked anew."""
        super().__init__(open_cache(address), clock, max_age)
