"""Titles are ruled out by their beginnings, and none that is within its limit is lost by it."""

import random
from fractions import Fraction

import numpy as np
import pytest
from numpy.typing import NDArray
from rapidfuzz.distance import Indel

from citeproof.database.title_index import search
from citeproof.database.title_index.search import distances
from tests.database.title_index.titles import Titles


@pytest.fixture(scope="module")
def titles(tmp_path_factory: pytest.TempPathFactory) -> Titles:
    return Titles(tmp_path_factory.mktemp("titles") / "x.titles", random.Random(31))


@pytest.mark.parametrize(("many", "beginning"), [(1, 40), (1, 3), (10_000, 40)])
def test_distances_a_title_within_its_limit_has_its_distance_and_any_other_more(
    titles: Titles, monkeypatch: pytest.MonkeyPatch, many: int, beginning: int
) -> None:
    monkeypatch.setattr(search, "_MANY_BEGINNINGS", many)
    monkeypatch.setattr(search, "_BEGINNING", beginning)
    rng = random.Random(32)
    texts = list(map(titles.index.normalized, range(len(titles.index))))
    within = 0
    for _ in range(60):
        query, difference = titles.query(rng), Fraction(rng.randint(3, 45), 100)
        numbers, lengths, limits = near(texts, query, difference)
        if not len(numbers):
            continue
        found = distances(titles.index, query, numbers, lengths, limits).tolist()
        for number, distance, limit in zip(numbers.tolist(), found, limits.tolist(), strict=True):
            true = Indel.distance(query, texts[number])
            assert distance == true if true <= limit else distance > limit
            within += true <= limit
    assert within > 100


def test_titles_of_other_words_are_ruled_out_by_their_beginnings(
    titles: Titles, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    read = titles.index.texts

    def counted(some: NDArray[np.int64], most: int | None = None) -> list[str]:
        asked.append(0 if most else len(some))
        return read(some, most)

    monkeypatch.setattr(search, "_MANY_BEGINNINGS", 100)
    monkeypatch.setattr(titles.index, "texts", counted)
    texts = list(map(titles.index.normalized, range(len(titles.index))))
    query = max((text for text in texts if len(text) < 90), key=len)
    numbers, lengths, limits = near(texts, query, Fraction(13, 100))
    found = distances(titles.index, query, numbers, lengths, limits)
    assert len(numbers) >= 100
    assert (found <= limits).any()
    assert 0 < sum(asked) < len(numbers) / 5


def near(texts: list[str], query: str, difference: Fraction) -> tuple[NDArray[np.int64], ...]:
    """Return the titles whose lengths are in reach, with their lengths and limits."""
    lengths = np.array(list(map(len, texts)))
    limits = np.array([int(difference * (len(query) + length)) for length in lengths.tolist()])
    (numbers,) = (np.abs(lengths - len(query)) <= limits).nonzero()
    return numbers, lengths[numbers], limits[numbers]
