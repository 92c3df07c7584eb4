"""Works by shared names: the order of the whole list, and a shorter list that holds all that is
asked for.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import numpy as np
import pytest

from citeproof.database.author_index import (
    IDS,
    MOST_RECORDS,
    ONLY_AUTHOR_RECORDS,
    TABLE,
    Suggested,
    _SharedNames,
    by_shared_names,
    ids_by_authors,
    ids_by_name,
    ids_with_key,
    is_new,
)
from citeproof.store.sqlite import ReadOnlyFile
from citeproof.store.sqlite_store import SqliteStore
from citeproof.text.names import cited_keys, recorded_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

CITED = ("Ada Alma", "B. Berg", "Chen, Cy", "Di Dorn")
PEOPLE = (
    "Ada Alma",
    "Anna Alma",
    "Bo Berg",
    "Bea Berg",
    "Cy Chen",
    "Carl Chen",
    "Di Dorn",
    "Ed Eng",
    "Fay Fox",
)


def works(seed: int) -> list[Suggested]:
    """Return works of drawn people, with how many of the cited names they may have as the author
    index tells it.
    """
    choice = random.Random(seed)
    teams = [tuple(choice.sample(PEOPLE, choice.randint(1, 5))) for _ in range(30)]
    return [Suggested(f"Work {place}", team, _most(team)) for place, team in enumerate(teams)]


def _most(team: Sequence[str]) -> int:
    keys = set(map(recorded_key, team))
    return sum(not keys.isdisjoint(cited_keys(name)) for name in CITED)


@pytest.mark.parametrize("seed", range(20))
def test_by_shared_names_with_telling_keeps_the_best_works_and_the_order(seed: int) -> None:
    drawn = works(seed)
    whole = by_shared_names(CITED, drawn)
    short = by_shared_names(CITED, drawn, lambda title: title.endswith("7"))
    assert whole
    assert [place for place in whole if place in short] == short
    best = [place for place in whole if set(drawn[place].authors) == set(drawn[whole[0]].authors)]
    assert {*best, *whole[: 2 if len(best) < 2 else 1]} <= set(short)
    assert {place for place in whole if drawn[place].title.endswith("7")} <= set(short)
    assert len(short) < len(whole)


def test_by_shared_names_compares_until_no_other_work_may_be_better(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    compared: list[Sequence[str]] = []
    count = _SharedNames.count

    def counted(self: _SharedNames, authors: Sequence[str]) -> int:
        compared.append(authors)
        return count(self, authors)

    monkeypatch.setattr(_SharedNames, "count", counted)
    team = ("Ada Alma", "Bo Berg")
    drawn = [Suggested("Work", authors, 2) for authors in (PEOPLE, team[::-1], PEOPLE[::-1], team)]
    assert by_shared_names(CITED[:2], drawn, lambda _: False) == [1, 3]
    assert compared == [team[::-1]], (
        "the other work of these people has their names, and all others have more authors"
    )


def test_by_shared_names_ranks_by_names_and_not_by_limits() -> None:
    drawn = [
        Suggested("Three", ("Anna Alma", "Bo Berg", "Cy Chen"), 3),
        Suggested("Two", ("Bo Berg", "Cy Chen"), 2),
        Suggested("None", ("Anna Alma", "Carl Chen"), 2),
    ]
    assert by_shared_names(CITED, drawn) == [1, 0]


def index_of(path: Path, records: Mapping[str, Iterable[int]]) -> ReadOnlyFile:
    """Return a file with an author index that maps names to the ids of records."""
    store = SqliteStore(path)
    store.execute(TABLE)
    for name, ids in records.items():
        stored = np.array(sorted(ids), IDS).tobytes()
        store.execute("INSERT INTO author_index VALUES (?, ?)", (recorded_key(name), stored))
    store.close()
    return ReadOnlyFile(path)


def test_ids_by_authors_lists_records_of_two_cited_names_most_names_first(tmp_path: Path) -> None:
    file = index_of(
        tmp_path / "a.db",
        {"Ada Alma": (1, 2, 3, 9), "Bo Berg": (2, 3, 4), "Cy Chen": (3, 7), "Ed Eng": (1, 2, 3)},
    )
    assert ids_by_authors(file, CITED) == {3: 3, 2: 2}
    assert ids_by_authors(file, ("Ada Alma", "Ada Alma", "Bo Berg")) == {2: 2, 3: 2}
    assert ids_by_authors(file, ("Ada Alma", "Fay Fox")) == {}
    assert ids_by_authors(file, ()) == {}


def test_ids_by_authors_of_a_lone_name_lists_all_its_records(tmp_path: Path) -> None:
    many = range(1, ONLY_AUTHOR_RECORDS + 1)
    file = index_of(tmp_path / "a.db", {"Ada Alma": many, "Bo Berg": (*many, 900), "Cy Chen": (7,)})
    assert ids_by_authors(file, ("Ada Alma",)) == dict.fromkeys(many, 1)
    assert ids_by_authors(file, ("Bo Berg",)) == {}
    assert ids_by_authors(file, ("Fay Fox",)) == {}


def test_ids_by_authors_counts_names_that_were_not_looked_up_in_the_limits(tmp_path: Path) -> None:
    people = [f"Ann {letter}{other}lten" for letter in "BCDFGHKLMNPR" for other in "aeiou"]
    file = index_of(tmp_path / "a.db", dict.fromkeys(people[:50], (5,)))
    assert ids_by_authors(file, people[:50]) == {5: 50}
    assert ids_by_authors(file, people) == {5: 60}, "any of the last ten may be an author too"


def test_ids_by_authors_leaves_out_frequent_names_behind_the_two_rarest(tmp_path: Path) -> None:
    frequent = range(1, MOST_RECORDS + 1)
    file = index_of(
        tmp_path / "a.db", {"Ada Alma": (1, 2), "Bo Berg": frequent, "Cy Chen": (2, *frequent[5:])}
    )
    assert ids_by_authors(file, ("Bo Berg", "Cy Chen", "Ada Alma")) == {2: 3}
    file = index_of(tmp_path / "b.db", {"Bo Berg": frequent, "Cy Chen": frequent})
    assert len(ids_by_authors(file, ("Bo Berg", "Cy Chen"))) == 60


def test_ids_by_authors_puts_the_record_with_the_rarest_name_first(tmp_path: Path) -> None:
    file = index_of(
        tmp_path / "a.db",
        {"Ada Alma": (4, 5, 6, 1 << 27), "Bo Berg": (4, 5, 8), "Cy Chen": (4, 8)},
    )
    assert list(ids_by_authors(file, CITED).items()) == [(4, 3), (8, 2), (5, 2)]


def test_ids_with_key_and_by_name_are_ascending(tmp_path: Path) -> None:
    file = index_of(tmp_path / "a.db", {"Bo Berg": (7, 2), "Ann Berg": (3, 2), "Bo Bergs": (1,)})
    assert ids_with_key(file, recorded_key("B. Berg")).tolist() == [2, 7]
    assert ids_with_key(file, recorded_key("C. Berg")).tolist() == []
    assert ids_by_name(file, "Berg") == [2, 3, 7]
    assert ids_by_name(file, "B. Berg") == [2, 7]
    assert ids_by_name(file, "Fox") == []


def test_is_new_marks_the_first_of_equal_values() -> None:
    assert is_new(np.array([3, 3, 5])).tolist() == [True, False, True]
    assert is_new(np.array([], int)).tolist() == []


def test_by_shared_names_needs_one_author_for_a_lone_name() -> None:
    drawn = [Suggested("A", ("Ed Eng",), 0), Suggested("B", ("Ed Eng", "Ada Alma"), 1)]
    assert by_shared_names(("Ada Alma",), drawn) == [1]
    assert by_shared_names(("Ada Alma",), drawn[:1], lambda _: True) == []
    assert by_shared_names(("Ada Alma", "Bo Berg"), drawn) == []
