"""Keys of names: a number by which the records of one person, or of namesakes, are found again.

A key is a hash of the folded family name and the first initial, the parts that nearly every way to
write a name keeps. A record's name has one key, a cited name one for each way to read it.
"""

from __future__ import annotations

import zlib
from functools import lru_cache
from typing import TYPE_CHECKING

from citeproof.text.names import SUFFIXES, fold_words, joined, parse_name

if TYPE_CHECKING:
    from citeproof.text.names import Name

_KEPT_WORDS = 1 << 16
"""Words whose part of a key is remembered: 10 MB. Of a million names nine in ten words are among so many."""


def recorded_key(name: str) -> int:
    """Return the key, 32 bits, of a name ``Given Family`` as a database records it, with a homonym number or without.

    It is called for every authorship of a build, and so does not take the name apart as :func:`parse_name` does. It
    puts the key together from what is remembered of its words, of which there are far fewer than names.
    """
    words = name.split()
    if not words:
        return 0
    last = len(words) - 1
    while last and _family(words[last])[0]:
        last -= 1
    addition, initial = _initial(words[0])
    if addition and last:  # Md. Kamrul Hasan
        _, initial = _initial(words[1])
    return zlib.crc32(initial, _family(words[last])[1])


@lru_cache(_KEPT_WORDS)
def _family(word: str) -> tuple[bool, int]:
    """Return whether ``word`` is no family name where others stand before it, and the checksum of the family name."""
    family = word.lower() if word.isascii() and word.isalpha() else (fold_words(word) or ("",))[-1]
    return word.isdigit() or _is_addition(word), zlib.crc32(f"{_joined(family)} ".encode())


@lru_cache(_KEPT_WORDS)
def _initial(word: str) -> tuple[bool, bytes]:
    """Return whether ``word`` is no given name where others stand behind it, and its initial."""
    initial = word[0].lower() if word[0].isascii() and word[0].isalpha() else (fold_words(word) or ("",))[0][:1]
    return _is_addition(word), initial.encode()


def _is_addition(word: str) -> bool:
    return word.lower().rstrip(".") in SUFFIXES


def cited_keys(name: str) -> frozenset[int]:
    """Return the keys that a cited name may be recorded under, one for each way to read it.

    Family name and given name may be swapped; of a compound family name the record may have a half.
    """
    parsed = parse_name(name)
    return frozenset(_key(family, given[:1]) for family, given in _readings(parsed) if family)


def _readings(name: Name) -> set[tuple[str, str]]:
    """Return pairs of a family name's last word and a given name."""
    words = name.words
    if not words:
        return set()
    if not name.family:
        swapped = {(words[0], words[-1])} if len(words) == 2 and not name.group else set()
        return {(words[-1], words[0])} | swapped
    given = name.given or words
    found = {(part, given[0]) for part in (*name.family, *name.parted[-1:])}
    return found | {(given[-1], name.family[0])} if len(given) == 1 or name.either else found


def _key(family: str, initial: str) -> int:
    return zlib.crc32(f"{_joined(family)} {initial}".encode())


def _joined(family: str) -> str:
    return joined((family,)) if "e" in family or "aa" in family else family
