"""Find titles that equal a query, that a text contains, or that differ from a query only by a
subtitle, a remark or the order of words.

The *main title* is the part of a title before a remark such as "(Extended Abstract)". If the title
has no remark, the main title is the part before the first ``: ``, and the rest is the subtitle. If
a reference leaves out the subtitle or the remark, the similarity to the whole title is often below
0.9. The work is then found by its main title.
"""

import re
import zlib
from bisect import bisect_left
from collections.abc import Iterator

import numpy as np

from citeproof.database.title_index import signature
from citeproof.database.title_index.mapped import TitleIndex, Words
from citeproof.text.normalize import normalize_title
from citeproof.text.title_words import without_remark

SEPARATOR = ": "
MOST_MAIN_TITLES = 50
"""Maximum number of titles with the same main title.

If more titles have the same main title ("Editorial: ..."), a search by this main title finds none
of them.
"""

# maximum numbers of letters and of words of a text, the last ones, in which titles are searched
_MOST_LETTERS, _MOST_WORDS = 2_000, 300
# maximum number of letters of a title in a text: 0.02 % of the titles in DBLP are longer
_LONGEST = 300


def main_title(title: str) -> str:
    """Return the normalised part of ``title`` before a remark such as "(Extended Abstract)", or
    else before the first ``: ``. Return an empty text if ``title`` has neither.
    """
    main = without_remark(title)
    if main == title:
        main, _, subtitle = title.partition(SEPARATOR)
        main = main if subtitle.strip() else ""
    return normalize_title(main)


def main_length(title: str, normalized: str) -> int:
    """Return the number of letters of the main title with which ``normalized`` begins. 0 if there
    is no main title.
    """
    main = main_title(title)
    return len(main) if main and len(main) <= 65_535 and normalized.startswith(main + " ") else 0


def main_hash(main: str) -> int:
    """Return the 32-bit hash of a normalised :func:`main_title`."""
    return zlib.crc32(main.encode())


def is_reordering(one: str, other: str) -> bool:
    """Return whether two normalised titles differ only in the order of their words."""
    return one != other and sorted(one.split()) == sorted(other.split())


def equal(index: TitleIndex, query: str) -> int | None:
    """Return the number of the title that equals the normalised ``query``.

    None if the index has no such title.
    """
    sign = signature.cyclic(signature.counts_of(query))
    return _equal(index, query, index.titles(len(query), signature.balance(query)), sign)


def _equal(index: TitleIndex, query: str, piece: tuple[int, int], sign: Words) -> int | None:
    """Return the number of the title in the half-open range ``piece`` that equals ``query``, whose
    signature is ``sign``.
    """
    # Only titles with the same signature are decoded.
    first, last = piece
    places = (index.cyclic.run(first, last) == sign).nonzero()[0].tolist()
    return next((first + at for at in places if index.normalized(first + at) == query), None)


def contained(index: TitleIndex, text: str, shortest: int) -> Iterator[int]:
    """Yield the numbers of the titles that are whole words of the normalised ``text``, longest
    title first.

    ``shortest`` is the minimum number of letters of a title.
    """
    # Example: "lee a sheep of wales nature" has 21 runs of words. The signatures of all runs come
    # from the letters before each position. There is a title with the length, the balance and the
    # signature of "sheep of wales", and its text is equal.
    text = text[-_MOST_LETTERS:]
    words = [match.span() for match in re.finditer("[^ ]+", text)][-_MOST_WORDS:]
    runs = [
        (begin - end, begin, end)
        for place, (begin, _) in enumerate(words)
        for _, end in words[place:]
        if shortest <= end - begin <= _LONGEST
    ]
    if not runs:
        return
    runs.sort()
    _, begins, ends = np.array(runs).T
    letters = signature.counts_before(text)
    counts = letters[ends] - letters[begins]
    balances = signature.balances(counts)
    pieces = index.pieces(ends - begins, balances, balances)
    for (_, begin, end), piece, sign in zip(runs, pieces, signature.cyclic(counts), strict=True):
        if piece[0] < piece[1]:
            title = _equal(index, text[begin:end], piece, sign)
            if title is not None:
                yield title


def reordered(index: TitleIndex, query: str) -> list[int]:
    """Return the numbers of the titles that have the words of the normalised ``query`` in another
    order.
    """
    # Titles with the same words have the same letters as the query, and therefore the same length,
    # balance and signature.
    first, last = index.titles(len(query), signature.balance(query))
    if first == last:
        return []
    (near,), (far,) = index.sign(np.array([len(query)]), signature.counts_of(query))
    titles = first + np.flatnonzero(index.near.run(first, last) == near)
    titles = titles[index.far.take(titles) == far]
    return [title for title in titles.tolist() if is_reordering(index.normalized(title), query)]


def main_titles(index: TitleIndex, query: str, main: str) -> list[int]:
    """Return the numbers of the titles that may differ from the normalised ``query`` only by a
    subtitle or a remark.

    ``main`` is the :func:`main_title` of the query. The caller must compare the :func:`main_title`
    of each record, because the index does not store where a subtitle or remark begins.
    """
    title = equal(index, main) if main else None
    found = [] if title is None else [title]
    hashes, wanted = index.main_hash, main_hash(query)
    first = bisect_left(range(len(hashes)), wanted, key=hashes.item)
    end = min(first + MOST_MAIN_TITLES + 1, len(hashes))
    last = bisect_left(range(len(hashes)), wanted + 1, first, end, key=hashes.item)
    if last - first > MOST_MAIN_TITLES:
        return found
    subtitled = index.main_title.run(first, last).tolist()
    return found + [title for title in subtitled if index.normalized(title).startswith(query + " ")]
