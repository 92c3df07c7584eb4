"""Given names compared: initials, short forms, syllables and pet names stand for the whole.

All words are folded: lower case letters without marks.
"""

from __future__ import annotations

import re
from functools import lru_cache

from citeproof.text.nicknames import same_given_name
from citeproof.text.syllables import is_syllabic
from citeproof.text.typos import is_typo

_DIGRAPHS = re.compile(r"(?<=[aou])e(?![aeiou])|(?<=a)a")
_SHORT_FORM = 4
"""So many letters at least has the beginning of a name that stands for it: ``Alex``, ``Anima``."""
_FEMININE = frozenset({"a", "e", "ia", "ie", "ien", "ina", "ine", "ella", "elle", "ette", "ita", "le", "na"})
"""What makes another name of a man's: ``Daniela``, ``Stefanie``, ``Philippa``."""


@lru_cache(maxsize=8192)
def joined(words: tuple[str, ...]) -> str:
    """Return folded words as one, with ``ae``, ``oe``, ``ue`` and ``aa`` as one letter: Moeller is Möller."""
    whole = "".join(words)
    digraph = "ae" in whole or "oe" in whole or "ue" in whole or "aa" in whole
    return _DIGRAPHS.sub("", whole) if digraph else whole


def same_given(cited: tuple[str, ...], recorded: tuple[str, ...]) -> bool:
    """Whether given names may be one person's: each of the shorter list must stand for one of the longer, in order."""
    if not cited or not recorded:
        return True
    if len(cited) == len(recorded) == 1:
        return _is_one(cited[0], recorded[0])
    if len(cited) == len(recorded) and all(map(_shortens, cited, recorded)):
        return True
    if _subsequence(cited, recorded) or _subsequence(recorded, cited):
        return True
    if _initials(cited) == joined(recorded) or _initials(recorded) == joined(cited):
        return True
    first, other = joined(cited), joined(recorded)
    if first == other or is_typo(first, other):
        return True
    # "Xiao-Ming" is cited as "X.-M.", as "X.M." and as "Xiao Ming"; each word must begin inside the whole.
    if _letters_in_order(cited, other) or _letters_in_order(recorded, first):
        return True
    shared = {word for word in cited if len(word) > 1} & {word for word in recorded if len(word) > 1}
    return bool(shared)


@lru_cache(maxsize=8192)
def _is_one(word: str, other: str) -> bool:
    """Whether two given names of one word each are one: what is left of the rules above, for nine in ten pairs."""
    if _shortens(word, other) or (min(len(word), len(other)) <= 2 and _stands_for(word, other)):
        return True
    first, second = joined((word,)), joined((other,))
    return first == second or word[0] == second or other[0] == first or is_typo(first, second)


def _subsequence(short: tuple[str, ...], long: tuple[str, ...]) -> bool:
    rest = iter(long)
    return all(any(_stands_for(word, other) for other in rest) for word in short)


def _stands_for(word: str, other: str) -> bool:
    short, long = sorted((word, other), key=len)
    if len(short) == 2 and is_syllabic(short) and is_syllabic(long):
        return same_given_name(short, long)
    if len(short) <= 2 and long.startswith(short):
        return True
    return same_given_name(short, long) or (len(word) < len(other) and _shortens(word, other))


def _shortens(word: str, other: str) -> bool:
    """Whether one is the beginning of the other, as short forms are: ``Alex``, or ``Octavian`` for ``Octavian-Eugen``.

    Not where the rest makes a woman's name of a man's, and not where names are made of syllables.
    """
    if same_given_name(word, other):
        return True
    short, long = sorted((word, other), key=len)
    rest = long.removeprefix(short)
    if len(short) < _SHORT_FORM or rest == long or rest in _FEMININE:
        return False
    return not (is_syllabic(short) and is_syllabic(long))


def _letters_in_order(words: tuple[str, ...], whole: str) -> bool:
    """Whether ``words`` are initials of syllables of ``whole``, the first of its first."""
    if not all(len(word) == 1 for word in words) or not whole.startswith(words[0]):
        return False
    rest = iter(whole)
    return all(letter in rest for letter in words)


def _initials(words: tuple[str, ...]) -> str:
    return "".join(word[0] for word in words)
