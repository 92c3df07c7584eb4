from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from citeproof.database.building import title_indexer
from citeproof.database.building.builder import build
from citeproof.database.lookup import Database
from citeproof.database.title_index.attached import finish_replacement
from citeproof.database.title_index.format import UnusableIndexError
from citeproof.model.record import MatchKind
from citeproof.store.files import SUFFIX, ProcessLock

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

TITLES = (
    "Counting sheep by night",
    "Counting sheep by night",
    "Counting sheep by night",
    "Counting sheep by sight",
    "Lamps: A light survey",
    "Night by sheep counting",
)


def dump(path: Path, titles: tuple[str, ...] = TITLES) -> Path:
    entries = (
        f"<article key='a/{number}'><author>A. B</author><title>{title}</title></article>"
        for number, title in enumerate(titles)
    )
    path.write_text(f"<dblp>{''.join(entries)}</dblp>", "utf-8")
    return path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return the path of a database with a title index."""
    target = tmp_path / "a.db"
    build([dump(tmp_path / "a.xml")], target)
    title_indexer.create(target)
    return target


@pytest.fixture
def database(path: Path) -> Iterator[Database]:
    with Database.open(path) as opened:
        yield opened


def test_search_reads_at_most_as_many_records_and_counts_the_others(database: Database) -> None:
    query = "counting sheep by night"
    every = database.title_index.search(query, 0.9, 100, every=True, most=2)
    assert [match.record_id for match in every.found] == [1, 2]
    assert (every.more, every.complete, every.cut) == (2, True, False)
    best = database.title_index.search(query, 0.9, 100, every=False, most=9)
    assert {match.similarity for match in best.found[:3]} == {1.0}
    assert [match.record_id for match in best.found[:3]] == [1, 2, 3]


def test_search_raises_for_an_index_that_is_missing_or_damaged(path: Path) -> None:
    index = path.with_name("a.db.titles")
    whole = index.read_bytes()
    index.unlink()
    with Database.open(path) as database:
        with pytest.raises(UnusableIndexError, match=r"`citeproof db index .*a\.db` builds it"):
            database.title_index.search("lamps", 0.9, 100, every=False, most=9)
        index.write_bytes(whole)
        assert database.title_index.warning == ""
        index.write_bytes(whole[: len(whole) // 2])
        assert "a.db.titles" in database.title_index.warning
        with pytest.raises(UnusableIndexError):
            database.title_index.verify()


def test_warning_names_the_folder_of_an_index_that_is_elsewhere(path: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "indexes"
    with Database.open(path, index_dir=elsewhere) as database:
        assert (
            f"`citeproof db index {path} --index-dir {elsewhere}`" in database.title_index.warning
        )


def test_warning_says_that_an_index_belongs_to_another_database(path: Path, tmp_path: Path) -> None:
    other = tmp_path / "b.db"
    build([dump(tmp_path / "b.xml", TITLES[:3])], other)
    path.with_name("a.db.titles").rename(other.with_name("b.db.titles"))
    with Database.open(other) as database:
        assert "belongs to another state of the database" in database.title_index.warning


def test_nearest_looks_down_to_three_fifths_in_a_small_index(database: Database) -> None:
    found = database.title_index.nearest("counting goats by daylight", 0.95, 100)
    assert found
    assert found.record_id in {1, 4}
    assert 0.6 <= found.similarity < 0.95
    assert database.title_index.nearest("quantum chromodynamics", 0.95, 100) is None


def test_nearest_is_none_without_an_index(path: Path) -> None:
    path.with_name("a.db.titles").unlink()
    with Database.open(path) as database:
        assert database.title_index.nearest("counting sheep by night", 0.9, 100) is None


def test_related_finds_titles_without_subtitle_and_in_another_order(database: Database) -> None:
    (subtitled,) = database.title_index.related("Lamps")
    assert (subtitled.record_id, subtitled.kind) == (5, MatchKind.MAIN_TITLE)
    reordered = database.title_index.related("By night, counting sheep")
    assert {match.record_id for match in reordered} == {1, 2, 3, 6}
    assert {match.kind for match in reordered} == {MatchKind.SAME_WORDS}
    assert database.title_index.related("A light survey of owls") == ()


def test_finish_replacement_renames_a_database_whose_index_is_in_place(
    path: Path, tmp_path: Path
) -> None:
    building = path.with_name(path.name + SUFFIX)
    assert not finish_replacement(path)
    path.rename(building)
    with closing(ProcessLock(building)):
        assert not finish_replacement(path), "a build is running"
    assert finish_replacement(path)
    assert (path.exists(), building.exists()) == (True, False)
    build([dump(tmp_path / "b.xml", TITLES[:3])], building)
    assert not finish_replacement(path), "the index is of the old database"
    assert building.exists()
