"""Greek letters and signs by their names: λ is written "lambda", ∞ "infinity", ℓ "l" as often as by the sign.

Titles are not stored so: this is for comparing two that differ, where either may have the sign.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from citeproof.text.normalize import normalize_title, plain_text

_GREEK = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau upsilon"
_LAST_GREEK = "phi chi psi omega"
_NAMES = dict(zip("αβγδεζηθικλμνξοπρστυ", _GREEK.split(), strict=True))
_NAMES |= dict(zip("φχψω", _LAST_GREEK.split(), strict=True)) | {"ς": "sigma"}
_NAMES |= {
    "∞": "infinity",
    "√": "sqrt",
    "∀": "forall",
    "∃": "exists",
    "∇": "nabla",
    "%": "percent",
    "→": "to",
    "≤": "leq",
    "≥": "geq",
}
_TABLE = str.maketrans({sign: f" {name} " for sign, name in _NAMES.items()})
_OTHER_NAMES = {"infty": "infinity", "lamda": "lambda", "varepsilon": "epsilon", "eps": "epsilon", "ell": "l"}


@lru_cache(maxsize=4096)
def words_spelled_out(title: str) -> tuple[str, ...]:
    """Return the normalised words of ``title`` with the names of its Greek letters and signs in their place.

    ``λ-calculus`` and ``lambda calculus`` both give ``lambda calculus``, ``$\\ell_1$`` and ``L1`` give ``l 1``, ``l1``.
    """
    text = unicodedata.normalize("NFKC", plain_text(title)).casefold().translate(_TABLE)
    return tuple(_OTHER_NAMES.get(word, word) for word in normalize_title(text).split())
