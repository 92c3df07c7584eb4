"""Titles of every kind to search among, what is asked of them, and what comparing with every title
finds.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
from rapidfuzz import process
from rapidfuzz.distance import Indel

from citeproof.database.building.title_index import TitleIndexBuilder
from citeproof.database.title_index.mapped import TitleIndex
from citeproof.text.normalize import normalize_title

if TYPE_CHECKING:
    import random
    from pathlib import Path


ENGLISH = [
    "a",
    "of",
    "the",
    "for",
    "and",
    "in",
    "on",
    "with",
    "learning",
    "deep",
    "neural",
    "networks",
    "graph",
    "systems",
    "efficient",
    "approach",
    "analysis",
    "supervised",
    "unsupervised",
    "models",
    "data",
    "distributed",
    "towards",
    "using",
    "based",
    "method",
    "adaptive",
    "robust",
    "optimal",
    "control",
    "design",
    "parallel",
    "algorithms",
    "theory",
    "quantum",
    "logic",
    "programming",
    "retrieval",
    "language",
    "transformers",
    "attention",
    "is",
    "all",
    "you",
    "need",
    "convolutional",
    "recognition",
    "image",
    "segmentation",
    "detection",
    "wireless",
    "sensor",
    "mobile",
    "security",
    "privacy",
    "protocol",
    "via",
]

OTHER_SCRIPTS = [
    "нейронные",
    "сети",
    "обучение",
    "神经网络",
    "深度学习",
    "δίκτυα",
    "شبكات",
    "네트워크",
    "𐍈𐍉𐍂",
    "𠀀𠀁",
]


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
    for _ in range(
        rng.choice([0, 1, 1, 2, 3, max(1, len(letters) // 20), max(1, len(letters) // 9)])
    ):
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


def expected(
    titles: list[str], query: str, k: int, threshold: Fraction
) -> list[tuple[Fraction, str]]:
    """Compare with every title, in fractions."""
    distances = process.cdist([query], titles, scorer=Indel.distance, dtype=np.uint32)[0].astype(
        np.int64
    )
    totals = [len(query) + len(title) or 1 for title in titles]
    limits = {total: int((1 - threshold) * total) for total in set(totals)}
    near = np.flatnonzero(distances <= [limits[total] for total in totals])
    reached = sorted((Fraction(int(distances[n]), totals[n]), titles[n]) for n in near)
    return [entry for entry in reached if entry[0] <= reached[min(k, len(reached)) - 1][0]]


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
            return normalize_title(
                " ".join(rng.choices(ENGLISH + OTHER_SCRIPTS, k=rng.randint(1, 12)))
            )
        return "".join(rng.choices("abx1 ", k=rng.randint(0, 5))).strip()
