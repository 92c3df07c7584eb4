"""Signs are named features for or against a reading of a reference string; this module adds their weights.

``weights.json`` has the weights, which ``python -m tests.accuracy.reading_weights DATABASE --write`` fits to labelled
and printed strings. Weights are added as integers in hundredths, so that sums do not depend on the order and ties keep
the order of proposal.
"""

import json
from collections.abc import Iterable
from importlib.resources import files
from itertools import repeat

_FITTED: dict[str, float] = json.loads(files("citeproof.readers.strings").joinpath("weights.json").read_text("utf-8"))
_RULES = {"stop:ordinal": 6.0, "weak:ordinal": 5.0, "bracketed:ordinal>.": 4.0, "bracketed:ordinal>,": 4.0}
_RULES |= {"stop:house_edition": 6.0, "stop:place_house": 3.0, "weak:in_printed": 10.0, "has:ends_in_date": -5.0}
"""Weights that replace the fitted ones, for signs that are too rare in the labelled strings to be fitted."""
_HUNDREDTHS = {sign: round(100 * weight) for sign, weight in (_FITTED | _RULES).items()}
_WEIGHT, _NOTHING = _HUNDREDTHS.get, repeat(0)


def weight_of(signs: Iterable[str]) -> int:
    """Return the sum of the weights of ``signs``, in hundredths; an unknown sign counts 0."""
    return sum(map(_WEIGHT, signs, _NOTHING))
