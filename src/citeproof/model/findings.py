"""Records and other evidence found for a reference, and comparisons of the reference with
records.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Any, Literal

from citeproof.model.record import Candidate, MatchKind, Notice, Record, Volume
from citeproof.model.reference import Reference


class Agreement(StrEnum):
    """The result of comparing one field of a reference with a record."""

    SAME = "same"
    """The values are equal, or differ only as correct references usually do, such as initials for
    given names.
    """
    PARTLY = "partly"
    """The titles are similar, or only some names agree."""
    DIFFERENT = "different"
    UNCLEAR = "unclear"
    """The values cannot be compared, such as a publisher with a journal, or a DOI of arXiv with a
    DOI of a journal.
    """
    ABSENT = "absent"
    """The reference or the record does not state the field."""


FieldName = Literal[
    "title", "authors", "year", "venue", "doi", "arxiv_id", "volume", "number", "pages"
]


@dataclass(frozen=True, slots=True)
class FieldComparison:
    """A field as the reference cites it and as a record states it."""

    field: FieldName
    """Name of the field."""
    agreement: Agreement
    cited: str
    recorded: str
    only_cited: tuple[str, ...] = ()
    """Words of the title, or names of authors, that only the reference has."""
    only_recorded: tuple[str, ...] = ()
    """Words of the title, or names of authors, that only the record has."""


@dataclass(frozen=True, slots=True)
class NearestWork:
    """A work that may be the cited work, and the comparisons of the work's fields with the
    reference.
    """

    candidate: Candidate
    found_by: tuple[MatchKind, ...]
    """How queries found the work, such as by title or by DOI."""
    fields: tuple[FieldComparison, ...]
    """Comparisons of title, authors, year, venue, DOI and arXiv identifier, in this order."""

    @property
    def record(self) -> Record:
        """The record of the work."""
        return self.candidate.record

    def compared(self, name: str) -> FieldComparison | None:
        """Return the comparison of the field ``name``; None if it was not compared."""
        return next((item for item in self.fields if item.field == name), None)

    def fields_that(self, *agreements: Agreement) -> tuple[str, ...]:
        """Return the names of the fields whose comparison resulted in any of ``agreements``."""
        return tuple(item.field for item in self.fields if item.agreement in agreements)


class Outcome(StrEnum):
    """The outcome of a query to a source."""

    ANSWERED = "answered"
    FAILED = "failed"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class Inquiry:
    """A search for a reference in one source, and the outcome of the search."""

    source: str
    outcome: Outcome
    detail: str = ""
    """Remark on the outcome, such as why the search failed or was skipped."""
    records: int = 0
    """Number of records that the search returned."""
    milliseconds: float = 0.0
    method: str = ""
    index: str = ""
    candidates_examined: int = 0
    complete: bool = False
    """Whether the search was exhaustive, so that the source certainly has no record that fits
    better.
    """
    from_cache: bool = False
    searched: bool = False
    """Whether the source was searched by title, or has the work. False if only an identifier was
    looked up, without result.
    """

    @property
    def answered(self) -> bool:
        """Whether the source has answered."""
        return self.outcome is Outcome.ANSWERED


@dataclass(frozen=True, slots=True)
class Coverage:
    """A kind of works, such as books, and the names of the online sources that have most works of
    this kind.
    """

    kind: str
    """Plural noun for the kind: ``journal articles``."""
    sources: tuple[str, ...]
    """Names of the sources; empty if no source has most works of this kind."""


class Covers(StrEnum):
    """A set of works that a source has almost completely.

    If the source lacks a work of this set, the work probably does not exist.
    """

    IDENTIFIER = "identifier"
    """Works with the prefix of the cited DOI, arXiv papers from the month of the cited identifier,
    or all RFCs.
    """
    PREPRINTS = "preprints"
    """All papers on arXiv from the cited year, the year before and the year after."""
    KIND = "kind"
    """Most works of the same kind as the cited work, such as journal articles."""
    NOTHING = "nothing"
    """No set is known. The source may lack any work."""


@dataclass(frozen=True, slots=True)
class SourceCoverage:
    """The share of a set of works, such as the DOIs of a publisher, that a source in the database
    has.
    """

    source: str
    """Name of the source for users: ``arXiv``."""
    covers: Covers
    part: str
    """Name of the set: ``the DOIs of 10.1145``.

    If ``covers`` is NOTHING: the source's field of research, or empty.
    """
    completeness: float
    """Share of the set that the source has, 0 to 1."""
    until: str
    """Date of the newest record in the source, ``YYYY-MM-DD``; empty if unknown."""
    identifier: str = ""
    """Cited DOI, arXiv identifier or RFC number that the source lacks.

    Empty unless ``covers`` is IDENTIFIER.
    """
    doubt: str = ""
    """Sentence that names a possibly renamed version of the cited work by the cited authors; empty
    if there is none.
    """


@dataclass(frozen=True, slots=True)
class Findings:
    """Everything that was found about one reference."""

    candidates: tuple[Candidate, ...] = ()
    inquiries: tuple[Inquiry, ...] = ()
    volumes: tuple[Volume, ...] = ()
    """Journal or proceedings volumes of the cited venue and year; several if the name of the venue
    is ambiguous.
    """
    unknown_identifiers: tuple[str, ...] = ()
    """Cited DOIs and arXiv identifiers that do not exist according to the registrar."""
    reparsed: Reference | None = None
    """The reference that a second parse of the raw text gave.

    It replaces the original reference. None if there was no second parse.
    """
    unread: bool = False
    """Whether a second parse of the raw text failed.

    The fields of the reference may then be wrong.
    """
    coverage: Coverage | None = None
    """The kind of the cited work, with the online sources that must be searched before the work can
    be called missing; None if no online source is used.
    """
    remembered: tuple[Candidate, ...] = ()
    """Records from the cache of earlier runs.

    A cached record can confirm the reference, but cannot contradict it.
    """
    covered: tuple[SourceCoverage, ...] = ()
    """What each source in the database has of the sets of works to which the cited work belongs,
    such as the works of the same kind.
    """
    notices: tuple[Notice, ...] = ()
    """Retractions of the cited work and expressions of concern, even if no record of the work was
    found.
    """
    local: int = 0
    """Number of ``candidates`` from local databases.

    Candidates from online sources come after these.
    """
    title_counts: tuple[tuple[str, int], ...] = ()
    """Pairs ``(word, count)``: a word that may be misspelt, and how many titles in a database have
    the word.
    """

    def __add__(self, other: Findings) -> Findings:
        pairs = {
            part.name: (getattr(self, part.name), getattr(other, part.name))
            for part in fields(self)
        }
        joined: dict[str, Any] = {
            name: one + two for name, (one, two) in pairs.items() if isinstance(one, tuple)
        }
        return Findings(
            reparsed=other.reparsed or self.reparsed,
            unread=self.unread or other.unread,
            coverage=other.coverage or self.coverage,
            local=max(self.local, other.local),
            **joined,
        )
