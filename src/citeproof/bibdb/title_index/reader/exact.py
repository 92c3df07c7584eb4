"""Titles that agree exactly: the same title, the same but for a subtitle, the same words in another order."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

import numpy as np

from citeproof.bibdb.title_index import keys, signature
from citeproof.bibdb.title_index.format import CODECS, letter_width

if TYPE_CHECKING:
    from collections.abc import Callable

    from citeproof.bibdb.title_index.reader.mapped import TitleIndex

_MAX_MAIN_TITLES = 50
"""A main title that more titles share ("Editorial", "Introduction") says nothing about which is meant."""


def equal(index: TitleIndex, query: str) -> int | None:
    """Return the number of the title that equals the normalised ``query``, or None.

    Looking without comparing checksums is quick and may miss in a damaged file, so only a find is believed then.
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
    """Return the number of the first title of ``row`` that is not before ``wanted``, or of the row's last."""
    size, text = len(wanted), index.row_text[row]
    first, last = 0, index.row_start[row + 1] - index.row_start[row] - 1
    while first < last:
        middle = (first + last) // 2
        if read(text + middle * size, text + middle * size + size) < wanted:
            first = middle + 1
        else:
            last = middle
    return index.row_start[row] + first


def same_words(index: TitleIndex, query: str) -> list[int]:
    """Return the titles that have the words of the normalised ``query`` in another order.

    Such titles are equally long and have the same letters, so they lie side by side under one signature.
    """
    counts = signature.counts_of(query)
    balance = signature.balance(query)
    first, last = (index.row_start[row] for row in index.rows(len(query), balance, balance))
    if first == last:
        return []
    (near,), (far,) = index.sign(np.array([len(query)]), counts)
    titles = first + np.flatnonzero(index.near.run(first, last) == near)
    titles = titles[index.far.take(titles) == far]
    return [title for title in titles.tolist() if keys.same_words(index.normalized(title), query)]


def main_titles(index: TitleIndex, query: str, main: str) -> list[int]:
    """Return the titles that equal the normalised ``query`` but for a subtitle that one of the two lacks.

    ``main`` is the query's own main title, or empty. The record's raw title has the last word on where
    its subtitle begins: see :func:`~citeproof.bibdb.title_index.keys.main_title`.
    """
    title = equal(index, main) if main else None
    found = [] if title is None else [title]
    hashes, wanted = index.main_hash, keys.main_hash(query)
    first = bisect_left(range(len(hashes)), wanted, key=hashes.item)
    last = bisect_left(range(len(hashes)), wanted + 1, first, key=hashes.item)
    if last - first > _MAX_MAIN_TITLES:
        return found
    subtitled = index.main_title.run(first, last).tolist()
    return found + [title for title in subtitled if index.normalized(title).startswith(query + " ")]
