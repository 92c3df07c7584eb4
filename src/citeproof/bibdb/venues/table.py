"""Venues as the database knows them: whose name is this, and which volume is claimed."""

from __future__ import annotations

from collections import defaultdict
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from citeproof.bibdb.venues.checksum import NAME, checksum_of
from citeproof.bibdb.venues.dois import doi_head
from citeproof.bibdb.venues.keys import stream_of, stream_of_venue
from citeproof.errors import DatabaseError
from citeproof.models import Volume
from citeproof.text.venue_names import (
    abbreviates,
    acronyms,
    initials,
    is_beside,
    is_preprint_server,
    is_series,
    venue_pieces,
    venue_words,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from citeproof.models import Record
    from citeproof.storage.bulk import BulkFile
    from citeproof.storage.sqlite import ReadOnlyFile

_MINOR = 0.05
"""A venue that bears a name in fewer than this share of the records of the venue it names most is left out."""
_YEARS_AROUND = 3
_FEW_DOIS = 50
_SHORTEST_ACRONYM = 3


class _Part(NamedTuple):
    """A row of the table ``volumes``: a volume, or one of several parts of it with keys of their own."""

    key: str
    venue: str
    year: int
    records: int
    completeness: float
    basis: str
    dois: int
    """How many of its papers have a DOI."""
    doi_stem: str
    doi_head: str


_NAMES = "SELECT name, venue, records FROM venue_names"
_PARTS = f"SELECT {', '.join(_Part._fields)} FROM volumes"  # noqa: S608


def seal(file: BulkFile) -> None:
    """Note the checksum of the tables of venues, which are complete, in the table ``meta``."""
    checksum = checksum_of(chain(file.stream(_NAMES), file.stream(_PARTS)))
    file.execute("INSERT INTO meta VALUES (?, ?)", (NAME, str(checksum)))


class VenueTable:
    """Names and volumes of all venues in one database; empty for databases of other programs."""

    sealed = False
    """They were compared with a checksum when they were read."""

    def __init__(self, names: Iterable[tuple[str, str, int]], parts: Iterable[_Part]) -> None:
        counted: defaultdict[str, dict[str, int]] = defaultdict(dict)
        for name, venue, records in names:
            counted[name][venue] = records
        self._venues = {name: _bearers(venues) for name, venues in counted.items()}
        self._abbreviated: defaultdict[str, list[tuple[str, ...]]] = defaultdict(list)
        for name in self._venues:
            words = tuple(name.split())
            if len(words) > 1:
                self._abbreviated[initials(words)].append(words)
        self._volumes: defaultdict[tuple[str, int], list[_Part]] = defaultdict(list)
        for part in parts:
            self._volumes[part.venue, part.year].append(part)
        every = [part for volume in self._volumes.values() for part in volume]
        self._stems = {part.doi_stem: (part.venue, part.year) for part in every if part.doi_stem}
        self._years: defaultdict[str, set[int]] = defaultdict(set)
        for venue, year in self._volumes:
            self._years[venue].add(year)
        self._beside = _by_stream(self._years)
        self._heads: defaultdict[str, set[str]] = defaultdict(set)
        for part in every:
            if part.doi_head:
                self._heads[stream_of_venue(part.venue)].add(part.doi_head)
        self._givers: defaultdict[str, set[str]] = defaultdict(set)
        for venue, heads in self._heads.items():
            for head in heads:
                self._givers[head].add(venue)
        self._names_of_stream: defaultdict[str, list[str]] = defaultdict(list)
        for name, venues in self._venues.items():
            for venue in venues:
                self._names_of_stream[stream_of_venue(venue)].append(name)
        self._known: dict[str, frozenset[str]] = {}

    @classmethod
    def read(cls, file: ReadOnlyFile) -> VenueTable:
        """Read the tables that ``citeproof db build`` makes; a file without them knows no venue."""
        found = {row[0] for row in file.rows("SELECT name FROM sqlite_schema WHERE type = 'table'")}
        if not {"volumes", "venue_names"} <= found:
            return cls((), ())
        names = list(file.rows(_NAMES))
        parts = list(file.rows(_PARTS))
        recorded = file.rows("SELECT value FROM meta WHERE name = ?", (NAME,)) if "meta" in found else []
        if recorded and str(recorded[0][0]) != str(checksum_of(chain(names, parts))):
            raise DatabaseError(f"{file.path}: its volumes do not agree with their checksum; build it again")
        table = cls(((name, venue, records) for name, venue, records in names), map(_Part._make, parts))
        table.sealed = bool(recorded)
        return table

    def resolve(self, name: str) -> frozenset[str]:
        """Return the venues that ``name`` may mean, in whatever spelling; empty when none is known."""
        if name not in self._known:
            if len(self._known) > 50_000:
                self._known.clear()
            self._known[name] = self._resolve(name)
        return self._known[name]

    def of_record(self, record: Record) -> frozenset[str]:
        """Return the venues that a record may belong to: by its key, else by the venue that it states."""
        stream = stream_of(record.crossref) or stream_of(record.key)
        return frozenset({stream}) if stream else self.resolve(record.venue)

    def names(self, record: Record) -> frozenset[str]:
        """Return every name that this database knows for the venue of a record, the record's own included."""
        known = (self._names_of_stream.get(venue, ()) for venue in self.of_record(record))
        return frozenset({record.venue} - {""}).union(*known)

    def volume_of(self, record: Record) -> Volume | None:
        """Return the volume that a record is in; None when unknown."""
        stream = stream_of(record.crossref) or stream_of(record.key)
        return self.volume(stream, record.year) if record.year else None

    def years_of(self, venue: str) -> frozenset[int]:
        """Return the years of which the database holds volumes of a venue."""
        return frozenset(self._years.get(venue, ()))

    def companion_not_held(self, venue: str, year: int, complete: float) -> bool:
        """Whether a volume beside ``venue`` (workshops, a companion) is not held for ``year`` as far as ``complete``.

        One that is held neither for the year nor for one beside it may never have been.
        """
        for other in self._beside.get(venue, ()):
            held = self.volume(other, year)
            if held is None and self._years[other].isdisjoint({year - 1, year + 1}):
                continue
            if held is None or held.completeness < complete:
                return True
        return False

    def gives_doi(self, record: Record, doi: str) -> bool:
        """Whether other papers of a record's venue, of whatever year, have DOIs that begin as this one does."""
        head = doi_head(doi)
        return any(head in self._heads.get(venue, ()) for venue in self.of_record(record))

    def registrant_of(self, record: Record) -> str:
        """Return the registrant of all DOIs around a record in time at its venue; empty when there are several.

        Around it are the volumes with DOIs of up to three years before it and up to three years after.
        """
        found = {
            (volume_year < (record.year or 0), head.partition("/")[0])
            for venue in self.of_record(record)
            for volume_year in self.years_of(venue)
            if record.year and abs(volume_year - record.year) <= _YEARS_AROUND
            for part in self._volumes[venue, volume_year]
            if (head := part.doi_head) and part.dois >= _FEW_DOIS
        }
        registrants = {registrant for _, registrant in found}
        return registrants.pop() if len(found) == 2 and len(registrants) == 1 else ""

    def volume_of_doi(self, doi: str) -> Volume | None:
        """Return the volume whose DOIs begin as this one does; None when no volume's do."""
        end = len(doi)
        while (end := max(doi.rfind(mark, 0, end) for mark in "./-")) > 0:
            if doi[: end + 1] in self._stems:
                return self.volume(*self._stems[doi[: end + 1]])
        return None

    def venue_of_doi(self, doi: str) -> str:
        """Return the one venue whose DOIs begin as this one does, letters included; empty when several do or none."""
        volume = self.volume_of_doi(doi)
        if volume:
            return stream_of_venue(volume.venue)
        head = doi_head(doi)
        letters = sum(char.isalpha() for char in head)
        givers = self._givers.get(head, set()) if letters >= _SHORTEST_ACRONYM else set()
        return next(iter(givers)) if len(givers) == 1 else ""

    def claimed_volumes(self, name: str, year: int | None) -> tuple[Volume, ...]:
        """Return the volumes of ``year`` that a reference to venue ``name`` claims to be in, one for each venue."""
        if year is None:
            return ()
        return tuple(volume for venue in sorted(self.resolve(name)) if (volume := self.volume(venue, year)) is not None)

    def volume(self, venue: str, year: int) -> Volume | None:
        """Return the volume of one venue and year, with all its parts; None when the database holds nothing of it.

        A part counts by its records: parts of 100 and 300 records that are 0.5 and 0.9 complete make 0.8. Where their
        keys are numbered (``conf/eccv/2022-1``, ``conf/eccv/2022-3``), a number that is missing is a missing part:
        two parts of three make it 0.8 * 2 / 3.
        """
        parts = self._volumes.get((venue, year))
        if not parts:
            return None
        records = sum(part.records for part in parts)
        complete = sum(part.records * part.completeness for part in parts) / records
        tails = [part.key.rpartition("-") for part in parts]
        numbers = [int(tail) for _, hyphen, tail in tails if hyphen and tail.isdigit()]
        if numbers and max(numbers) < 1000:
            complete *= min(1.0, len(parts) / max(numbers))
        bases = ", ".join(sorted({part.basis for part in parts}))
        return Volume(
            key=f"{venue}/{year}",
            venue=venue,
            year=year,
            records=records,
            completeness=round(complete, 4),
            basis=bases,
            doi_share=sum(part.dois for part in parts) / records,
        )

    def is_certain(self, name: str) -> bool:
        """Whether the data have this very name or an abbreviation of it, not only its acronym."""
        return any(self._by_words(venue_words(piece)) for piece in venue_pieces(name))

    def _resolve(self, name: str) -> frozenset[str]:
        if is_preprint_server(name):
            return self._venues.get("corr", frozenset())
        if is_series(name):
            return frozenset()
        whole = self._of_words(venue_words(name))
        if whole:
            return whole
        if is_beside(name):
            return frozenset()
        pieces = [piece for piece in venue_pieces(name) if not is_series(piece)]
        found = frozenset[str]().union(*(self._of_words(venue_words(piece)) for piece in pieces))
        return found or self._spelled_out(name)

    def _of_words(self, words: tuple[str, ...]) -> frozenset[str]:
        """Return the venues of a name already in words: exact, or abbreviated word by word."""
        found = self._by_words(words)
        if found or len(words) != 1 or len(words[0]) < _SHORTEST_ACRONYM:
            return found
        return self._of_acronym(words[0])

    def _by_words(self, words: tuple[str, ...]) -> frozenset[str]:
        exact = self._venues.get(" ".join(words), frozenset())
        return exact | self._by_abbreviation(words) if len(words) > 1 else exact

    def _by_abbreviation(self, words: tuple[str, ...]) -> frozenset[str]:
        others = self._abbreviated.get(initials(words), ())
        found = [self._venues[" ".join(other)] for other in others if abbreviates(words, other)]
        return frozenset[str]().union(*found)

    def _of_acronym(self, acronym: str) -> frozenset[str]:
        """Return the one venue whose name has these initials: ``tkde``."""
        found = [self._venues[" ".join(other)] for other in self._abbreviated.get(acronym, ())]
        venues = frozenset[str]().union(*found)
        return venues if len({stream_of_venue(venue) for venue in venues}) == 1 else frozenset()

    def _spelled_out(self, name: str) -> frozenset[str]:
        """Return the venues that are known by the acronym of ``name`` only."""
        return frozenset[str]().union(*(self._venues.get(acronym, frozenset()) for acronym in acronyms(name)))


def _by_stream(venues: Iterable[str]) -> dict[str, list[str]]:
    """Return by stream those of ``venues`` that lie beside it."""
    beside: defaultdict[str, list[str]] = defaultdict(list)
    for venue in venues:
        if venue != stream_of_venue(venue):
            beside[stream_of_venue(venue)].append(venue)
    return dict(beside)


def _bearers(venues: dict[str, int]) -> frozenset[str]:
    """Return the venues that a name may mean, of those that bear it and how many of their records state it."""
    most = max(venues.values())
    return frozenset(venue for venue, records in venues.items() if records >= _MINOR * most and (records or not most))
