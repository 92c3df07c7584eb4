"""Signs: names of what speaks for or against a reading, and what they weigh together.

Weights are added as whole hundredths: sums in any order are equal, so that readings that weigh the same stay in the
order in which they were proposed.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import repeat
from typing import TYPE_CHECKING

from citeproof.fields.plain.weights import WEIGHTS

if TYPE_CHECKING:
    from collections.abc import Iterable

_HUNDREDTHS = {sign: round(100 * weight) for sign, weight in WEIGHTS.items()}
_WEIGHT, _NOTHING = _HUNDREDTHS.get, repeat(0)


def weight_of(signs: Iterable[str]) -> int:
    """Return how much ``signs`` weigh together, in hundredths; a sign without a weight says nothing."""
    return sum(map(_WEIGHT, signs, _NOTHING))


@lru_cache(maxsize=4096)
def weight_together(signs: tuple[str, ...]) -> int:
    """Return the same of signs that often come together: it is remembered."""
    return weight_of(signs)
