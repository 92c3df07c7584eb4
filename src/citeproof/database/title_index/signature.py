"""The signature of a title: three words of 64 bits, computed from how often each letter occurs in
the title.

An *edit* deletes or inserts a letter. The signatures of two titles give a minimum number of edits
that turn one title into the other. The *balance*, which is the number of letters from one half of
the alphabet (:data:`HALF`), also gives a minimum.

Two of the three words are *tuned* to the titles of an index. A bit ``(c, k)`` in these words means:
"letter class ``c`` (a letter, digits, ...) occurs at least ``k`` times". An edit changes one count
by one, so it flips at most one bit. Let ``d`` deletions and ``i`` insertions turn a query into a
title. At most ``d`` bits are then set only in the query, and at most ``i`` bits only in the title.
The balance changes by ``-d`` to ``+i``. This is true for any choice of bits and for any half of the
alphabet. The choice decides how many titles are skipped, never which titles are found.

The third word is *cyclic*: it has a Johnson counter for each letter. The ``m`` bits of a counter
are set one by one and then cleared one by one. A step flips one bit, and counts up to ``m`` steps
apart differ in as many bits. The cyclic word shows most of the edits, but not which edits are
deletions.

Example: "eel" becomes "seal" by 1 deletion (e) and 2 insertions (s, a). Bit (e, 2) is set only in
the query. Bits (s, 1) and (a, 1) are set only in the title. The letters l and a are in the half, so
the balance changes from 1 to 2.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from citeproof.database.title_index.format import BITS, CODECS, letter_width

VERSION = 1
"""Version of the signatures.

It must be increased if the letter classes, :data:`HALF` or :data:`CYCLES` change.
"""
CLASSES = 64
_MOST = 65_535  # maximum count of a letter class; a larger count is replaced by this number
# classes 0 to 25 are a to z; other letters share classes 28 to 63
_SPACE, _DIGIT, _OTHER = 26, 27, 28
HALF = "acgilmnoptvxz"
"""Half of the letters a to z.

Among titles of the same length, the number of letters from this half varies 40 % more than for a
random half. The half was found by hill climbing on the covariance of letter counts in DBLP titles.
"""
CYCLES = {
    "a": 4,
    "b": 2,
    "c": 3,
    "d": 3,
    "e": 4,
    "f": 2,
    "g": 2,
    "h": 2,
    "i": 4,
    "jk": 1,
    "l": 3,
    "m": 3,
    "n": 4,
    "o": 4,
    "p": 2,
    "r": 3,
    "s": 4,
    "t": 4,
    "u": 2,
    "v": 2,
    "qw": 1,
    "xz": 1,
    "y": 2,
    " 0": 2,
}
"""Map from a letter, or from letters that are counted together, to the number of bits of their
counter in :func:`cyclic`.

``0`` means all digits. The numbers of bits were chosen so that the cyclic words of two DBLP titles
differ in as many bits as possible on average.
"""


# letter class of each code point below 256
_TABLE = (_OTHER + np.arange(256) % (CLASSES - _OTHER)).astype(np.uint8)
_TABLE[ord("a") : ord("z") + 1] = np.arange(26)
_TABLE[ord("0") : ord("9") + 1] = _DIGIT
_TABLE[ord(" ")] = _SPACE
_IN_HALF = np.array([chr(ord("a") + number) in HALF for number in range(CLASSES)])
# maximum number of letters that are counted at a time, which limits the memory used
_BATCH = 1 << 20


def letter_counts(codes: NDArray[np.unsignedinteger]) -> NDArray[np.uint16]:
    """Count the letters of each class (a to z, digits, ...) in each row of ``codes``, an array of
    code points. The result has the shape ``(rows, CLASSES)``.
    """
    rows, length = codes.shape
    counts = np.zeros((rows, CLASSES), np.uint16)
    if length == 0:
        return counts
    step = max(1, min(_BATCH // length, _BATCH // CLASSES))
    for first in range(0, rows, step):
        part = codes[first : first + step]
        slots = _classes(part).astype(np.int32)
        slots += np.arange(len(part), dtype=np.int32)[:, None] * CLASSES
        found = np.bincount(slots.ravel(), minlength=len(part) * CLASSES)
        counts[first : first + step] = np.minimum(found, _MOST).reshape(len(part), CLASSES)
    return counts


def counts_of(title: str) -> NDArray[np.intp]:
    """Count the letters of each class (a to z, digits, ...) in ``title``. The result has the shape
    ``(CLASSES,)``.
    """
    return np.bincount(_classes_of(title), minlength=CLASSES)


def counts_before(text: str) -> NDArray[np.int32]:
    """Count the letters of each class before each position in ``text``: shape ``(len(text) + 1,
    CLASSES)``.
    """
    counts = np.zeros((len(text) + 1, CLASSES), np.int32)
    counts[np.arange(1, len(text) + 1), _classes_of(text)] = 1
    return counts.cumsum(0, out=counts)


def _classes_of(text: str) -> NDArray[np.uint8]:
    width = letter_width(text)
    return _classes(np.frombuffer(text.encode(CODECS[width]), f"<u{width}"))


def _classes(codes: NDArray[np.unsignedinteger]) -> NDArray[np.uint8]:
    if codes.dtype == np.uint8:
        narrow: NDArray[np.uint8] = _TABLE[codes]
        return narrow
    spread = (_OTHER + codes % (CLASSES - _OTHER)).astype(np.uint8)
    classes: NDArray[np.uint8] = np.where(codes < 256, _TABLE[np.minimum(codes, 255)], spread)
    return classes


def balances(counts: NDArray[np.integer]) -> NDArray[np.int64]:
    """Return how many letters are in :data:`HALF`, for each row of letter counts."""
    half: NDArray[np.int64] = counts[:, _IN_HALF].sum(axis=1, dtype=np.int64)
    return half


def balance(title: str) -> int:
    """Return how many letters of the normalised ``title`` are in :data:`HALF`: 3 for ``post``."""
    return sum(map(title.count, HALF))


def _cycle_table() -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.uint64]]:
    """Return three arrays for :func:`cyclic`: the item of :data:`CYCLES` for each letter class; the
    period of the counter of each item; and the bits for each item and count.
    """
    # letters of other scripts are spread over all items of CYCLES
    groups = np.arange(CLASSES) % len(CYCLES)
    periods = 2 * np.array(list(CYCLES.values()))
    bits = np.zeros((len(CYCLES), periods.max()), np.uint64)
    used = 0
    for group, (letters, size) in enumerate(CYCLES.items()):
        groups[_TABLE[list(letters.encode())]] = group
        for count in range(2 * size):
            own = (1 << count) - 1 if count <= size else (1 << size) - (1 << count - size)
            bits[group, count] = own << used
        used += size
    return groups, periods, bits


_GROUPS, _PERIODS, _CYCLES = _cycle_table()
_BY_GROUP = _GROUPS.argsort(kind="stable")
_GROUP_STARTS = _GROUPS[_BY_GROUP].searchsorted(np.arange(len(CYCLES)))


def cyclic(counts: NDArray[np.integer]) -> NDArray[np.uint64]:
    """Encode each row of letter counts in a 64-bit word.

    Inserting or deleting a letter flips at most one bit.
    """
    # Example: the letter e has a counter of 4 bits. Counts 0 to 8 are 0000, 0001, 0011, 0111, 1111,
    # 1110, 1100, 1000, 0000: each step flips one bit, and the counter repeats after 8. Counts 2 and
    # 5 (0011 and 1110) differ in 3 bits; counts 2 and 9 (0011 and 0001) differ in 1 bit although
    # they are 7 insertions apart.
    counts = np.minimum(counts[..., _BY_GROUP], _MOST)
    grouped = np.add.reduceat(counts, _GROUP_STARTS, axis=-1, dtype=np.intp) % _PERIODS
    words: NDArray[np.uint64] = np.bitwise_or.reduce(
        _CYCLES[np.arange(len(CYCLES)), grouped], axis=-1
    )
    return words


@dataclass(frozen=True, slots=True)
class Pairs:
    """Tests of letter counts, one for each bit: letter class ``classes[j]`` occurs at least
    ``counts[j]`` times.
    """

    classes: NDArray[np.uint8]
    counts: NDArray[np.uint16]

    def sign(self, counts: NDArray[np.integer]) -> NDArray[np.uint64]:
        """Encode each row of letter ``counts`` in two 64-bit words, one bit per test: shape
        ``(rows, 2)``.

        If ``counts`` is a single row and :attr:`classes` has several rows, the result has one row
        for each row of classes.
        """
        bits = np.packbits(counts[..., self.classes] >= self.counts, axis=-1, bitorder="little")
        return np.ascontiguousarray(bits).view("<u8")


def tune(sample: NDArray[np.uint16]) -> Pairs:
    """Choose 128 tests of the form "letter class ``c`` occurs at least ``k`` times". About half of
    the titles in ``sample`` pass each test.

    Each row of ``sample`` has the letter counts of one title, with one column for each class.
    """
    deepest = int(sample.max(initial=0)) + 4
    share = (
        np.array([(sample >= k).mean(axis=0) for k in range(1, deepest)])
        if len(sample)
        else np.zeros((4, CLASSES))
    )
    order = np.argsort(np.abs(share - 0.5), axis=None, kind="stable")[:BITS]
    counts, classes = np.unravel_index(order, share.shape)
    return Pairs(classes.astype(np.uint8), (counts + 1).astype(np.uint16))
