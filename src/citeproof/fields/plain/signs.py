"""Signs: names of what speaks for or against a reading, and what they weigh together."""

from __future__ import annotations

from itertools import repeat
from typing import TYPE_CHECKING

from citeproof.fields.plain.weights import WEIGHTS

if TYPE_CHECKING:
    from collections.abc import Iterable

_WEIGHT, _NOTHING = WEIGHTS.get, repeat(0.0)


def weight_of(signs: Iterable[str]) -> float:
    """Return how much ``signs`` weigh together; a sign without a weight says nothing."""
    return sum(map(_WEIGHT, signs, _NOTHING))
