"""How alike two titles are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from rapidfuzz import process
from rapidfuzz.distance import Indel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


def similarity(title: str, other: str) -> float:
    """Return the normalised Indel similarity of two *normalised* titles, 0 to 1.

    That is 2·LCS/(la+lb). The quotient is of integers and correctly rounded, so it compares
    exactly with a decimal threshold; ``score_cutoff`` would not (it loses scores equal to it).
    """
    total = len(title) + len(other)
    return (total - Indel.distance(title, other)) / total if total else 1.0


def similarities(title: str, others: Sequence[str]) -> NDArray[np.float64]:
    """Return the :func:`similarity` of ``title`` and each of ``others``, exactly as it is for one of them."""
    totals = np.fromiter(map(len, others), np.int64, len(others)) + len(title)
    distances = process.cdist((title,), others, scorer=Indel.distance, dtype=np.int64)[0]
    alike: NDArray[np.float64] = np.where(totals > 0, (totals - distances) / np.maximum(totals, 1), 1.0)
    return alike
