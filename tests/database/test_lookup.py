"""Looking up titles and identifiers in a built database."""

from __future__ import annotations

import sqlite3
import tracemalloc
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from citeproof.database.building.builder import build
from citeproof.database.building.title_indexer import TitleIndexer
from citeproof.database.lookup import SHOWN_FROM, Database
from citeproof.model.errors import DatabaseError
from citeproof.model.record import MatchKind, Method
from tests.database.conftest import DUMP

if TYPE_CHECKING:
    from pathlib import Path


def test_look_up_returns_every_record_with_an_equal_title(small: Database) -> None:
    lookup = small.look_up("Lamp Trees: Sorting by Light in O(n2) Steps")
    assert [candidate.record.venue for candidate in lookup.candidates] == ["LAMPS", "CoRR"]
    assert {candidate.similarity for candidate in lookup.candidates} == {1.0}
    assert lookup.complete
    assert (lookup.method, lookup.index) == (Method.INDEXED, "word_index")


@pytest.mark.parametrize(
    "title",
    [
        "Lamp Treees: Sorting by Light in O(n2) Steps",
        "LAMP-TREES: Sorting by Light in {O($n^2$)} Steps.",
        "Lamptrees: Sorting by Light in O(n2) Steps",
        "Lamp Tress - Sorting by Ligth in O(n2) Steps",
    ],
)
def test_look_up_finds_a_title_with_one_error(small: Database, title: str) -> None:
    lookup = small.look_up(title)
    assert {candidate.record.venue for candidate in lookup.candidates} == {"LAMPS", "CoRR"}


def test_look_up_a_miss_of_the_word_index_is_never_complete(small: Database) -> None:
    lookup = small.look_up("Lamp Trees Do Not Sort Anything At All")
    assert not lookup.found
    assert not lookup.complete
    assert lookup.nearest
    assert lookup.nearest.match is MatchKind.NEARBY


def test_a_typed_title_that_is_not_found_has_the_nearest_title_of_the_word_index(
    small: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    typed = "Lamp Trees: Searching by Light in O(n) Time"
    missed = replace(small.look_up(typed), nearest=None)
    monkeypatch.setattr(small, "look_up", lambda *_, **__: missed)
    lookup = small.look_up_text(typed)
    assert not lookup.found
    assert lookup.nearest
    assert lookup.nearest.record.title == "Lamp Trees: Sorting by Light in O(n2) Steps"
    assert lookup.nearest.similarity >= SHOWN_FROM
    assert small.nearest("Light Steps of Many Other Things and People")
    assert small.look_up_text("Light Steps of Many Other Things and People").nearest is None


def test_look_up_finds_nothing_for_a_title_without_letters(small: Database) -> None:
    lookup = small.look_up(" ... ")
    assert not lookup.found
    assert not lookup.complete


@pytest.mark.parametrize("text", ["lamp " * 401, "x" * 2_001, "x " * 1_001, "x" * 100_000])
def test_look_up_finds_nothing_for_more_than_2_000_letters(small: Database, text: str) -> None:
    lookup = small.look_up(text)
    assert (lookup.found, lookup.complete, lookup.candidates_examined) == (False, False, 0)
    assert small.nearest(text) is None


def test_look_up_trims_a_title_before_it_is_measured(small: Database) -> None:
    title = "Lamp Trees: Sorting by Light in O(n2) Steps"
    assert small.look_up(f"{' ' * 3_000}{title.replace(' ', ' ' * 300)}\n").found


@pytest.mark.parametrize("kind", ["x", "lamp ", "{\\'e}", "ab "])
def test_look_up_takes_memory_that_grows_no_faster_than_the_title(
    small: Database, kind: str
) -> None:
    small.look_up(kind)
    peaks = []
    for letters in (2_000, 100_000, 2_000_000):
        title = kind * (letters // len(kind))
        tracemalloc.start()
        assert not small.look_up(title).found
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        assert peaks[-1] <= 5_000_000 + 40 * letters


def test_records_come_by_identifier(small: Database) -> None:
    assert [record.key for record in small.records_with("doi", "10.5555/lamps.2012.11")] == [
        "conf/lamps/LindqvistR12"
    ]
    assert [record.key for record in small.records_with("arxiv_id", "1203.0042")] == [
        "journals/corr/abs-1203-0042"
    ]
    assert small.records_with("doi", "") == ()


def test_records_come_in_the_order_asked_for(small: Database) -> None:
    ids = [number for number, _ in small.titles()]
    assert [record.key for record in small.records(list(reversed(ids)))] == [
        record.key for record in reversed(small.records(ids))
    ]
    assert small.records([999]) == []


@pytest.mark.parametrize("titles_in_memory", [True, False])
@pytest.mark.parametrize("max_candidates", [1, 100_000])
def test_look_up_by_brute_force_ignores_max_candidates(
    tmp_path: Path, max_candidates: int, *, titles_in_memory: bool
) -> None:
    path = tmp_path / "bare.db"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE publications (id INTEGER PRIMARY KEY, title TEXT)")
        titles = [("Heaps of Glass",), ("A Tree of Lamps",), ("Lamp Trees",)]
        connection.executemany("INSERT INTO publications (title) VALUES (?)", titles)
    with Database.open(path, titles_in_memory=titles_in_memory) as database:
        found = database.look_up("Lamp Tree", max_candidates=max_candidates)
        missed = database.look_up("Nothing of the kind", max_candidates=max_candidates)
    assert [candidate.record.title for candidate in found.candidates] == ["Lamp Trees"]
    for lookup in (found, missed):
        assert (lookup.method, lookup.index, lookup.candidates_examined) == (
            Method.BRUTEFORCE,
            "",
            3,
        )
        assert lookup.complete


def test_look_up_that_max_candidates_cut_is_not_complete(small: Database) -> None:
    lookup = small.look_up("Lamp Treees: Sorting by Light in O(n2) Steps", max_candidates=1)
    assert lookup.candidates_examined <= 1
    assert not lookup.complete


def test_title_counts_are_the_same_by_every_index(
    small: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("lamp", "sorting", "sortnig")
    counts = dict(small.title_counts(words))
    assert counts["lamp"] >= counts["sorting"] >= 2
    assert counts["sortnig"] == 0
    monkeypatch.setattr(small, "word_index", None)
    assert dict(small.title_counts(words)) == counts
    assert small.title_counts(()) == ()


def test_records_within_a_text_are_the_same_by_every_index(
    small_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "A. Lee, Lamp Trees: Sorting by Light in O(n2) Steps, in LAMPS"

    def found(database: Database, shortest: int = 12, most: int = 40) -> list[str]:
        return [record.venue for record in database.records_within(text, shortest, most)]

    with Database.open(small_path) as database:
        assert database.title_index.warning
        assert found(database) == ["LAMPS", "CoRR"]
        assert found(database, most=1) == ["LAMPS"]
        assert found(database, shortest=60) == []
        monkeypatch.setattr(database, "word_index", None)
        assert found(database) == ["LAMPS", "CoRR"]
    path = tmp_path / "indexed.db"
    build([DUMP], path, titles=TitleIndexer(path))
    with Database.open(path) as database:
        assert not database.title_index.warning
        assert found(database) == ["LAMPS", "CoRR"]
        assert found(database, most=1) == ["LAMPS"]
        assert found(database, shortest=60) == []


def test_title_counts_are_empty_for_a_broken_word_index(
    small: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_: str) -> int:
        raise DatabaseError("no")

    monkeypatch.setattr(small.word_index, "count", broken)
    assert small.title_counts(("lamp",)) == ()
