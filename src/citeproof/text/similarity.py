"""Measure the similarity of titles, and find the words that differ."""

from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from itertools import groupby
from operator import itemgetter
from typing import Any

import numpy as np
from rapidfuzz import process
from rapidfuzz.distance import Indel

from citeproof.text.normalize import normalize_title
from citeproof.text.spelling import is_typo


def differing_words(
    cited: str, recorded: str
) -> tuple[list[tuple[str, bool]], list[tuple[str, bool]]]:
    """Return the words of ``cited`` and the words of ``recorded`` in order. Each word is in a pair
    with True if the other text lacks the word at this position.

    Case, accents and punctuation are ignored. Example: ``On Sheep`` and ``on goats`` give
    ``([("On", False), ("Sheep", True)], [("on", False), ("goats", True)])``.
    """
    left, right = cited.split(), recorded.split()
    matcher = SequenceMatcher(
        None, [normalize_title(w) for w in left], [normalize_title(w) for w in right], False
    )
    ours, theirs = [(word, True) for word in left], [(word, True) for word in right]
    for start, other, length in matcher.get_matching_blocks():
        ours[start : start + length] = [(word, False) for word in left[start : start + length]]
        theirs[other : other + length] = [(word, False) for word in right[other : other + length]]
    return ours, theirs


def differ_in_words(title: str, other: str) -> bool:
    """Return whether two titles differ by more than typing errors.

    Case, accents, punctuation and spaces are ignored: ``pre-training`` and ``Pretraining`` are
    equal. A typing error is one wrong letter in a word of five letters or more.
    """
    one, two = normalize_title(title).split(), normalize_title(other).split()
    if "".join(one) == "".join(two):
        return False
    if len(one) != len(two):
        return True
    return not all(
        ours == theirs or is_typo(ours, theirs) for ours, theirs in zip(one, two, strict=True)
    )


def similarity(title: str, other: str) -> float:
    """Return the similarity of two normalised titles, a number from 0 to 1. Equal titles have the
    similarity 1.

    This is the Indel similarity: 2 · length of the longest common subsequence / sum of the lengths.
    The quotient is the floating-point number nearest to the exact value, like a threshold that is
    read from text, so a similarity of exactly 0.9 is equal to the threshold 0.9. The option
    ``score_cutoff`` of rapidfuzz is not used, because it drops results that are equal to the
    threshold.
    """
    total = len(title) + len(other)
    return (total - Indel.distance(title, other)) / total if total else 1.0


def similarities(title: str, others: Sequence[str]) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return the :func:`similarity` of ``title`` to each title in ``others``, as an array in the
    order of ``others``. All titles must be normalised.
    """
    totals = np.fromiter(map(len, others), np.int64, len(others)) + len(title)
    distances = process.cdist((title,), others, scorer=Indel.distance, dtype=np.int64)[0]
    return np.where(totals > 0, (totals - distances) / np.maximum(totals, 1), 1.0)


def runs(words: Iterable[tuple[str, bool]]) -> list[tuple[str, bool]]:
    """Join consecutive words with the same flag: ``[("a", True), ("b", True)]`` becomes ``[("a b",
    True)]``.
    """
    return [
        (" ".join(word for word, _ in run), differs)
        for differs, run in groupby(words, key=itemgetter(1))
    ]
