"""Keys of names: a number by which the records of one person, or of namesakes, are found again.

A key is a hash of the folded family name and the first initial, the parts that nearly every way to
write a name keeps. A record's name has one key, a cited name one for each way to read it.
"""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

from citeproof.text.names import SUFFIXES, fold_words, joined, parse_name

if TYPE_CHECKING:
    from citeproof.text.names import Name


def recorded_key(name: str) -> int:
    """Return the key, 32 bits, of a name ``Given Family`` as a database records it, with a homonym number or without.

    It is called for every authorship of a build, and so does not take the name apart as :func:`parse_name` does.
    """
    words = name.split()
    while len(words) > 1 and (words[-1].isdigit() or words[-1].lower().rstrip(".") in SUFFIXES):
        words.pop()
    if not words:
        return 0
    last, first = words[-1], words[0]
    if len(words) > 1 and first.lower().rstrip(".") in SUFFIXES:  # Md. Kamrul Hasan
        first = words[1]
    family = last.lower() if last.isascii() and last.isalpha() else (fold_words(last) or ("",))[-1]
    initial = first[0].lower() if first[0].isascii() and first[0].isalpha() else (fold_words(first) or ("",))[0][:1]
    return _key(family, initial)


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
    return zlib.crc32(f"{joined((family,)) if 'e' in family or 'aa' in family else family} {initial}".encode())
