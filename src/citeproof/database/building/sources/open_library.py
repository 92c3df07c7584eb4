"""Read Open Library's dump of editions of books (https://openlibrary.org/developers/dumps).

A line has five columns separated by tabs: type, key, revision, time of the last change, and the
edition as JSON. The names of authors are read from a second dump, ``ol_dump_authors_*.txt.gz``, if
this file is in the same folder.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import numpy as np
import orjson

from citeproof.database.building.source_file import SourceFile, lines
from citeproof.database.building.sources import Batch, Found, batched, row_of, signed_by
from citeproof.model.record import Record
from citeproof.model.stored import JsonObject

NAME = "open-library"
LICENCE: str | None = "public domain where it applies, Open Library, https://openlibrary.org"
CHUNKS = None
accepts = signed_by(rb"\A/type/edition\t/books/OL\d+M\t\d+\t[^\t]*\t\{")
_YEAR = re.compile(r"(?<!\d)(1[4-9]\d\d|20\d\d)(?!\d)")
_FIELDS = 5


def records(file: SourceFile) -> Iterator[Batch]:
    """Yield the editions in ``file``, in batches.

    Other lines, such as deleted editions, are left out.
    """
    authors = _authors_in(file.path.parent)
    return batched(
        _found(number, line, authors) for number, line in enumerate(lines(file), file.first_line)
    )


def _found(number: int, line: bytes, authors: _Authors) -> Found:
    fields = line.rstrip(b"\r\n").split(b"\t", _FIELDS - 1)
    if len(fields) != _FIELDS:
        return Found(fault=f"line {number}: has no {_FIELDS} columns")
    if fields[0] != b"/type/edition":
        return Found()
    try:
        return Found(
            row_of(_record(orjson.loads(fields[4]), authors), NAME), fields[3][:10].decode() or None
        )
    except (orjson.JSONDecodeError, KeyError, TypeError, ValueError, AttributeError):
        return Found(fault=f"line {number}: is not an edition in Open Library's format")


def _record(edition: JsonObject, authors: _Authors) -> Record:
    key = edition["key"].rpartition("/")[2]
    title = ": ".join(filter(None, (edition.get("title"), edition.get("subtitle"))))
    year = _YEAR.search(str(edition.get("publish_date") or ""))
    isbn = next(iter(edition.get("isbn_13") or edition.get("isbn_10") or ()), "")
    names = [
        authors.name(author["key"]) for author in edition.get("authors") or () if author.get("key")
    ]
    works = [work["key"] for work in edition.get("works") or () if work.get("key")]
    return Record(
        key=key,
        title=title,
        # an incomplete list of authors would contradict correct references, so it is left out
        authors=tuple(names) if all(names) else (),
        year=int(year[0]) if year else None,
        venue=str(next(iter(edition.get("publishers") or ()), "")),
        pub_type="book",
        url=f"https://openlibrary.org/isbn/{isbn}"
        if isbn
        else f"https://openlibrary.org/books/{key}",
        crossref=works[0] if works else "",
        publtype=str(edition.get("edition_name") or ""),
    )


class _Authors:
    """Map from the key of an author to the name of the author.

    The map takes 450 MB for 14 million authors.
    """

    def __init__(self, folder: Path) -> None:
        """Read all files ``ol_dump_authors*.txt*`` in ``folder``."""
        numbers, ends, text = array("q"), array("q", [0]), bytearray()
        names = (
            pair
            for path in sorted(folder.glob("ol_dump_authors*.txt*"))
            for pair in _names(SourceFile(path))
        )
        for number, name in names:
            numbers.append(number)
            text += name.encode()
            ends.append(len(text))
        values = np.frombuffer(numbers, np.int64)
        self._order = values.argsort(kind="stable")
        self._numbers = values[self._order]
        self._ends, self._text = ends, bytes(text)

    def name(self, key: str) -> str:
        """Return the name for the ``key`` of an author, such as ``/authors/OL123A``.

        Empty for an unknown key.
        """
        wanted = _number(key)
        place = int(self._numbers.searchsorted(wanted))
        if place == len(self._numbers) or self._numbers[place] != wanted:
            return ""
        index = int(self._order[place])
        return self._text[self._ends[index] : self._ends[index + 1]].decode()


_authors_in = lru_cache(1)(_Authors)


def _names(file: SourceFile) -> Iterator[tuple[int, str]]:
    for line in lines(file):
        fields = line.split(b"\t", _FIELDS - 1)
        if fields[0] == b"/type/author" and len(fields) == _FIELDS:
            name = orjson.loads(fields[4]).get("name")
            if isinstance(name, str) and name:
                yield _number(fields[1].decode()), name
    file.close()


def _number(key: str) -> int:
    """Return the number in the key of an author: 123 for ``/authors/OL123A``."""
    return int(key.rpartition("/")[2].strip("OLA"))
