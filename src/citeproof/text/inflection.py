"""Spellings of one English word: plural and singular, British and American, figure and numeral."""

from __future__ import annotations

import re
from functools import lru_cache

_ENDINGS = (
    (re.compile(r"(?<=[a-z]{3})is(e|ed|es|er|ers|ing|ation|ations|ational|able)$"), r"iz\1"),
    (re.compile(r"(?<=[a-z]{2})ys(e|ed|es|er|ers|ing)$"), r"yz\1"),
    (re.compile(r"(?<=[a-z]{2})our(s|ed|ing|al|able|ful|less|hood|ally|ist|ite|ites|ism)?$"), r"or\1"),
    (re.compile(r"(?<=[a-z]{2})tre(s|d)?$"), r"ter\1"),
    (re.compile(r"(?<=[a-z]{2})ogue(s)?$"), r"og\1"),
    (re.compile(r"(?<=[a-z]{2})ll(ed|ing|er|ers)$"), r"l\1"),
    (re.compile(r"(?<=[a-z]{2})mme(s)?$"), r"m\1"),
    (re.compile(r"(?<=[a-z]{3})ence(s)?$"), r"ense\1"),
    (re.compile(r"(?<=[a-z]{2})ement(s)?$"), r"ment\1"),
    (re.compile(r"wards$"), r"ward"),
)
"""Systematic differences between British and American spelling, written to the American form."""
_MAYBE_BRITISH = re.compile(r"is|ys|our|tre|ogue|ll|mme|ence|ement|wards")
"""What a word holds that one of :data:`_ENDINGS` changes."""

_WORDS = {
    "grey": "gray", "gaol": "jail", "aluminium": "aluminum", "sceptic": "skeptic", "artefact": "artifact",
    "mould": "mold", "plough": "plow", "tyre": "tire", "cheque": "check", "ageing": "aging", "modelled": "modeled",
    "data": "datum", "criteria": "criterion", "phenomena": "phenomenon", "indices": "index", "indexes": "index",
    "matrices": "matrix", "vertices": "vertex", "axes": "axis", "analyses": "analysis", "hypotheses": "hypothesis",
    "corpora": "corpus", "schemata": "schema", "automata": "automaton", "formulae": "formula", "media": "medium",
    "spectra": "spectrum", "maxima": "maximum", "minima": "minimum", "optima": "optimum", "children": "child",
    "people": "person", "women": "woman", "men": "man", "mice": "mouse", "lattices": "lattice", "bases": "basis",
    "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8",
    "nine": "9", "ten": "10", "first": "1st", "second": "2nd", "third": "3rd", "ii": "2", "iii": "3", "iv": "4",
    "vi": "6", "vii": "7", "viii": "8", "ix": "9", "versus": "vs", "gray": "gray", "tv": "television",
}  # fmt: skip

_MASS_LIST = "learning training reasoning research information knowledge software hardware evidence equipment"
_MASS_NOUNS = frozenset(f"{noun}s" for noun in _MASS_LIST.split())
"""Plurals that do not exist, so that they are another word rather than an inflection."""


@lru_cache(maxsize=4096)
def lemma(word: str) -> str:
    """Return one spelling for all that :mod:`citeproof.text.inflection` holds to be one word in lower case."""
    word = _WORDS.get(word, word)
    if len(word) > 3 and word.isascii() and word.isalpha():
        word = _singular(word)
        for pattern, american in _ENDINGS if _MAYBE_BRITISH.search(word) else ():
            word = pattern.sub(american, word)
    return _WORDS.get(word, word)


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "zes")):
        return word[:-2]
    if word in _MASS_NOUNS:
        return word
    if word.endswith("ys") and word[-3] not in "aeiou":
        return word
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word
