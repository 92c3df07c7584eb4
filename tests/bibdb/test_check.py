"""A sound database passes; whatever is wrong with one is found."""

from __future__ import annotations

import shutil
import sqlite3
from typing import TYPE_CHECKING

import pytest

from citeproof.bibdb.build import build
from citeproof.bibdb.check import check
from citeproof.bibdb.database import Database

from .conftest import many_records

if TYPE_CHECKING:
    from pathlib import Path


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


def test_a_new_database_is_sound(small_path: Path) -> None:
    assert faults(small_path) == set()


@pytest.mark.parametrize(
    ("statement", "subjects"),
    [
        ("UPDATE publications SET title = 'Another title' WHERE id = 2", {"titles", "word index"}),
        ("UPDATE publications SET title = title || '!' WHERE id = 3", {"titles"}),
        ("DELETE FROM publications WHERE id = 4", {"records", "titles"}),
        ("INSERT INTO publications (key, source, title) VALUES ('k', 's', 'New')", {"records", "titles", "word index"}),
        ("UPDATE meta SET value = '0' WHERE name = 'normalization_version'", {"version"}),
        ("UPDATE meta SET value = '999' WHERE name = 'schema_version'", {"version"}),
        ("DELETE FROM title_fts_data WHERE id > 10", {"file", "word index"}),
        ("DROP TABLE title_fts", {"word index"}),
        ("UPDATE publications SET authors = 'No Body' WHERE id = 2", {"author index"}),
        ("DELETE FROM author_index", {"author index"}),
        ("DROP TABLE author_index", {"author index"}),
    ],
)
def test_what_was_changed_after_the_build_is_found(
    tmp_path: Path, small_path: Path, statement: str, subjects: set[str]
) -> None:
    assert faults(edited(small_path, tmp_path, statement)) == subjects


def test_a_damaged_page_is_found(tmp_path: Path) -> None:
    path = tmp_path / "many.db"
    build([many_records(tmp_path / "many.xml", 3000)], path)
    content = bytearray(path.read_bytes())
    middle = len(content) // 2
    content[middle : middle + 8192] = b"\xff" * 8192
    path.write_bytes(content)
    assert "file" in faults(path)
