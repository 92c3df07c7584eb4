"""A large build that is killed goes on at its last checkpoint, and gives the same database."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from citeproof.database.building import builder, checkpoint, filling, prepared
from citeproof.database.building.prepared import Prepared, read
from citeproof.database.building.source import Source
from citeproof.database.building.sources import dblp
from citeproof.database.building.title_indexer import TitleIndexer
from citeproof.database.check import check, deep_check
from citeproof.database.lookup import Database
from citeproof.model.errors import BuildError
from tests.database.conftest import DATA, many_records

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

META = (DATA / "opencitations.csv").read_bytes()
HEADER, ROWS = META.partition(b"\n")[0] + b"\n", META.partition(b"\n")[2]
KILLED = """
import os, signal, sys
from pathlib import Path
from citeproof.database.building import builder, checkpoint, prepared
from citeproof.database.building.sources import dblp
from citeproof.database.building.title_indexer import TitleIndexer
from citeproof.store.sqlite import BulkFile

checkpoint.EVERY, prepared._WORTH_A_PROCESS, dblp._LEAST_BYTES = 1000, 0, 1 << 17
prepared.cores = lambda: 2
place, moment, target, *sources = sys.argv[1:]
written = BulkFile.checkpoint


def checkpoint_and_die(file, number):
    ends = number == int(place)
    if ends and moment == "before":
        os.kill(os.getpid(), signal.SIGKILL)
    written(file, number)
    if ends and moment == "after":
        os.kill(os.getpid(), signal.SIGKILL)


BulkFile.checkpoint = checkpoint_and_die
target = Path(target)
builder.build([*map(Path, sources)], target, titles=TitleIndexer(target))
"""


@pytest.fixture(autouse=True, scope="module")
def large() -> Iterator[None]:
    """Build small sources as large ones are built."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(checkpoint, "EVERY", 1000)
        patch.setattr(prepared, "_WORTH_A_PROCESS", 0)
        patch.setattr(prepared, "cores", lambda: 2)
        patch.setattr(dblp, "_LEAST_BYTES", 1 << 17)
        yield


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Return a table of four chunks, and a dump of five chunks."""
    folder = tmp_path_factory.mktemp("sources")
    table = folder / "meta.csv"
    table.write_bytes(HEADER + ROWS * (3_500_000 // len(ROWS)))
    return [table, many_records(folder / "many.xml", 3000)]


@pytest.fixture(scope="module")
def whole(sources: list[Path]) -> Path:
    """Return the database of a build that was not killed."""
    path = sources[0].with_name("whole.db")
    builder.build(sources, path, titles=TitleIndexer(path))
    return path


@pytest.fixture
def target(tmp_path: Path) -> Path:
    (tmp_path / "out").mkdir()
    return tmp_path / "out" / "a.db"


def kill(target: Path, sources: Sequence[Path], number: int, moment: str) -> None:
    """Build in a process that is killed before or after a checkpoint of the database."""
    command = [sys.executable, "-c", KILLED, str(number), moment, str(target), *map(str, sources)]
    killed = subprocess.run(command, check=False, capture_output=True, text=True)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    assert not target.exists()


def watched_reading(monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    """Return a map that gets, for each source that is read, the number of lists of batches that
    are skipped.
    """
    seen: dict[str, int] = {}

    def watched(source: Source, *, skip: int, **options: Any) -> Iterator[list[Prepared]]:
        seen[source.name] = skip
        return read(source, skip=skip, **options)

    monkeypatch.setattr(filling, "read", watched)
    return seen


def content(path: Path) -> dict[str, list[tuple[object, ...]]]:
    tables = ("publications", "records", "names", "author_index", "identifier_index", "volumes")
    with sqlite3.connect(path) as connection:
        found = {name: connection.execute(f"SELECT * FROM {name}").fetchall() for name in tables}
        words = "SELECT rowid FROM title_fts WHERE title_fts MATCH 'lamp' ORDER BY rowid"
        found["words"] = connection.execute(words).fetchall()
        found["sources"] = connection.execute("SELECT * FROM sources").fetchall()
        rest = "SELECT * FROM meta WHERE name NOT IN ('build_id', 'built')"
        found["meta"] = connection.execute(rest).fetchall()
        assert connection.execute("PRAGMA user_version").fetchall() == [(0,)]
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    return found


@pytest.mark.parametrize(
    ("number", "moment", "skipped"),
    [
        (1, "before", {"meta.csv": 0, "many.xml": 0}),
        (1, "after", {"meta.csv": 1, "many.xml": 0}),
        (3, "before", {"meta.csv": 2, "many.xml": 0}),
        (5, "after", {"many.xml": 2}),
        (8, "after", {}),  # records are read, and an index is written
        (11, "after", {}),
        (0, "before", {}),  # the whole database is written
        (0, "after", {}),
    ],
)
def test_a_killed_build_goes_on(
    target: Path,
    sources: list[Path],
    whole: Path,
    monkeypatch: pytest.MonkeyPatch,
    number: int,
    moment: str,
    skipped: dict[str, int],
) -> None:
    kill(target, sources, number, moment)
    seen = watched_reading(monkeypatch)
    resumed = builder.build(sources, target, titles=TitleIndexer(target))
    assert seen == skipped
    assert content(target) == content(whole)
    assert sum(resumed.added.values()) == resumed.records == len(content(whole)["records"])
    assert {path.name for path in resumed.skipped} == {"meta.csv"}
    titles = [path.with_name(path.name + ".titles").read_bytes() for path in (target, whole)]
    assert len(titles[0]) == len(titles[1])
    with Database.open(target) as database:
        assert all(finding.sound for finding in [*check(database), *deep_check(database)])
        assert database.look_up("Lamp number 7 shines on tree 49").found
    assert sorted(path.name for path in target.parent.iterdir()) == ["a.db", "a.db.titles"]


def test_a_build_of_changed_sources_begins_anew(
    target: Path, sources: list[Path], whole: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kill(target, sources, 5, "after")
    os.utime(sources[1], ns=(1, 1))
    assert len(list(target.parent.iterdir())) > 2
    seen = watched_reading(monkeypatch)
    builder.build(sources, target, titles=TitleIndexer(target))
    assert seen == {"meta.csv": 0, "many.xml": 0}
    assert content(target)["records"] == content(whole)["records"]
    assert len(list(target.parent.iterdir())) == 2


@pytest.mark.parametrize("name", ["a.db.building.authors", "a.db.titles.collected"])
def test_what_a_killed_build_left_and_lost_is_noticed(
    target: Path, sources: list[Path], name: str
) -> None:
    kill(target, sources, 5, "after")
    os.truncate(target.with_name(name), 100)
    with pytest.raises(
        BuildError, match=f"{name}: a part of this unfinished build is lost; run the command again"
    ):
        builder.build(sources, target, titles=TitleIndexer(target))
    assert not list(target.parent.iterdir())


@pytest.mark.parametrize("content", [b"", b"no state", b"\xe9\x00\x00"])
def test_a_broken_state_is_no_state(
    target: Path, sources: list[Path], monkeypatch: pytest.MonkeyPatch, content: bytes
) -> None:
    kill(target, sources[1:], 1, "after")
    target.with_name("a.db.building.1").write_bytes(content)
    seen = watched_reading(monkeypatch)
    assert builder.build(sources[1:], target, titles=TitleIndexer(target)).records == 3000
    assert seen == {"many.xml": 0}
    assert sorted(path.name for path in target.parent.iterdir()) == ["a.db", "a.db.titles"]


def test_a_build_stopped_before_it_begins_removes_what_a_killed_one_left(
    target: Path, sources: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    kill(target, sources[1:], 1, "after")
    assert target.with_name("a.db.titles.collected").exists()

    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(filling, "BulkFile", stopped)
    with pytest.raises(KeyboardInterrupt):
        builder.build(sources[1:], target, titles=TitleIndexer(target))
    assert not list(target.parent.iterdir())
