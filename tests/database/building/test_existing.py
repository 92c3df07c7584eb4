"""A database is updated source by source: one is added, replaced or removed, and the others stay as
they were.
"""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING, Any

import pytest

from citeproof.database.building.builder import build, update
from citeproof.database.building.sources import Origin
from citeproof.database.building.title_indexer import TitleIndexer
from citeproof.database.check import check
from citeproof.database.lookup import Database
from citeproof.model.errors import BuildError
from tests.database.conftest import DATA, DUMP

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

LIBRARY = DATA / "library.bib"
ORIGIN = Origin(
    "https://example.org/small.xml", '"one"', "Sun, 01 Nov 2026 00:00:00 GMT", "2026-11-02"
)


@pytest.fixture
def target(tmp_path: Path) -> Path:
    """Return a database of a dump and a library, with its title index."""
    path = tmp_path / "a.db"
    build([DUMP, LIBRARY], path, origins={DUMP: ORIGIN}, titles=TitleIndexer(path))
    return path


def rows(
    path: Path, sql: str = "SELECT source, key, title, authors, year, doi FROM publications"
) -> list[Any]:
    with sqlite3.connect(path) as connection:
        found = connection.execute(sql).fetchall()
    connection.close()
    return sorted(map(str, found))


def sources(path: Path) -> dict[str, dict[str, Any]]:
    with Database.open(path) as database:
        assert [finding.detail for finding in check(database) if not finding.sound] == []
        assert database.warnings == ()
        return {source["name"]: source for source in database.describe()["sources"]}


def updated(path: Path, *files: Path, without: Sequence[str] = (), force: bool = False) -> None:
    update(path, files, without=without, force=force, titles=TitleIndexer(path))


def test_a_source_is_added_and_the_others_stay(target: Path, tmp_path: Path) -> None:
    before, described = rows(target), sources(target)
    (tmp_path / "more.csv").write_text("title,author\nOn Moths,A B\n")
    updated(target, tmp_path / "more.csv")
    assert [row for row in rows(target) if "more.csv" not in row] == before
    assert sources(target) == described | {"more.csv": sources(target)["more.csv"]}
    assert sources(target)["dblp"]["url"] == ORIGIN.url
    updated(target, without=["more.csv"])
    assert rows(target) == before


def test_a_source_of_the_same_name_is_replaced(target: Path, tmp_path: Path) -> None:
    newer = tmp_path / "library.bib"
    newer.write_text("@book{one, title = {On Moths}}\n@book{two, title = {On Flies}}")
    dump = [row for row in rows(target) if "dblp" in row]
    updated(target, newer)
    assert [row for row in rows(target) if "dblp" in row] == dump
    assert len(rows(target)) == len(dump) + 2
    assert list(sources(target)) == ["dblp", "library.bib"]


def test_a_source_that_would_shrink_needs_force(target: Path, tmp_path: Path) -> None:
    small = tmp_path / "small.xml"
    small.write_text("<dblp><article key='k'><title>One is left</title></article></dblp>")
    before = target.read_bytes()
    with pytest.raises(BuildError, match="and the new one only 3"):
        updated(target, small)
    assert target.read_bytes() == before
    updated(target, small, force=True)
    assert sources(target)["dblp"]["records"] == 1


def test_what_is_not_there_is_named_and_nothing_changes(target: Path) -> None:
    before = target.read_bytes()
    with pytest.raises(BuildError, match=r"has no source 'dpbl'; it has dblp, library\.bib"):
        updated(target, without=["dpbl"])
    with pytest.raises(BuildError, match="no source would be left"):
        updated(target, without=["dblp", "library.bib"])
    assert target.read_bytes() == before


def test_notices_stay_with_their_source(target: Path, tmp_path: Path) -> None:
    header = (
        "Record ID,Title,RetractionNature,OriginalPaperDOI,RetractionDOI,RetractionDate,Author\n"
    )
    (tmp_path / "rw.csv").write_text(
        header + "1,T,Retraction,10.5555/a,10.5555/n,1/2/2020 0:00,A\n"
    )
    updated(target, tmp_path / "rw.csv")
    before = rows(target, "SELECT * FROM notices")
    updated(target, LIBRARY)
    assert rows(target, "SELECT * FROM notices") == before != []


def test_a_database_of_another_tool_is_not_updated(tmp_path: Path) -> None:
    path = tmp_path / "foreign.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE publications (id INTEGER, title TEXT)")
        connection.execute("INSERT INTO publications VALUES (1, 'A title')")
    connection.close()
    with pytest.raises(BuildError, match="was not built by citeproof, so it cannot be updated"):
        update(path, [LIBRARY])


def test_a_broken_line_ends_an_update_unless_it_is_to_go_on(target: Path, tmp_path: Path) -> None:
    lines = tmp_path / "more.jsonl"
    lines.write_text('{"title": "On Moths"}\n{broken\n')
    before = target.read_bytes()
    with pytest.raises(
        BuildError,
        match=r"more\.jsonl: line 2: is not a JSON object; --keep-going leaves such parts out",
    ):
        updated(target, lines)
    assert target.read_bytes() == before
    summary = update(target, [lines], keep_going=True)
    assert summary.faults == {lines: (1, (f"{lines}: line 2: is not a JSON object",))}
    assert summary.added == {"more.jsonl": 1}
