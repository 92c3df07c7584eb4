"""The sample database comes into being on first use, whoever comes first and wherever it can."""

import os
import re
import shutil
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest

from citeproof.database.building.builder import build
from citeproof.database.building.sample import PACKED, _name, expanded, sample_database
from citeproof.database.lookup import Database
from citeproof.database.title_index.format import index_path
from citeproof.model.errors import BuildError, DatabaseError


def test_sample_database_the_first_use_builds_it(tmp_path: Path) -> None:
    path = sample_database(tmp_path / "not" / "yet")
    assert path.parent.parent == tmp_path / "not" / "yet"
    with Database.open(path) as database:
        lookup = database.look_up(
            "Ueber Skip Lists: a probabilistic alternative to balanced trees", 0.8
        )
    assert lookup.index == "title_index"
    assert lookup.complete
    best = lookup.candidates[0]
    assert best.record.authors == ("William W. Pugh",)
    assert best.record.doi == "10.1145/78973.78977"


def test_sample_database_the_second_use_finds_it(tmp_path: Path) -> None:
    first = sample_database(tmp_path)
    before = first.stat()
    assert sample_database(tmp_path) == first
    assert first.stat() == before
    assert list(tmp_path.iterdir()) == [first.parent]
    assert set(first.parent.iterdir()) == {first, index_path(first)}


def test_sample_database_with_works_holds_what_papers_cite_and_complete_volumes(
    tmp_path: Path,
) -> None:
    path = sample_database(tmp_path, works=True)
    assert set(path.parent.iterdir()) == {path, index_path(path)}
    with Database.open(path) as database:
        assert database.describe()["records"] > 100_000
        for title in (
            "Reflections on trusting trust",
            "Deep Residual Learning for Image Recognition",
        ):
            assert database.look_up(title).found
        (held,) = database.file.rows(
            "SELECT completeness FROM volumes WHERE venue = 'conf/nips' AND year = 2017"
        )
    assert held[0] > 0.9
    assert sample_database(tmp_path).parent != path.parent


def test_sample_database_whoever_is_slower_takes_what_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def overtaken(sources: list[Path], target: Path) -> None:
        build(sources, target)
        monkeypatch.undo()
        sample_database(tmp_path)

    monkeypatch.setattr("citeproof.database.building.sample.build", overtaken)
    path = sample_database(tmp_path)
    assert list(tmp_path.iterdir()) == [path.parent]
    with Database.open(path) as database:
        assert database.look_up("Reflections on trusting trust").index == "title_index"


CHANGES = {
    "works": "database/building/sample.xml",
    "the volumes": "database/venues/volumes.py",
    "the tables": "database/schema.py",
    "how a source is read": "database/building/sources/dblp.py",
    "the title index": "database/title_index/signature.py",
    "the file": "store/sqlite.py",
    "normalised titles": "text/normalize.py",
}


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """Return a copy of the package's files."""
    return Path(shutil.copytree(Path(str(files("citeproof"))), tmp_path / "citeproof"))


@pytest.mark.parametrize("changed", CHANGES)
def test_name_whatever_changes_the_database_makes_another_file(package: Path, changed: str) -> None:
    before = _name([package / "database" / "building" / "sample.xml"], package)
    path = package / CHANGES[changed]
    path.write_bytes(path.read_bytes() + b" ")
    assert _name([package / "database" / "building" / "sample.xml"], package) != before


def test_name_nothing_else_makes_another_file(package: Path, tmp_path: Path) -> None:
    before = _name([package / "database" / "building" / "sample.xml"], package)
    (package / "database" / "__pycache__").mkdir(exist_ok=True)
    (package / "database" / "__pycache__" / "database.cpython-399.pyc").write_bytes(b"compiled")
    (package / "cli" / "main.py").write_text("")
    assert _name([package / "database" / "building" / "sample.xml"], package) == before
    assert sample_database(tmp_path / "cache").parent.name == before


def test_sample_database_a_folder_that_cannot_be_made_is_no_obstacle(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    path = sample_database(tmp_path / "file" / "cache")
    assert tmp_path not in path.parents
    assert sample_database(tmp_path / "file" / "cache") == path
    with Database.open(path) as database:
        assert database.look_up("Reflections on trusting trust").candidates


def test_sample_database_a_folder_without_room_is_no_obstacle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(sources: list[Path], target: Path) -> None:
        if tmp_path in target.parents:
            raise BuildError("no space left on device")
        build(sources, target)

    monkeypatch.setattr("citeproof.database.building.sample.build", full)
    assert tmp_path not in sample_database(tmp_path).parents
    assert list(tmp_path.iterdir()) == []


def test_sample_database_no_room_anywhere_is_one_clear_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(sources: list[Path], target: Path) -> None:
        raise BuildError("no space left on device")

    monkeypatch.setattr("citeproof.database.building.sample.build", full)
    monkeypatch.setattr(
        "citeproof.database.building.sample._temporary_folder", lambda: tmp_path / "other"
    )
    with pytest.raises(
        DatabaseError, match="cannot be built: no space left on device; name one with --bib-db"
    ):
        sample_database(tmp_path)


PROGRAM = "from citeproof.database.building.sample import sample_database; print(sample_database())"


def test_many_processes_may_come_first(tmp_path: Path) -> None:
    environment = os.environ | {"XDG_CACHE_HOME": str(tmp_path), "HOME": str(tmp_path)}
    running = [
        subprocess.Popen(
            [sys.executable, "-c", PROGRAM], env=environment, stdout=subprocess.PIPE, text=True
        )
        for _ in range(4)
    ]
    answers = {process.communicate(timeout=60)[0].strip() for process in running}
    assert [process.returncode for process in running] == [0] * 4
    (path,) = (Path(answer) for answer in answers)
    assert list(path.parent.parent.iterdir()) == [path.parent]
    assert set(path.parent.iterdir()) == {path, index_path(path)}
    with Database.open(path) as database:
        assert sum(1 for _ in database.titles()) > 300


def test_expanded_leaves_out_works_that_another_part_of_the_sample_has() -> None:
    landmarks = (files("citeproof.database.building") / "sample.xml").read_text("utf-8")
    keys = re.compile(' key="([^"]+)"')
    own = set(keys.findall(landmarks))
    packed = PACKED.read_bytes()
    every = [key for line in expanded(packed, "2024-12-28") for key in keys.findall(line)]
    others = [key for line in expanded(packed, "2024-12-28", own) for key in keys.findall(line)]
    assert own & set(every)
    assert others == [key for key in every if key not in own]
