"""The search returns what comparing with every title returns: thousands of generated queries a run."""

import random
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from rapidfuzz import fuzz, process
from rapidfuzz.distance import Indel

from citeproof.bibdb.title_index.build import TitleIndexBuilder
from citeproof.bibdb.title_index.mapped import TitleIndex
from citeproof.bibdb.title_index.search import Answer, best, top
from citeproof.text.normalize import normalize_title

THRESHOLDS = (0.5, 0.55, 0.6, 2 / 3, 0.7, 0.75, 0.8, 0.85, 0.9, 0.9, 0.9, 0.93, 0.95, 0.97, 0.99, 1.0)

# fmt: off
ENGLISH = [
    "a", "of", "the", "for", "and", "in", "on", "with", "learning", "deep", "neural", "networks", "graph",
    "systems", "efficient", "approach", "analysis", "supervised", "unsupervised", "models", "data", "distributed",
    "towards", "using", "based", "method", "adaptive", "robust", "optimal", "control", "design", "parallel",
    "algorithms", "theory", "quantum", "logic", "programming", "retrieval", "language", "transformers", "attention",
    "is", "all", "you", "need", "convolutional", "recognition", "image", "segmentation", "detection", "wireless",
    "sensor", "mobile", "security", "privacy", "protocol", "via",
]
# fmt: on
OTHER_SCRIPTS = ["нейронные", "сети", "обучение", "神经网络", "深度学习", "δίκτυα", "شبكات", "네트워크", "𐍈𐍉𐍂", "𠀀𠀁"]


def write_index(path: Path, titles: list[str]) -> TitleIndex:
    with TitleIndexBuilder(path, memory=4096) as builder:
        for number, title in enumerate(titles, 1):
            builder.add(number, title)
        builder.finish({})
    return TitleIndex(path)


def make_titles(rng: random.Random) -> list[str]:
    titles = []
    for _ in range(900):
        words = rng.choices(ENGLISH, k=rng.randint(1, 14))
        if rng.random() < 0.1:
            words[rng.randrange(len(words))] = rng.choice(OTHER_SCRIPTS)
        titles.append(" ".join(words).capitalize() + rng.choice([".", "", "!"]))
    titles += [" ".join(rng.choices(OTHER_SCRIPTS, k=rng.randint(1, 6))) for _ in range(80)]
    titles += ["".join(rng.choices("abx1", k=rng.randint(1, 6))) for _ in range(120)]
    titles += [" ".join([rng.choice(ENGLISH)] * rng.randint(2, 12)) for _ in range(60)]
    titles += [" ".join(rng.choices(ENGLISH, k=500))[:3000] for _ in range(4)]
    titles += ["x" * 3000, "x" * 2999, "ab" * 1500, "!?", "...", "", "C++", "C#", "C"]
    titles += [title.upper().replace(" ", "  -- ") for title in rng.sample(titles, 60)]
    return titles


def damage(rng: random.Random, title: str) -> str:
    letters = list(title)
    for _ in range(rng.choice([0, 1, 1, 2, 3, max(1, len(letters) // 20), max(1, len(letters) // 9)])):
        place = rng.randrange(len(letters) + 1)
        kind = rng.randrange(4)
        if kind == 0 and letters:
            del letters[place - 1]
        elif kind == 1:
            letters.insert(place, rng.choice("abcdefghijklmnopqrstuvwxyz 019яд深𐍈"))
        elif kind == 2 and letters:
            letters[place - 1] = rng.choice("abcdefghijklmnopqrstuvwxyz 019яд深𐍈")
        else:
            words = "".join(letters).split()
            rng.shuffle(words)
            letters = list(" ".join(words[: rng.choice([len(words), len(words) - 1 or 1])]))
    return normalize_title("".join(letters))


def expected(titles: list[str], query: str, k: int, threshold: Fraction) -> list[tuple[Fraction, str]]:
    """Compare with every title, in fractions."""
    distances = process.cdist([query], titles, scorer=Indel.distance, dtype=np.uint32)[0].astype(np.int64)
    totals = [len(query) + len(title) or 1 for title in titles]
    limits = {total: int((1 - threshold) * total) for total in set(totals)}
    near = np.flatnonzero(distances <= [limits[total] for total in totals])
    reached = sorted((Fraction(int(distances[n]), totals[n]), titles[n]) for n in near)
    return [entry for entry in reached if entry[0] <= reached[min(k, len(reached)) - 1][0]]


def found(answer: Answer) -> list[tuple[Fraction, str]]:
    return [(match.difference, match.text) for match in answer.matches]


class Titles:
    """Titles with their index, and the distinct normalised titles to compare with."""

    def __init__(self, path: Path, rng: random.Random) -> None:
        raw = make_titles(rng)
        self.index = write_index(path, raw)
        self.distinct = sorted({normalize_title(title) for title in raw})

    def query(self, rng: random.Random) -> str:
        kind = rng.random()
        if kind < 0.8:
            return damage(rng, rng.choice(self.distinct))
        if kind < 0.9:
            return normalize_title(" ".join(rng.choices(ENGLISH + OTHER_SCRIPTS, k=rng.randint(1, 12))))
        return "".join(rng.choices("abx1 ", k=rng.randint(0, 5))).strip()


@pytest.fixture(scope="module", params=range(3))
def titles(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Titles:
    return Titles(tmp_path_factory.mktemp("titles") / "x.titles", random.Random(request.param))


def test_best_is_what_comparing_with_every_title_finds(titles: Titles) -> None:
    rng = random.Random(1)
    misses = 0
    for _ in range(800):
        query, threshold = titles.query(rng), rng.choice(THRESHOLDS)
        answer = best(titles.index, query, threshold)
        assert found(answer) == expected(titles.distinct, query, 1, Fraction(str(threshold))), (query, threshold)
        assert answer.complete
        misses += not answer.matches
    assert 80 < misses < 700


def test_top_is_what_comparing_with_every_title_finds(titles: Titles) -> None:
    rng = random.Random(2)
    for _ in range(150):
        query, threshold, k = titles.query(rng), rng.choice(THRESHOLDS), rng.randint(1, 12)
        answer = top(titles.index, query, k, threshold)
        assert found(answer) == expected(titles.distinct, query, k, Fraction(str(threshold))), (query, threshold, k)


def test_similarities_equal_to_the_threshold_count_and_those_just_below_do_not(titles: Titles) -> None:
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


def test_a_float_cutoff_would_lose_this_one(write: Callable[[list[str]], TitleIndex]) -> None:
    index = write(["1b"])
    assert best(index, "h1b", 0.8).matches[0].similarity == 0.8


def test_titles_that_tie_for_best_all_come_back(write: Callable[[list[str]], TitleIndex]) -> None:
    index = write(["deep learning x", "deep learning y", "deep learning z", "deep earning"])
    assert [match.text for match in best(index, "deep learning q", 0.8).matches] == [
        "deep learning x",
        "deep learning y",
        "deep learning z",
    ]


def test_records_with_one_normalised_title_share_it(write: Callable[[list[str]], TitleIndex]) -> None:
    index = write(["Deep Learning", "other", "deep-learning.", "DEEP LEARNING"])
    (match,) = best(index, "deep learning", 0.9).matches
    assert index.record_ids(match.title) == (1, 3, 4)


def test_an_index_without_titles_proves_every_miss(write: Callable[[list[str]], TitleIndex]) -> None:
    index = write([])
    assert best(index, "deep learning", 0.5) == Answer((), 0, complete=True)
    assert best(index, "", 0.5) == Answer((), 0, complete=True)


def test_an_empty_query_equals_only_titles_without_letters(write: Callable[[list[str]], TitleIndex]) -> None:
    index = write(["...", "a", "!"])
    (match,) = best(index, "", 0.9).matches
    assert (match.similarity, index.record_ids(match.title)) == (1.0, (1, 3))


def test_a_cut_search_is_not_complete(write: Callable[[list[str]], TitleIndex]) -> None:
    index = write([f"deep learning {letter}" for letter in "abcdefgh"])
    cut = best(index, "deep learning q", 0.8, max_candidates=5)
    assert (cut.complete, cut.examined) == (False, 5)
    whole = best(index, "deep learning q", 0.8, max_candidates=8)
    assert (whole.complete, whole.examined, len(whole.matches)) == (True, 8, 8)


@pytest.mark.parametrize(("k", "threshold"), [(0, 0.9), (1, 1.1), (1, -0.1)])
def test_what_cannot_be_asked_is_refused(write: Callable[[list[str]], TitleIndex], k: int, threshold: float) -> None:
    with pytest.raises(ValueError, match="must be"):
        top(write(["a"]), "a", k, threshold)
