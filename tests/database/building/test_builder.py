"""Building a database: what it holds, and what a failed build leaves behind."""

from __future__ import annotations

import gzip
import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from citeproof.database.building.builder import build
from citeproof.database.building.progress import STEPS, Progress
from citeproof.database.building.title_index import Checkpoint
from citeproof.database.building.title_indexer import NO_TITLES, TitleIndexer
from citeproof.database.lookup import Database
from citeproof.database.schema import COLUMNS
from citeproof.model.errors import BuildError
from tests.database.conftest import DATA, DUMP, many_records

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


def table(path: Path, sql: str) -> list[tuple[object, ...]]:
    with sqlite3.connect(path) as connection:
        return connection.execute(sql).fetchall()


def test_the_table_has_the_columns_that_are_promised(small_path: Path) -> None:
    assert [row[1] for row in table(small_path, "PRAGMA table_info(publications)")] == [
        "id",
        *COLUMNS,
        "checksum",
    ]
    assert table(small_path, "SELECT count(*), min(id), max(id) FROM publications") == [(4, 1, 4)]


def test_build_gzip_and_plain_give_the_same_records(tmp_path: Path, small_path: Path) -> None:
    zipped = tmp_path / "small.xml.gz"
    zipped.write_bytes(gzip.compress(DUMP.read_bytes()))
    build([zipped], tmp_path / "a.db")
    everything = "SELECT * FROM publications"
    assert table(tmp_path / "a.db", everything) == table(small_path, everything)


def test_build_several_sources_keep_their_names(tmp_path: Path) -> None:
    summary = build([DUMP, DATA / "library.bib"], tmp_path / "a.db")
    assert summary.records == 6
    assert summary.skipped == {DATA / "library.bib": 1}
    sql = "SELECT name, format, dump_date, records, skipped FROM sources"
    assert table(tmp_path / "a.db", sql) == [
        ("dblp", "dblp", "2024-02-29", 4, 0),
        ("library.bib", "bibliography", None, 2, 1),
    ]
    with Database.open(tmp_path / "a.db") as database:
        assert database.look_up("Shadows sort slowly").candidates[0].record.source == "library.bib"
        assert database.look_up("A lamp for every tree").candidates[0].record.doi == "10.5555/jl.2"


def test_build_another_process_reads_the_same(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    dump = many_records(tmp_path / "many.xml", 3000)
    build([dump], tmp_path / "here.db")
    request.getfixturevalue("two_cores")
    build([dump], tmp_path / "beside.db")
    everything = "SELECT * FROM publications"
    assert table(tmp_path / "beside.db", everything) == table(tmp_path / "here.db", everything)
    assert len(table(tmp_path / "beside.db", everything)) == 3000


@pytest.mark.parametrize("beside", [False, True])
def test_build_a_broken_source_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, request: pytest.FixtureRequest, small_path: Path, *, beside: bool
) -> None:
    if beside:
        request.getfixturevalue("two_cores")
    folder = tmp_path / "out"
    folder.mkdir()
    target = folder / "a.db"
    target.write_bytes(small_path.read_bytes())
    cut = tmp_path / "cut.xml.gz"
    cut.write_bytes(gzip.compress(many_records(tmp_path / "many.xml", 3000).read_bytes())[:-2000])
    with pytest.raises(BuildError, match="ends in the middle"):
        build([cut], target)
    assert target.read_bytes() == small_path.read_bytes()
    assert [path.name for path in folder.iterdir()] == ["a.db"]


@pytest.mark.usefixtures("two_cores")
def test_build_a_reader_that_dies_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.executable", "/bin/true")
    with pytest.raises(BuildError, match="was stopped"):
        build([DUMP], tmp_path / "a.db")
    assert not list(tmp_path.iterdir())


def test_build_far_fewer_records_need_force(tmp_path: Path) -> None:
    target = tmp_path / "a.db"
    build([many_records(tmp_path / "many.xml", 9)], target)
    before = target.read_bytes()
    with pytest.raises(
        BuildError, match=r"holds 9 records and the new one only 4; it stays\. --force"
    ):
        build([DUMP], target)
    assert target.read_bytes() == before
    build([DUMP], target, force=True)
    assert table(target, "SELECT count(*) FROM publications") == [(4,)]


def test_build_what_is_no_database_of_ours_is_not_replaced(tmp_path: Path) -> None:
    thesis = tmp_path / "thesis.txt"
    thesis.write_text("years of work")
    with pytest.raises(BuildError, match="is not a database"):
        build([DUMP], thesis)
    assert thesis.read_text() == "years of work"
    foreign = tmp_path / "foreign.db"
    with sqlite3.connect(foreign) as connection:
        connection.execute("CREATE TABLE publications (id INTEGER PRIMARY KEY, title TEXT)")
    with pytest.raises(BuildError, match="not built by citeproof"):
        build([DUMP], foreign)


def test_build_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    link = tmp_path / "link.db"
    link.symlink_to(tmp_path / "real" / "a.db")
    build([DUMP], link)
    assert link.is_symlink()
    assert (tmp_path / "real" / "a.db").stat().st_size


def test_progress_goes_from_nothing_to_everything(tmp_path: Path) -> None:
    states: list[Progress] = []
    build([DUMP, DATA / "library.bib"], tmp_path / "a.db", progress=states.append)
    size = DUMP.stat().st_size + (DATA / "library.bib").stat().st_size
    stages = [state.stage for state in states]
    assert stages == ["reading"] * stages.count("reading") + ["indexing"] * stages.count("indexing")
    assert [state.read for state in states] == sorted(state.read for state in states)
    assert (states[-1].read, states[-1].size, states[-1].records) == (size, size, 6)


def test_progress_names_what_is_indexed_and_how_far_that_is(tmp_path: Path) -> None:
    states: list[Progress] = []
    dump = many_records(tmp_path / "many.xml", 300)
    build([dump], tmp_path / "a.db", progress=states.append, titles=TitleIndexer(tmp_path / "a.db"))
    indexing = [state for state in states if state.stage == "indexing"]
    assert list(dict.fromkeys(state.step for state in indexing)) == [*STEPS, "titles", ""]
    shares = [state.indexed for state in indexing]
    assert shares == sorted(shares)
    assert (shares[0], shares[-1]) == (0.0, 1.0)
    assert len(shares) > len(STEPS) + 2


class Recorder(TitleIndexer):
    """A title index that remembers what it was told."""

    name = "recorder"

    def __init__(self, fail: bool = False) -> None:
        self.path = Path("recorder.titles")
        self.titles: dict[int, str] = {}
        self.calls: list[str] = []
        self._fail = fail

    def begin(self, *, beside: bool, collected: Checkpoint = NO_TITLES) -> None:
        assert not beside, "so few titles are worth no process"
        assert collected == NO_TITLES
        self.calls.append("begin")

    def add(self, first_id: int, titles: Sequence[str], normalized: Sequence[str]) -> None:
        assert len(titles) == len(normalized)
        self.titles |= dict(enumerate(normalized, first_id))

    def end(self) -> None:
        self.calls.append("end")

    def finish(self, database: Path, progress: Callable[[float], None]) -> None:
        self.calls.append("finish")
        if self._fail:
            raise BuildError(f"{database}: no")

    def discard(self) -> None:
        self.calls.append("discard")


def test_build_an_indexer_sees_every_title_under_its_id(tmp_path: Path) -> None:
    indexer = Recorder()
    build([DUMP], tmp_path / "a.db", titles=indexer)
    assert indexer.titles[1] == "lamp trees sorting by light in o n2 steps"
    assert list(indexer.titles) == [1, 2, 3, 4]
    assert indexer.calls == ["begin", "end", "finish"]


def test_build_an_indexer_that_fails_costs_the_build(tmp_path: Path) -> None:
    indexer = Recorder(fail=True)
    with pytest.raises(BuildError):
        build([DUMP], tmp_path / "a.db", titles=indexer)
    assert indexer.calls == ["begin", "end", "finish", "discard"]
    assert not list(tmp_path.iterdir())
