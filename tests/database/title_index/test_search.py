"""The search returns what comparing with every title returns: thousands of generated queries a
run.
"""

import random
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest
from rapidfuzz import fuzz, process

from citeproof.database.title_index.mapped import TitleIndex
from citeproof.database.title_index.search import TitleMatches, exact, from_above, top
from tests.database.title_index.titles import Titles, expected, write_index

THRESHOLDS = (
    0.5,
    0.55,
    0.6,
    2 / 3,
    0.7,
    0.75,
    0.8,
    0.85,
    0.9,
    0.9,
    0.9,
    0.93,
    0.95,
    0.97,
    0.99,
    1.0,
)


def best(
    index: TitleIndex, query: str, threshold: float, max_candidates: int | None = None
) -> TitleMatches:
    return top(index, query, 1, threshold, max_candidates)


def found(answer: TitleMatches) -> list[tuple[Fraction, str]]:
    return [(match.difference, match.text) for match in answer.matches]


@pytest.fixture(scope="module", params=range(3))
def titles(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Titles:
    return Titles(tmp_path_factory.mktemp("titles") / "x.titles", random.Random(request.param))


def test_top_of_one_is_what_comparing_with_every_title_finds(titles: Titles) -> None:
    rng = random.Random(1)
    misses = 0
    for _ in range(800):
        query, threshold = titles.query(rng), rng.choice(THRESHOLDS)
        answer = best(titles.index, query, threshold)
        assert found(answer) == expected(titles.distinct, query, 1, Fraction(str(threshold))), (
            query,
            threshold,
        )
        assert answer.complete
        misses += not answer.matches
    assert 80 < misses < 700


def test_exact_an_exact_title_is_found_without_a_search(titles: Titles) -> None:
    for query in titles.distinct[:50]:
        assert exact(titles.index, query) == best(titles.index, query, 0.5)
    assert exact(titles.index, "no title of the index is this one") is None


def test_top_is_what_comparing_with_every_title_finds(titles: Titles) -> None:
    rng = random.Random(2)
    for _ in range(150):
        query, threshold, k = titles.query(rng), rng.choice(THRESHOLDS), rng.randint(1, 12)
        answer = top(titles.index, query, k, threshold)
        assert found(answer) == expected(titles.distinct, query, k, Fraction(str(threshold))), (
            query,
            threshold,
            k,
        )


def test_top_similarities_equal_to_the_threshold_count_and_those_just_below_do_not(
    titles: Titles,
) -> None:
    rng = random.Random(3)
    exact = 0
    for _ in range(250):
        query = titles.query(rng)
        nearest = best(titles.index, query, 0.5).matches
        if not nearest:
            continue
        similarity = 1 - nearest[0].difference
        just_above = min(1.0, float(f"{float(similarity) + 1e-9:.9f}"))
        assert found(best(titles.index, query, just_above)) == expected(
            titles.distinct, query, 1, Fraction(str(just_above))
        )
        if Fraction(str(float(similarity))) == similarity:
            exact += 1
            assert best(titles.index, query, float(similarity)).matches == nearest
    assert exact > 50


def test_similarity_is_the_ratio_of_rapidfuzz(titles: Titles) -> None:
    rng = random.Random(4)
    for _ in range(100):
        query = titles.query(rng)
        answer = best(titles.index, query, 0.6)
        one = process.extractOne(query, titles.distinct, scorer=fuzz.ratio)
        assert one is not None
        if answer.matches:
            assert answer.matches[0].similarity == pytest.approx(one[1] / 100, abs=1e-12)
        else:
            assert one[1] < 60


@pytest.fixture
def write(tmp_path: Path) -> Callable[[list[str]], TitleIndex]:
    return lambda titles: write_index(tmp_path / "x.titles", titles)


def test_top_a_float_cutoff_would_lose_this_one(write: Callable[[list[str]], TitleIndex]) -> None:
    index = write(["1b"])
    assert best(index, "h1b", 0.8).matches[0].similarity == 0.8


def test_titles_that_tie_for_best_all_come_back(write: Callable[[list[str]], TitleIndex]) -> None:
    index = write(["deep learning x", "deep learning y", "deep learning z", "deep earning"])
    assert [match.text for match in best(index, "deep learning q", 0.8).matches] == [
        "deep learning x",
        "deep learning y",
        "deep learning z",
    ]


def test_top_records_with_one_normalised_title_share_it(
    write: Callable[[list[str]], TitleIndex],
) -> None:
    index = write(["Deep Learning", "other", "deep-learning.", "DEEP LEARNING"])
    (match,) = best(index, "deep learning", 0.9).matches
    assert index.record_ids(match.title) == (1, 3, 4)


def test_top_an_index_without_titles_proves_every_miss(
    write: Callable[[list[str]], TitleIndex],
) -> None:
    index = write([])
    assert best(index, "deep learning", 0.5) == TitleMatches((), 0, complete=True)
    assert best(index, "", 0.5) == TitleMatches((), 0, complete=True)


def test_top_an_empty_query_equals_only_titles_without_letters(
    write: Callable[[list[str]], TitleIndex],
) -> None:
    index = write(["...", "a", "!"])
    (match,) = best(index, "", 0.9).matches
    assert (match.similarity, index.record_ids(match.title)) == (1.0, (1, 3))


def test_top_a_cut_search_is_not_complete(write: Callable[[list[str]], TitleIndex]) -> None:
    index = write([f"deep learning {letter}" for letter in "abcdefgh"])
    cut = best(index, "deep learning q", 0.8, max_candidates=5)
    assert (cut.complete, cut.examined) == (False, 5)
    whole = best(index, "deep learning q", 0.8, max_candidates=8)
    assert (whole.complete, whole.examined, len(whole.matches)) == (True, 8, 8)


def test_the_only_candidate_is_the_most_similar_title(titles: Titles) -> None:
    rng = random.Random(5)
    several = 0
    for _ in range(200):
        query, threshold = titles.query(rng), rng.choice((0.7, 0.8, 0.9))
        every = expected(titles.distinct, query, 1, Fraction(str(threshold)))
        for answer in (
            best(titles.index, query, threshold, max_candidates=1),
            from_above(titles.index, query, threshold, 1, every=False),
        ):
            assert found(answer) == every[:1], (query, threshold)
            assert answer.examined <= 1
        several += not answer.complete
    assert several > 30


@pytest.mark.parametrize(("k", "threshold"), [(0, 0.9), (1, 1.1), (1, -0.1)])
def test_top_what_cannot_be_asked_is_refused(
    write: Callable[[list[str]], TitleIndex], k: int, threshold: float
) -> None:
    with pytest.raises(ValueError, match="must be"):
        top(write(["a"]), "a", k, threshold)
