"""Titles that agree exactly: equal, equal except for a subtitle, or with the same words in another order.

A title that lacks its subtitle is less than 0.9 similar. It is found by its main title, the part before the first
``: ``, as a match of another kind; similarities stay what they are.
"""

import zlib
from bisect import bisect_left
from collections.abc import Callable

import numpy as np

from citeproof.database.title_index import signature
from citeproof.database.title_index.format import CODECS, letter_width
from citeproof.database.title_index.mapped import TitleIndex
from citeproof.text.normalize import normalize_title

SEPARATOR = ": "


def main_title(title: str) -> str:
    """Return the normalised part of a raw ``title`` before its first ``: ``; empty without one."""
    main, separator, subtitle = title.partition(SEPARATOR)
    return normalize_title(main) if separator and subtitle.strip() else ""


def main_length(title: str, normalized: str) -> int:
    """Return the length of the main title, the part before ``: ``, in ``normalized``, the normal form of ``title``; 0
    for none.

    If markup spans the colon, the normal form of the part may differ from that of the whole title. The function returns
    0 then.
    """
    if SEPARATOR not in title:
        return 0
    main = main_title(title)
    if not main or len(main) > 65_535 or not normalized.startswith(main + " "):
        return 0
    return len(main)


def main_hash(main: str) -> int:
    """Return the 32-bit hash of a normalised main title."""
    return zlib.crc32(main.encode())


def is_reordering(one: str, other: str) -> bool:
    """Return whether two normalised titles differ only in the order of their words."""
    return one != other and sorted(one.split()) == sorted(other.split())


MOST_MAIN_TITLES = 50
"""Maximum titles that share a main title. If more share it ("Editorial"), it is not clear which one is meant."""


def equal(index: TitleIndex, query: str) -> int | None:
    """Return the number of the title that equals the normalised ``query``, or None.

    A first search reads without comparing checksums, and its hit is correct. If it misses, a second search compares the
    checksums, so that a miss is proved.
    """
    width, balance = letter_width(query), signature.balance(query)
    wanted = query.encode(CODECS[width])
    for row in range(*index.rows(len(query), balance, balance)):
        if index.row_width[row] == width:
            quick = _search(index, row, wanted, index.text.unchecked)
            if index.text_of(quick, row) == wanted:
                return quick
            sure = _search(index, row, wanted, index.text.raw)
            if index.text_of(sure, row) == wanted:
                return sure
    return None


def _search(index: TitleIndex, row: int, wanted: bytes, read: Callable[[int, int], bytes]) -> int:
    """Search ``row`` by bisection. Return the number of the first title that is not below ``wanted``, or the last."""
    size, text = len(wanted), index.row_text[row]
    first, last = 0, index.row_start[row + 1] - index.row_start[row] - 1
    while first < last:
        middle = (first + last) // 2
        if read(text + middle * size, text + middle * size + size) < wanted:
            first = middle + 1
        else:
            last = middle
    return index.row_start[row] + first


def reordered(index: TitleIndex, query: str) -> list[int]:
    """Return the titles that have the words of the normalised ``query`` in another order.

    Such titles have the same length and letters as the query, so they have its balance and signature too.
    """
    counts = signature.counts_of(query)
    balance = signature.balance(query)
    first, last = (index.row_start[row] for row in index.rows(len(query), balance, balance))
    if first == last:
        return []
    (near,), (far,) = index.sign(np.array([len(query)]), counts)
    titles = first + np.flatnonzero(index.near.run(first, last) == near)
    titles = titles[index.far.take(titles) == far]
    return [title for title in titles.tolist() if is_reordering(index.normalized(title), query)]


def main_titles(index: TitleIndex, query: str, main: str) -> list[int]:
    """Return the titles that may equal the normalised ``query`` except for a subtitle that one of the two lacks.

    ``main`` is the main title of the query, or empty. The caller must compare the :func:`main_title` of each record,
    because only its raw title shows where the subtitle begins.
    """
    title = equal(index, main) if main else None
    found = [] if title is None else [title]
    hashes, wanted = index.main_hash, main_hash(query)
    first = bisect_left(range(len(hashes)), wanted, key=hashes.item)
    last = bisect_left(
        range(len(hashes)), wanted + 1, first, min(first + MOST_MAIN_TITLES + 1, len(hashes)), key=hashes.item
    )
    if last - first > MOST_MAIN_TITLES:
        return found
    subtitled = index.main_title.run(first, last).tolist()
    return found + [title for title in subtitled if index.normalized(title).startswith(query + " ")]
