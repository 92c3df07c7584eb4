"""Look up which venue a name means, and which volume a reference claims, in the tables of a database."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from operator import itemgetter
from typing import Any, NamedTuple, Self

from citeproof.database import layout
from citeproof.database.venues.names import SHORTEST_ACRONYM, VenueNames, grouped, stream_of, stream_of_venue
from citeproof.model.record import Record, Volume
from citeproof.store.sqlite import BulkFile, ReadOnlyFile
from citeproof.text.venue_names import is_preprint_server, is_series

CHECKSUM = "venues_crc32"
"""Name in the table ``meta`` of the checksum of both venue tables. Versions before 0.2.0 wrote no checksum."""
_TRACKS = {"conf/iclr": range(2013, 2019)}
"""Map from venue to years in which its workshop papers were published and cited under the name of the venue."""
_FEW_DOIS = 50  # minimum DOIs of a part that show the registrant of its venue
_CACHED = 50_000  # maximum number of cached volumes
_LETTERS = re.compile(r"\D*")
_Row = tuple[Any, ...]


class Part(NamedTuple):
    """A row of the table ``volumes``: a volume, or a part of a volume with a key of its own."""

    key: str
    venue: str
    year: int
    records: int
    completeness: float
    basis: str
    dois: int  # number of papers in the part that have a DOI
    doi_stem: str
    doi_head: str


_VOLUME = itemgetter(Part._fields.index("venue"), Part._fields.index("year"))
_STEM = Part._fields.index("doi_stem")
_NAMES = "SELECT name, venue, records FROM venue_names ORDER BY name, venue"
_PARTS = f"SELECT {', '.join(Part._fields)} FROM volumes ORDER BY key"  # noqa: S608


def doi_head(doi: str) -> str:
    """Return a DOI up to the first digit after its registrant: ``10.1609/aaai.v`` for ``10.1609/aaai.v34i01.5332``."""
    registrant, _, suffix = doi.partition("/")
    return f"{registrant}/{_LETTERS.match(suffix)[0]}"  # type: ignore[index]


def seal(file: BulkFile) -> None:
    """Write the checksum of both venue tables into the table ``meta``."""
    layout.seal(file, CHECKSUM, _NAMES, _PARTS)


class TakenFor(NamedTuple):
    """The venues that a cited name may mean, with the reason."""

    name: str
    why: str
    venues: tuple[tuple[str, tuple[str, ...], tuple[int, ...]], ...]
    """Tuples of the key of a venue, its normalised names, and the years of its volumes."""


class VenueTable:
    """Names and volumes of all venues in one database. All rows are read, because they have one checksum."""

    def __init__(self, names: Iterable[_Row], parts: Iterable[_Row]) -> None:
        """``names`` and ``parts`` are rows of the tables ``venue_names`` and ``volumes``."""
        self._names = VenueNames(names)
        self.resolve, self.is_certain = self._names.resolve, self._names.is_certain
        self._parts = tuple(parts)
        self.volume = lru_cache(_CACHED)(self._volume)

    @classmethod
    def read(cls, file: ReadOnlyFile, meta: Mapping[str, Any]) -> Self:
        """Read the tables; raise :class:`DatabaseError` if they do not agree with their checksum in ``meta``."""
        fault = "its volumes do not agree with their"
        return cls(*layout.sealed_rows(file, meta.get(CHECKSUM), fault, _NAMES, _PARTS))

    def of_record(self, record: Record) -> frozenset[str]:
        """Return the venues of a record: the one in its DBLP key, else all that the stated venue may mean."""
        stream = stream_of(record.crossref) or stream_of(record.key)
        return frozenset({stream}) if stream else self.resolve(record.venue)

    def names(self, record: Record) -> frozenset[str]:
        """Return all names in the database of a record's venue, and the name that the record states."""
        return frozenset({record.venue} - {""}).union(*map(self._names.of_stream, self.of_record(record)))

    def volume_of(self, record: Record) -> Volume | None:
        """Return the volume that contains a record; None if the database has no such volume."""
        stream = stream_of(record.crossref) or stream_of(record.key)
        return self.volume(stream, record.year) if record.year else None

    def years_of(self, venue: str) -> frozenset[int]:
        """Return the years of a venue's volumes in the database."""
        return frozenset(self._years.get(venue, ()))

    def companion_not_held(self, venue: str, year: int, complete: float) -> bool:
        """Return whether a workshop or companion of ``venue`` in ``year`` has a completeness below ``complete``.

        A companion without a volume in this year and the years next to it may not have taken place, and does not count,
        except in :data:`_TRACKS`.
        """
        if year in _TRACKS.get(venue, ()) and not self._beside.get(venue):
            return True
        for other in self._beside.get(venue, ()):
            volume = self.volume(other, year)
            if (volume.completeness < complete) if volume else (self._years[other] & {year - 1, year + 1}):
                return True
        return False

    def gives_doi(self, record: Record, doi: str) -> bool:
        """Return whether the venue of a record, in any year, has papers with the :func:`doi_head` of ``doi``."""
        head = doi_head(doi)
        return any(head in self._heads.get(venue, ()) for venue in self.of_record(record))

    def registrant_of(self, record: Record) -> str:
        """Return the DOI registrant of a record's venue around the year of the record; empty if there are several.

        The venue must have volumes with DOIs both in the three years before, and in this year or the three after.
        """
        found = {
            (volume_year < (record.year or 0), head.partition("/")[0])
            for venue in self.of_record(record)
            for volume_year in self.years_of(venue)
            if record.year and abs(volume_year - record.year) <= 3
            for part in self._parts_of(venue, volume_year)
            if (head := part.doi_head) and part.dois >= _FEW_DOIS
        }
        registrants = {registrant for _, registrant in found}
        return registrants.pop() if len(found) == 2 and len(registrants) == 1 else ""

    def volume_of_doi(self, doi: str) -> Volume | None:
        """Return the volume whose DOIs share a prefix with ``doi``; None if there is none."""
        end = len(doi)
        while (end := max(doi.rfind(mark, 0, end) for mark in "./-")) > 0:
            if doi[: end + 1] in self._stems:
                return self.volume(*self._stems[doi[: end + 1]])
        return None

    def venue_of_doi(self, doi: str) -> str:
        """Return the only venue whose DOIs begin like ``doi``; empty if there are several venues or none.

        The part up to the first digit after the slash is compared: ``10.1016/j.cell.`` of ``10.1016/j.cell.2019.01``.
        Without letters in it the result is empty, because many venues share a registrant.
        """
        volume = self.volume_of_doi(doi)
        if volume:
            return stream_of_venue(volume.venue)
        head = doi_head(doi)
        letters = sum(char.isalpha() for char in head)
        givers = self._streams_by_head.get(head, set()) if letters >= SHORTEST_ACRONYM else set()
        return next(iter(givers)) if len(givers) == 1 else ""

    def claimed_volumes(self, name: str, year: int | None) -> tuple[Volume, ...]:
        """Return the volumes of ``year`` that a reference may mean by the venue ``name``, one for each venue."""
        if year is None:
            return ()
        return tuple(volume for venue in sorted(self.resolve(name)) if (volume := self.volume(venue, year)) is not None)

    def explained(self, name: str) -> TakenFor:
        """Return the venues that ``name`` may mean, with their usual names and years, and the reason."""
        keys = sorted(self.resolve(name))
        venues = tuple((venue, self._names.usual(venue), tuple(sorted(self.years_of(venue)))) for venue in keys)
        if is_preprint_server(name):
            why = "a preprint server"
        elif is_series(name):
            why = "a publisher or a series of many venues, which names none"
        elif not venues:
            why = "no venue of this database; a reference from it is not compared by its venue"
        elif self.is_certain(name):
            why = "by this name or an abbreviation of it"
        else:
            why = "by its acronym or its first letters"
        return TakenFor(name, why, venues)

    def _parts_of(self, venue: str, year: int) -> list[Part]:
        return [*map(Part._make, self._volumes.get((venue, year), ()))]

    def _volume(self, venue: str, year: int) -> Volume | None:
        """Return the volume of one venue and year, combined from all parts; None if there is no part.

        Parts are weighted by their records: a part of 100 records that is 0.5 complete and a part of 300 records that
        is 0.9 complete make 0.8. If their keys are numbered (``conf/eccv/2022-1``, ``conf/eccv/2022-3``), a missing
        number is a missing part: with two parts of three, the completeness is 0.8 * 2 / 3.
        """
        parts = self._parts_of(venue, year)
        if not parts:
            return None
        records = sum(part.records for part in parts)
        complete = sum(part.records * part.completeness for part in parts) / records
        tails = [part.key.rpartition("-") for part in parts]
        numbers = [int(tail) for _, hyphen, tail in tails if hyphen and tail.isdigit()]
        if numbers and max(numbers) < 1000:
            complete *= min(1.0, len(parts) / max(numbers))
        bases = ", ".join(sorted({part.basis for part in parts}))
        dois = sum(part.dois for part in parts)
        return Volume(f"{venue}/{year}", venue, year, records, round(complete, 4), bases, dois / records)

    @cached_property
    def _volumes(self) -> Mapping[tuple[str, int], Sequence[_Row]]:
        """Map from venue and year to the rows of parts, which are made :class:`Part` objects only when used."""
        volumes: defaultdict[tuple[str, int], list[_Row]] = defaultdict(list)
        for row in self._parts:
            volumes[_VOLUME(row)].append(row)
        return volumes

    @cached_property
    def _years(self) -> Mapping[str, set[int]]:
        return grouped(self._volumes)

    @cached_property
    def _beside(self) -> Mapping[str, set[str]]:
        """Map from conferences to their workshops and companions."""
        streams = ((stream_of_venue(venue), venue) for venue in self._years)
        return grouped((stream, venue) for stream, venue in streams if stream != venue)

    @cached_property
    def _stems(self) -> Mapping[str, tuple[str, int]]:
        """Map from the common prefix of the DOIs of a volume to its venue and year."""
        return {stem: _VOLUME(row) for row in self._parts if (stem := row[_STEM])}

    @cached_property
    def _heads(self) -> Mapping[str, set[str]]:
        """Map from streams to the :func:`doi_head` of each of their parts."""
        every = map(Part._make, self._parts)
        return grouped((stream_of_venue(part.venue), part.doi_head) for part in every if part.doi_head)

    @cached_property
    def _streams_by_head(self) -> Mapping[str, set[str]]:
        return grouped((head, stream) for stream, heads in self._heads.items() for head in heads)
