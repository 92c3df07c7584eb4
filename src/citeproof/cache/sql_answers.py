"""Table ``search_results`` of every engine: one row a record of one answer, with source, query and position.

An answer without records is one row without a record.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from datetime import timedelta
from typing import TYPE_CHECKING

from citeproof.errors import DatabaseError
from citeproof.models import Record
from citeproof.storage.best_effort import BestEffortWrites
from citeproof.text.records import well_formed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from citeproof.storage.sql import SqlStore

NEGATIVE_AGE = timedelta(days=1)
"""How long "not found" is believed: sources gain works every day."""


class SqlAnswerCache:
    """An :class:`~citeproof.cache.AnswerCache` over an engine's tables, which an engine's own class opens."""

    ASKED = "source = ? AND query = ?"
    """The rows of one source and query; an engine with an index of another kind says it in its own way."""

    def __init__(self, store: SqlStore, clock: Callable[[], datetime], max_age: timedelta) -> None:
        """Answers older than ``max_age`` are asked anew."""
        self._store = store
        self._writes = BestEffortWrites()
        self._clock = clock
        self._max_age = max_age

    def recall(self, source: str, query: str) -> tuple[Record, ...] | None:
        """Return the records that ``source`` answered to ``query``; None where that is not known, or too old."""
        try:
            rows = self._store.execute(
                f"SELECT record, created_at FROM search_results WHERE {self.ASKED} ORDER BY position",  # noqa: S608
                (source, query),
            )
            records = tuple(well_formed(_record(text) for text, _ in rows if text is not None))
        except (DatabaseError, ValueError, TypeError, KeyError):  # damaged, or of a version that knows other fields
            return None
        if not rows:
            return None
        age = self._max_age if records else min(self._max_age, NEGATIVE_AGE)
        if rows[0][1] < (self._clock() - age).isoformat():
            return None
        return records

    def keep(self, source: str, query: str, records: Sequence[Record]) -> None:
        """Keep an answer in place of an earlier one; where that fails, nothing more is kept."""
        when = self._clock().isoformat()
        texts: list[str | None] = [json.dumps(asdict(record), ensure_ascii=False) for record in records]
        rows = [(source, query, position, text, when) for position, text in enumerate(texts or [None])]

        def replace() -> None:
            with self._store.transaction():
                self._store.execute(f"DELETE FROM search_results WHERE {self.ASKED}", (source, query))  # noqa: S608
                self._store.execute_many("INSERT INTO search_results VALUES (?, ?, ?, ?, ?)", rows)

        self._writes.write(replace)

    @property
    def trouble(self) -> str:
        """Why nothing more is kept; empty while all is well."""
        return self._writes.trouble

    def close(self) -> None:
        """Let go of the file or the server."""
        self._store.close()


def _record(text: str) -> Record:
    values = json.loads(text)
    return Record(**{**values, "authors": tuple(values["authors"])})
