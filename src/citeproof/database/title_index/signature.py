"""The signature of a title: three words of 64 bits, computed from how often each letter occurs in the title.

Signatures give a lower bound of the *edits* (deleted and inserted letters) between two titles, without reading them. So
does the *balance*, the number of letters of a title from one half of the alphabet (:data:`HALF`).

Two words are *tuned* to the titles of an index. Their bit ``(c, k)`` means "letter class ``c`` (a letter, digits, ...)
occurs at least ``k`` times". An edit changes one count by one, so it flips at most one bit, in one direction. If a
query becomes a title by ``d`` deletions and ``i`` insertions, at most ``d`` bits are set only in the query, at most
``i`` only in the title, and the balance changes by ``-d`` to ``+i``. This holds for any choice of bits and of the half.
The choice decides how many titles are skipped, never which titles are found.

The *cyclic* word has a Johnson counter for each letter: ``m`` bits that are set one by one and then cleared one by one.
Each step flips one bit, and counts up to ``m`` apart differ in as many bits. This one word shows most of the edits, but
not which are deletions.

Example: "eel" becomes "seal" by 1 deletion (e) and 2 insertions (s, a). Bit (e, 2) is set only in the query, (s, 1) and
(a, 1) only in the title. With l and a in the half, the balance changes from 1 to 2.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from citeproof.database.title_index.format import BITS, CODECS, letter_width

VERSION = 1
"""Version of the signatures. It must be raised when a letter changes its class, its half or its :data:`CYCLES`."""
CLASSES = 64
_MOST = 65_535  # count that also stands for all larger counts of a letter class
_SPACE, _DIGIT, _OTHER = 26, 27, 28  # classes 0 to 25 are a to z; other letters share classes 28 to 63
HALF = "acgilmnoptvxz"
"""The half of a to z whose number of letters varies most among titles of one length: 40 % more than for a random half.
It was found by hill climbing on the covariance of letter counts in DBLP titles."""
CYCLES = {
    "a": 4, "b": 2, "c": 3, "d": 3, "e": 4, "f": 2, "g": 2, "h": 2, "i": 4, "jk": 1, "l": 3, "m": 3,
    "n": 4, "o": 4, "p": 2, "r": 3, "s": 4, "t": 4, "u": 2, "v": 2, "qw": 1, "xz": 1, "y": 2, " 0": 2,
}  # fmt: skip
"""Map from letters that are counted together to their number of bits in :func:`cyclic`; ``0`` means digits. Each bit
was assigned where it adds most to the mean difference of two DBLP titles of 50 to 130 letters."""


_TABLE = (_OTHER + np.arange(256) % (CLASSES - _OTHER)).astype(np.uint8)  # class of each code point below 256
_TABLE[ord("a") : ord("z") + 1] = np.arange(26)
_TABLE[ord("0") : ord("9") + 1] = _DIGIT
_TABLE[ord(" ")] = _SPACE
_IN_HALF = np.array([chr(ord("a") + number) in HALF for number in range(CLASSES)])
_BATCH = 1 << 20  # maximum number of letters counted at a time, which limits the memory of :func:`letter_counts`


def letter_counts(codes: NDArray[np.unsignedinteger]) -> NDArray[np.uint16]:
    """Return how often each letter class occurs in each row of code points, in the shape ``(rows, CLASSES)``."""
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
    """Return how often each letter class occurs in ``title``, in the shape ``(CLASSES,)``."""
    width = letter_width(title)
    return np.bincount(_classes(np.frombuffer(title.encode(CODECS[width]), f"<u{width}")), minlength=CLASSES)


def _classes(codes: NDArray[np.unsignedinteger]) -> NDArray[np.uint8]:
    if codes.dtype == np.uint8:
        narrow: NDArray[np.uint8] = _TABLE[codes]
        return narrow
    spread = (_OTHER + codes % (CLASSES - _OTHER)).astype(np.uint8)
    classes: NDArray[np.uint8] = np.where(codes < 256, _TABLE[np.minimum(codes, 255)], spread)
    return classes


def balances(counts: NDArray[np.uint16]) -> NDArray[np.int64]:
    """Return for each row of letter counts the number of letters in :data:`HALF`."""
    half: NDArray[np.int64] = counts[:, _IN_HALF].sum(axis=1, dtype=np.int64)
    return half


def balance(title: str) -> int:
    """Return the number of letters of the normalised ``title`` in :data:`HALF`."""
    return sum(map(title.count, HALF))


def _cycle_table() -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.uint64]]:
    """Return the group of each letter class in :data:`CYCLES`, and each group's period and bits at each count."""
    groups = np.arange(CLASSES) % len(CYCLES)  # letters of other scripts are spread over all groups
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
    """Return the cyclic word of each row of letter counts. An insertion or deletion flips at most one bit."""
    # Example: the letter e has a counter of 4 bits. Counts 0 to 8 are 0000, 0001, 0011, 0111, 1111, 1110, 1100, 1000,
    # 0000: each step flips one bit, and the counter repeats after 8. Counts 2 and 5 (0011 and 1110) differ in 3 bits;
    # counts 2 and 9 (0011 and 0001) differ in 1 bit although they are 7 insertions apart.
    counts = np.minimum(counts[..., _BY_GROUP], _MOST)
    grouped = np.add.reduceat(counts, _GROUP_STARTS, axis=-1, dtype=np.intp) % _PERIODS
    words: NDArray[np.uint64] = np.bitwise_or.reduce(_CYCLES[np.arange(len(CYCLES)), grouped], axis=-1)
    return words


@dataclass(frozen=True, slots=True)
class Pairs:
    """Tuned bits of titles of similar length: letter class ``classes[j]`` occurs at least ``counts[j]`` times."""

    classes: NDArray[np.uint8]
    counts: NDArray[np.uint16]

    def sign(self, counts: NDArray[np.integer]) -> NDArray[np.uint64]:
        """Return the two tuned words of each row of letter ``counts``, or of one row for each row of :attr:`classes`.

        The shape is ``(rows, 2)``. The first word distinguishes more titles.
        """
        bits = np.packbits(counts[..., self.classes] >= self.counts, axis=-1, bitorder="little")
        return np.ascontiguousarray(bits).view("<u8")


def tune(sample: NDArray[np.uint16]) -> Pairs:
    """Return the bits that are set in nearest to half of ``sample``, rows of letter counts, the best bit first."""
    deepest = int(sample.max(initial=0)) + 4
    share = np.array([(sample >= k).mean(axis=0) for k in range(1, deepest)]) if len(sample) else np.zeros((4, CLASSES))
    order = np.argsort(np.abs(share - 0.5), axis=None, kind="stable")[:BITS]
    counts, classes = np.unravel_index(order, share.shape)
    return Pairs(classes.astype(np.uint8), (counts + 1).astype(np.uint16))
