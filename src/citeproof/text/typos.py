"""One typing error: the difference between a misspelt word and another word."""

from __future__ import annotations

from rapidfuzz.distance import OSA

_SHORTEST = 5
"""In shorter words one letter more often makes another word (``Wang``, ``Wong``) than a typo."""


def is_typo(word: str, other: str, shortest: int = _SHORTEST) -> bool:
    """Whether two words of at least ``shortest`` letters differ by one letter: changed, missing, doubled or swapped."""
    if min(len(word), len(other)) < shortest or abs(len(word) - len(other)) > 1:
        return False
    return bool(OSA.distance(word, other, score_cutoff=1) <= 1)
