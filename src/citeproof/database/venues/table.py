"""Look up which venue a name means, and which volume a reference claims, in the tables of a database."""

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
"""Minimum records of a venue under a name, as a share of those of the venue that has the name most often."""
_TRACKS = {"conf/iclr": range(2013, 2019)}
"""Years in which the papers of a venue's workshop track were published and are cited under the venue's own name."""
_YEARS_AROUND = 3
_FEW_DOIS = 50
_SHORTEST_ACRONYM = 3
_FIRST, _LAST = "\0", "\U0010ffff"
"""Characters that sort before and after all letters."""
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
    """Number of its papers that have a DOI."""
    doi_stem: str
    doi_head: str


_VOLUME = itemgetter(_Part._fields.index("venue"), _Part._fields.index("year"))
_STEM = _Part._fields.index("doi_stem")
_NAMES = "SELECT name, venue, records FROM venue_names ORDER BY name, venue"
_PARTS = f"SELECT {', '.join(_Part._fields)} FROM volumes ORDER BY key"  # noqa: S608


def seal(file: BulkFile) -> None:
    """Write the checksum of the complete tables of venues into the table ``meta``."""
    checksum = table_checksum(chain(file.stream(_NAMES), file.stream(_PARTS)))
    file.execute("INSERT INTO meta VALUES (?, ?)", (CHECKSUM, str(checksum)))


class TakenFor(NamedTuple):
    """The venues that a name may mean, and the reason."""

    name: str
    why: str
    venues: tuple[tuple[str, tuple[str, ...], tuple[int, ...]], ...]
    """The key of each venue, its names in normal form, and the years of its volumes."""


class VenueTable:
    """Names and volumes of all venues in one database; empty for databases of other programs.

    All rows are read, so that their checksum can be compared. Dictionaries are filled only for the venues that are
    looked up: a short bibliography names ten of some 20,000.
    """

    sealed = False
    """Whether the rows were compared with a checksum when they were read."""

    def __init__(self, names: Iterable[_Row], parts: Iterable[_Row]) -> None:
        """``names`` and ``parts`` are rows of the tables ``venue_names`` and ``volumes``."""
        self._names = sorted(names)
        self._parts = tuple(parts)
        self._bearing: dict[str, frozenset[str]] = {}
        """Results of :meth:`_venues` by name."""
        self._by_initials: dict[str, dict[str, list[tuple[str, ...]]]] = {}
        """By first letter, the names in words by the first letters of all words; see :meth:`_with_initials`."""
        self._known: dict[str, frozenset[str]] = {}
        self._named: dict[str, frozenset[str]] = {}
        """Results of :meth:`_names_of` by stream."""
        self._summed: dict[tuple[str, int], Volume] = {}
        """Volumes that were looked up, by venue and year."""

    @classmethod
    def read(cls, file: ReadOnlyFile) -> VenueTable:
        """Read the tables that ``citeproof db build`` makes; empty for a file without them.

        Raises :class:`DatabaseError` if the tables do not agree with their checksum.
        """
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
        """Return the venues that ``name`` may mean, in any spelling; empty if none is known."""
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
        """Return every name of a record's venue in this database, and the name that the record states."""
        return frozenset({record.venue} - {""}).union(*map(self._names_of, self.of_record(record)))

    def volume_of(self, record: Record) -> Volume | None:
        """Return the volume that a record is in; None if it is unknown."""
        stream = stream_of(record.crossref) or stream_of(record.key)
        return self.volume(stream, record.year) if record.year else None

    def years_of(self, venue: str) -> frozenset[int]:
        """Return the years of a venue's volumes in the database."""
        return frozenset(self._years.get(venue, ()))

    def companion_not_held(self, venue: str, year: int, complete: float) -> bool:
        """Return whether workshops or a companion of ``venue`` in ``year`` are less complete than ``complete``.

        A companion without a volume in this year and in the years next to it may not have taken place. It does not
        count, except the tracks in :data:`_TRACKS`.
        """
        if year in _TRACKS.get(venue, ()) and not self._beside.get(venue):
            return True
        for other in self._beside.get(venue, ()):
            volume = self.volume(other, year)
            if volume is None and self._years[other].isdisjoint({year - 1, year + 1}):
                continue
            if volume is None or volume.completeness < complete:
                return True
        return False

    def gives_doi(self, record: Record, doi: str) -> bool:
        """Return whether papers of a record's venue, of any year, have DOIs with the :func:`doi_head` of ``doi``."""
        head = doi_head(doi)
        return any(head in self._heads.get(venue, ()) for venue in self.of_record(record))

    def registrant_of(self, record: Record) -> str:
        """Return the registrant of all DOIs of a record's venue around its year; empty if there are several.

        Volumes with DOIs must exist both in the three years before it and from its year to three years after it.
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
        """Return the volume whose DOIs have the same prefix; None if there is none."""
        end = len(doi)
        while (end := max(doi.rfind(mark, 0, end) for mark in "./-")) > 0:
            if doi[: end + 1] in self._stems:
                return self.volume(*self._stems[doi[: end + 1]])
        return None

    def venue_of_doi(self, doi: str) -> str:
        """Return the only venue whose DOIs have the same prefix; empty if there are several or none.

        A prefix up to the first digit must contain letters, because many venues share the others.
        """
        volume = self.volume_of_doi(doi)
        if volume:
            return stream_of_venue(volume.venue)
        head = doi_head(doi)
        letters = sum(char.isalpha() for char in head)
        givers = self._givers.get(head, set()) if letters >= _SHORTEST_ACRONYM else set()
        return next(iter(givers)) if len(givers) == 1 else ""

    def claimed_volumes(self, name: str, year: int | None) -> tuple[Volume, ...]:
        """Return the volumes of ``year`` that a reference to the venue ``name`` may claim, one for each venue."""
        if year is None:
            return ()
        return tuple(volume for venue in sorted(self.resolve(name)) if (volume := self.volume(venue, year)) is not None)

    def volume(self, venue: str, year: int) -> Volume | None:
        """Return the volume of one venue and year, with all its parts; None if the database has nothing of it.

        Parts are weighted by their records: 100 records that are 0.5 complete and 300 that are 0.9 complete make 0.8.
        If their keys are numbered (``conf/eccv/2022-1``, ``conf/eccv/2022-3``), a missing number is a missing part:
        with two parts of three, the completeness is 0.8 * 2 / 3.
        """
        if (venue, year) not in self._summed and (parts := self._parts_of(venue, year)):
            self._summed[venue, year] = _volume(venue, year, parts)
        return self._summed.get((venue, year))

    def is_certain(self, name: str) -> bool:
        """Return whether the data have this name or an abbreviation of it, not only its acronym."""
        return any(self._by_words(venue_words(piece)) for piece in venue_pieces(name))

    def explained(self, name: str) -> TakenFor:
        """Return the venues that ``name`` may mean, with their usual names and years, and the reason."""
        venues = tuple(
            (venue, self._usual_names(venue), tuple(sorted(self.years_of(venue))))
            for venue in sorted(self.resolve(name))
        )
        return TakenFor(name, self._why(name, known=bool(venues)), venues)

    def _usual_names(self, venue: str) -> tuple[str, ...]:
        """Return the names of a venue, the most frequent first, without those of its workshops and without rare ones.

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
        """Parts of each volume, by venue and year, as rows: making named tuples takes as long as reading the rows."""
        volumes: defaultdict[tuple[str, int], list[_Row]] = defaultdict(list)
        for row in self._parts:
            volumes[_VOLUME(row)].append(row)
        return volumes

    @cached_property
    def _years(self) -> Mapping[str, set[int]]:
        """Years with volumes, by venue."""
        return _gathered(self._volumes)

    @cached_property
    def _beside(self) -> Mapping[str, set[str]]:
        """Workshops and companions, by the stream that they belong to."""
        streams = ((stream_of_venue(venue), venue) for venue in self._years)
        return _gathered((stream, venue) for stream, venue in streams if stream != venue)

    @cached_property
    def _stems(self) -> Mapping[str, tuple[str, int]]:
        """Venue and year of each volume, by the prefix of its DOIs."""
        return {stem: _VOLUME(row) for row in self._parts if (stem := row[_STEM])}

    @cached_property
    def _heads(self) -> Mapping[str, set[str]]:
        """Prefixes of DOIs up to their first digit, by stream."""
        every = map(_Part._make, self._parts)
        return _gathered((stream_of_venue(part.venue), part.doi_head) for part in every if part.doi_head)

    @cached_property
    def _givers(self) -> Mapping[str, set[str]]:
        """Streams by the prefix of their DOIs up to the first digit."""
        return _gathered((head, stream) for stream, heads in self._heads.items() for head in heads)

    @cached_property
    def _called(self) -> Mapping[str, set[tuple[str, str]]]:
        """Names with their venues, by stream; the venues are the stream, its workshops and its companions."""
        return _gathered((stream_of_venue(venue), (name, venue)) for name, venue, _ in self._names)

    def _names_of(self, stream: str) -> frozenset[str]:
        """Return the names of a stream, its workshops and companions, except names that mean another venue."""
        if stream not in self._named:
            called = self._called.get(stream, ())
            self._named[stream] = frozenset(name for name, venue in called if venue in self._venues(name))
        return self._named[stream]

    def _venues(self, name: str) -> frozenset[str]:
        """Return the venues with exactly this name."""
        if name not in self._bearing:
            rows = self._names[bisect_left(self._names, (name,)) : bisect_left(self._names, (name + _FIRST,))]
            if not rows:
                return frozenset()
            self._bearing[name] = _bearers({venue: records for _, venue, records in rows})
        return self._bearing[name]

    def _with_initials(self, letters: str) -> Sequence[tuple[str, ...]]:
        """Return, split into words, the names of several words whose first letters are ``letters``."""
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
        """Return whether ``words``, which precede an acronym of ``venue``, can be the name of this venue.

        ``Coalgebraic Methods in Computer Science (CMCS)`` is not Multimedia Computing and Systems.
        """
        known = [name.split() for name in self._names_of(stream_of_venue(venue)) if " " in name]
        telling = bare_words(words)
        return len(telling) <= 1 or not known or any(len(set(telling) & set(name)) > 1 for name in known)

    def _contracted(self, name: str, pieces: Sequence[tuple[str, ...]]) -> frozenset[str]:
        """Return the journals with a short form of this name: ``Computers & OR``, ``IJDAR``, ``J. Web Sem.``"""
        found = [self._venues(acronym) for acronym in acronyms(name)] if "journal" in name.lower() else []
        for words in (piece for piece in pieces if len(piece) > 1):
            found.append(self._by_words(("j", *words)))
            first = words[0][0]
            rows = self._names[bisect_left(self._names, (first,)) : bisect_left(self._names, (first + _LAST,))]
            short = {row[0] for row in rows if 0 < row[0].count(" ") < len(words) - 1 and row[2]}
            found += [self._venues(known) for known in short if contracts(tuple(known.split()), words)]
        return frozenset(venue for venues in found for venue in venues if venue.startswith("journals/"))

    def _of_words(self, words: tuple[str, ...]) -> frozenset[str]:
        """Return the venues with the name ``words``: exact, abbreviated word by word, or by its acronym."""
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
        """Return the only venue whose name has these initials: ``tkde``; empty if there are several."""
        found = [self._venues(" ".join(other)) for other in self._with_initials(acronym)]
        venues = frozenset[str]().union(*found)
        return venues if len({stream_of_venue(venue) for venue in venues}) == 1 else frozenset()


def _volume(venue: str, year: int, parts: Sequence[_Part]) -> Volume:
    """Return the volume with ``parts``; see :meth:`VenueTable.volume`."""
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
    """Return the set of second values for each first value of ``pairs``."""
    found: defaultdict[_Key, set[_Value]] = defaultdict(set)
    for key, value in pairs:
        found[key].add(value)
    return dict(found)


def _bearers(venues: dict[str, int]) -> frozenset[str]:
    """Return the venues that a name may mean; ``venues`` maps each venue with this name to its records under it."""
    most = max(venues.values())
    return frozenset(venue for venue, records in venues.items() if records >= _MINOR * most and (records or not most))
