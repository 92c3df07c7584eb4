"""A worker gets the keeper's tables for the very database that they are of, and for no other."""

from __future__ import annotations

import shutil
from importlib.resources import as_file, files
from typing import TYPE_CHECKING

from citeproof.bibdb.build import build
from citeproof.bibdb.database import Database
from citeproof.web.jobs.tables import SharedTables

if TYPE_CHECKING:
    from pathlib import Path


def test_tables_are_lent_to_the_build_that_they_are_of(sample_path: Path, tmp_path: Path) -> None:
    path = tmp_path / "lent.db"
    shutil.copy(sample_path, path)
    tables = SharedTables(path)
    tables.refresh()
    with Database.open(path) as first, Database.open(path) as second:
        tables.lend(first)
        tables.lend(second)
        assert first.venues is second.venues
        assert first.coverage is second.coverage
        assert first.venues.resolve("NIPS")


def test_another_database_at_the_same_place_reads_its_own(sample_path: Path, tmp_path: Path) -> None:
    path = tmp_path / "lent.db"
    shutil.copy(sample_path, path)
    tables = SharedTables(path)
    tables.refresh()
    with Database.open(path) as before:
        tables.lend(before)
    with as_file(files("citeproof").joinpath("data/sample.xml")) as xml:
        build([xml], path, force=True)
    with Database.open(path) as after:
        tables.lend(after)
        assert after.venues is not before.venues
        tables.refresh()
    with Database.open(path) as later:
        tables.lend(later)
        assert later.venues is not before.venues
        assert later.venues.resolve("NIPS")


def test_without_a_database_there_is_nothing_to_lend(sample_path: Path, tmp_path: Path) -> None:
    tables = SharedTables(tmp_path / "none.db")
    tables.refresh()
    with Database.open(sample_path) as database:
        tables.lend(database)
        assert database.venues.resolve("NIPS")
