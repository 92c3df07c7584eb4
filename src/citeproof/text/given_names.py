"""Compare given names, which may be initials, short forms or nicknames.

All words are in lower-case ASCII letters.
"""

import re
from functools import lru_cache
from pathlib import Path

from citeproof.text.spelling import is_typo

_DIGRAPHS = re.compile(r"(?<=[aou])e(?![aeiou])|(?<=a)a")
"""Regex for the second letter of ``ae``, ``oe``, ``ue`` or ``aa``, such as the ``e`` in
``moeller``, which stands for ``möller``.
"""
_SHORT_FORM = 4  # minimum number of letters of a short form such as ``Alex`` for ``Alexander``
_FEMININE = frozenset(
    {"a", "e", "ia", "ie", "ien", "ina", "ine", "ella", "elle", "ette", "ita", "le", "na"}
)
"""Endings that turn a man's name into a woman's name, such as ``a`` in ``Daniela``."""
_SYLLABLE = r"""
(?:zh|ch|sh|hs|ts|tz|kw|gw|hw|jh|ng|[bpmfdtnlgkhjqxrzcsyw])? y?
(?:a(?:e|i|o|u|n|ng|k|l|m|p|t)?
 |e(?:e|i|h|n|ng|o|ok|ol|om|on|ong|u|ui|ul|un|ung|up)?
 |i(?:a|ao|an|ang|e|eh|en|u|n|ng|ong|h|k|l|m|p|t)?
 |o(?:o|ok|on|u|ul|un|ung|i|k|l|m|n|ng|p)?
 |u(?:a|ai|an|ang|e|ei|eh|en|h|i|k|l|m|n|ng|o|t)?)
"""
_SYLLABLES = re.compile(rf"(?:{_SYLLABLE})+", re.VERBOSE)
"""Regex for East Asian syllables in Latin letters: Pinyin, Wade-Giles, and romanised Korean,
Cantonese and Japanese.

Some names from other regions match, too.
"""


@lru_cache(maxsize=8192)
def joined(words: tuple[str, ...]) -> str:
    """Join ``words`` without spaces, and leave out the second letter of ``ae``, ``oe``, ``ue`` and
    ``aa``: ``moeller`` becomes ``moller``.
    """
    whole = "".join(words)
    return (
        _DIGRAPHS.sub("", whole)
        if "ae" in whole or "oe" in whole or "ue" in whole or "aa" in whole
        else whole
    )


def same_given(cited: tuple[str, ...], recorded: tuple[str, ...]) -> bool:
    """Whether two sequences of given names may belong to one person. An empty sequence agrees with
    every other sequence.

    Two sequences agree if all names of one sequence are equal to or abbreviate names of the other
    sequence in the same order, as ``X. M.`` and ``Xiao Ming``. They also agree if they are equal
    when each is joined to one word, or if they have a full name in common.
    """
    if not cited or not recorded:
        return True
    if len(cited) == len(recorded) == 1:
        return _same_single_given(cited[0], recorded[0])
    if len(cited) == len(recorded) and all(map(_shortens, cited, recorded)):
        return True
    if _subsequence(cited, recorded) or _subsequence(recorded, cited):
        return True
    first, other = joined(cited), joined(recorded)
    if (
        "".join(word[0] for word in cited) == other
        or "".join(word[0] for word in recorded) == first
    ):
        return True
    if first == other or is_typo(first, other):
        return True
    # The initials in "X.-M." occur in "Xiaoming" in this order.
    if _letters_in_order(cited, other) or _letters_in_order(recorded, first):
        return True
    return any(len(word) > 1 and word in recorded for word in cited)


@lru_cache(maxsize=8192)
def _same_single_given(word: str, other: str) -> bool:
    """Whether two given names may belong to one person. The result is that of :func:`same_given`
    for two sequences of one name, but is computed faster.
    """
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
    """Whether two names are equal, nicknames of each other, or a name and its beginning:
    ``Octavian`` and ``Octavian-Eugen``.

    A beginning does not count as a short form if the rest is a feminine ending, such as ``a`` in
    ``Daniela``, or if both names consist of East Asian syllables.
    """
    if same_given_name(word, other):
        return True
    short, long = sorted((word, other), key=len)
    rest = long.removeprefix(short)
    is_beginning = len(short) >= _SHORT_FORM and rest != long and rest not in _FEMININE
    return is_beginning and not (is_syllabic(short) and is_syllabic(long))


def _letters_in_order(words: tuple[str, ...], whole: str) -> bool:
    """Whether ``words`` are letters that occur in ``whole`` in this order, such as ``x`` and ``m``
    in ``xiaoming``.
    """
    rest = iter(whole)
    return whole.startswith(words[0]) and all(len(word) == 1 and word in rest for word in words)


@lru_cache(maxsize=4096)
def is_syllabic(name: str) -> bool:
    """Whether a name in lower case consists of East Asian syllables. True for ``lingxiao`` and
    ``seunghyun``, false for ``alexandros``.

    In these languages each syllable has a meaning, so ``li`` is not a short form of ``lingxiao``,
    although ``alex`` is one of ``alexandros``.
    """
    return _SYLLABLES.fullmatch(name) is not None


_GROUPS_OF: dict[str, set[int]] = {}
"""Map from a name to line numbers in ``nicknames.txt``.

Each line of the file lists variants of a name, such as ``bill william``.
"""
for _number, _variants in enumerate(
    Path(__file__).with_name("nicknames.txt").read_text("ascii").splitlines()
):
    for _name in _variants.split():
        _GROUPS_OF.setdefault(_name, set()).add(_number)
_INITIALS = {(name[0], number) for name, numbers in _GROUPS_OF.items() for number in numbers}


def same_given_name(name: str, other: str) -> bool:
    """Whether two lower-case given names are equal or variants of one name, such as ``bill``,
    ``william``, ``wilhelm``.

    One name may be the initial of a variant: ``w`` and ``bill`` agree, because Bill is short for
    William.
    """
    if name == other:
        return True
    initial, whole = sorted((name, other), key=len)
    if len(initial) == 1:
        return any((initial, number) in _INITIALS for number in _GROUPS_OF.get(whole, ()))
    return not _GROUPS_OF.get(name, set()).isdisjoint(_GROUPS_OF.get(other, ()))
