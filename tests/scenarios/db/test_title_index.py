"""Whatever befalls the file, a look-up gives the right answer or one that is marked as not
proved.
"""

import gc
import os
import random
import shutil
import sqlite3
from pathlib import Path

import pytest

from citeproof.database.building.title_index import TitleIndexBuilder
from citeproof.database.building.title_indexer import create
from citeproof.database.lookup import Database
from citeproof.database.title_index import format as layout
from citeproof.database.title_index.format import UnusableIndexError, fingerprint, index_path
from citeproof.database.title_index.mapped import TitleIndex
from citeproof.model.errors import BuildError
from citeproof.text import normalize
from tests.scenarios.db.foreign import (
    LAYOUTS,
    assert_right_or_unproved,
    indexes_used,
    make_database,
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = make_database(tmp_path / "foreign.db")
    create(path)
    return path


@pytest.mark.parametrize("kind", LAYOUTS)
def test_every_layout_can_have_one_and_is_not_touched(tmp_path: Path, kind: str) -> None:
    path = make_database(tmp_path / "foreign.db", kind)
    before = (path.read_bytes(), path.stat().st_mtime_ns)
    create(path, tmp_path / "elsewhere")
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before
    with Database.open(path, index_dir=tmp_path / "elsewhere") as database:
        assert database.warnings == ()
        assert_right_or_unproved(database, path)
        assert indexes_used(database) == {"title_index"}
        assert database.look_up("Nothing is called like this at all").complete
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["elsewhere", "foreign.db"]


def test_a_copy_of_both_files_stays_valid(path: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy" / "other-name.db"
    copy.parent.mkdir()
    shutil.copyfile(path, copy)
    shutil.copyfile(index_path(path), index_path(copy))
    with Database.open(copy) as database:
        assert indexes_used(database) == {"title_index"}


def test_without_it_the_words_answer_and_one_line_tells_how_to_build_it(path: Path) -> None:
    index_path(path).unlink()
    with Database.open(path) as database:
        assert_right_or_unproved(database, path)
        assert indexes_used(database) == {"word_index"}
        assert not database.look_up("Nothing is called like this at all").complete
        (warning,) = database.warnings
        assert warning == f"{index_path(path)}: missing; `citeproof db index {path}` builds it"


@pytest.mark.parametrize("keep", [0, 10, 40, 5000, 20_000, -1])
def test_a_file_cut_short_does_not_answer(path: Path, keep: int) -> None:
    whole = index_path(path).read_bytes()
    index_path(path).write_bytes(whole[:keep])
    with Database.open(path) as database:
        assert indexes_used(database) == {"word_index"}
        assert len(database.warnings) == 1
        assert_right_or_unproved(database, path)


def test_a_file_that_grew_does_not_answer(path: Path) -> None:
    with index_path(path).open("ab") as file:
        file.write(b"\0")
    with Database.open(path) as database:
        assert indexes_used(database) == {"word_index"}


@pytest.mark.parametrize("seed", range(60))
def test_flipped_bytes_never_give_a_wrong_answer(path: Path, seed: int) -> None:
    rng = random.Random(seed)
    data = bytearray(index_path(path).read_bytes())
    for _ in range(rng.choice([1, 1, 3, 200])):
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    index_path(path).write_bytes(data)
    with Database.open(path) as database:
        assert_right_or_unproved(database, path)


def test_a_flipped_bit_in_any_block_is_noticed_when_the_block_is_read(path: Path) -> None:
    whole = index_path(path).read_bytes()
    header = TitleIndex(index_path(path)).header
    damaged = index_path(path).with_name("damaged.titles")
    held = {name: section for name, section in header.sections.items() if section.size}
    assert {"text", "words", "sizes", "offsets", "ids", "starts"} <= held.keys()
    for name, section in held.items():
        for offset in {section.offset, section.offset + section.size - 1, section.sums}:
            data = bytearray(whole)
            data[offset] ^= 1
            damaged.write_bytes(data)
            with pytest.raises(UnusableIndexError, match=name):
                read_everything(TitleIndex(damaged))


def read_everything(index: TitleIndex) -> None:
    for title in range(len(index)):
        index.normalized(title)
        index.record_ids(title)
    for column in (index.cyclic, index.near, index.far, index.main_hash, index.main_title):
        column.run(0, len(column))


def test_a_damaged_index_that_answered_until_now_steps_back_for_good(path: Path) -> None:
    with Database.open(path) as database:
        assert indexes_used(database) == {"title_index"}
        with index_path(path).open("r+b") as file:
            file.truncate(5000)
        assert indexes_used(database) == {"word_index"}
        create(path)
        assert indexes_used(database) == {"title_index"}


@pytest.mark.parametrize("journal", ["delete", "wal"])
@pytest.mark.parametrize(
    "edit",
    [
        "UPDATE publications SET title = 'Nothing is called like this at all' WHERE id = 7",
        "DELETE FROM publications WHERE id = 7",
        "INSERT INTO publications VALUES (7000, 'Nothing is called like this at all')",
    ],
)
@pytest.mark.parametrize("log", ["kept", "checkpointed"])
def test_an_edited_database_makes_it_stale(
    tmp_path: Path, journal: str, edit: str, log: str
) -> None:
    path = make_database(tmp_path / "foreign.db", journal=journal)
    create(path)
    with Database.open(path) as database:
        assert indexes_used(database) == {"title_index"}
    writer = sqlite3.connect(path, isolation_level=None)
    writer.execute(edit)
    if log == "checkpointed":
        writer.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        writer.close()
    with Database.open(path) as database:
        assert indexes_used(database) == {"word_index"}
        (warning,) = database.warnings
        assert "belongs to another state of the database" in warning
        assert_right_or_unproved(database, path)
    create(path)
    with Database.open(path) as database:
        assert indexes_used(database) == {"title_index"}
        assert_right_or_unproved(database, path)
    writer.close()


def test_an_edit_under_an_open_database_is_noticed_by_the_next_search(path: Path) -> None:
    with Database.open(path) as database:
        assert indexes_used(database) == {"title_index"}
        writer = sqlite3.connect(path)
        writer.execute(
            "UPDATE publications SET title = 'Nothing is called like this at all' WHERE id = 7"
        )
        writer.commit()
        writer.close()
        assert not database.look_up("Nothing is called like this at all").complete
        assert "title_index" not in indexes_used(database)


def test_an_index_of_another_database_does_not_answer(path: Path, tmp_path: Path) -> None:
    other = make_database(tmp_path / "other.db", "publications")
    create(other)
    index_path(other).replace(index_path(path))
    with Database.open(path) as database:
        assert indexes_used(database) == {"word_index"}


def test_titles_that_the_records_do_not_have_are_not_believed(path: Path) -> None:
    with Database.open(path) as database, TitleIndexBuilder(index_path(path)) as builder:
        builder.add(1, "Invented by the index")
        builder.finish(fingerprint(database.file))
    with Database.open(path) as database:
        lookup = database.look_up("Invented by the index")
        assert (lookup.found, lookup.index, lookup.complete) == (False, "word_index", False)
        assert "does not agree with the database" in database.warnings[0]


@pytest.mark.parametrize("module", [normalize, layout])
def test_an_index_of_another_version_does_not_answer(
    path: Path, monkeypatch: pytest.MonkeyPatch, module: object
) -> None:
    monkeypatch.setattr(module, "VERSION", 999)
    with Database.open(path) as database:
        assert indexes_used(database) == {"word_index"}
        assert len(database.warnings) == 1


def test_a_file_system_without_mmap_falls_back(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError("no such device")

    monkeypatch.setattr("mmap.mmap", refuse)
    with Database.open(path) as database:
        assert indexes_used(database) == {"word_index"}
        assert "cannot be mapped into memory" in database.warnings[0]


def test_without_any_index_every_title_is_compared(tmp_path: Path) -> None:
    path = make_database(tmp_path / "foreign.db", "publications")
    with Database.open(path) as database:
        lookup = database.look_up("Nothing is called like this at all")
        assert (lookup.method, lookup.index, lookup.complete) == ("bruteforce", "", True)
        assert_right_or_unproved(database, path)


def test_a_rebuilt_index_is_picked_up_by_an_open_database(path: Path) -> None:
    index_path(path).unlink()
    with Database.open(path) as database:
        assert indexes_used(database) == {"word_index"}
        create(path)
        assert indexes_used(database) == {"title_index"}
        assert database.warnings == ()


def test_a_deleted_index_goes_on_answering_where_it_is_open(path: Path) -> None:
    with Database.open(path) as database:
        index_path(path).unlink()
        assert indexes_used(database) == {"title_index"}
        assert_right_or_unproved(database, path)


def test_a_closed_database_lets_go_of_its_index(path: Path) -> None:
    maps = Path("/proc/self/maps")
    if not maps.exists():
        pytest.skip("what is mapped is seen on Linux only")
    gc.disable()  # a service collects so rarely that it would keep replaced files
    try:
        database = Database.open(path)
        assert str(index_path(path)) in maps.read_text()
        database.close()
        assert str(index_path(path)) not in maps.read_text()
    finally:
        gc.enable()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_folder_is_refused_with_one_line(path: Path) -> None:
    path.parent.chmod(0o500)
    try:
        with pytest.raises(BuildError, match="--index-dir"):
            create(path)
    finally:
        path.parent.chmod(0o700)


def test_a_folder_that_cannot_be_is_refused_with_one_line(path: Path) -> None:
    with pytest.raises(BuildError, match="cannot write the title index here"):
        create(path, path / "folder")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_in_place_of_the_index_is_not_waited_for(tmp_path: Path) -> None:
    path = make_database(tmp_path / "foreign.db", journal="delete")
    os.mkfifo(index_path(path))
    with Database.open(path) as database:
        (warning,) = database.warnings
        assert "is not a regular file" in warning
        assert indexes_used(database) == {"word_index"}
