"""Documents that are being read, limits on entries and fields, and notes on repeated entries."""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeVar

from citeproof.model.account import Account
from citeproof.model.reference import (
    Bibliography,
    Diagnostic,
    Extraction,
    Place,
    Reference,
    Severity,
    Span,
)
from citeproof.readers.document import Document
from citeproof.text.normalize import normalize_title

_Record = TypeVar("_Record")

LONGEST_RAW = 2000
"""Maximum number of characters of an entry that a diagnostic quotes."""
MOST_NAMES = 1000
"""Maximum number of authors that are read from a reference written as text."""
_FREE_ENTRIES = 10_000  # number of entries that even a short document may have
_SHORTEST_ENTRY = 16  # minimum average length, in characters, of entries beyond ``_FREE_ENTRIES``
CODES = {
    "document.repeated_key": (
        "a note, not a fault: an earlier entry has the same key, ignoring upper and lower case"
    ),
    "document.repeated_work": (
        "a note, not a fault: an earlier entry has the same DOI, or the same title and authors"
    ),
    "document.field_too_long": (
        "a note, not a fault: a field exceeds its maximum length (titles: 2,000 letters; "
        "authors: 10,000 names of 1,000 letters; others: 20,000 letters) and is ignored"
    ),
    "document.too_many_entries": (
        "it has more entries than its length allows; further entries are not read"
    ),
}
_SAYING = (
    *("title", "authors", "year", "venue", "doi", "arxiv_id", "pages", "volume", "number"),
    *("url", "publisher", "note", "string", "oversized"),
)
"""Names of the attributes of a reference that describe a work. A reference in which all of them are
empty does not describe a work.
"""
_Where = tuple[str, int, int]  # key, line and page of an entry


@dataclass(slots=True)
class Reading:
    """A document that is being read. Its entries are parsed one by one while :attr:`entries` is
    iterated.
    """

    entries: Iterator[Reference | Diagnostic]
    # diagnostics of the document, added while entries are read
    beside: list[Diagnostic] = field(default_factory=list)
    parts: tuple[str, ...] = ()  # names of other files that were read
    extraction: Extraction | None = None  # how well the reference list was read
    account: Account | None = None  # which lines of the document were read as references

    @classmethod
    def of(cls, bibliography: Bibliography) -> Reading:
        """Return a :class:`Reading` of a document that was already read as ``bibliography``."""
        entries, beside = iter(bibliography.entries), list(bibliography.diagnostics)
        return cls(
            entries,
            beside,
            bibliography.parts,
            bibliography.extraction,
            bibliography.account,
        )

    def bibliography(self) -> Bibliography:
        """Read the rest of the document, and return a bibliography of the entries that were not
        read before.
        """
        entries = tuple(self.entries)  # reading all entries fills ``beside``
        return Bibliography(entries, tuple(self.beside), self.parts, self.extraction, self.account)

    def notes(self) -> tuple[str, ...]:
        """Return the diagnostics in :attr:`beside` and the notes of the account as sentences for
        users.
        """
        return Bibliography((), tuple(self.beside), account=self.account).notes


def first_of(texts: Mapping[str, str], names: Iterable[str]) -> str:
    """Return the first value of ``texts`` that is not empty, in the order of the keys ``names``. If
    there is none, return an empty text.
    """
    for name in names:  # twice as fast as `next` with a generator
        if text := texts.get(name):
            return text
    return ""


def without_entries(document: Document, code: str, message: str) -> Bibliography:
    """Return a bibliography that consists only of a diagnostic with ``code`` and ``message``, for a
    document from which no entry can be read.
    """
    return Bibliography((Diagnostic(Place(document.name), code, message),))


def described(reference: Reference) -> Reference | None:
    """Return ``reference``, or None if no field of it describes a work."""
    return reference if any(getattr(reference, name) for name in _SAYING) else None


def references_of(
    text: str,
    records: Iterable[tuple[Place, _Record]],
    reference_of: Callable[[_Record, str, Place], Reference | Diagnostic | None],
    code: str = "",
    message: str = "",
    most: int = sys.maxsize,
) -> Iterator[Reference | Diagnostic]:
    """For each pair (place, record) of ``records``, call ``reference_of(record, raw, place)`` and
    yield the result. ``raw`` is the part of ``text`` at the place.

    If a result is None, or has no field that describes a work, yield a diagnostic with ``code`` and
    ``message`` instead. If there are more than ``most`` records, or too many for the length of
    ``text``, the last item is a diagnostic, and the remaining records are not read.
    """
    for count, (place, record) in enumerate(records):
        span = place.span or Span(0, 0)
        if count >= most or too_many(count, span.start):
            yield too_many_entries(place)
            return
        raw = text[span.start : span.end]
        found = reference_of(record, raw, place)
        if code and isinstance(found, Reference):
            found = described(found)
        yield found or Diagnostic(place, code, message, raw[:LONGEST_RAW])


def too_many(entries: int, position: int) -> bool:
    """Whether ``entries`` is an implausibly large number of entries for ``position`` characters of
    text, as in ``@a{@a{@a{...``.
    """
    return entries > _FREE_ENTRIES + position // _SHORTEST_ENTRY


def too_many_entries(place: Place) -> Diagnostic:
    """Return the diagnostic of a document with too many entries, which says that the entries from
    ``place`` on are not read.
    """
    message = (
        "more entries than the length of the document allows; further entries are not "
        "read: check whether it is a bibliography"
    )
    return Diagnostic(place, "document.too_many_entries", message)


def oversized(reference: Reference) -> Iterator[Diagnostic]:
    """Yield a note for each field of ``reference`` that was too long, and was therefore emptied or
    cut.
    """
    said = [f"its field {name[:80]} is too long and is ignored" for name in reference.oversized]
    if reference.from_text and len(reference.authors) >= MOST_NAMES:
        said.append(f"the first {MOST_NAMES:,} of its authors are read")
    for message in said:
        yield replace(
            _note(reference, "field_too_long", f"{reference.key[:80]}: {message}"),
            place=reference.place,
        )


class Repeats:
    """Detects entries that have the same key as an earlier entry of the document, or describe the
    same work.
    """

    def __init__(self) -> None:
        self._by_key: dict[str, _Where] = {}
        self._by_work: dict[int, _Where] = {}  # by hash of the DOI, or of title, authors and year

    def of(self, reference: Reference) -> Iterator[Diagnostic]:
        """Yield a note if ``reference`` has the key of an earlier entry, and another note if it
        describes the same work as an earlier entry.
        """
        here = reference.key, reference.place.line, reference.place.page
        if (
            reference.key
            and (first := self._by_key.setdefault(reference.key.lower(), here)) is not here
        ):
            same = f"is also that of the entry in {_position(first)}"
            said = (
                same
                if first[0][:80] == reference.key[:80]
                else f"is equal to that of {_described(first)}, ignoring upper and lower case"
            )
            yield _note(reference, "repeated_key", f"the key {reference.key[:80]!r} {said}")
        # Two references with a common signature describe the same work. A title such as
        # ``Editorial`` is not a signature without authors.
        signatures: list[Hashable] = [reference.doi] if reference.doi else []
        if reference.authors and (title := normalize_title(reference.title)):
            signatures.append(
                (title, normalize_title("\n".join(reference.authors)), reference.year)
            )
        earlier = [
            first
            for one in signatures
            if (first := self._by_work.setdefault(hash(one), here)) is not here
        ]
        if earlier:
            name = f"{reference.key[:80]!r} seems" if reference.key else "this seems"
            yield _note(
                reference,
                "repeated_work",
                f"{name} to be the same work as {_described(earlier[0])}",
            )


def _described(where: _Where) -> str:
    return (
        f"{where[0][:80]!r} in {_position(where)}" if where[0] else f"the one in {_position(where)}"
    )


def _position(where: _Where) -> str:
    return f"line {where[1]}" if where[1] else f"page {where[2]}"


def _note(reference: Reference, code: str, message: str) -> Diagnostic:
    place = Place(reference.file, reference.line, reference.place.page)
    return Diagnostic(place, f"document.{code}", message, key=reference.key, severity=Severity.NOTE)
