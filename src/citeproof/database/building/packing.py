"""Pack records into rows of the table ``records``, in which repeated texts are stored once.

Example: a record has the DOI ``10.5555/a.1``, the same text as key, and the URL
``https://doi.org/10.5555/a.1``. Instead of the URL and the key, the number 1 is stored, because
both can be computed from the DOI. The DOI is stored as the id of the name ``10.5555`` and the text
``a.1``. The view ``publications`` restores the texts.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from string import ascii_lowercase, ascii_uppercase
from typing import Any

import numpy as np
from numpy.typing import NDArray

from citeproof.database.schema import (
    AUTHOR_PIECES,
    NAMED,
    PIECE_CODES,
    STORED,
    TITLE_PIECES,
    Row,
    row_checksum,
)

MOST_NAMES = 3_000_000
"""Maximum number of names (venues, types, sources, registrants) in memory. A name takes some 150
bytes.

When the maximum is exceeded, all names are removed from memory. A name that occurs again is then
stored a second time.
"""
_place = {name: place for place, name in enumerate(STORED)}
_NAMED = tuple(_place[name] for name in (*NAMED, "registrant"))
_KEY, _DOI, _ARXIV_ID, _URL, _TITLE, _AUTHORS = (
    _place[name] for name in ("key", "doi", "arxiv_id", "url", "title", "authors")
)
_CODES = np.array(PIECE_CODES, np.uint8)
_SEPARATOR = b"\xff"  # a byte that does not occur in UTF-8
_NO_PIECE = 255  # rank of two bytes that are no piece
_RESOLVER = "https://doi.org/"
_CAPITALS = str.maketrans(ascii_lowercase, ascii_uppercase)  # same as SQLite's upper()


class Names:
    """The names that were stored in a database so far: venues, types, sources and registrants of
    DOIs.
    """

    def __init__(self, known: Iterable[tuple[str, int]] = ()) -> None:
        """``known`` has the names that are already stored, with their ids, in the order of the
        ids.
        """
        self._ids = dict(known)
        self._next = 1 + max(self._ids.values(), default=0)
        self._new: list[tuple[int, str]] = []

    def number(self, first_id: int, rows: Sequence[list[Any]]) -> None:
        """Insert ids into packed ``rows``: the record ids ``first_id``, ``first_id + 1`` and so on,
        and the ids of names.
        """
        for record_id, stored in enumerate(rows, first_id):
            checksum = stored[-1] ^ record_id
            stored[0], stored[-1] = record_id, checksum - (1 << 32) if checksum >> 31 else checksum
        if len(self._ids) > MOST_NAMES:
            self._ids.clear()
        ids = self._ids
        # types and sources, which are few, get small ids
        for place in _NAMED:
            for stored in rows:
                name = stored[place]
                if name is not None:
                    number = ids.get(name)
                    stored[place] = number if number else self._add(name)

    def taken(self) -> list[tuple[int, str]]:
        """Return the rows of ``names`` that are new since the last call."""
        new, self._new = self._new, []
        return new

    def _add(self, name: str) -> int:
        number = self._ids[name] = self._next
        self._next += 1
        self._new.append((number, name))
        return number


def packed(rows: Sequence[Row]) -> list[list[Any]]:
    """Return ``rows`` as rows of ``records`` without ids. :meth:`Names.number` adds the ids."""
    titles = in_pieces([str(row[_TITLE - 1]) for row in rows], TITLE_PIECES)
    authors = in_pieces([str(row[_AUTHORS - 1] or "") for row in rows], AUTHOR_PIECES)
    return [*map(_packed, rows, titles, authors)]


def _packed(row: Row, title: str | bytes, authors: str | bytes) -> list[Any]:
    stored: list[Any] = [0, *row, None, row_checksum(row)]
    stored[_TITLE] = title
    if authors:
        stored[_AUTHORS] = authors
    key, doi, arxiv_id, url = row[_KEY - 1], row[_DOI - 1], row[_ARXIV_ID - 1], row[_URL - 1]
    if key and key == doi:
        stored[_KEY] = 1
    elif key and key == arxiv_id:
        stored[_KEY] = 2
    if url:
        stored[_URL] = _follows(str(url), stored[_KEY], str(doi or ""), str(arxiv_id or "")) or url
    if doi:
        registrant, slash, rest = str(doi).partition("/")
        if slash:
            stored[-2], stored[_DOI] = registrant, rest
    return stored


def identifiers_of(stored: Sequence[Any]) -> tuple[str, str]:
    """Return the DOI and the arXiv identifier of the packed row ``stored``. A missing identifier is
    empty.
    """
    doi, registrant = stored[_DOI] or "", stored[-2]
    return f"{registrant}/{doi}" if registrant else doi, stored[_ARXIV_ID] or ""


def in_pieces(texts: Iterable[str], pieces: tuple[str, ...]) -> list[str | bytes]:
    """Return ``texts`` with each of the frequent ``pieces`` replaced by a control character, which
    makes them shorter.

    If a text itself has control characters, it is returned as bytes, in which nothing is replaced.
    """
    coded = [text.encode() for text in texts]
    controls = _CODES.tobytes()
    clean = [text if text == text.translate(None, controls) else b"" for text in coded]
    joined = _SEPARATOR.join([*clean, b""])
    for piece, code in zip(pieces, controls, strict=True):
        if len(piece) > 2:
            joined = joined.replace(piece.encode(), bytes([code]))
    short = _without_pairs(joined, _ranks(pieces)).split(_SEPARATOR)[:-1]
    pairs = zip(short, coded, strict=True)
    return [old if old and not new else new.decode() for new, old in pairs]


@cache
def _ranks(pieces: tuple[str, ...]) -> NDArray[np.uint8]:
    """Return an array that maps two bytes, as a 16-bit number, to their index in ``pieces``."""
    ranks = np.full(1 << 16, _NO_PIECE, np.uint8)
    for place, piece in enumerate(pieces):
        if len(piece) == 2:
            ranks[int.from_bytes(piece.encode())] = place
    return ranks


def _without_pairs(joined: bytes, ranks: NDArray[np.uint8]) -> bytes:
    """Replace each piece of two letters in ``joined``, the piece with the lowest rank first.

    This takes a third of the time of ``bytes.replace`` for every piece.
    """
    # Example: in "then", the pieces "th" and "en" are found. In "her", "he" is no piece, and "er"
    # is found. Of pieces that overlap, such as "er" and "ro" in "ero", the one with the lowest rank
    # is replaced. Then its neighbours are pieces no more, and the next search finds the rest.
    text = np.frombuffer(joined, np.uint8).copy()
    rank = np.append(ranks[text[:-1].astype(np.uint16) << 8 | text[1:]], np.uint8(_NO_PIECE))
    kept = np.ones(len(text), bool)
    (found,) = np.nonzero(rank != _NO_PIECE)
    while len(found):
        here = rank[found]
        chosen = found[(here < rank[found - 1]) & (here <= rank[found + 1])]
        text[chosen] = _CODES[rank[chosen]]
        kept[chosen + 1] = False
        for neighbour in (-1, 0, 1):
            rank[chosen + neighbour] = _NO_PIECE
        found = found[rank[found] != _NO_PIECE]
    return text[kept].tobytes()


def _follows(url: str, key: object, doi: str, arxiv_id: str) -> int:
    """Return the number that replaces ``url`` in the table, or 0 if ``url`` cannot be computed from
    key, DOI or arXiv id.
    """
    if url.startswith(_RESOLVER):
        written = url[len(_RESOLVER) :]
        same = 1 if written == doi else 2 if written == doi.translate(_CAPITALS) else 0
        return same if doi else 0
    if arxiv_id and url == f"https://arxiv.org/abs/{arxiv_id}":
        return 3
    return 4 if url == f"https://openalex.org/{key}" else 0
