"""Comparing with every title, whether they are in memory or in a scratch file."""

from __future__ import annotations

import random
import tempfile
import threading
import tracemalloc
from typing import TYPE_CHECKING, NoReturn

import pytest
from rapidfuzz import fuzz

from citeproof.database import matches as comparison
from citeproof.database.matches import Titles
from citeproof.model.errors import DatabaseError

if TYPE_CHECKING:
    from collections.abc import Iterator

WORDS = ["lamp", "tree", "glass", "heap", "нить", "神经", "of", "light", "sorting", "paper"]


IN_MEMORY = pytest.mark.parametrize("in_memory", [True, False])


@pytest.fixture
def titles(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, str]]:
    monkeypatch.setattr(comparison, "CHUNK_TITLES", 64)
    rng = random.Random(9)
    return [
        (3 * number, " ".join(rng.choices(WORDS, k=rng.randint(0, 6)))) for number in range(1000)
    ]


@IN_MEMORY
def test_titles_search_compares_every_title(
    titles: list[tuple[int, str]], *, in_memory: bool
) -> None:
    searched = Titles(titles, in_memory=in_memory)
    held = [(number, title) for number, title in titles if title]
    for query in [
        "lamp tree of light",
        "paper heap",
        "нить神经",
        "nothing like it",
        "sorting glass of of paper x",
    ]:
        expected = {number for number, title in held if fuzz.ratio(query, title) >= 80}
        matches = searched.search(query, 0.8)
        assert {match.record_id for match in matches.found} == expected
        assert (matches.examined, matches.complete) == (len(held), True)


@IN_MEMORY
def test_titles_search_names_the_nearest_title_of_a_miss(
    titles: list[tuple[int, str]], *, in_memory: bool
) -> None:
    query = "lamp trees of daylight"
    matches = Titles(titles, in_memory=in_memory).search(query, 0.99)
    assert not matches.found
    assert matches.nearest
    assert matches.nearest.similarity == pytest.approx(
        max(fuzz.ratio(query, title) for _, title in titles) / 100
    )


@IN_MEMORY
def test_titles_search_works_without_titles(*, in_memory: bool) -> None:
    matches = Titles([(1, "..."), (2, "")], in_memory=in_memory).search("lamp", 0.9)
    assert (matches.found, matches.nearest, matches.examined, matches.complete) == (
        (),
        None,
        0,
        True,
    )


def test_titles_search_works_from_several_threads(titles: list[tuple[int, str]]) -> None:
    searched = Titles(titles, in_memory=False)
    queries = [title for _, title in titles if title][:40]
    expected = [searched.search(query, 0.9) for query in queries]
    found: list[object] = []
    threads = [
        threading.Thread(
            target=lambda: found.append([searched.search(query, 0.9) for query in queries])
        )
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 4


def test_titles_on_disk_take_the_memory_of_one_chunk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparison, "CHUNK_TITLES", 100)

    def titles() -> Iterator[tuple[int, str]]:
        yield from ((number, f"{number} " * 20) for number in range(20_000))

    def peak(*, in_memory: bool) -> int:
        tracemalloc.start()
        searched = Titles(titles(), in_memory=in_memory)
        assert searched.search("lamp trees", 0.9).examined == 20_000
        held = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return held

    peak(in_memory=True)  # fills what normalising keeps
    assert 10 * peak(in_memory=False) < peak(in_memory=True)


def test_titles_on_a_full_disk_raise_an_error_that_says_what_to_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail() -> NoReturn:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(tempfile, "TemporaryFile", fail)
    with pytest.raises(
        DatabaseError, match=r"No space left on device; 'citeproof db index' writes an index"
    ):
        Titles([(1, "Lamp")], in_memory=False)
