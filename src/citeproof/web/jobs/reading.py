"""What somebody sent, pasted or typed, read into entries, and what it was taken for."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

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
    from collections.abc import Callable

    from citeproof.inputs.collection import Member, Opened
    from citeproof.runtime.jobs import JobDocument

TOO_MANY = "The document has {:,} references, and one job takes {:,}. Split it, or use citeproof verify for it."
EMPTY = "There is no reference in this text."


@dataclass(frozen=True, slots=True)
class Reading:
    """A document as it was understood."""

    taken_for: str
    """``title``, ``titles``, ``doi``, ``arxiv_id``, ``reference``, ``archive``, or the name of its format."""
    entries: tuple[Reference | Diagnostic, ...]
    notes: tuple[str, ...] = ()
    bibtex: Document | None = None
    """The document, where it is BibTeX and can be corrected."""


def read(sent: JobDocument, look: Callable[[], object] = tuple) -> Reading:
    """Return the entries of ``sent``. ``look`` is called before each file of an archive; what it raises ends the work.

    Raises :class:`InputError` where nothing can be read, or more than one job takes.
    """
    if sent.pasted and not sent.format:
        reading = _pasted(Document.of(sent.name, sent.data))
    else:
        opened = Document.of(sent.name, sent.data) if sent.pasted else _opened(sent)
        if isinstance(opened, Diagnostic):
            raise InputError(str(opened))
        opened = replace(opened, format=sent.format)
        reading = _packed(opened, look) if isinstance(opened, Collection) else _named(opened)
    if len(reading.entries) > MAX_REFERENCES:
        raise InputError(TOO_MANY.format(len(reading.entries), MAX_REFERENCES))
    return reading


def _opened(sent: JobDocument) -> Opened:
    return open_bytes(sent.name, sent.data, Budget(MOST_UNPACKED, LARGEST_MEMBER, MOST_MEMBERS))


def _packed(collection: Collection, look: Callable[[], object]) -> Reading:
    """Read the papers of an archive."""
    papers = formats.read_all(papers_of([_watched(collection, look)]))
    entries = tuple(entry for paper in papers for entry in paper.entries)
    return Reading("archive", entries, tuple(note for paper in papers for note in paper.notes))


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
    """Read a file, which is a bibliography or a paper."""
    chosen = formats.load(document.format) if document.format else formats.detect(document)
    (bibliography,) = formats.read_all((document,))
    reading = _reading(chosen.NAME if chosen else "", bibliography)
    is_bibtex = reading.taken_for == bibtex.NAME and document.is_text
    return replace(reading, bibtex=document) if is_bibtex else reading


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
        return Reading("doi" if names_doi else "arxiv_id", (reference,))
    found = formats.detect(document)
    if found and found.NAME not in {"text", "titles"}:
        return _named(document)
    document = replace(document, text=text)
    listed = formats.read(document, "text")
    described = sum(bool(entry.authors or (entry.title and entry.venue)) for entry in listed.references)
    one = len(listed.entries) == 1
    if 2 * described > len(listed.entries):
        return _reading("reference" if one else "text", listed)
    titles = formats.read(replace(document, text=" ".join(text.split())) if one else document, "titles")
    return _reading("title" if len(titles.entries) == 1 else "titles", titles)


def _reading(taken_for: str, bibliography: Bibliography) -> Reading:
    return Reading(taken_for, bibliography.entries, bibliography.notes)
