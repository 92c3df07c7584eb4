"""Records of a database by their ids and by their identifiers, with what notices say of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from citeproof.bibdb.layout import quoted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from citeproof.bibdb.layout import Layout
    from citeproof.bibdb.notices import Notices
    from citeproof.models import Record
    from citeproof.storage.sqlite import ReadOnlyFile

RECENT_RECORDS = 200
"""So many records are remembered, some 0.5 MB: title, DOI and people of one reference lead to the same ones."""
IDS_A_STATEMENT = 500
"""SQLite takes 32,766 values a statement; few enough that one prepared statement a size is kept."""


class Records:
    """The records of one file. Safe to share between threads."""

    def __init__(self, file: ReadOnlyFile, layout: Layout, notices: Notices) -> None:
        self._file = file
        self._layout = layout
        self._notices = notices
        self._recent: dict[int, Record] = {}
        """Records that were read lately, by id, of a file that is never written to."""

    def by_id(self, ids: Sequence[int]) -> dict[int, Record]:
        """Return the records with ``ids`` by rising id."""
        known = {record_id: record for record_id in ids if (record := self._recent.get(record_id))}
        if len(known) == len(ids):
            return dict(sorted(known.items()))
        records = self._read([record_id for record_id in ids if record_id not in known])
        self._remember(records)
        return dict(sorted((known | records).items())) if known else records

    def with_identifier(self, field: str, value: str, spellings: Sequence[str]) -> tuple[Record, ...]:
        """Return the records whose ``field`` is ``value``, in a foreign database one of its ``spellings``."""
        column = self._layout.columns.get(field)
        if not column or not value:
            return ()
        values = (value,) if self._layout.ours else spellings
        select = f"SELECT {self._layout.id_column} FROM {self._layout.table}"  # noqa: S608
        ids = self._file.rows(f"{select} WHERE {column} IN ({', '.join('?' * len(values))})", values)
        return tuple(self.by_id([record_id for (record_id,) in ids]).values())

    def titles_and_authors(self, ids: Sequence[int]) -> dict[int, tuple[str, tuple[str, ...]]]:
        """Return title and names of the records with ``ids``, to choose by: a fifth of the work of whole records.

        They are not compared with a checksum; what is chosen is read as a whole.
        """
        title, authors = (quoted(self._layout.columns[field]) for field in ("title", "authors"))
        found: dict[int, tuple[str, tuple[str, ...]]] = {}
        for start in range(0, len(ids), IDS_A_STATEMENT):
            some = ids[start : start + IDS_A_STATEMENT]
            select = f"SELECT {self._layout.id_column}, {title}, {authors} FROM {self._layout.table}"  # noqa: S608
            condition = f"WHERE {self._layout.id_column} IN ({', '.join('?' * len(some))})"
            for record_id, text, names in self._file.rows(f"{select} {condition}", some):
                found[record_id] = text or "", self._layout.names(names)
        return found

    def _remember(self, records: dict[int, Record]) -> None:
        """Keep ``records``, unless a foreign program may change them."""
        room = RECENT_RECORDS - len(records)
        if room < 0 or not self._layout.checked:
            return
        if len(self._recent) > room:
            self._recent.clear()
        self._recent |= records

    def _read(self, ids: Sequence[int]) -> dict[int, Record]:
        """Read the records with ``ids`` from the file."""
        records: dict[int, Record] = {}
        for start in range(0, len(ids), IDS_A_STATEMENT):
            some = ids[start : start + IDS_A_STATEMENT]
            condition = f"WHERE {self._layout.id_column} IN ({', '.join('?' * len(some))})"
            rows = self._file.rows(f"{self._layout.select} {condition}", some)
            records |= {row[0]: self._layout.record(row) for row in rows}
        return dict(zip(records, self._notices.on(list(records.values())), strict=True))
