"""A sound database passes; whatever is wrong with one is found."""

from __future__ import annotations

import shutil
import sqlite3
from typing import TYPE_CHECKING, Any

import pytest

from citeproof.database import schema
from citeproof.database.building.builder import build, update
from citeproof.database.building.packing import in_pieces
from citeproof.database.building.title_indexer import TitleIndexer
from citeproof.database.check import check, deep_check
from citeproof.database.lookup import Database
from citeproof.model.errors import DatabaseError
from citeproof.store.sqlite import ReadOnlyFile
from tests.database.conftest import DATA, many_records
from tests.database.versions import VERSION_3, VERSION_5

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


RECORD = {"checksums", "identifiers", "author index"}
"""The checks that read whole records."""


def faults(path: Path) -> set[str]:
    with Database.open(path) as database:
        return {finding.subject for finding in check(database) if not finding.sound}


def edited(path: Path, folder: Path, *statements: str) -> Path:
    copy = folder / "edited.db"
    shutil.copy(path, copy)
    with sqlite3.connect(copy) as connection:
        for statement in statements:
            connection.execute(statement)
    connection.close()
    return copy


def test_check_finds_a_new_database_sound(small_path: Path) -> None:
    assert faults(small_path) == set()


@pytest.mark.parametrize(
    ("statement", "subjects"),
    [
        (
            "UPDATE records SET title = 'Another title' WHERE id = 2",
            {"titles", "word index", *RECORD},
        ),
        ("UPDATE records SET title = title || '!' WHERE id = 3", {"titles", *RECORD}),
        ("DELETE FROM records WHERE id = 4", {"records", "titles"}),
        (
            "INSERT INTO records (key, source, title, checksum) VALUES ('k', 1, 'New', 0)",
            {"records", "titles", "word index", *RECORD},
        ),
        ("UPDATE meta SET value = '0' WHERE name = 'normalization_version'", {"version"}),
        ("UPDATE meta SET value = '999' WHERE name = 'schema_version'", {"version"}),
        ("DELETE FROM title_fts_data WHERE id > 10", {"file", "word index"}),
        ("DROP TABLE title_fts", {"word index"}),
        ("UPDATE records SET authors = 'No Body' WHERE id = 2", RECORD),
        ("UPDATE names SET name = 'Nowhere' WHERE id = 1", RECORD),
        ("DELETE FROM identifier_index", {"identifiers"}),
        ("DELETE FROM author_index", {"author index"}),
        ("DROP TABLE author_index", {"author index"}),
    ],
)
def test_check_finds_changes_after_the_build(
    tmp_path: Path, small_path: Path, statement: str, subjects: set[str]
) -> None:
    assert faults(edited(small_path, tmp_path, statement)) == subjects


@pytest.mark.parametrize(
    "field", ["key", "venue", "pub_type", "authors", "doi", "pages", "url", "crossref"]
)
def test_check_a_flipped_bit_in_a_record_is_an_error_and_no_fact(
    tmp_path: Path, small_path: Path, field: str
) -> None:
    path = edited(small_path, tmp_path)
    with sqlite3.connect(path) as connection:
        found = connection.execute(
            f"SELECT title, {field} FROM publications WHERE {field} <> ''"
        ).fetchall()
        for title, value in found:  # noqa: B007 - the title is looked up below
            stored = {
                "doi": value.partition("/")[2],
                "authors": in_pieces([value], schema.AUTHOR_PIECES)[0],
            }.get(field, value)
            for table, column in (("records", field), ("names", "name")):
                change = f"UPDATE {table} SET {column} = ? WHERE {column} = ?"
                connection.execute(change, (flipped(stored), stored))
            if connection.total_changes:
                break
    connection.close()
    with (
        Database.open(path) as database,
        pytest.raises(DatabaseError, match=r"record \d does not agree"),
    ):
        database.look_up(title)
    assert "checksums" in faults(path)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE volumes SET completeness = 1.0 - completeness",
        "DELETE FROM venue_names",
    ],
)
def test_check_a_changed_volume_or_name_of_a_venue_is_an_error_and_no_proof(
    tmp_path: Path, small_path: Path, statement: str
) -> None:
    path = edited(small_path, tmp_path, statement)
    assert faults(path) == {"venues"}
    with (
        Database.open(path) as database,
        pytest.raises(DatabaseError, match="do not agree with their checksum"),
    ):
        _ = database.venues


def test_check_a_record_under_the_id_of_another_is_an_error_and_no_fact(
    tmp_path: Path, small_path: Path
) -> None:
    path = edited(small_path, tmp_path, "UPDATE records SET id = 77 WHERE id = 2")
    with (
        Database.open(path) as database,
        pytest.raises(DatabaseError, match="record 77 does not agree"),
    ):
        database.records([77])
    assert "checksums" in faults(path)


@pytest.mark.parametrize("statements", [VERSION_5, VERSION_3])
def test_check_a_database_of_a_version_before_is_read(
    tmp_path: Path, small_path: Path, statements: tuple[str, ...]
) -> None:
    path = edited(small_path, tmp_path, *statements)
    with Database.open(small_path) as new, Database.open(path) as old:
        records = new.records([1, 2, 3, 4])
        assert old.records([1, 2, 3, 4]) == records != []
        for doi in filter(None, [record.doi for record in records]):
            assert old.records_with("doi", doi) == new.records_with("doi", doi) != ()
    assert faults(path) == set()
    updated = update(path, [DATA / "library.bib"])
    assert updated.records == len(records) + updated.added["library.bib"]


def test_check_reads_each_record_a_few_times(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    count = 3_000
    records = "".join(
        f"<article key='journals/e/{number}'><title>Editorial.</title></article>"
        for number in range(count)
    )
    (tmp_path / "e.xml").write_text(f"<dblp>{records}</dblp>")
    build([tmp_path / "e.xml"], tmp_path / "e.db", titles=TitleIndexer(tmp_path / "e.db"))
    rows = ReadOnlyFile.rows
    read = 0

    def counting(file: ReadOnlyFile, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        nonlocal read
        found = rows(file, sql, values)
        read += len(found)
        return found

    monkeypatch.setattr(ReadOnlyFile, "rows", counting)
    with Database.open(tmp_path / "e.db") as database:
        assert all(finding.sound for finding in [*check(database), *deep_check(database)])
    assert count < read < 12 * count


def flipped(text: str) -> str:
    """Return ``text`` with one bit of its middle letter changed."""
    middle = len(text) // 2
    return text[:middle] + chr(ord(text[middle]) ^ 1) + text[middle + 1 :]


def test_check_finds_a_damaged_page(tmp_path: Path) -> None:
    path = tmp_path / "many.db"
    build([many_records(tmp_path / "many.xml", 3000)], path)
    content = bytearray(path.read_bytes())
    middle = len(content) // 2
    content[middle : middle + 8192] = b"\xff" * 8192
    path.write_bytes(content)
    assert "file" in faults(path)
