"""A small database, built from a dump in DBLP's form that was written for these tests."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from citeproof.database.building import prepared
from citeproof.database.building.builder import build
from citeproof.database.lookup import Database

if TYPE_CHECKING:
    from collections.abc import Iterator

DATA = Path(__file__).resolve().parents[1] / "data" / "bibdb"
DUMP = DATA / "small.xml"


@pytest.fixture(scope="session")
def small_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a database of the small dump; tests that change it copy it first."""
    path = tmp_path_factory.mktemp("small") / "small.db"
    build([DUMP], path)
    return path


@pytest.fixture
def small(small_path: Path) -> Iterator[Database]:
    """Return the small database, open."""
    with Database.open(small_path) as database:
        yield database


@pytest.fixture
def two_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let builds use child processes, however few cores the machine has and small the input is."""
    monkeypatch.setattr(prepared, "_WORTH_A_PROCESS", 0)
    monkeypatch.setattr("os.sched_getaffinity", lambda _: {0, 1}, raising=False)


def many_records(path: Path, count: int) -> Path:
    """Write a dump of ``count`` records to ``path`` and return it."""
    records = (
        f"<article mdate='2020-01-01' key='journals/n/{number}'><author>Author"
        f" {number}</author><title>Lamp number {number} shines on tree"
        f" {number * 7}.</title><year>{1950 + number % 70}</year></article>"
        for number in range(count)
    )
    path.write_text(f"<!DOCTYPE dblp SYSTEM 'dblp.dtd'>\n<dblp>{''.join(records)}</dblp>")
    return path
