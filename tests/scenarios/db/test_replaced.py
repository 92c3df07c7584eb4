"""A database whose file is replaced, emptied or written over while it is open."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from citeproof.database.building.builder import build
from citeproof.database.building.title_indexer import create
from citeproof.database.lookup import Database
from citeproof.database.title_index.format import index_path
from citeproof.model.errors import DatabaseError
from tests.database.conftest import many_records

if TYPE_CHECKING:
    from pathlib import Path

TITLE = "Lamp number 7 shines on tree 49"
MISSED = "Lamp number 7 shines on a house"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return a database large enough that most of it lies beyond its first page, with its title
    index.
    """
    path = tmp_path / "many.db"
    build([many_records(tmp_path / "many.xml", 3000)], path)
    create(path)
    return path


@pytest.mark.parametrize("content", [b"", b"x" * 50, b"SQLite format 3\0" + b"\0" * 84])
def test_a_stub_that_is_moved_over_it_leaves_what_is_open_as_it_is(
    path: Path, tmp_path: Path, content: bytes
) -> None:
    with Database.open(path) as database:
        before = database.look_up(TITLE)
        (tmp_path / "stub").write_bytes(content)
        (tmp_path / "stub").replace(path)
        for _ in range(2):
            lookup = database.look_up(TITLE)
            assert (lookup.candidates, lookup.index) == (before.candidates, "title_index")
            assert database.look_up(MISSED).complete
        assert database.describe()["records"] == 3000
        assert database.warnings == ()


def test_one_that_is_emptied_in_place_answers_with_an_error(path: Path) -> None:
    with Database.open(path) as database:
        assert database.look_up(TITLE).found
        path.write_bytes(b"")
        for title in (TITLE, MISSED):
            with pytest.raises(
                DatabaseError,
                match="written over while in use; put a new file in its place with mv",
            ):
                database.look_up(title)


def test_a_title_index_that_is_emptied_in_place_steps_back(path: Path) -> None:
    with Database.open(path, recheck_seconds=3600) as database:
        assert database.look_up(MISSED).index == "title_index"
        index_path(path).write_bytes(b"")
        lookup = database.look_up(TITLE)
        assert (lookup.found, lookup.index) == (True, "word_index")
        assert "written over while in use" in "".join(database.warnings)


def test_a_copy_over_both_is_picked_up_when_it_is_opened_anew(path: Path, tmp_path: Path) -> None:
    build([many_records(tmp_path / "more.xml", 4000)], tmp_path / "new.db")
    create(tmp_path / "new.db")
    with Database.open(path) as database:
        assert database.look_up(TITLE).found
        shutil.copyfile(tmp_path / "new.db", path)
        shutil.copyfile(index_path(tmp_path / "new.db"), index_path(path))
    with Database.open(path) as database:
        assert database.warnings == ()
        assert (
            database.look_up("Lamp number 3999 shines on tree 27993").candidates[0].record.key
            == "journals/n/3999"
        )
