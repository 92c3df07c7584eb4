"""Table ``scholar_results`` in PostgreSQL."""

from __future__ import annotations

from typing import TYPE_CHECKING

from citeproof.cache.postgres.tables import open_cache
from citeproof.cache.sql_verified import SqlVerificationCache

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

    from citeproof.server_address import ServerAddress


class PostgresVerificationCache(SqlVerificationCache):
    """A :class:`~citeproof.cache.VerificationCache` in the tables of a PostgreSQL schema."""

    CONTAINS = """strpos(lower(title COLLATE "C"), lower(?::text COLLATE "C")) > 0"""
    NEWEST_FIRST = "created_at DESC, id DESC"

    def __init__(
        self, address: ServerAddress, clock: Callable[[], datetime], source_dates: Mapping[str, str] | None = None
    ) -> None:
        """Connect to ``address``; raise :class:`DatabaseError` where that fails."""
        super().__init__(open_cache(address), clock, source_dates)
