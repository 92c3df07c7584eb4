"""Brute force against the definition, and the map that keeps titles in memory."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citeproof.database import matches as comparison
from citeproof.database.matches import Titles, titles_of
from citeproof.store.sqlite import Identity
from citeproof.text.similarity import similarity

if TYPE_CHECKING:
    from collections.abc import Iterator

TEXT = st.text(alphabet="ab c1é", max_size=12).map(
    lambda text: " ".join(text.replace("é", "e").split())
)
THRESHOLDS = st.sampled_from([0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 1.0])


@settings(max_examples=300, deadline=None)
@given(query=TEXT.filter(bool), titles=st.lists(TEXT, max_size=30), threshold=THRESHOLDS)
def test_titles_search_finds_what_the_definition_says(
    query: str, titles: list[str], threshold: float
) -> None:
    expected = [(similarity(query, title), number) for number, title in enumerate(titles) if title]
    matches = Titles(enumerate(titles)).search(query, threshold)
    assert [(match.similarity, match.record_id) for match in matches.found] == sorted(
        ((score, number) for score, number in expected if score >= threshold),
        key=lambda pair: (-pair[0], pair[1]),
    )
    assert matches.complete
    assert matches.examined == len(expected)
    if matches.nearest:
        assert matches.nearest.similarity == max(score for score, _ in expected)


@pytest.mark.parametrize(
    ("query", "title", "threshold"), [("h1b", "1b", 0.8), ("abcdefghij", "abcdefghi", 18 / 19)]
)
def test_titles_search_finds_a_similarity_equal_to_the_threshold(
    query: str, title: str, threshold: float
) -> None:
    (match,) = Titles([(7, title)]).search(query, threshold).found
    assert (match.similarity, match.record_id) == (threshold, 7)


def test_titles_count_counts_a_title_once() -> None:
    titles = Titles([(1, "a system of systems"), (2, "system by system"), (3, "sytem")])
    assert [titles.count(word) for word in ("system", "sytem", "stem")] == [2, 1, 0]


@pytest.fixture
def path() -> Path:
    """Return a key that no other test uses."""
    return Path(f"/nowhere/{time.monotonic_ns()}.db")


FIRST = Identity(1, 1, 1, 1)


def test_titles_of_loads_once_for_concurrent_callers(path: Path) -> None:
    loads = 0

    def read() -> Iterator[tuple[int, str]]:
        nonlocal loads
        loads += 1
        time.sleep(0.05)  # the others come while it is loading
        yield 1, "Lamp"

    found: list[Titles] = []
    threads = [
        threading.Thread(target=lambda: found.append(titles_of(path, FIRST, read)))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert loads == 1
    assert len({id(titles) for titles in found}) == 1
    assert (path, True) in comparison._ENTRIES


def test_titles_of_tries_a_failed_load_again(path: Path) -> None:
    def fail() -> Iterator[tuple[int, str]]:
        raise OSError("disk gone")

    with pytest.raises(OSError, match="disk gone"):
        titles_of(path, FIRST, fail)
    assert titles_of(path, FIRST, lambda: [(1, "Lamp")]).search("lamp", 1).found


def test_titles_of_reads_only_a_replaced_file_again(path: Path) -> None:
    titles_of(path, FIRST, lambda: [(1, "Lamp")])
    assert titles_of(path, FIRST, lambda: [(1, "Tree")]).search("lamp", 1).found
    assert titles_of(path, Identity(1, 2, 1, 1), lambda: [(1, "Tree")]).search("tree", 1).found
