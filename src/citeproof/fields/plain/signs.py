"""Signs: names of what speaks for or against a reading, and what they weigh together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from citeproof.fields.plain.weights import WEIGHTS

if TYPE_CHECKING:
    from collections.abc import Iterable


def weight_of(signs: Iterable[str]) -> float:
    """Return how much ``signs`` weigh together; a sign without a weight says nothing."""
    return sum([WEIGHTS.get(sign, 0.0) for sign in signs])
