"""The other systems of :mod:`benchmarks.scale`: DuckDB over the same dump, FTS5 over the same
words.
"""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Any

import duckdb

from citeproof.store.sqlite import ReadOnlyFile
from citeproof.text.normalize import normalize_title

if TYPE_CHECKING:
    from pathlib import Path

SHORTEST_SHARE, LONGEST_SHARE = 9 / 11, 11 / 9
"""Maximum ratio of lengths at similarity 0.9."""
MOST_ROWS = 100_000
_COLUMNS = {
    "openalex": ("{title: 'VARCHAR', doi: 'VARCHAR'}", "title", "substr(doi, 17)"),
    "crossref": ("{title: 'VARCHAR[]', DOI: 'VARCHAR'}", "title[1]", "DOI"),
}
"""Columns read from a dump, and how title and DOI are derived."""


class DuckDb:
    """A table of titles and DOIs in DuckDB, as one would make it from the dump in one statement.

    A title is looked for as it is, then by edit distance among those of about its length.
    """

    name = "DuckDB"

    def __init__(self, path: Path) -> None:
        self._connection = duckdb.connect(str(path), config={"memory_limit": "1GB", "threads": 2})

    def build(self, dump: Path, form: str) -> dict[str, float]:
        """Fill the table; return seconds by the clock and of the processor."""
        columns, title, doi = _COLUMNS[form]
        clock, before = time.perf_counter(), os.times()
        self._connection.execute(f"""
            CREATE OR REPLACE TABLE works AS SELECT {title} AS title, lower({doi}) AS doi,
            trim(regexp_replace(lower(strip_accents({title})), '[^\\pL\\pN]+', ' ', 'g')) AS normal
            FROM read_json('{dump}/*.gz', format = 'newline_delimited', columns = {columns})
        """)
        self._connection.execute("CHECKPOINT")
        after = os.times()
        return {
            "wall": time.perf_counter() - clock,
            "processor": after.user + after.system - before.user - before.system,
        }

    def has_equal(self, title: str) -> bool:
        """Return whether the title is present."""
        return bool(
            self._connection.execute(
                "SELECT title FROM works WHERE normal = ?", [normalize_title(title)]
            ).fetchall()
        )

    def has_near(self, title: str) -> bool:
        """Return whether a title of similarity about 0.9 is present."""
        plain = normalize_title(title)
        rows = self._connection.execute(
            "SELECT title, levenshtein(normal, ?) FROM works WHERE length(normal) BETWEEN ? AND ?"
            " ORDER BY 2 LIMIT 1",
            [plain, int(len(plain) * SHORTEST_SHARE), int(len(plain) * LONGEST_SHARE)],
        ).fetchall()
        return bool(rows) and rows[0][1] <= len(plain.encode()) / 10  # its distance counts bytes

    def has_doi(self, doi: str) -> bool:
        """Whether a work has this DOI."""
        return bool(
            self._connection.execute(
                "SELECT title FROM works WHERE doi = ?", [doi.lower()]
            ).fetchall()
        )


class FiveWords:
    """The usual query of FTS5, on the table of words that a database has: the five longest words,
    all of them.
    """

    name = "FTS5"

    def __init__(self, database: Path) -> None:
        self._file = ReadOnlyFile(database)

    def has(self, title: str) -> bool:
        """Return whether a title has all words."""
        words = sorted(set(normalize_title(title).split()), key=lambda word: (-len(word), word))[:5]
        rows: list[Any] = self._file.rows(
            "SELECT title FROM publications WHERE id IN (SELECT rowid FROM title_fts WHERE"
            " title_fts MATCH ? LIMIT ?)",
            (" AND ".join(f'"{word}"' for word in words), MOST_ROWS),
        )
        return bool(rows)
