"""What somebody sent, pasted or typed, read into entries, and what it was taken for."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TYPE_CHECKING, Self

from citeproof import formats
from citeproof.bibdb.identifiers import identifier_in
from citeproof.errors import InputError
from citeproof.formats import bibtex
from citeproof.inputs.collection import Collection
from citeproof.inputs.document import Document
from citeproof.inputs.limits import Budget
from citeproof.inputs.opening import open_bytes
from citeproof.models import Bibliography, Diagnostic, MatchKind, Place, Reference
from citeproof.papers import papers_of
from citeproof.web.jobs.limits import LARGEST_MEMBER, MAX_REFERENCES, MOST_MEMBERS, MOST_UNPACKED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from citeproof.inputs.collection import Member, Opened
    from citeproof.runtime.jobs import JobDocument

TOO_MANY = "The document has {:,} references, and one job takes {:,}. Split it, or use citeproof verify for it."
EMPTY = "There is no reference in this text."


@dataclass(slots=True)
class Reading:
    """A document as it was understood, with its entries as far as they are read."""

    taken_for: str
    """``title``, ``titles``, ``doi``, ``arxiv_id``, ``reference``, ``archive``, or the name of its format."""
    coming: Iterator[Reference | Diagnostic]
    """Entries that were not read so far."""
    notes: Callable[[], tuple[str, ...]]
    """What is to be said beside the entries that were read."""
    bibtex: Document | None = None
    """The document, where it is BibTeX and can be corrected."""
    entries: list[Reference | Diagnostic] = field(default_factory=list)
    """Those that were read so far."""
    total: int | None = None
    """How many there are; None until all are read."""

    def read(self, most: int | None = None) -> Self:
        """Read on until there are ``most`` entries or all; raise :class:`InputError` for more than one job takes."""
        self.entries += islice(self.coming, None if most is None else max(0, most - len(self.entries)))
        if most is None or len(self.entries) < most:
            self.total = len(self.entries)
        if len(self.entries) > MAX_REFERENCES:
            raise InputError(TOO_MANY.format(len(self.entries), MAX_REFERENCES))
        return self


def begin(sent: JobDocument, look: Callable[[], object] = tuple) -> Reading:
    """Begin to read ``sent``. ``look`` is called before each file of an archive; what it raises ends the work.

    Raises :class:`InputError` where nothing can be read.
    """
    if sent.pasted and not sent.format:
        return _pasted(Document.of(sent.name, sent.data))
    opened = Document.of(sent.name, sent.data) if sent.pasted else _opened(sent)
    if isinstance(opened, Diagnostic):
        raise InputError(str(opened))
    opened = replace(opened, format=sent.format)
    return _packed(opened, look) if isinstance(opened, Collection) else _named(opened)


def _opened(sent: JobDocument) -> Opened:
    return open_bytes(sent.name, sent.data, Budget(MOST_UNPACKED, LARGEST_MEMBER, MOST_MEMBERS))


def _packed(collection: Collection, look: Callable[[], object]) -> Reading:
    """Read the papers of an archive."""
    papers = formats.read_all(papers_of([_watched(collection, look)]))
    entries = tuple(entry for paper in papers for entry in paper.entries)
    notes = tuple(note for paper in papers for note in paper.notes)
    return Reading("archive", iter(entries), lambda: notes)


def _watched(collection: Collection, look: Callable[[], object]) -> Collection:
    """Return ``collection`` with ``look`` called before each file in it is opened, archives in it included."""

    def watched(member: Member) -> Member:
        def opening() -> Opened:
            look()
            opened = member.open()
            return _watched(opened, look) if isinstance(opened, Collection) else opened

        return replace(member, open=opening)

    return replace(collection, members=tuple(map(watched, collection.members)))


def _named(document: Document) -> Reading:
    """Begin to read a file, which is a bibliography or a paper."""
    chosen = formats.load(document.format) if document.format else formats.detect(document)
    (reading,) = formats.begin_each((document,))
    taken_for = chosen.NAME if chosen else ""
    is_bibtex = taken_for == bibtex.NAME and document.is_text
    return Reading(taken_for, reading.entries, reading.notes, document if is_bibtex else None)


def _pasted(document: Document) -> Reading:
    """Read text that may be anything. What is unmistakable comes first: an identifier, then a format.

    Of other text one entry is a reference where people or a venue can be told in it, else a title. Of several
    entries the most decide: ``Smith, J. (2019). A title. A journal.`` three times is a list of references.
    """
    text = document.text.strip()
    if not text:
        raise InputError(EMPTY)
    if identifier := identifier_in(text):
        names_doi = identifier.kind is MatchKind.DOI
        doi, arxiv_id = (identifier.value, "") if names_doi else ("", identifier.value)
        reference = Reference("1", doi=doi, arxiv_id=arxiv_id, raw=text, place=Place(document.name, 1))
        return _read("doi" if names_doi else "arxiv_id", Bibliography((reference,)))
    found = formats.detect(document)
    if found and found.NAME not in {"text", "titles"}:
        return _named(document)
    document = replace(document, text=text)
    listed = formats.read(document, "text")
    described = sum(bool(entry.authors or (entry.title and entry.venue)) for entry in listed.references)
    one = len(listed.entries) == 1
    if 2 * described > len(listed.entries):
        return _read("reference" if one else "text", listed)
    titles = formats.read(replace(document, text=" ".join(text.split())) if one else document, "titles")
    return _read("title" if len(titles.entries) == 1 else "titles", titles)


def _read(taken_for: str, bibliography: Bibliography) -> Reading:
    return Reading(taken_for, iter(bibliography.entries), lambda: bibliography.notes)
