"""Findings of the strategies about one reference, and the comparison of its fields with a record."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from citeproof.model.record import Candidate, MatchKind, Notice, Record, Volume
from citeproof.model.reference import Reference


class Agreement(StrEnum):
    """The result of comparing one field of a reference with a record."""

    SAME = "same"
    """Equal, or different only as honest descriptions usually differ."""
    PARTLY = "partly"
    """The title is similar, or only some names agree."""
    DIFFERENT = "different"
    UNCLEAR = "unclear"
    """Not comparable: a publisher as the venue, or a DOI of arXiv beside that of a journal."""
    ABSENT = "absent"
    """The reference or the record does not state the field."""


FieldName = Literal["title", "authors", "year", "venue", "doi", "arxiv_id"]


@dataclass(frozen=True, slots=True)
class FieldComparison:
    """One field as it is cited and as it is recorded."""

    field: FieldName
    """The field of the reference and of the record."""
    agreement: Agreement
    cited: str
    recorded: str
    only_cited: tuple[str, ...] = ()
    """Words of the title, or names of authors, that the record does not have."""
    only_recorded: tuple[str, ...] = ()
    """Words or names that the reference does not have."""


@dataclass(frozen=True, slots=True)
class NearestWork:
    """A work that the reference may mean, compared with it field by field."""

    candidate: Candidate
    found_by: tuple[MatchKind, ...]
    """How it was found; several kinds if several queries returned it."""
    fields: tuple[FieldComparison, ...]
    """One for each field of :class:`FieldComparison`, in that order."""

    @property
    def record(self) -> Record:
        """The work's record."""
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
    """One query to one source, kept as evidence."""

    source: str
    outcome: Outcome
    detail: str = ""
    """Why the query failed or was skipped, or what the answer is based on, in a few words."""
    records: int = 0
    """Number of records returned."""
    milliseconds: float = 0.0
    method: str = ""
    index: str = ""
    candidates_examined: int = 0
    complete: bool = False
    """The search proved that the source has no better record."""
    from_cache: bool = False
    searched: bool = False
    """An empty answer says that the source lacks the work: it was searched by title, not only by an identifier."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """A kind of works, and the online sources that have most of them. A miss in all of these says something."""

    kind: str
    """Plural noun for sentences: ``journal articles``."""
    sources: tuple[str, ...]
    """Names of these sources; empty if no source has most works of this kind."""


class Covers(StrEnum):
    """The part of which a source has so many records that a missing one says something."""

    IDENTIFIER = "identifier"
    """All identifiers of the series or registrant of the cited identifier, which the source lacks."""
    PREPRINTS = "preprints"
    """All papers of arXiv of the cited year and of the years before and after it."""
    KIND = "kind"
    """Most works of the cited kind."""
    NOTHING = "nothing"
    """The source may lack the work."""


@dataclass(frozen=True, slots=True)
class SourceCoverage:
    """Completeness of a source in the database for works like the cited one."""

    source: str
    """Name shown to users: ``arXiv``."""
    covers: Covers
    part: str
    """The part in words: ``the DOIs of 10.1145``. For NOTHING the field of research; empty for all fields."""
    completeness: float
    """Share of the part in the source, 0 to 1."""
    until: str
    """Date of its newest record, ``YYYY-MM-DD``; empty if unknown."""
    identifier: str = ""
    """The cited identifier that the source lacks; only for IDENTIFIER."""
    doubt: str = ""
    """Why the missing record proves nothing here, such as a paper by the same authors under another title."""


@dataclass(frozen=True, slots=True)
class Findings:
    """Everything that one or more strategies returned about one reference."""

    candidates: tuple[Candidate, ...] = ()
    inquiries: tuple[Inquiry, ...] = ()
    volumes: tuple[Volume, ...] = ()
    """Volumes of the sources that the reference may claim."""
    unknown_identifiers: tuple[str, ...] = ()
    """Cited identifiers that their registrar says do not exist."""
    reparsed: Reference | None = None
    """The reference according to a second reading of its raw text; it replaces the first."""
    unread: bool = False
    """The second reading failed: the fields of the reference may be wrong."""
    coverage: Coverage | None = None
    """The sources that must answer before a miss says anything; None if no online source was to be asked."""
    remembered: tuple[Candidate, ...] = ()
    """Records that earlier runs verified: they may confirm a reference and never contradict it."""
    covered: tuple[SourceCoverage, ...] = ()
    """Completeness of the sources of the database for works like the cited one."""
    notices: tuple[Notice, ...] = ()
    """Retractions and concerns about the cited work, with or without a record of it."""
    local: int = 0
    """Number of the first ``candidates`` that are local records; the others come from online sources."""
    title_counts: tuple[tuple[str, int], ...] = ()
    """Words of the two titles that differ in one letter, each with the number of titles that use it."""

    def __add__(self, other: Findings) -> Findings:
        return Findings(
            self.candidates + other.candidates,
            self.inquiries + other.inquiries,
            self.volumes + other.volumes,
            self.unknown_identifiers + other.unknown_identifiers,
            other.reparsed or self.reparsed,
            self.unread or other.unread,
            other.coverage or self.coverage,
            self.remembered + other.remembered,
            self.covered + other.covered,
            self.notices + other.notices,
            max(self.local, other.local),
            self.title_counts + other.title_counts,
        )
