"""The words of a title index: titles as sequences of 16-bit numbers. A common word is one number.

A number below 256 is a letter of Latin-1. The next numbers are the pairs of ASCII letters, digits
and spaces, and the rest are words with the space that follows. Example: ``deep lerning`` is the
word ``deep``, the pairs ``le``, ``rn``, ``in`` and ``g`` with the space. A title of 70 letters
takes some 22 bytes.
"""

from collections import Counter
from collections.abc import Sequence
from functools import cached_property, lru_cache
from itertools import product
from string import ascii_lowercase, digits
from struct import Struct

import numpy as np

_SIGNS = ascii_lowercase + digits + " "
_SPELLED = [*map(chr, range(256)), *("".join(pair) for pair in product(_SIGNS, _SIGNS))]
MOST_WORDS = 32_000
"""Maximum number of words that are stored as one number. With twice as many, the section ``text``
would be 4 % smaller.
"""
_KEPT_WORDS = 1 << 16  # maximum number of words whose numbers are in memory, 200 bytes each
_BYTES = Struct("<H")  # binary format of a number
_FEWEST = 3  # minimum number of sampled titles with a word that gets a number


class Words:
    """Converts titles of Latin-1 letters to numbers, and back."""

    def __init__(self, words: Sequence[str]) -> None:
        self._tokens = [*_SPELLED, *(f"{word} " for word in words)]
        self._encoded = lru_cache(_KEPT_WORDS)(self._encode_word)

    @cached_property
    def _codes(self) -> dict[str, int]:
        return {token: code for code, token in enumerate(self._tokens)}

    def encode(self, title: str) -> bytes:
        """Return the numbers of the normalised ``title``, two bytes each."""
        return b"".join(map(self._encoded, title.split(" ")))

    def _encode_word(self, word: str) -> bytes:
        codes, token = self._codes, word + " "
        if (code := codes.get(token)) is not None:
            return _BYTES.pack(code)
        found: list[int] = []
        for pair in (token[first : first + 2] for first in range(0, len(token), 2)):
            code = codes.get(pair)
            found += map(ord, pair) if code is None else (code,)
        return b"".join(map(_BYTES.pack, found))

    def decode(self, numbers: bytes) -> str:
        """Return the title with ``numbers``, two bytes each. It ends in a space if the last number
        is a word.
        """
        codes = np.frombuffer(numbers, "<u2").tolist()
        return "".join(map(self._tokens.__getitem__, codes))


def chosen_words(counts: Counter[str]) -> list[str]:
    """Return the words that get a number: those for which the number saves most space in the index.

    ``counts`` has the number of titles with each word.
    """
    saved = (
        (count * (len(word) // 2), word)
        for word, count in counts.items()
        if count >= _FEWEST and len(word) > 1
    )
    return [word for _, word in sorted(saved, reverse=True)[:MOST_WORDS]]
