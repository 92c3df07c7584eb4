"""Venues as the database knows them: whose name is this, and which volume is claimed."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from functools import cached_property
from itertools import chain
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from citeproof.database.schema import table_checksum
from citeproof.database.venues.keys import doi_head, stream_of, stream_of_venue
from citeproof.model.errors import DatabaseError
from citeproof.model.record import Record, Volume
from citeproof.text.venue_names import (
    abbreviates,
    acronyms,
    bare_words,
    contracts,
    initials,
    is_beside,
    is_preprint_server,
    is_series,
    venue_pieces,
    venue_words,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from citeproof.store.bulk import BulkFile
    from citeproof.store.sqlite import ReadOnlyFile

CHECKSUM = "venues_crc32"
"""Name of the checksum of both tables in ``meta``; databases of versions before 0.2.0 have none."""
_MINOR = 0.05
"""A venue that bears a name in fewer than this share of the records of the venue it names most is left out."""
_TRACKS = {"conf/iclr": range(2013, 2019)}
"""Years in which papers of a venue's workshop track were published, and are cited, under its own name."""
_YEARS_AROUND = 3
_FEW_DOIS = 50
_SHORTEST_ACRONYM = 3
_FIRST, _LAST = "\0", "\U0010ffff"
"""No letter comes before the one, none behind the other."""
_Row = tuple[Any, ...]
_Key = TypeVar("_Key")
_Value = TypeVar("_Value")


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


_VOLUME = itemgetter(_Part._fields.index("venue"), _Part._fields.index("year"))
_STEM = _Part._fields.index("doi_stem")
_NAMES = "SELECT name, venue, records FROM venue_names ORDER BY name, venue"
_PARTS = f"SELECT {', '.join(_Part._fields)} FROM volumes ORDER BY key"  # noqa: S608


def seal(file: BulkFile) -> None:
    """Note the checksum of the tables of venues, which are complete, in the table ``meta``."""
    checksum = table_checksum(chain(file.stream(_NAMES), file.stream(_PARTS)))
    file.execute("INSERT INTO meta VALUES (?, ?)", (CHECKSUM, str(checksum)))


class TakenFor(NamedTuple):
    """What the name of a venue is taken for."""

    name: str
    why: str
    venues: tuple[tuple[str, tuple[str, ...], tuple[int, ...]], ...]
    """The key of each venue, its names in normal form, and the years of its volumes."""


class VenueTable:
    """Names and volumes of all venues in one database; empty for databases of other programs.

    It is read whole, so that its checksum can be compared, and sorted into dictionaries only as far as it is asked:
    of some 20,000 venues a short bibliography names ten.
    """

    sealed = False
    """They were compared with a checksum when they were read."""

    def __init__(self, names: Iterable[_Row], parts: Iterable[_Row]) -> None:
        """``names`` and ``parts`` are rows of the tables ``venue_names`` and ``volumes``."""
        self._names = sorted(names)
        self._parts = tuple(parts)
        self._bearing: dict[str, frozenset[str]] = {}
        """Name to what :meth:`_venues` found."""
        self._by_initials: dict[str, dict[str, list[tuple[str, ...]]]] = {}
        """First letter to what :meth:`_with_initials` sorted, by all first letters."""
        self._known: dict[str, frozenset[str]] = {}
        self._named: dict[str, frozenset[str]] = {}
        """Stream to what :meth:`_names_of` found."""
        self._summed: dict[tuple[str, int], Volume] = {}
        """The volumes that were asked for."""

    @classmethod
    def read(cls, file: ReadOnlyFile) -> VenueTable:
        """Read the tables that ``citeproof db build`` makes; a file without them knows no venue."""
        found = {row[0] for row in file.rows("SELECT name FROM sqlite_schema WHERE type = 'table'")}
        if not {"volumes", "venue_names"} <= found:
            return cls((), ())
        names = file.rows(_NAMES)
        parts = file.rows(_PARTS)
        recorded = file.rows("SELECT value FROM meta WHERE name = ?", (CHECKSUM,)) if "meta" in found else []
        if recorded and str(recorded[0][0]) != str(table_checksum(chain(names, parts))):
            raise DatabaseError(f"{file.path}: its volumes do not agree with their checksum; build it again")
        table = cls(names, parts)
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
        return frozenset({record.venue} - {""}).union(*map(self._names_of, self.of_record(record)))

    def volume_of(self, record: Record) -> Volume | None:
        """Return the volume that a record is in; None when unknown."""
        stream = stream_of(record.crossref) or stream_of(record.key)
        return self.volume(stream, record.year) if record.year else None

    def years_of(self, venue: str) -> frozenset[int]:
        """Return the years of which the database holds volumes of a venue."""
        return frozenset(self._years.get(venue, ()))

    def companion_not_held(self, venue: str, year: int, complete: float) -> bool:
        """Whether a volume beside ``venue`` (workshops, a companion) is not held for ``year`` as far as ``complete``.

        One that is held neither for the year nor for one beside it may never have been, except :data:`_TRACKS`.
        """
        if year in _TRACKS.get(venue, ()) and not self._beside.get(venue):
            return True
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
            for part in self._parts_of(venue, volume_year)
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
        if (venue, year) not in self._summed and (parts := self._parts_of(venue, year)):
            self._summed[venue, year] = _volume(venue, year, parts)
        return self._summed.get((venue, year))

    def is_certain(self, name: str) -> bool:
        """Whether the data have this very name or an abbreviation of it, not only its acronym."""
        return any(self._by_words(venue_words(piece)) for piece in venue_pieces(name))

    def explained(self, name: str) -> TakenFor:
        """Return the venues that ``name`` is taken for, with their usual names and years, and why."""
        venues = tuple(
            (venue, self._usual_names(venue), tuple(sorted(self.years_of(venue))))
            for venue in sorted(self.resolve(name))
        )
        return TakenFor(name, self._why(name, known=bool(venues)), venues)

    def _usual_names(self, venue: str) -> tuple[str, ...]:
        """Return the names of a venue, the most frequent first, without names of workshops beside it and rare ones.

        A name is rare if it has less than 1 % of the records of the most frequent one.
        """
        known = self._names_of(venue)
        records = {name: count for name, bearer, count in self._names if bearer == venue and name in known}
        least = max(records.values(), default=0) / 100
        usual = (name for name, count in records.items() if count >= least)
        return tuple(sorted(usual, key=lambda name: (-records[name], name)) or sorted(known))

    def _why(self, name: str, *, known: bool) -> str:
        if is_preprint_server(name):
            return "a preprint server"
        if is_series(name):
            return "a publisher or a series of many venues, which names none"
        if not known:
            return "no venue of this database; a reference from it is not compared by its venue"
        return (
            "by this name or an abbreviation of it" if self.is_certain(name) else "by its acronym or its first letters"
        )

    def _parts_of(self, venue: str, year: int) -> list[_Part]:
        """Return the parts of the volume of one venue and year."""
        return [*map(_Part._make, self._volumes.get((venue, year), ()))]

    @cached_property
    def _volumes(self) -> Mapping[tuple[str, int], Sequence[_Row]]:
        """The parts of each volume, by venue and year, as rows: naming all fields takes as long as reading them."""
        volumes: defaultdict[tuple[str, int], list[_Row]] = defaultdict(list)
        for row in self._parts:
            volumes[_VOLUME(row)].append(row)
        return volumes

    @cached_property
    def _years(self) -> Mapping[str, set[int]]:
        """The years of which there are volumes, by venue."""
        return _gathered(self._volumes)

    @cached_property
    def _beside(self) -> Mapping[str, set[str]]:
        """The venues that lie beside another one, by that one."""
        streams = ((stream_of_venue(venue), venue) for venue in self._years)
        return _gathered((stream, venue) for stream, venue in streams if stream != venue)

    @cached_property
    def _stems(self) -> Mapping[str, tuple[str, int]]:
        """Venue and year by how the DOIs of a volume begin."""
        return {stem: _VOLUME(row) for row in self._parts if (stem := row[_STEM])}

    @cached_property
    def _heads(self) -> Mapping[str, set[str]]:
        """How DOIs begin up to their first digit, by stream."""
        every = map(_Part._make, self._parts)
        return _gathered((stream_of_venue(part.venue), part.doi_head) for part in every if part.doi_head)

    @cached_property
    def _givers(self) -> Mapping[str, set[str]]:
        """The streams whose DOIs begin in a certain way, by that beginning."""
        return _gathered((head, stream) for stream, heads in self._heads.items() for head in heads)

    @cached_property
    def _called(self) -> Mapping[str, set[tuple[str, str]]]:
        """Each name with its venue, for a stream and the venues beside it."""
        return _gathered((stream_of_venue(venue), (name, venue)) for name, venue, _ in self._names)

    def _names_of(self, stream: str) -> frozenset[str]:
        """Return the names of a stream and of the venues beside it, but for those that are another venue's."""
        if stream not in self._named:
            called = self._called.get(stream, ())
            self._named[stream] = frozenset(name for name, venue in called if venue in self._venues(name))
        return self._named[stream]

    def _venues(self, name: str) -> frozenset[str]:
        """Return the venues that bear this very name."""
        if name not in self._bearing:
            rows = self._names[bisect_left(self._names, (name,)) : bisect_left(self._names, (name + _FIRST,))]
            if not rows:
                return frozenset()
            self._bearing[name] = _bearers({venue: records for _, venue, records in rows})
        return self._bearing[name]

    def _with_initials(self, letters: str) -> Sequence[tuple[str, ...]]:
        """Return the names of several words with these first letters, in words."""
        if not letters:
            return ()
        first = letters[0]
        if first not in self._by_initials:
            rows = self._names[bisect_left(self._names, (first,)) : bisect_left(self._names, (first + _LAST,))]
            names = (tuple(name.split()) for name in dict.fromkeys(row[0] for row in rows))
            found: defaultdict[str, list[tuple[str, ...]]] = defaultdict(list)
            for words in names:
                if len(words) > 1:
                    found[initials(words)].append(words)
            self._by_initials[first] = dict(found)
        return self._by_initials[first].get(letters, ())

    def _resolve(self, name: str) -> frozenset[str]:
        if is_preprint_server(name):
            return self._venues("corr")
        if is_series(name):
            return frozenset()
        whole = self._of_words(venue_words(name))
        if whole:
            return whole
        if is_beside(name):
            return frozenset()
        pieces = [venue_words(piece) for piece in venue_pieces(name) if not is_series(piece)]
        full = frozenset[str]().union(*(self._of_words(words) for words in pieces if len(words) > 1))
        short = frozenset[str]().union(*(self._of_words(words) for words in pieces if len(words) == 1))
        if full:
            return full if full & short or not short else full | short
        first = pieces[1] if len(pieces) > 1 else ()
        fitting = frozenset(venue for venue in short if self._may_be_called(venue, first))
        return fitting or self._contracted(name, pieces)

    def _may_be_called(self, venue: str, words: tuple[str, ...]) -> bool:
        """Whether ``words``, beside an acronym of ``venue``, are not those of another one's name.

        ``Coalgebraic Methods in Computer Science (CMCS)`` is not Multimedia Computing and Systems.
        """
        known = [name.split() for name in self._names_of(stream_of_venue(venue)) if " " in name]
        telling = bare_words(words)
        return len(telling) <= 1 or not known or any(len(set(telling) & set(name)) > 1 for name in known)

    def _contracted(self, name: str, pieces: Sequence[tuple[str, ...]]) -> frozenset[str]:
        """Return the journals whose short form a name is in full: ``Computers & OR``, ``IJDAR``, ``J. Web Sem.``."""
        found = [self._venues(acronym) for acronym in acronyms(name)] if "journal" in name.lower() else []
        for words in (piece for piece in pieces if len(piece) > 1):
            found.append(self._by_words(("j", *words)))
            first = words[0][0]
            rows = self._names[bisect_left(self._names, (first,)) : bisect_left(self._names, (first + _LAST,))]
            short = {row[0] for row in rows if 0 < row[0].count(" ") < len(words) - 1 and row[2]}
            found += [self._venues(known) for known in short if contracts(tuple(known.split()), words)]
        return frozenset(venue for venues in found for venue in venues if venue.startswith("journals/"))

    def _of_words(self, words: tuple[str, ...]) -> frozenset[str]:
        """Return the venues of a name already in words: exact, or abbreviated word by word."""
        found = self._by_words(words)
        if found or len(words) != 1 or len(words[0]) < _SHORTEST_ACRONYM:
            return found
        return self._of_acronym(words[0])

    def _by_words(self, words: tuple[str, ...]) -> frozenset[str]:
        exact = self._venues(" ".join(words))
        return exact | self._by_abbreviation(words) if len(words) > 1 else exact

    def _by_abbreviation(self, words: tuple[str, ...]) -> frozenset[str]:
        others = self._with_initials(initials(words))
        found = [self._venues(" ".join(other)) for other in others if abbreviates(words, other)]
        return frozenset[str]().union(*found)

    def _of_acronym(self, acronym: str) -> frozenset[str]:
        """Return the one venue whose name has these initials: ``tkde``."""
        found = [self._venues(" ".join(other)) for other in self._with_initials(acronym)]
        venues = frozenset[str]().union(*found)
        return venues if len({stream_of_venue(venue) for venue in venues}) == 1 else frozenset()


def _volume(venue: str, year: int, parts: Sequence[_Part]) -> Volume:
    """Return the volume that ``parts`` make; see :meth:`VenueTable.volume`."""
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


def _gathered(pairs: Iterable[tuple[_Key, _Value]]) -> dict[_Key, set[_Value]]:
    """Return all second values of ``pairs`` by their first."""
    found: defaultdict[_Key, set[_Value]] = defaultdict(set)
    for key, value in pairs:
        found[key].add(value)
    return dict(found)


def _bearers(venues: dict[str, int]) -> frozenset[str]:
    """Return the venues that a name may mean, of those that bear it and how many of their records state it."""
    most = max(venues.values())
    return frozenset(venue for venue, records in venues.items() if records >= _MINOR * most and (records or not most))
