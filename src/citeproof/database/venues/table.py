"""Look up venues (conferences and journals) by name, and volumes by venue and year, in the tables
of a database.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cached_property, lru_cache, partial
from operator import itemgetter
from typing import Any, NamedTuple, Self

from citeproof.database import layout
from citeproof.database.venues.names import (
    SHORTEST_ACRONYM,
    VenueNames,
    stream_of,
    stream_of_venue,
)
from citeproof.model.errors import DatabaseError
from citeproof.model.record import Record, Volume
from citeproof.store.sqlite import BulkFile, ReadOnlyFile
from citeproof.text.venue_names import is_preprint_server, is_series

CHECKSUM = "venues_crc32"
"""Name, in the table ``meta``, of the checksum of ``venue_names`` and ``volumes``.

Versions before 0.2.0 had none.
"""
_TRACKS = {"conf/iclr": range(2013, 2019), "conf/nips": range(2021, 2022)}
"""Map from a conference to years in which papers of other proceedings were cited under the name of
the conference: of workshops (ICLR), or of a track with separate proceedings (NeurIPS Datasets and
Benchmarks).
"""
# minimum number of DOIs in a volume from which the registrant of the venue is concluded
_FEW_DOIS = 50
_CACHED = 50_000  # maximum number of cached volumes
_LETTERS = re.compile(r"\D*")
_Row = tuple[Any, ...]


class Part(NamedTuple):
    """A row of the table ``volumes``: a volume, or a part of a volume with a separate key,
    ``conf/eccv/2022-3``.
    """

    key: str
    venue: str
    year: int
    records: int
    completeness: float
    basis: str
    dois: int  # number of papers with a DOI in this volume or part
    doi_stem: str
    doi_head: str
    printed: int = 0  # year of the record of the proceedings; 0 if there is no such record


Between = Callable[[str, str], Iterable[_Row]]
"""Type of a function ``between(first, last)`` that returns the rows of the table ``volumes`` with
``first <= key < last``, sorted by key.
"""
_NAMES = "SELECT name, venue, records FROM venue_names ORDER BY name, venue"
_PARTS = "SELECT * FROM volumes ORDER BY key"
_PARTS_BETWEEN = "SELECT * FROM volumes WHERE key >= ? AND key < ? ORDER BY key"
_DOIS = "SELECT doi_stem, doi_head, venue, year FROM volumes ORDER BY key"


def doi_head(doi: str) -> str:
    """Return a DOI up to the first digit after the slash: ``10.1609/aaai.v`` for
    ``10.1609/aaai.v34i01.5332``.
    """
    registrant, _, suffix = doi.partition("/")
    return f"{registrant}/{_LETTERS.match(suffix)[0]}"  # type: ignore[index]


def seal(file: BulkFile) -> None:
    """Store the checksum of the tables ``venue_names`` and ``volumes`` in the table ``meta``."""
    layout.seal(file, CHECKSUM, _NAMES, _PARTS)


class TakenFor(NamedTuple):
    """The venues that a cited name may mean, and how they were found."""

    name: str
    why: str
    venues: tuple[tuple[str, tuple[str, ...], tuple[int, ...]], ...]
    """Each item has the key of a venue, the normalised names of the venue, and the years of the
    volumes.
    """


class VenueTable:
    """The names and volumes of all conferences and journals in one database.

    The names are in memory. The volumes of a series are read when they are first needed.
    """

    def __init__(
        self,
        names: Iterable[_Row],
        parts: Iterable[_Row] | Between,
        dois: Callable[[], Iterable[_Row]] | None = None,
    ) -> None:
        """``names`` are the rows of the table ``venue_names``, ``parts`` the rows of the table
        ``volumes``. ``dois`` returns the prefixes of DOIs, the venue and the year of each volume.
        """
        self._names = VenueNames(names)
        self.resolve, self.is_certain = self._names.resolve, self._names.is_certain
        self.is_usual, self.known_as = self._names.is_usual, self._names.usual
        self._between = parts if callable(parts) else partial(_between, sorted(parts))
        self._dois = dois or (lambda: map(itemgetter(7, 8, 1, 2), self._between("", "\U0010ffff")))
        self.volume = lru_cache(_CACHED)(self._volume)
        self._of_stream = lru_cache(_CACHED)(self._read_stream)

    @classmethod
    def read(cls, file: ReadOnlyFile, meta: Mapping[str, Any]) -> Self:
        """Read the tables of venues.

        Raises :class:`DatabaseError` if the checksum in ``meta`` does not match.
        """
        fault = "its volumes do not agree with their"
        layout.check_seal(file, meta.get(CHECKSUM), fault, _NAMES, _PARTS)

        def rows(sql: str, *values: str) -> list[_Row]:
            # an unreadable table is ignored here, because the search for the title reports the
            # error
            with suppress(DatabaseError):
                return file.rows(sql, values)
            return []

        return cls(file.rows(_NAMES), partial(rows, _PARTS_BETWEEN), partial(rows, _DOIS))

    def of_record(self, record: Record) -> frozenset[str]:
        """Return the venue in the DBLP key of a record, or all venues that ``record.venue`` may
        mean if the key has no venue.
        """
        stream = stream_of(record.crossref) or stream_of(record.key)
        return frozenset({stream}) if stream else self.resolve(record.venue)

    def names(self, record: Record) -> frozenset[str]:
        """Return the name of the venue in the record, and all other names of the venue in the
        database.
        """
        return frozenset({record.venue} - {""}).union(
            *map(self._names.of_stream, self.of_record(record))
        )

    def volume_of(self, record: Record) -> Volume | None:
        """Return the volume in which the work of a record appeared, by venue and year.

        None if there is no such volume.
        """
        stream = stream_of(record.crossref) or stream_of(record.key)
        return self.volume(stream, record.year) if record.year else None

    def printed(self, record: Record) -> int | None:
        """Return the year of the proceedings that contain the work of a record.

        This year may be later than that of the conference. None if the year is unknown.
        """
        part = self._of_stream(stream_of(record.crossref)).get(record.crossref)
        return (part.printed or None) if part and part.printed != part.year else None

    def years_of(self, venue: str) -> frozenset[int]:
        """Return the years in which the venue has a volume in the database."""
        parts = self._of_stream(stream_of_venue(venue)).values()
        return frozenset(part.year for part in parts if part.venue == venue)

    def companion_not_held(self, venue: str, year: int, complete: float) -> bool:
        """Return whether the database lacks papers of a workshop or companion of the conference
        ``venue`` in ``year``.

        Papers are lacking if the completeness of a workshop's volume is below ``complete``, 0 to 1.
        They are also lacking if a workshop has a volume of the year before or after, but none of
        ``year``. See also :data:`_TRACKS`.
        """
        beside = {part.venue for part in self._of_stream(venue).values()} - {venue}
        if year in _TRACKS.get(venue, ()) and not beside:
            return True
        for other in beside:
            volume = self.volume(other, year)
            if (
                (volume.completeness < complete)
                if volume
                else (self.years_of(other) & {year - 1, year + 1})
            ):
                return True
        return False

    def gives_doi(self, record: Record, doi: str) -> bool:
        """Return whether papers of the venue of ``record`` have DOIs with the same :func:`doi_head`
        as ``doi``.
        """
        head = doi_head(doi)
        return any(
            part.doi_head == head
            for venue in self.of_record(record)
            for part in self._of_stream(venue).values()
            if head
        )

    def registrant_of(self, record: Record) -> str:
        """Return the registrant of the DOIs of a record's venue, such as ``10.1145``.

        Empty if the registrant is not certain.

        All DOIs of the venue, from three years before the record to three years after, must have
        this registrant. Some DOIs must be from before the year of the record, and some from that
        year or later.
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
        """Return the volume whose DOIs have a common prefix that ``doi`` begins with.

        None if there is no such volume.
        """
        volumes, _ = self._by_doi
        end = len(doi)
        while (end := max(doi.rfind(mark, 0, end) for mark in "./-")) > 0:
            if doi[: end + 1] in volumes:
                return self.volume(*volumes[doi[: end + 1]])
        return None

    def venue_of_doi(self, doi: str) -> str:
        """Return the venue whose DOIs begin like ``doi``.

        Empty if there is no such venue, or more than one.

        DOIs are compared up to the first digit after the slash: ``10.1016/j.cell.`` of
        ``10.1016/j.cell.2019``. This beginning must have three letters, because many venues share a
        registrant such as ``10.1016``.
        """
        volume = self.volume_of_doi(doi)
        if volume:
            return stream_of_venue(volume.venue)
        head = doi_head(doi)
        letters = sum(char.isalpha() for char in head)
        _, streams = self._by_doi
        givers = streams.get(head, set()) if letters >= SHORTEST_ACRONYM else set()
        return next(iter(givers)) if len(givers) == 1 else ""

    def claimed_volumes(self, name: str, year: int | None) -> tuple[Volume, ...]:
        """Return the volumes that a reference may cite: the volume of ``year`` of each venue that
        ``name`` may mean.
        """
        if year is None:
            return ()
        return tuple(
            volume
            for venue in sorted(self.resolve(name))
            if (volume := self.volume(venue, year)) is not None
        )

    def explained(self, name: str) -> TakenFor:
        """Return the venues that ``name`` may mean, with usual names and years, and a text that
        says why.
        """
        keys = sorted(self.resolve(name))
        venues = tuple(
            (venue, self._names.usual(venue), tuple(sorted(self.years_of(venue)))) for venue in keys
        )
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

    def _read_stream(self, stream: str) -> Mapping[str, Part]:
        """Return the volumes of the conference or journal ``stream``, with those of its workshops,
        by key.
        """
        if not stream:
            return {}
        return {row[0]: Part(*row) for row in self._between(f"{stream}/", f"{stream}0")}

    def _parts_of(self, venue: str, year: int) -> list[Part]:
        parts = self._of_stream(stream_of_venue(venue)).values()
        return [part for part in parts if part.year == year and part.venue == venue]

    def _volume(self, venue: str, year: int) -> Volume | None:
        """Return the volume of a venue and year, combined from all parts of the volume.

        None if there is no part.

        The completeness is the mean of the parts, weighted by the number of records. Example: 100
        records that are 0.5 complete and 300 records that are 0.9 complete make 0.8. If the keys of
        the parts have numbers, a part may be missing: with only ``conf/eccv/2022-1`` and
        ``conf/eccv/2022-3``, the completeness is 0.8 * 2 / 3.
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
        return Volume(
            f"{venue}/{year}", venue, year, records, round(complete, 4), bases, dois / records
        )

    @cached_property
    def _by_doi(self) -> tuple[Mapping[str, tuple[str, int]], Mapping[str, set[str]]]:
        """Two maps: from the common prefix of the DOIs of a volume to the venue and year of the
        volume; and from a :func:`doi_head` to the conference series and journals whose DOIs begin
        with it.
        """
        volumes: dict[str, tuple[str, int]] = {}
        streams: defaultdict[str, set[str]] = defaultdict(set)
        for stem, head, venue, year in self._dois():
            if stem:
                volumes[stem] = venue, year
            if head:
                streams[head].add(stream_of_venue(venue))
        return volumes, dict(streams)


def _between(rows: Sequence[_Row], first: str, last: str) -> Sequence[_Row]:
    return [row for row in rows if first <= row[0] < last]
