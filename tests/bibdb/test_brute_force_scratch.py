"""Comparing with every title, whether all are in memory or most in a scratch file."""

from __future__ import annotations

import random

import pytest
from rapidfuzz import fuzz

from citeproof.bibdb import brute_force
from citeproof.bibdb.brute_force import Titles

WORDS = ["lamp", "tree", "glass", "heap", "нить", "神经", "of", "light", "sorting", "paper"]


@pytest.fixture(params=["in memory", "in a scratch file"])
def titles(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, str]]:
    monkeypatch.setattr(brute_force, "CHUNK_TITLES", 64)
    monkeypatch.setattr(brute_force, "CHUNKS_IN_MEMORY", 100 if request.param == "in memory" else 2)
    rng = random.Random(9)
    return [(3 * number, " ".join(rng.choices(WORDS, k=rng.randint(0, 6)))) for number in range(1000)]


def test_every_title_is_compared(titles: list[tuple[int, str]]) -> None:
    searched = Titles(titles)
    held = [(number, title) for number, title in titles if title]
    for query in ["lamp tree of light", "paper heap", "нить神经", "nothing like it", "sorting glass of of paper x"]:
        expected = {number for number, title in held if fuzz.ratio(query, title) >= 80}
        matches = searched.search(query, 0.8)
        assert {match.record_id for match in matches.found} == expected
        assert (matches.examined, matches.complete) == (len(held), True)


def test_a_miss_names_the_nearest(titles: list[tuple[int, str]]) -> None:
    query = "lamp trees of daylight"
    matches = Titles(titles).search(query, 0.99)
    assert not matches.found
    assert matches.nearest
    assert matches.nearest.similarity == pytest.approx(max(fuzz.ratio(query, title) for _, title in titles) / 100)


def test_no_titles_are_no_obstacle() -> None:
    matches = Titles([(1, "..."), (2, "")]).search("lamp", 0.9)
    assert (matches.found, matches.nearest, matches.examined, matches.complete) == ((), None, 0, True)
