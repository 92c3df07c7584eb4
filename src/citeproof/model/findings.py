"""What was found about a reference, and comparisons of its fields with records."""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Any, Literal

from citeproof.model.record import Candidate, MatchKind, Notice, Record, Volume
from citeproof.model.reference import Reference


class Agreement(StrEnum):
    """The result of comparing one field of a reference with a record."""

    SAME = "same"
    """The values are equal, or differ only as honest descriptions usually do."""
    PARTLY = "partly"
    """The titles are similar, or only some names agree."""
    DIFFERENT = "different"
    UNCLEAR = "unclear"
    """The values cannot be compared: a publisher and a journal as the venue, or an arXiv DOI and a DOI of a journal."""
    ABSENT = "absent"
    """The reference or the record does not state the field."""


FieldName = Literal["title", "authors", "year", "venue", "doi", "arxiv_id"]


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
    """A work that the reference may mean, compared with it field by field."""

    candidate: Candidate
    found_by: tuple[MatchKind, ...]
    """Kinds of queries that found the work."""
    fields: tuple[FieldComparison, ...]
    """Comparisons of the fields named by :data:`FieldName`, in that order."""

    @property
    def record(self) -> Record:
        """The record of the work."""
        return self.candidate.record

    def compared(self, name: str) -> FieldComparison | None:
        """Return the comparison of the field ``name``; None if it was not compared."""
        return next((item for item in self.fields if item.field == name), None)

    def fields_that(self, *agreements: Agreement) -> tuple[str, ...]:
        """Return the names of the fields with one of ``agreements``."""
        return tuple(item.field for item in self.fields if item.agreement in agreements)


class Outcome(StrEnum):
    """The outcome of a query to a source."""

    ANSWERED = "answered"
    FAILED = "failed"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class Inquiry:
    """A query to one source, recorded as evidence."""

    source: str
    outcome: Outcome
    detail: str = ""
    """Short text on why the query failed or was skipped, or on what the answer is based."""
    records: int = 0
    """Number of records that the query returned."""
    milliseconds: float = 0.0
    method: str = ""
    index: str = ""
    candidates_examined: int = 0
    complete: bool = False
    """Whether the search proved that the source has no better record."""
    from_cache: bool = False
    searched: bool = False
    """Whether the source was searched by title, so that an empty answer means that it lacks the work."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """A kind of works, and the online sources that have most such works. A miss in all these sources is evidence."""

    kind: str
    """The kind as a plural noun for sentences: ``journal articles``."""
    sources: tuple[str, ...]
    """Names of the sources; empty if no source has most works of this kind."""


class Covers(StrEnum):
    """The set of works that a source has nearly completely, so that a missing record counts as evidence."""

    IDENTIFIER = "identifier"
    """All works whose identifiers are of the same series or registrant as the cited one, which the source lacks."""
    PREPRINTS = "preprints"
    """All papers on arXiv of the cited year, the year before and the year after."""
    KIND = "kind"
    """Most works of the cited kind."""
    NOTHING = "nothing"
    """No such set: the source may lack any work."""


@dataclass(frozen=True, slots=True)
class SourceCoverage:
    """How completely a source in the database covers works like the cited one."""

    source: str
    """Name shown to users: ``arXiv``."""
    covers: Covers
    part: str
    """Description of the covered set: ``the DOIs of 10.1145``. For NOTHING the field of research; empty for all."""
    completeness: float
    """Share of the set in the source, 0 to 1."""
    until: str
    """Date of the source's newest record, ``YYYY-MM-DD``; empty if unknown."""
    identifier: str = ""
    """The cited identifier that the source lacks; only for IDENTIFIER."""
    doubt: str = ""
    """Why the missing record proves nothing in this case, such as a paper by the same authors under another title."""


@dataclass(frozen=True, slots=True)
class Findings:
    """Everything that was found about one reference."""

    candidates: tuple[Candidate, ...] = ()
    inquiries: tuple[Inquiry, ...] = ()
    volumes: tuple[Volume, ...] = ()
    """Volumes in which the work appeared according to the reference; several if its venue is ambiguous."""
    unknown_identifiers: tuple[str, ...] = ()
    """Cited identifiers that do not exist according to their registrar."""
    reparsed: Reference | None = None
    """The reference as parsed again from the raw text, which replaces the reference as first parsed."""
    unread: bool = False
    """Whether a second parse of the raw text failed, so that the fields of the reference may be wrong."""
    coverage: Coverage | None = None
    """The online sources that must be searched before a miss counts; None if no online source was to be queried."""
    remembered: tuple[Candidate, ...] = ()
    """Records that earlier runs verified. They may confirm the reference and never contradict it."""
    covered: tuple[SourceCoverage, ...] = ()
    """How completely each source of the database covers works like the cited one."""
    notices: tuple[Notice, ...] = ()
    """Retractions and concerns about the cited work, whether or not a record of it was found."""
    local: int = 0
    """Number of candidates from local databases. They come first; the others are from online sources."""
    title_counts: tuple[tuple[str, int], ...] = ()
    """Words that differ by one letter between two titles, each with the number of titles that contain it."""

    def __add__(self, other: Findings) -> Findings:
        pairs = {part.name: (getattr(self, part.name), getattr(other, part.name)) for part in fields(self)}
        joined: dict[str, Any] = {name: one + two for name, (one, two) in pairs.items() if isinstance(one, tuple)}
        return Findings(
            reparsed=other.reparsed or self.reparsed,
            unread=self.unread or other.unread,
            coverage=other.coverage or self.coverage,
            local=max(self.local, other.local),
            **joined,
        )
