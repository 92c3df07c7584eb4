"""Venues learnt by another process while the database grows: the same tables, and one clear line
where it fails.
"""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING, Any

import pytest

from citeproof.database.building.builder import build
from citeproof.database.building.child import Child
from citeproof.database.venues.volumes import learn_beside, venue_of
from citeproof.model.errors import BuildError
from tests.database.conftest import DUMP
from tests.scenarios.db.test_build_memory import dump

if TYPE_CHECKING:
    from pathlib import Path

RECORDS = 3_000


def tables(path: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Return every table and index of a database, but for what no two builds share."""
    file = sqlite3.connect(path)
    schema = file.execute("SELECT type, name, sql FROM sqlite_schema ORDER BY name").fetchall()
    names = ["publications", "sources", "volumes", "venue_names", "author_index", "coverage"]
    found = {name: file.execute(f"SELECT * FROM {name}").fetchall() for name in names}
    meta = file.execute("SELECT * FROM meta WHERE name NOT IN ('build_id', 'built')").fetchall()
    assert file.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    file.close()
    return found | {"schema": schema, "meta": meta}


def test_a_build_with_other_processes_makes_the_same_tables(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    source = dump(tmp_path / "dump.xml", RECORDS)
    build([source], tmp_path / "alone.db")
    request.getfixturevalue("two_cores")
    build([source], tmp_path / "beside.db")
    alone, beside = tables(tmp_path / "alone.db"), tables(tmp_path / "beside.db")
    assert len(alone["publications"]) == RECORDS
    assert len(alone["volumes"]) == RECORDS / 50
    assert beside == alone


def test_a_file_that_cannot_be_read_there_is_named_here(tmp_path: Path) -> None:
    (tmp_path / "a.db").write_text("no database, and long enough to be taken for one" * 100)
    with pytest.raises(BuildError, match=r"a\.db"):
        Child("was stopped", learn_beside, tmp_path / "a.db").receive()


@pytest.mark.usefixtures("two_cores")
def test_one_that_was_stopped_costs_the_build_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.executable", "/bin/true")
    with pytest.raises(BuildError, match="was stopped"):
        build([DUMP], tmp_path / "a.db")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("key", "booktitle", "title", "venue"),
    [
        ("conf/ics/2021", "ICS", "Proceedings of ICS 2021", "conf/ics"),
        ("conf/ics/2021-1", "ICS (1)", "", "conf/ics"),
        ("conf/ics/2021w", "ICS Workshops", "", "conf/ics:w"),
        (
            "conf/ics/2021-2",
            "ICS",
            "Conference on Sheep Workshops, ICS Workshops 2021",
            "conf/ics:w",
        ),
        ("conf/ics/2014goats", "GOATS", "", "conf/ics:goats"),
        ("books/x/2001", "", "", ""),
    ],
)
def test_venue_of_a_volume_lies_in_its_venue_or_beside_it(
    key: str, booktitle: str, title: str, venue: str
) -> None:
    assert venue_of(key, booktitle, title) == venue
