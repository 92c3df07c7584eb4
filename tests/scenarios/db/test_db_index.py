"""``db index`` and ``db check --deep`` from end to end."""

import json
import re
import sqlite3
from pathlib import Path

import apsw
import pytest
from click.testing import CliRunner

from citeproof.cli.db import command
from citeproof.database.lookup import Database
from citeproof.model.errors import BuildError, DatabaseError

DATA = Path(__file__).resolve().parents[2] / "data" / "bibdb"


@pytest.fixture
def foreign(tmp_path: Path) -> Path:
    """Return a database of another tool, without any index."""
    path = tmp_path / "foreign.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE publications (id INTEGER PRIMARY KEY, title TEXT)")
        connection.executemany(
            "INSERT INTO publications (title) VALUES (?)", [("Lamp Trees",), ("Brass Tries",)]
        )
    connection.close()
    return path


def test_a_foreign_database_gets_its_index_beside_it(foreign: Path) -> None:
    result = CliRunner().invoke(command, ["index", str(foreign)])
    assert result.exit_code == 0
    assert result.stdout.startswith(f"{foreign}.titles: 2 titles of 2 records")
    with Database.open(foreign) as database:
        assert database.look_up("Lamp Trees").index == "title_index"


def test_the_index_can_go_elsewhere(foreign: Path, tmp_path: Path) -> None:
    folder = tmp_path / "indexes"
    assert (
        CliRunner().invoke(command, ["index", str(foreign), "--index-dir", str(folder)]).exit_code
        == 0
    )
    assert [path.name for path in folder.iterdir()] == ["foreign.db.titles"]
    with Database.open(foreign, index_dir=folder) as database:
        assert database.look_up("Lamp Trees").index == "title_index"


def test_a_deep_check_names_what_it_compared(foreign: Path) -> None:
    CliRunner().invoke(command, ["index", str(foreign)])
    result = CliRunner().invoke(command, ["check", "--deep", str(foreign)])
    assert result.exit_code == 0
    assert "every block agrees with its checksum" in result.stdout
    assert "2 of 2 queries are answered as by comparing all titles" in result.stdout


def test_a_deep_check_without_an_index_finds_it_missing(foreign: Path) -> None:
    result = CliRunner().invoke(command, ["check", "--deep", str(foreign)])
    assert "missing; `citeproof db index" in result.stdout


def test_info_and_check_look_for_the_index_where_the_settings_say(
    foreign: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CITEPROOF_BIB_INDEX_DIR", str(tmp_path / "indexes"))
    assert CliRunner().invoke(command, ["index", str(foreign)]).exit_code == 0
    assert [path.name for path in (tmp_path / "indexes").iterdir()] == ["foreign.db.titles"]
    assert "title_index" in CliRunner().invoke(command, ["info", str(foreign)]).stdout
    checked = CliRunner().invoke(command, ["check", "--deep", str(foreign)])
    assert "2 of 2 records are found by their titles" in checked.stdout
    assert checked.exit_code == 0


def test_a_build_writes_the_index_where_the_settings_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CITEPROOF_BIB_INDEX_DIR", str(tmp_path / "indexes"))
    assert (
        CliRunner()
        .invoke(command, ["build", str(DATA / "small.xml"), "-o", str(tmp_path / "a.db")])
        .exit_code
        == 0
    )
    with Database.open(tmp_path / "a.db", index_dir=tmp_path / "indexes") as database:
        assert database.look_up("Lamp Trees").index == "title_index"


def leaf_of_records(path: Path) -> int:
    """Return the number, from 1, of the page in the middle of those that hold records."""
    with apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY) as connection:
        leaves = "SELECT pageno FROM dbstat WHERE name = 'records' AND pagetype = 'leaf'"
        pages = [number for (number,) in connection.execute(leaves)]
    return int(pages[len(pages) // 2])


@pytest.fixture
def damaged(tmp_path: Path) -> Path:
    """Return a database that has lost the last records of a page, which SQLite does not notice."""
    path, source = tmp_path / "own.db", tmp_path / "own.jsonl"
    works = ({"title": f"Lamp Trees of Harbour {n}", "year": 2001} for n in range(900))
    source.write_text("\n".join(map(json.dumps, works)))
    assert CliRunner().invoke(command, ["build", str(source), "-o", str(path)]).exit_code == 0
    data = bytearray(path.read_bytes())
    size = int.from_bytes(data[16:18])
    page = (leaf_of_records(path) - 1) * size
    assert data[page] == 13, "a leaf page of a table"
    data[page + 3 : page + 5] = (3).to_bytes(2)
    path.write_bytes(data)
    return path


def test_a_damaged_database_gets_no_index(damaged: Path) -> None:
    result = CliRunner().invoke(command, ["index", str(damaged)])
    assert isinstance(result.exception, BuildError)
    said = str(result.exception)
    assert re.search(
        r"is not sound, so no index was written; records: \d+, but 900 were built", said
    )
    checked = CliRunner().invoke(command, ["check", str(damaged)]).stdout
    assert said.partition("records: ")[2] in checked


def test_a_damaged_database_is_named_before_an_index_is_advised(damaged: Path) -> None:
    with Database.open(damaged) as database:
        assert database.title_index.warning
        (warning,) = database.warnings
    assert re.search(r"is damaged: \d+ of 900 records can be read; build it again", warning)
    assert "db index" not in warning


def test_lost_names_are_named_before_an_index_is_advised(damaged: Path) -> None:
    with sqlite3.connect(damaged) as connection:
        ((root,),) = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'names'")
    connection.close()
    data = bytearray(damaged.read_bytes())
    size = int.from_bytes(data[16:18])
    data[(root - 1) * size : root * size] = bytes(size)
    damaged.write_bytes(data)
    with Database.open(damaged) as database:
        (warning,) = database.warnings
    assert "malformed" in warning
    assert "db index" not in warning


def test_a_search_of_a_damaged_database_without_index_proves_nothing(damaged: Path) -> None:
    with apsw.Connection(str(damaged)) as connection:
        connection.execute("DROP TABLE title_fts")
    with Database.open(damaged) as database, pytest.raises(DatabaseError, match="is damaged"):
        database.look_up("Lamp Trees of Harbour 450")
