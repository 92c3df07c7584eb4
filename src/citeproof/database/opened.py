"""An open bibliographic database: its records, its description, and whether it is damaged."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from functools import cached_property
from pathlib import Path
from typing import Any, Self

from citeproof.database.coverage import NO_COVERAGE, CoverageTable
from citeproof.database.layout import detect, sources_of
from citeproof.database.records import Notices, Records
from citeproof.database.title_index.attached import AttachedIndex, finish_replacement
from citeproof.database.title_index.format import index_path
from citeproof.database.venues.table import VenueTable
from citeproof.database.word_index import open_word_index
from citeproof.model.errors import DatabaseError
from citeproof.model.record import Notice, Record
from citeproof.model.reference import Reference
from citeproof.store.sqlite import ReadOnlyFile

DESCRIBED = (
    "name",
    "file",
    "format",
    "dump_date",
    "records",
    "notices",
    "licence",
    "url",
    "fetched",
)
"""Fields of each source in :meth:`OpenedDatabase.describe`.

A field is None if the database has no value.
"""
_PAGE_ROWS = 10_000  # number of rows that one query reads when all records are read


class OpenedDatabase:
    """A bibliographic database, open for reading. Thread-safe. The file is never changed."""

    def __init__(
        self, file: ReadOnlyFile, index_dir: Path | None, in_memory: bool, recheck_seconds: float
    ) -> None:
        """Do not call this. Call :meth:`open`."""
        self.path = file.path
        self.file = file
        self.layout = detect(file)
        self._has_author_index = self.layout.ours and "author_index" in self.layout.tables
        self._titles_in_memory = in_memory
        self._notices = Notices(file, self.layout)
        self._records = Records(file, self.layout, self._notices)
        path = index_path(file.path, index_dir)
        self.title_index = AttachedIndex(
            file, path, self._records.by_id, recheck_seconds, in_memory=in_memory
        )
        self.word_index, self._word_index_warning = open_word_index(file, self.layout)

    @classmethod
    def open(
        cls,
        path: Path,
        *,
        index_dir: Path | None = None,
        titles_in_memory: bool = True,
        recheck_seconds: float = 0.0,
    ) -> Self:
        """Open the database at ``path``.

        The file with the title index is in ``index_dir``, by default in the folder of ``path``.

        Without an index, a look-up compares all titles. If ``titles_in_memory`` is true, the titles
        are kept in memory. If it is false, they are kept in a temporary file, and less of the title
        index stays in memory. A changed file is noticed within ``recheck_seconds``. Raises
        :class:`DatabaseError` if the file is missing, cannot be read, or is not a bibliographic
        database.
        """
        finish_replacement(path, index_dir)
        with ExitStack() as stack:
            file = stack.enter_context(closing(ReadOnlyFile(path)))
            database = cls(file, index_dir, titles_in_memory, recheck_seconds)
            stack.pop_all()
        return database

    def records(self, ids: Sequence[int]) -> list[Record]:
        """Return the records with the record ids ``ids``, in this order.

        Ids that no record has are left out.
        """
        by_id = self._records.by_id(ids)
        return [by_id[record_id] for record_id in ids if record_id in by_id]

    def records_with(self, kind: str, identifier: str) -> tuple[Record, ...]:
        """Return the records with an identifier of ``kind``, which is ``doi`` or ``arxiv_id``.

        A DOI such as ``10.1145/3292500`` must be in lower case. An arXiv id such as ``1706.03762``
        must have no version suffix.
        """
        return self._records.with_identifier(kind, identifier)

    def notices_about(self, reference: Reference) -> tuple[Notice, ...]:
        """Return retractions and expressions of concern about the cited work.

        The database may have no record of this work.
        """
        return self._notices.about(reference)

    def titles_by_id(self, ids: Sequence[int]) -> dict[int, str]:
        """Return ``{record id: title}`` for the records with the record ids ``ids``."""
        return {
            number: title for number, (title, _) in self._records.titles_and_authors(ids).items()
        }

    def titles(self) -> Iterator[tuple[int, str]]:
        """Yield ``(record id, title)`` of all records with a title, sorted by id.

        Few rows are in memory at a time. Raises :class:`DatabaseError` if records are missing.
        """
        if self.damage:
            raise DatabaseError(self.damage)
        layout = self.layout
        select = f"SELECT {layout.id_column}, {layout.columns['title']} FROM {layout.table}"  # noqa: S608
        return ((record_id, text) for record_id, text in self.rows(select) if isinstance(text, str))

    def rows(self, select: str) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of ``select``, sorted by record id.

        ``select`` must not have a WHERE clause, and its first column must be the record id.
        """
        id_column = self.layout.id_column
        sql = f"{select} WHERE {id_column} > ? ORDER BY {id_column} LIMIT {_PAGE_ROWS}"
        last = -(1 << 63)
        while page := self.file.rows(sql, (last,)):
            yield from page
            last = page[-1][0]

    def describe(self) -> dict[str, Any]:
        """Return a JSON object that describes the database: path, number of records, indexes,
        sources, dates.
        """
        described: dict[str, Any] = {"path": str(self.path), "indexes": self._index_names()}
        if self.layout.ours:
            described |= self.layout.meta
            described["sources"] = [
                {key: source.get(key) for key in DESCRIBED} for source in sources_of(self.file)
            ]
        if str(described.get("records", "")).isdecimal():
            described["records"] = int(described["records"])
        else:
            count = f"SELECT count(*) FROM {self.layout.table}"  # noqa: S608
            ((described["records"],),) = self.file.rows(count)
        return described

    @cached_property
    def venues(self) -> VenueTable:
        """The table of venues: names and volumes of the conferences and journals in the database.
        It is read at first use.
        """
        held = {"volumes", "venue_names"} <= self.layout.tables
        return VenueTable.read(self.file, self.layout.meta) if held else VenueTable((), ())

    @cached_property
    def coverage(self) -> CoverageTable:
        """States which works the sources of the database have completely or mostly.

        The table of coverage is read at first use.
        """
        if not self.layout.ours:
            return NO_COVERAGE
        return CoverageTable.read(self.file, self.layout, self.describe()["sources"])

    @property
    def warnings(self) -> tuple[str, ...]:
        """Warnings for the user. Each line says which index cannot be used, and why.

        If records are missing from the database, the first line says so. The lines then do not
        advise the user to write an index, because that would fail.
        """
        reason = self.title_index.warning
        return tuple(filter(None, [reason and (self.damage or reason), self._word_index_warning]))

    @cached_property
    def damage(self) -> str:
        """Reason why not all records can be read, as text; empty if all records can be read.

        The check is made at first use, and compares only the number of records. ``citeproof db
        check`` checks everything.
        """
        table, recorded = self.layout.table, str(self.layout.meta.get("records", ""))
        try:
            # the view reads the names one by one, so the whole table is read first
            if "names" in self.layout.tables and self.layout.ours:
                self.file.rows("SELECT count(*) FROM names")
            ((count,),) = self.file.rows(f"SELECT count(*) FROM {table}")  # noqa: S608
        except DatabaseError as error:
            return str(error)
        if not recorded.isdecimal() or count >= int(recorded):
            return ""
        return (
            f"{self.path}: is damaged: {count:,} of {int(recorded):,} records can be read; build it"
            " again"
        )

    def close(self) -> None:
        """Close the database and the title index.

        No other thread may be reading from the database.
        """
        self.title_index.close()
        self.file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _index_names(self) -> list[str]:
        usable = (None if self.title_index.warning else self.title_index, self.word_index)
        return [index.name for index in usable if index]
