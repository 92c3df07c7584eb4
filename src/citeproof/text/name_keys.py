"""Compute keys of names, by which the author index finds the records of a person and of namesakes.

A key is a checksum of the folded family name and the first initial, which nearly every way to write a name keeps. The
name of a record has one key. A cited name has one key for each way to split it into family and given names.
"""

import zlib
from collections.abc import Sequence
from functools import lru_cache

from citeproof.text.given_names import joined
from citeproof.text.names import SUFFIXES, Name, fold_words, parse_name

_KEPT_WORDS = 1 << 16
"""Maximum number of words in each of two caches, for the last and first words of names: 22 MB. Nine in ten words of a
million names are found there. Twice the size did not make a build faster; half the size made it a seventh slower.
"""


def recorded_keys(names: Sequence[str]) -> list[int]:
    """Return the :func:`recorded_key` of each of ``names``, from cached results for their first and last words.

    The caches make the building of a database faster. The key of ``Guy L. Steele`` follows from ``Guy`` and ``Steele``.
    ``Guy L. Steele Jr.`` ends with a suffix, which is not part of a key, so this name goes to :func:`recorded_key`.
    """
    families = map(_plain_family, [name.rpartition(" ")[2] for name in names])
    initials = map(_plain_initial, [name.partition(" ")[0] for name in names])
    return [
        recorded_key(name) if family is None or initial is None else zlib.crc32(initial, family)
        for name, family, initial in zip(names, families, initials, strict=True)
    ]


def recorded_key(name: str) -> int:
    """Return the 32-bit key of a recorded name ``Given Family``, with or without a homonym number such as 0001.

    This is many times as fast as :func:`parse_name`.
    """
    words = name.split()
    if not words:
        return 0
    last = len(words) - 1
    while last and (words[last].isdigit() or _is_addition(words[last])):
        last -= 1
    given = words[1] if last and _is_addition(words[0]) else words[0]  # Md. Kamrul Hasan
    return zlib.crc32(_initial(given), _family(words[last]))


def _family(word: str) -> int:
    """Return the checksum of a family name, from which the checksum of the whole key continues."""
    family = word.lower() if word.isascii() and word.isalpha() else (fold_words(word) or ("",))[-1]
    return zlib.crc32(f"{_joined(family)} ".encode())


def _initial(word: str) -> bytes:
    """Return the initial of a given name."""
    initial = word[0].lower() if word[0].isascii() and word[0].isalpha() else (fold_words(word) or ("",))[0][:1]
    return initial.encode()


@lru_cache(maxsize=_KEPT_WORDS)
def _plain_family(word: str) -> int | None:
    return _family(word) if _is_plain(word) else None


@lru_cache(maxsize=_KEPT_WORDS)
def _plain_initial(word: str) -> bytes | None:
    return _initial(word) if _is_plain(word) else None


def _is_plain(word: str) -> bool:
    """Whether ``word`` is a single word that is neither a number nor a suffix."""
    return word.split() == [word] and not word.isdigit() and not _is_addition(word)


def _is_addition(word: str) -> bool:
    return word.lower().rstrip(".") in SUFFIXES


@lru_cache(maxsize=1024)
def cited_keys(name: str) -> frozenset[int]:
    """Return the keys under which a cited name may be recorded, one key for each way to split the name.

    Family and given name may be swapped, and the record may have only one word of a compound family name.
    """
    return frozenset(
        zlib.crc32(f"{_joined(family)} {given[:1]}".encode()) for family, given in _pairs(parse_name(name)) if family
    )


def _pairs(name: Name) -> set[tuple[str, str]]:
    """Return pairs of a word of the family name and a given name, one pair for each way to split ``name``."""
    words = name.words
    if not words:
        return set()
    if not name.family:
        swapped = {(words[0], words[-1])} if len(words) == 2 and not name.group else set()
        return {(words[-1], words[0])} | swapped
    given = name.given or words
    found = {(part, given[0]) for part in (*name.family, *name.unhyphenated[-1:])}
    return found | {(given[-1], name.family[0])} if len(given) == 1 or name.either else found


def _joined(family: str) -> str:
    return joined((family,)) if "e" in family or "aa" in family else family
