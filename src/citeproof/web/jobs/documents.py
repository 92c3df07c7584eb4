"""Detect the kind of the document that a request has sent, and parse the document into
references.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Self

from citeproof.model.account import Account, Unread
from citeproof.model.errors import InputError
from citeproof.model.reference import Diagnostic, Reference
from citeproof.readers import formats
from citeproof.readers.document import Budget, Collection, Document, Member, Opened
from citeproof.readers.formats import bibtex
from citeproof.readers.opening import open_bytes
from citeproof.readers.papers import papers_of
from citeproof.readers.pasted import Holds, begin_pasted
from citeproof.store.runtime.jobs import JobDocument
from citeproof.web.options import MAX_REFERENCES

# maximum number of bytes unpacked from an archive; the command line allows 4 GB
_MOST_UNPACKED = 256 * 2**20
# maximum number of unpacked bytes of a file in an archive; the command line allows 256 MB
_LARGEST_MEMBER = 64 * 2**20
# maximum number of files read from an archive; the command line allows 100,000
_MOST_MEMBERS = 10_000
_MOST_UNREAD = 1_000  # maximum number of lines kept that belong to no reference
EMPTY = "There is no reference in this text."
_TOO_MANY = (
    "The document has {:,} references, and a job may have at most {:,}. Split the "
    "document, or use citeproof verify."
)

Look = Callable[[], object]
"""Type of a function that is called before each file of an archive is read. It may raise an
exception to stop the reading.
"""


@dataclass(slots=True)
class Reading:
    """A document that is being parsed into entries: references, and diagnostics for text that is
    not a reference.
    """

    # detected kind: title, titles, doi, arxiv_id, reference, archive, or a format such as bibtex
    taken_for: str
    # iterator over the entries that have not been parsed yet
    coming: Iterator[Reference | Diagnostic]
    # function that returns remarks for the user on the entries read so far
    notes: Callable[[], tuple[str, ...]]
    # the document if it is BibTeX, which citeproof can correct; otherwise None
    bibtex: Document | None = None
    # for each document, what every line was read as; None if the reader does not say
    accounts: Sequence[Account | None] = ()
    entries: list[Reference | Diagnostic] = field(default_factory=list)
    total: int | None = None  # number of entries; None until all were read

    @property
    def unread(self) -> tuple[Unread, ...]:
        """The lines that belong to no reference, at most 1,000. Lines that look like a reference
        come first.
        """
        lines = [line for account in self.accounts if account for line in account.unread]
        return tuple(sorted(lines, key=lambda line: not line.lost)[:_MOST_UNREAD])

    def read(self, most: int | None = None) -> Self:
        """Read until there are ``most`` entries, or to the end if ``most`` is None.

        Raises :class:`InputError` if there are more than 5,000 entries.
        """
        self.entries += islice(
            self.coming, None if most is None else max(0, most - len(self.entries))
        )
        if most is None or len(self.entries) < most:
            self.total = len(self.entries)
        if len(self.entries) > MAX_REFERENCES:
            raise InputError(_TOO_MANY.format(len(self.entries), MAX_REFERENCES))
        return self


def begin(sent: JobDocument, look: Look = tuple, holds: Holds = lambda _: False) -> Reading:
    """Detect the kind of the document ``sent`` and begin to parse it.

    ``holds`` returns whether the database has a title. Raises :class:`InputError` if the document
    cannot be read.
    """
    if sent.pasted and not sent.format:
        document = Document.of(sent.name, sent.data)
        if not document.text.strip():
            raise InputError(EMPTY)
        taken_for, read = begin_pasted(document, holds)
        if read is None:
            return _named(document)
        return Reading(taken_for, iter(read.entries), lambda: read.notes, accounts=(read.account,))
    budget = Budget(_MOST_UNPACKED, _LARGEST_MEMBER, _MOST_MEMBERS)
    opened = (
        Document.of(sent.name, sent.data)
        if sent.pasted
        else open_bytes(sent.name, sent.data, budget)
    )
    if isinstance(opened, Diagnostic):
        raise InputError(str(opened))
    opened = replace(opened, format=sent.format)
    if not isinstance(opened, Collection):
        return _named(opened)
    papers = formats.read_all(papers_of([_watched(opened, look)]))
    notes = tuple(note for paper in papers for note in paper.notes)
    return Reading(
        "archive",
        iter([entry for paper in papers for entry in paper.entries]),
        lambda: notes,
        accounts=[paper.account for paper in papers],
    )


def _watched(collection: Collection, look: Look) -> Collection:
    """Return a copy of ``collection``, an archive, that calls ``look`` before each file in the
    archive is opened. This includes files in archives inside the archive.
    """

    def watched(member: Member) -> Member:
        def opening() -> Opened:
            look()
            opened = member.open()
            return _watched(opened, look) if isinstance(opened, Collection) else opened

        return replace(member, open=opening)

    return replace(collection, members=tuple(map(watched, collection.members)))


def _named(document: Document) -> Reading:
    """Begin to parse a bibliography or a paper.

    If ``document.format`` is empty, the format is detected.
    """
    chosen = formats.detect(document)
    (reading,) = formats.begin_each((document,))
    taken_for = chosen.NAME if chosen else ""
    is_bibtex = taken_for == bibtex.NAME and document.is_text
    return Reading(
        taken_for,
        reading.entries,
        reading.notes,
        document if is_bibtex else None,
        (reading.account,),
    )
