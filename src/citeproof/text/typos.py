"""One typing error: the difference between a misspelt word and another word."""

from __future__ import annotations

from rapidfuzz.distance import OSA

_SHORTEST = 5
"""In shorter words one letter more often makes another word (``Wang``, ``Wong``) than a typo."""
_SHORTEST_COUNTED = 2
"""The same, where it is known how many titles have each of the two words: ``fo``, ``teh``, ``amd``."""
_TITLES_A_MISSPELLING = 2_000
"""At most one title has a word misspelt where so many have it right. In DBLP's sample ``learing`` is in 3 titles and
``learning`` in 86,225. Words that exist are rarely so unlike: ``sing`` is in 6 titles, and ``using`` in 24,120."""


def is_typo(word: str, other: str, shortest: int = _SHORTEST) -> bool:
    """Whether two words of at least ``shortest`` letters differ by one letter: changed, missing, doubled or swapped."""
    if min(len(word), len(other)) < shortest or abs(len(word) - len(other)) > 1:
        return False
    return bool(OSA.distance(word, other, score_cutoff=1) <= 1)


def is_misspelling(word: str, right: str, titles: int, titles_of_right: int) -> bool:
    """Whether ``word`` is ``right`` with one letter wrong: hardly any title has it, or none.

    Example: no title has ``sytem``, and 6,561 have ``system``. Where none has ``right`` either, nothing is known. A
    plural that is not usual, such as ``privacys``, is no slip of a finger.
    """
    plural = word == f"{right}s" and not right.endswith("s")
    if plural or not titles_of_right or titles * _TITLES_A_MISSPELLING > titles_of_right:
        return False
    return word.isalpha() and right.isalpha() and is_typo(word, right, _SHORTEST_COUNTED)
