"""Notices of retraction and of concern: what sources say of works that others hold."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from citeproof.models import Notice
from citeproof.text.name_keys import cited_keys, recorded_key
from citeproof.text.normalize import normalize_title
from citeproof.text.similarity import similarity

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from citeproof.models import Record, Reference
    from citeproof.storage.sqlite import ReadOnlyFile

VALUES_A_STATEMENT = 500
_BY_DOI = "SELECT doi, kind, url FROM notices WHERE doi IN ({})"
_BY_TITLE = "SELECT title, authors, kind, url FROM notices WHERE doi IS NULL AND title IN ({})"
_OF_WORK = "SELECT doi, title, authors, kind, url, source FROM notices WHERE {} = ?"
SAME_TITLE = 0.9
"""A notice with the cited DOI is about the cited work if the titles are alike by so much: a DOI may be mistaken."""
TELLING_WORDS = 3
"""A title of fewer words is borne by several works, also of one author."""


class Notices:
    """The table ``notices`` of a database; empty where it has none."""

    def __init__(self, file: ReadOnlyFile) -> None:
        """Look once whether there are any, so that a database without them pays nothing."""
        self._file = file
        named = file.rows("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'notices'")
        self._any = bool(named and file.rows("SELECT 1 FROM notices LIMIT 1"))

    def on(self, records: Sequence[Record]) -> Sequence[Record]:
        """Return ``records``, those that a notice is about with its address.

        A notice that names a DOI is about the records with it; one that names none is about those with its title that
        share an author with it. Of several notices about one work the first counts.
        """
        if not self._any or not records:
            return records
        by_doi: dict[str, dict[str, str]] = {}
        for doi, kind, url in self._rows(_BY_DOI, {record.doi.lower() for record in records if record.doi}):
            by_doi.setdefault(doi, {}).setdefault(kind, url)
        titles = {id(record): normalize_title(record.title) for record in records if record.authors}
        by_title: dict[str, list[tuple[set[int], str, str]]] = {}
        for title, authors, kind, url in self._rows(_BY_TITLE, set(titles.values())):
            keys = {key for name in (authors or "").split(";") for key in cited_keys(name)}
            by_title.setdefault(title, []).append((keys, kind, url))
        return [
            _with(
                record,
                by_doi.get(record.doi.lower(), {}) | _shared(record, by_title.get(titles.get(id(record), ""), [])),
            )
            for record in records
        ]

    def about(self, reference: Reference) -> tuple[Notice, ...]:
        """Return the notices about the work that ``reference`` cites, whether it is held or not.

        A notice is about it that has its DOI and a title like its own; or its title, one of its authors, and no other
        DOI. Of several notices of one kind the first counts.
        """
        title = normalize_title(reference.title) if self._any else ""
        if not title:
            return ()
        doi = reference.doi.lower()
        people = {key for name in reference.authors for key in cited_keys(name)}
        found = dict[str, Notice]()
        by_doi = self._file.rows(_OF_WORK.format("doi"), (doi,)) if doi else []
        for _, named, _, kind, url, source in by_doi:
            if named and similarity(title, named) >= SAME_TITLE:
                found.setdefault(kind, Notice(kind, url, source))
        by_title = self._file.rows(_OF_WORK.format("title"), (title,)) if title.count(" ") + 1 >= TELLING_WORDS else []
        for other, _, authors, kind, url, source in by_title:
            keys = {key for name in (authors or "").split(";") for key in cited_keys(name)}
            if keys & people and (not doi or other in {None, doi}):
                found.setdefault(kind, Notice(kind, url, source))
        return tuple(found.values())

    def _rows(self, sql: str, values: Iterable[str]) -> list[tuple[str, ...]]:
        found: list[tuple[str, ...]] = []
        ordered = sorted(filter(None, values))
        for start in range(0, len(ordered), VALUES_A_STATEMENT):
            some = ordered[start : start + VALUES_A_STATEMENT]
            found += self._file.rows(sql.format(", ".join("?" * len(some))), some)
        return found


def _shared(record: Record, notices: Iterable[tuple[set[int], str, str]]) -> dict[str, str]:
    said: dict[str, str] = {}
    keys = set(map(recorded_key, record.authors))
    for named, kind, url in notices:
        if keys & named:
            said.setdefault(kind, url)
    return said


def _with(record: Record, said: dict[str, str]) -> Record:
    if not said:
        return record
    return replace(
        record,
        retraction=record.retraction or said.get("retraction", ""),
        concern=record.concern or said.get("concern", ""),
    )
