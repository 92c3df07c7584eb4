"""Whether a database is whole, and whether its indexes belong to its records."""

from __future__ import annotations

import random
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from citeproof.bibdb import schema
from citeproof.bibdb.author_lookup import ids_with_key
from citeproof.bibdb.schema import READABLE_VERSIONS, SCHEMA_VERSION
from citeproof.bibdb.title_index.reader.attached import AttachedIndex
from citeproof.errors import DatabaseError
from citeproof.text import normalize
from citeproof.text.name_keys import recorded_key
from citeproof.text.normalize import normalize_title

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from citeproof.bibdb.database import Database

CHUNK_TITLES = 10_000
"""Titles whose checksum is taken in one step."""
SAMPLE = 500
"""So many records, drawn anew each time, must be found by their own words."""
FOREIGN_SHARE = 0.3
"""A foreign index may have cut titles into words by other rules, or leave out the most common ones."""


@dataclass(frozen=True, slots=True)
class Finding:
    """The outcome of one check."""

    subject: str
    sound: bool
    detail: str


def check(database: Database) -> Iterator[Finding]:
    """Yield what is sound and what is not, the cheap checks last; nothing is written to the file."""
    for subject, examine in _CHECKS.items():
        try:
            detail, sound = examine(database)
        except DatabaseError as error:
            detail, sound = str(error), False
        if detail:
            yield Finding(subject, sound, detail)


def _pages(database: Database) -> tuple[str, bool]:
    """Read every page, every index of SQLite and the word index's own structure."""
    faults = [fault for (fault,) in database.file.rows("PRAGMA integrity_check(3)")]
    return ("every page is sound", True) if faults == ["ok"] else ("; ".join("; ".join(faults).splitlines()), False)


def _version(database: Database) -> tuple[str, bool]:
    if not database.layout.ours:
        return "", True
    meta = dict(database.file.rows("SELECT name, value FROM meta"))
    schema_version = meta.get("schema_version")
    for name, written, known in (
        ("schema_version", SCHEMA_VERSION, READABLE_VERSIONS),
        ("normalization_version", normalize.VERSION, (normalize.VERSION,)),
    ):
        if str(meta.get(name)) not in set(map(str, known)):
            return f"{name} is {meta.get(name)}, this citeproof writes {written}; build the database again", False
    return f"schema {schema_version}, normalisation {normalize.VERSION}", True


def _records(database: Database) -> tuple[str, bool]:
    ((count,),) = database.file.rows(f"SELECT count(*) FROM {database.layout.table}")  # noqa: S608
    if not database.layout.ours:
        return f"{count:,}", count > 0
    recorded = _meta(database, "records")
    if recorded != count:
        return f"{count:,}, but {recorded:,} were built", False
    return f"{count:,}", True


def _meta(database: Database, name: str) -> int:
    """Return what the build has noted under ``name``; raise where it, or somebody since, has left that out."""
    for (value,) in database.file.rows("SELECT value FROM meta WHERE name = ?", (name,)):
        if str(value).isdecimal():
            return int(value)
    raise DatabaseError(f"its table meta lacks {name}; build the database again")


def _titles(database: Database) -> tuple[str, bool]:
    """Compare every title with the checksum that was taken when the indexes were made."""
    if not database.layout.ours:
        return "", True
    recorded = _meta(database, "titles_checksum")
    checksum = 0
    titles = (title for _, title in database.titles())
    while some := list(islice(titles, CHUNK_TITLES)):
        checksum = schema.checksum(some, checksum)
    if checksum != recorded:
        return "some were changed after the indexes were made; build the database again", False
    return "as they were when the indexes were made", True


def _checksums(database: Database) -> tuple[str, bool]:
    """Compare every record with its checksum."""
    layout = database.layout
    if not layout.checked:
        detail = "none, as the file is of schema version 3; building it again adds them"
        return detail if layout.ours else "", True
    compared, damaged, first = 0, 0, None
    for row in database.rows(layout.select):
        compared += 1
        if not layout.is_sound(row):
            damaged += 1
            first = row[0] if first is None else first
    if damaged:
        return (
            f"{damaged:,} of {compared:,} records do not agree with theirs, such as id {first}; build it again",
            False,
        )
    return f"all of {compared:,} records agree with theirs", True


def _venues(database: Database) -> tuple[str, bool]:
    """Compare the volumes and the names of venues with their checksum."""
    if not any(database.file.rows("SELECT 1 FROM sqlite_schema WHERE name = 'volumes'")):
        return "", True
    try:
        known = database.venues
    except DatabaseError as error:
        return str(error), False
    return ("agree with their checksum" if known.sealed else "have no checksum; building it again adds it"), True


def _coverage(database: Database) -> tuple[str, bool]:
    """Compare what was counted of each source's identifiers with its checksum, where anything was."""
    return ("agrees with its checksum" if database.coverage.counted else "", True)


def _words(database: Database) -> tuple[str, bool]:
    """Look a sample of records up by all the words of their own titles."""
    index = database.word_index
    if not index:
        expected = database.layout.word_table or ("title_fts" if database.layout.ours else "")
        return (f"{expected} does not answer; build it again" if expected else "none", not expected)
    sample = _sample(database)
    enough = 1.0 if database.layout.ours else FOREIGN_SHARE
    lost = [number for number, title in sample.items() if index.share(number, normalize_title(title)) < enough]
    if lost:
        return f"{len(lost)} of {len(sample)} records are not found by their words, such as id {lost[0]}", False
    return f"{len(sample)} of {len(sample)} records are found by their words", True


def _authors(database: Database) -> tuple[str, bool]:
    """Look a sample of records up by the names of all their authors."""
    if not database.layout.ours:
        return "", True
    sample = list(_sample(database))
    for number, record in zip(sample, database.records(sample), strict=True):
        for name in record.authors:
            if number not in ids_with_key(database.file, recorded_key(name)):
                return f"record {number} is not found by its author {name}; build the database again", False
    return f"{len(sample)} of {len(sample)} records are found by their authors", True


def _title_index(database: Database) -> tuple[str, bool]:
    """Look a sample of records up by their own titles, where there is a title index."""
    if not database.title_index_path.exists():
        return f"none; `citeproof db index {database.path}` writes it", True
    if database.warnings:
        return "; ".join(database.warnings), False
    sample = _sample(database)
    distinct = {normalize_title(title): (number, title) for number, title in sample.items()}
    for number, title in distinct.values():  # a title like "Editorial" brings thousands of records, so only once
        lookup = database.look_up(title, 1.0)
        if lookup.index != AttachedIndex.name or not lookup.found:
            return f"record {number} is not found by its title; {'; '.join(database.warnings)}", False
    return f"{len(sample)} of {len(sample)} records are found by their titles", True


def _sample(database: Database) -> dict[int, str]:
    layout = database.layout
    id_column, title, table = layout.id_column, layout.title, layout.table
    ((first, last),) = database.file.rows(f"SELECT min({id_column}), max({id_column}) FROM {table}")  # noqa: S608
    if first is None:
        return {}
    found: dict[int, str] = {}
    for _ in range(SAMPLE):
        start = random.randint(first, last)  # noqa: S311 - a sample, no secret
        sql = f"SELECT {id_column}, {title} FROM {table} WHERE {id_column} >= ? ORDER BY {id_column} LIMIT 1"  # noqa: S608
        rows = database.file.rows(sql, (start,))
        found |= {number: text for number, text in rows if isinstance(text, str) and normalize_title(text)}
    return found


_CHECKS: dict[str, Callable[[Database], tuple[str, bool]]] = {
    "file": _pages,
    "version": _version,
    "records": _records,
    "titles": _titles,
    "checksums": _checksums,
    "venues": _venues,
    "coverage": _coverage,
    "word index": _words,
    "author index": _authors,
    "title index": _title_index,
}
