"""Where the weights of ``readers/strings/weights.json`` come from.

    python -m tests.accuracy.reading_weights DATABASE --write

reads all labelled strings and records of the database, printed in everyday shapes, in every way. It
finds the weights that make the right readings the most likely ones, and writes the file. With
``--cross`` it fits on two thirds of the labelled strings and says how many titles of the last third
are right, three times; and how many of works in the shapes that were not fitted on.

A reading's likelihood is the softmax of its score over all readings of its string; what is
maximised is the likelihood of the right ones, less a penalty on large weights. Adam (Kingma and Ba,
2015) with its usual constants does it in 150 steps.
"""

from __future__ import annotations

import json
import random
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from citeproof.database.lookup import Database
from citeproof.readers.strings import candidates
from tests.accuracy import reference_strings as strings
from tests.accuracy import shapes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from citeproof.readers.strings import StringReading

WORKS, HELD_OUT = 4500, 600
"""How many works are printed for the fit, and how many before them are not: the gate reads
those.
"""
TIMES, UNTITLED_TIMES, EVERYDAY_TIMES = 2, 4, 2
"""How often a labelled string counts in the fit, one without a title, and a work printed in a shape
of papers.
"""
PENALTY = 0.3
STEPS = 150
LEAST = 0.05
"""Minimum weight, above or below 0, of a feature that is kept."""
FILE = Path(__file__).parents[2] / "src/citeproof/readers/strings/weights.json"
RATE = 0.15


@dataclass(frozen=True, slots=True)
class Case:
    """All readings of one string: their features, and which of them are right."""

    features: tuple[tuple[str, ...], ...]
    right: tuple[bool, ...]


def case_of(row: strings.Row) -> Case:
    """Return the readings of a labelled string; of those with the right title, the ones with the
    right people count.
    """
    found = candidates(row["raw"])
    marks = [_mark(row, reading) for reading, _ in found]
    best = max(marks)
    return Case(tuple(features for _, features in found), tuple(mark == best > 0 for mark in marks))


def _mark(row: strings.Row, reading: StringReading) -> int:
    right = (
        strings.title_is_right(row, reading.title)
        if row["title"] is not None
        else not reading.title
    )
    if not right or not row["authors"]:
        return int(right)
    if not strings.author_is_right(row, reading):
        return 1
    return 3 if len(reading.authors) == len(row["authors"]) else 2


def fitted(cases: Sequence[Case]) -> dict[str, float]:
    """Return the weight of each feature."""
    usable = [case for case in cases if any(case.right)]
    names: dict[str, int] = {}
    entries: list[tuple[int, int, int]] = []
    groups: list[int] = []
    for number, case in enumerate(usable):
        for features in case.features:
            for feature, count in Counter(features).items():
                entries.append((len(groups), names.setdefault(feature, len(names)), count))
            groups.append(number)
    rows, columns, counts = np.array(entries).T
    group, right = np.array(groups), np.array([flag for case in usable for flag in case.right])
    first = np.flatnonzero(np.r_[True, group[1:] != group[:-1]])
    weights, mean, square = (np.zeros(len(names)) for _ in range(3))
    for step in range(1, STEPS + 1):
        score = np.bincount(rows, weights=counts * weights[columns], minlength=len(group))
        likely = np.exp(score - np.maximum.reduceat(score, first)[group])
        wanted = likely * right
        pull = (
            likely / np.add.reduceat(likely, first)[group]
            - wanted / np.add.reduceat(wanted, first)[group]
        )
        slope = (
            np.bincount(columns, weights=counts * pull[rows], minlength=len(names))
            + PENALTY * weights
        )
        slope /= len(usable)
        mean = 0.9 * mean + 0.1 * slope
        square = 0.999 * square + 0.001 * slope**2
        weights -= RATE * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
    return {name: round(float(weights[place]), 2) for name, place in sorted(names.items())}


def _times(row: strings.Row) -> int:
    """Return how often a labelled string counts; 0 if its title is not labelled."""
    if row["title"] is not None:
        return TIMES
    return UNTITLED_TIMES if strings.has_no_title(row) else 0


def right_titles(weights: dict[str, float], cases: Sequence[Case]) -> float:
    """Return the share of strings whose best reading is right."""
    hits = 0
    for case in cases:
        scores = [
            sum(weights.get(feature, 0.0) for feature in features) for features in case.features
        ]
        hits += case.right[scores.index(max(scores))]
    return hits / len(cases)


def main() -> None:
    """Write the weights, or print how well they carry over."""
    labelled = strings.rows(strings.SHARED)
    cases = [(case_of(row), times) for row in labelled if (times := _times(row))]
    with Database.open(Path(sys.argv[1])) as database:
        works = shapes.works(database, HELD_OUT + WORKS)
    printed = [
        case
        for work in shapes.printed(works[HELD_OUT:])
        for case in [case_of(work.row)]
        * (1 if shapes.is_of_humanities(work.shape) else EVERYDAY_TIMES)
    ]
    if "--cross" in sys.argv:
        others = [case_of(work.row) for work in shapes.printed(works[:HELD_OUT])]
        random.Random(1).shuffle(cases)
        for third in range(3):
            used = [
                case
                for place, (case, times) in enumerate(cases)
                if place % 3 != third
                for _ in range(times)
            ]
            weights, left = fitted([*used, *printed]), [case for case, _ in cases[third::3]]
            print(
                f"labelled {right_titles(weights, left):.3f}, printed"
                f" {right_titles(weights, others):.3f}"
            )
        return
    used = [case for case, times in cases for _ in range(times)]
    weights = {
        name: weight for name, weight in fitted([*used, *printed]).items() if abs(weight) >= LEAST
    }
    if "--write" in sys.argv:
        FILE.write_text(json.dumps(weights, indent=0) + "\n")


if __name__ == "__main__":
    main()
