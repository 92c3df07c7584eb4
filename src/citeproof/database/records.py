"""Read records by record id, DOI or arXiv id, and read the retractions and expressions of concern
about works.
"""

from collections.abc import Sequence
from dataclasses import replace

from citeproof.database.identifier_index import ids_with_identifier
from citeproof.database.layout import Layout
from citeproof.database.schema import WHOLE_AUTHORS, WHOLE_TITLE
from citeproof.model.record import Notice, Record
from citeproof.model.reference import Reference
from citeproof.store.sqlite import ReadOnlyFile
from citeproof.text.names import cited_keys, recorded_key
from citeproof.text.normalize import normalize_title
from citeproof.text.similarity import similarity

_BY_TITLE = "SELECT title, authors, kind, url FROM notices WHERE doi IS NULL AND title IN ({})"
_OF_WORK = "SELECT doi, title, authors, kind, url, source FROM notices WHERE {} = ?"
# minimum similarity, 0 to 1, of the titles of a notice and a reference that have the same DOI
_SAME_TITLE = 0.9
# minimum number of words of a title that, together with one author, identifies a work
_TELLING_WORDS = 3
RECENT_RECORDS = 200
"""Maximum number of cached records, some 0.5 MB.

Lookups by title, DOI and authors often return the same records.
"""


class Notices:
    """Finds retractions and expressions of concern ("notices") about works, in the table
    ``notices`` if it exists.
    """

    def __init__(self, file: ReadOnlyFile, layout: Layout) -> None:
        self._file = file
        self._any = "notices" in layout.tables and bool(file.rows("SELECT 1 FROM notices LIMIT 1"))

    def on(self, records: Sequence[Record]) -> Sequence[Record]:
        """Add to each record the URLs of the first retraction and the first expression of concern
        about the work.

        A notice with a DOI is about the records with this DOI. A notice without a DOI is about the
        records with the title and an author of the notice.
        """
        if not self._any or not records:
            return records
        by_doi: dict[str, dict[str, str]] = {}
        dois = sorted({record.doi.lower() for record in records if record.doi})
        for doi, kind, url in self._file.rows_with(
            "SELECT doi, kind, url FROM notices WHERE doi IN ({})", dois
        ):
            by_doi.setdefault(doi, {}).setdefault(kind, url)
        titles = {id(record): normalize_title(record.title) for record in records if record.authors}
        by_title: dict[str, list[tuple[set[int], str, str]]] = {}
        for title, authors, kind, url in self._file.rows_with(
            _BY_TITLE, sorted({*titles.values()} - {""})
        ):
            by_title.setdefault(title, []).append((_author_keys(authors), kind, url))
        return [
            _with(
                record,
                by_doi.get(record.doi.lower(), {}),
                by_title.get(titles.get(id(record), ""), ()),
            )
            for record in records
        ]

    def about(self, reference: Reference) -> tuple[Notice, ...]:
        """Return the first retraction and the first expression of concern about the cited work.

        The database may lack a record of the work. A notice is about the work in two cases: it has
        the cited DOI and a similar title, or it has the cited title, a cited author and no other
        DOI.
        """
        title = normalize_title(reference.title) if self._any else ""
        if not title:
            return ()
        doi = reference.doi.lower()
        by_doi = self._file.rows(_OF_WORK.format("doi"), (doi,)) if doi else []
        same = [row for row in by_doi if row[1] and similarity(title, row[1]) >= _SAME_TITLE]
        if title.count(" ") + 1 >= _TELLING_WORDS:
            cited = {key for name in reference.authors for key in cited_keys(name)}
            by_title = self._file.rows(_OF_WORK.format("title"), (title,))
            same += [
                row
                for row in by_title
                if (not doi or row[0] in {None, doi}) and cited & _author_keys(row[2])
            ]
        found = dict[str, Notice]()
        for _, _, _, kind, url, source in same:
            found.setdefault(kind, Notice(kind, url, source))
        return tuple(found.values())


def _author_keys(authors: str | None) -> set[int]:
    return {key for name in (authors or "").split(";") for key in cited_keys(name)}


def _with(
    record: Record, by_doi: dict[str, str], by_title: Sequence[tuple[set[int], str, str]]
) -> Record:
    """Return ``record`` with the URLs of notices about it.

    ``by_doi`` maps the kinds of notices with the DOI of the record to URLs. ``by_title`` has a
    tuple for each notice with the title of the record: the keys of its authors, its kind and its
    URL. Such a notice is used only if the record has one of these authors.
    """
    keys = set(map(recorded_key, record.authors)) if by_title else set()
    said = by_doi | {kind: url for named, kind, url in reversed(by_title) if keys & named}
    if not said:
        return record
    retraction, concern = said.get("retraction", ""), said.get("concern", "")
    return replace(
        record, retraction=record.retraction or retraction, concern=record.concern or concern
    )


class Records:
    """Reads the records of a database by record id or other identifier. Thread-safe."""

    def __init__(self, file: ReadOnlyFile, layout: Layout, notices: Notices) -> None:
        self._file = file
        self._layout = layout
        self._notices = notices
        self._recent: dict[int, Record] = {}
        """Cache of records by id.

        Records without checksums are not cached, because another program may change them.
        """

    def by_id(self, ids: Sequence[int]) -> dict[int, Record]:
        """Return ``{record id: record}`` for ``ids``, sorted by id.

        Ids that no record has are left out.
        """
        known = {record_id: record for record_id in ids if (record := self._recent.get(record_id))}
        if len(known) == len(ids):
            return dict(sorted(known.items()))
        missing = [record_id for record_id in ids if record_id not in known]
        rows = self._file.rows_with(
            f"{self._layout.select_packed} WHERE {self._layout.id_column} IN ({{}})", missing
        )
        read = {row[0]: self._layout.record(self._layout.whole_row(row)) for row in rows}
        records = dict(zip(read, self._notices.on(list(read.values())), strict=True))
        if self._layout.checked and len(records) <= RECENT_RECORDS:
            if len(self._recent) + len(records) > RECENT_RECORDS:
                self._recent.clear()
            self._recent |= records
        return dict(sorted((known | records).items())) if known else records

    def with_identifier(self, field: str, value: str) -> tuple[Record, ...]:
        """Return the records with the identifier ``value``. ``field`` is ``doi`` or ``arxiv_id``.

        In another program's database, other spellings of the identifier are found, too.
        """
        layout, column = self._layout, self._layout.columns.get(field)
        if not column or not value:
            return ()
        if "identifier_index" in layout.tables:
            ids = ids_with_identifier(self._file, layout.meta, field, value)
            found = self.by_id(ids).values()
            return tuple(record for record in found if getattr(record, field) == value)
        spellings = {
            "doi": (value, f"https://doi.org/{value}", value.upper()),
            "arxiv_id": (value, f"arXiv:{value}", f"abs/{value}"),
        }
        values = (value,) if layout.ours else spellings[field]
        marks = ", ".join("?" * len(values))
        select = f"SELECT {layout.id_column} FROM {layout.table} WHERE {column} IN ({marks})"  # noqa: S608
        return tuple(
            self.by_id([record_id for (record_id,) in self._file.rows(select, values)]).values()
        )

    def titles_and_authors(self, ids: Sequence[int]) -> dict[int, tuple[str, tuple[str, ...]]]:
        """Return ``{record id: (title, authors)}`` for ``ids``, in a tenth of the time that
        :meth:`by_id` takes.

        Checksums are not verified. Before a record is shown to a user, it must be read with
        :meth:`by_id`.
        """
        layout = self._layout
        columns = ", ".join((layout.id_column, layout.columns["title"], layout.columns["authors"]))
        rows = self._file.rows_with(
            f"SELECT {columns} FROM {layout.stored} WHERE {layout.id_column} IN ({{}})",  # noqa: S608
            ids,
        )
        return {
            record_id: (
                layout.whole(text, WHOLE_TITLE) or "",
                layout.names(layout.whole(names, WHOLE_AUTHORS)),
            )
            for record_id, text, names in rows
        }
