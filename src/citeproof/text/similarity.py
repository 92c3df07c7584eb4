"""How alike two titles are."""

from __future__ import annotations

from rapidfuzz.distance import Indel


def similarity(title: str, other: str) -> float:
    """Return the normalised Indel similarity of two *normalised* titles, 0 to 1.

    That is 2·LCS/(la+lb). The quotient is of integers and correctly rounded, so it compares
    exactly with a decimal threshold; ``score_cutoff`` would not (it loses scores equal to it).
    """
    total = len(title) + len(other)
    return (total - Indel.distance(title, other)) / total if total else 1.0
