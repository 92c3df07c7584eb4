"""Look up words in the full-text table of a database, or in another program's table of words."""

from collections.abc import Sequence

from citeproof.database.layout import Layout
from citeproof.database.schema import WHOLE_TITLE
from citeproof.store.sqlite import ReadOnlyFile
from citeproof.text.normalize import normalize_title

# maximum number of titles counted for a word, in a database of another program
_COUNT_LIMIT = 20_000
# maximum number of titles counted for a word, in citeproof's database; more titles are estimated
_COUNTED = 1_001
_TELLING_WORDS = 4
"""Number of words of a query that SQLite searches, the rarest words first.

Python then searches the titles found for the other words. For SQLite this would take longer,
because hundreds of thousands of titles have common words.
"""


class FullText:
    """Looks up words in a full-text table ``title_fts`` (SQLite's FTS5)."""

    def __init__(self, file: ReadOnlyFile, layout: Layout) -> None:
        self._file = file
        self._plain = layout.ours  # whether the table was made from normalised titles
        id_column, title, table = layout.id_column, layout.columns["title"], layout.table
        columns = {row[1] for row in file.rows("PRAGMA table_info(title_fts)")}
        named = "id" in columns and file.rows(
            "SELECT id FROM title_fts WHERE id IS NOT NULL LIMIT 1"
        )
        own, theirs = ("id", layout.key_column) if named else ("rowid", id_column)
        self._scope = "title : " if "title" in columns and len(columns) > 1 else ""
        self._count = (
            "SELECT count(*), max(rowid) FROM (SELECT rowid FROM title_fts WHERE title_fts MATCH ?"
            " LIMIT ?)"
        )
        self._counted = _COUNTED if layout.ours else _COUNT_LIMIT
        last = f"SELECT max({theirs}) FROM {table}"  # noqa: S608
        self._last = file.rows(last)[0][0] if layout.ours else 0
        self._titles = (
            f"SELECT t.{id_column}, t.{title} FROM title_fts f"  # noqa: S608
            f" CROSS JOIN {layout.stored} t ON t.{theirs} = f.{own}"
            " WHERE f.title_fts MATCH ? LIMIT ?"
        )
        self._layout = layout
        record = f"SELECT {theirs} FROM {table} WHERE {id_column} = ?"  # noqa: S608
        self._contains = f"SELECT 1 FROM title_fts WHERE title_fts MATCH ? AND {own} = ({record})"  # noqa: S608

    def count(self, word: str) -> int:
        """Return how many titles have ``word``.

        If over 1,000 titles have the word, the number is an estimate.

        In a database that another program built, the number is exact up to 20,000, its maximum.
        Example of an estimate: 1,001 of the first 10,000 records have the word. The database has
        100,000 records, so the estimate is 10,010.
        """
        ((count, reached),) = self._file.rows(self._count, (self._match([word]), self._counted))
        return int(count) if count < self._counted else max(count, count * self._last // reached)

    def titles(
        self, words: Sequence[str], limit: int, others: Sequence[str] = ()
    ) -> list[tuple[int, str]]:
        """Return ``(record id, title)`` of at most ``limit`` records whose title has all ``words``.

        The rarest word must be the first of ``words``. If ``others`` has words, the title must have
        one of these, too.
        """
        if self._plain and len(words) > _TELLING_WORDS:
            found = self._matching(self._match(words[:_TELLING_WORDS]), limit)
            if len(found) < limit:
                return [
                    row for row in found if set(normalize_title(row[1]).split()).issuperset(words)
                ]
        either = f" AND ({' OR '.join(map(self._term, others))})" if others else ""
        return self._matching(self._match(words) + either, limit)

    def titles_beginning(self, beginning: str, limit: int) -> list[tuple[int, str]]:
        """Return ``(record id, title)`` of at most ``limit`` records with a word that starts with
        ``beginning``.
        """
        return self._matching(self._match([beginning]) + " *", limit)

    def contains(self, record_id: int, word: str) -> bool:
        """Return whether the table has ``word`` for the title of the record ``record_id``."""
        return bool(self._file.rows(self._contains, (self._match([word]), record_id)))

    def _matching(self, match: str, limit: int) -> list[tuple[int, str]]:
        whole = self._layout.whole
        found = self._file.rows(self._titles, (match, limit))
        return [(record_id, whole(title, WHOLE_TITLE)) for record_id, title in found]

    def _match(self, words: Sequence[str]) -> str:
        return " AND ".join(map(self._term, words))

    def _term(self, word: str) -> str:
        return f'{self._scope}"{word}"'


class WordTable:
    """Looks up words in a table ``title_words(word, id)`` that another program has made."""

    def __init__(self, file: ReadOnlyFile, layout: Layout) -> None:
        self._file = file
        self._select = (
            f"SELECT t.{layout.id_column}, t.{layout.columns['title']} FROM ({{}}) w "  # noqa: S608
            f"CROSS JOIN {layout.table} t ON t.{layout.key_column} = w.id LIMIT ?"
        )

    def count(self, word: str) -> int:
        """Return how many titles have ``word``, or 20,000 if there are more."""
        sql = "SELECT count(*) FROM (SELECT 1 FROM title_words WHERE word = ? LIMIT ?)"
        ((count,),) = self._file.rows(sql, (word, _COUNT_LIMIT))
        return int(count)

    def titles(
        self, words: Sequence[str], limit: int, others: Sequence[str] = ()
    ) -> list[tuple[int, str]]:
        """Return ``(record id, title)`` of at most ``limit`` records whose title has all ``words``,
        as :meth:`FullText.titles` does.
        """
        sets = ["SELECT id FROM title_words WHERE word = ?"] * len(words)
        if others:
            marks = ", ".join("?" * len(others))
            sets.append(f"SELECT id FROM title_words WHERE word IN ({marks})")  # noqa: S608
        return self._file.rows(
            self._select.format(" INTERSECT ".join(sets)), (*words, *others, limit)
        )

    def titles_beginning(self, beginning: str, limit: int) -> list[tuple[int, str]]:
        """Return ``(record id, title)`` of at most ``limit`` records with a word that starts with
        ``beginning``, as :meth:`FullText.titles_beginning` does.
        """
        ids = "SELECT DISTINCT id FROM title_words WHERE word >= ? AND word < ?"
        return self._file.rows(
            self._select.format(ids), (beginning, beginning + "\U0010ffff", limit)
        )

    def contains(self, record_id: int, word: str) -> bool:
        """Return whether the table has ``word`` for the title of the record ``record_id``."""
        return bool(
            self._file.rows(
                "SELECT 1 FROM title_words WHERE word = ? AND id = ? LIMIT 1", (word, record_id)
            )
        )


Words = FullText | WordTable
"""Looks up words in a table ``title_fts`` or ``title_words``.

The two classes have the same methods.
"""
