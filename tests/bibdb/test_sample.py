"""The sample database comes into being on first use, whoever comes first and wherever it can."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest

from citeproof.bibdb.build import build
from citeproof.bibdb.database import Database
from citeproof.bibdb.sample import _name, sample_database
from citeproof.bibdb.title_index.format import index_path
from citeproof.errors import BuildError, DatabaseError


def test_the_first_use_builds_it(tmp_path: Path) -> None:
    path = sample_database(tmp_path / "not" / "yet")
    assert path.parent.parent == tmp_path / "not" / "yet"
    with Database.open(path) as database:
        lookup = database.look_up("Ueber Skip Lists: a probabilistic alternative to balanced trees", 0.8)
    assert lookup.index == "title_index"
    assert lookup.complete
    best = lookup.candidates[0]
    assert best.record.authors == ("William W. Pugh",)
    assert best.record.doi == "10.1145/78973.78977"


def test_the_second_use_finds_it(tmp_path: Path) -> None:
    first = sample_database(tmp_path)
    before = first.stat()
    assert sample_database(tmp_path) == first
    assert first.stat() == before
    assert list(tmp_path.iterdir()) == [first.parent]
    assert set(first.parent.iterdir()) == {first, index_path(first)}


def test_whoever_is_slower_takes_what_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def overtaken(sources: list[Path], target: Path) -> None:
        build(sources, target)
        monkeypatch.undo()
        sample_database(tmp_path)

    monkeypatch.setattr("citeproof.bibdb.sample.build", overtaken)
    path = sample_database(tmp_path)
    assert list(tmp_path.iterdir()) == [path.parent]
    with Database.open(path) as database:
        assert database.look_up("Reflections on trusting trust").index == "title_index"


CHANGES = {
    "works": "data/sample.xml",
    "what volumes are learnt": "bibdb/volumes.py",
    "the tables": "bibdb/schema.py",
    "how a source is read": "bibdb/sources/dblp_record.py",
    "the title index": "bibdb/title_index/signature.py",
    "the file": "storage/bulk.py",
    "normalised titles": "text/normalize.py",
}


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """Return a copy of the package's files."""
    return Path(shutil.copytree(Path(str(files("citeproof"))), tmp_path / "citeproof"))


@pytest.mark.parametrize("changed", CHANGES)
def test_whatever_changes_the_database_makes_another_file(package: Path, changed: str) -> None:
    before = _name(package / "data" / "sample.xml", package)
    with (package / CHANGES[changed]).open("ab") as file:
        file.write(b" ")
    assert _name(package / "data" / "sample.xml", package) != before


def test_nothing_else_makes_another_file(package: Path, tmp_path: Path) -> None:
    before = _name(package / "data" / "sample.xml", package)
    (package / "bibdb" / "__pycache__").mkdir(exist_ok=True)
    (package / "bibdb" / "__pycache__" / "build.cpython-399.pyc").write_bytes(b"compiled")
    (package / "cli" / "main.py").write_text("")
    assert _name(package / "data" / "sample.xml", package) == before
    assert sample_database(tmp_path / "cache").parent.name == before


def test_a_folder_that_cannot_be_made_is_no_obstacle(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    path = sample_database(tmp_path / "file" / "cache")
    assert tmp_path not in path.parents
    assert sample_database(tmp_path / "file" / "cache") == path
    with Database.open(path) as database:
        assert database.look_up("Reflections on trusting trust").candidates


def test_a_folder_without_room_is_no_obstacle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(sources: list[Path], target: Path) -> None:
        if tmp_path in target.parents:
            raise BuildError("no space left on device")
        build(sources, target)

    monkeypatch.setattr("citeproof.bibdb.sample.build", full)
    assert tmp_path not in sample_database(tmp_path).parents
    assert list(tmp_path.iterdir()) == []


def test_no_room_anywhere_is_one_clear_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(sources: list[Path], target: Path) -> None:
        raise BuildError("no space left on device")

    monkeypatch.setattr("citeproof.bibdb.sample.build", full)
    monkeypatch.setattr("citeproof.bibdb.sample._temporary_folder", lambda: tmp_path / "other")
    with pytest.raises(DatabaseError, match="cannot be built: no space left on device; name one with --bib-db"):
        sample_database(tmp_path)


PROGRAM = "from citeproof.bibdb.sample import sample_database; print(sample_database())"


def test_many_processes_may_come_first(tmp_path: Path) -> None:
    environment = os.environ | {"XDG_CACHE_HOME": str(tmp_path), "HOME": str(tmp_path)}
    running = [
        subprocess.Popen([sys.executable, "-c", PROGRAM], env=environment, stdout=subprocess.PIPE, text=True)
        for _ in range(4)
    ]
    answers = {process.communicate(timeout=60)[0].strip() for process in running}
    assert [process.returncode for process in running] == [0] * 4
    (path,) = (Path(answer) for answer in answers)
    assert list(path.parent.parent.iterdir()) == [path.parent]
    assert set(path.parent.iterdir()) == {path, index_path(path)}
    with Database.open(path) as database:
        assert sum(1 for _ in database.titles()) > 300
