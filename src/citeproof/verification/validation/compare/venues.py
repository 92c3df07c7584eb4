"""Compare venues. The result may be "not comparable", which is never held against a reference."""

import re
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from typing import Protocol

from citeproof.model.record import Record, Volume
from citeproof.text import venue_names
from citeproof.text.spelling import is_typo

# minimum number of letters of an acronym that rarely fits another name by coincidence: ``IJCNLP``
_LONG_ACRONYM = 5
_TYPES = frozenset(["conference", "conf", "symposium", "symp", "workshop", "meeting"])
_SHORTEST_NAME = 3  # minimum number of letters of a name in which a typo is accepted


class Venues(Protocol):
    """A table of venues.

    Its methods return identifiers of venues such as ``conf/acl``. This base class is an empty
    table.
    """

    def resolve(self, name: str) -> frozenset[str]:
        """Return identifiers of the venues that a name may mean. Empty if the name is unknown."""
        return frozenset()

    def is_usual(self, name: str, venue: str) -> bool:
        """Return whether ``name`` is a usual name of ``venue``: the full name, or the venue's own
        acronym.

        Any other name may mean another venue that the table does not have.
        """
        return True

    def is_certain(self, name: str) -> bool:
        """Return whether the table has ``name`` as a full or abbreviated name, not only as an
        acronym.
        """
        return False

    def of_record(self, record: Record) -> frozenset[str]:
        """Return identifiers of the venues to which a record may belong.

        Empty if the venue is unknown.
        """
        return frozenset()

    def names(self, record: Record) -> frozenset[str]:
        """Return all known names of the venue of a record."""
        return frozenset({record.venue} - {""})

    def known_as(self, venue: str) -> tuple[str, ...]:
        """Return the usual names of a venue, without the names of its workshops."""
        return ()

    def volume_of(self, record: Record) -> Volume | None:
        """Return the volume of proceedings or of a journal that contains the work of a record.

        None if unknown.
        """
        return None

    def printed(self, record: Record) -> int | None:
        """Return the year of the printed proceedings that contain the work of a record.

        None if it is unknown.
        """
        return None

    def years_of(self, venue: str) -> frozenset[int]:
        """Return the years for which the database has volumes of a venue."""
        return frozenset()

    def companion_not_held(self, venue: str, year: int, complete: float) -> bool:
        """Return whether the database lacks a workshop of ``venue`` in ``year``, or has less than
        the share ``complete`` of the workshop's papers.
        """
        return False

    def gives_doi(self, record: Record, doi: str) -> bool:
        """Return whether other papers at the venue of a record have DOIs with the same prefix as
        ``doi``.
        """
        return False

    def registrant_of(self, record: Record) -> str:
        """Return the registrant of the DOIs of a record's venue, such as ``10.1145``.

        Empty if the registrant is not certain.
        """
        return ""

    def volume_of_doi(self, doi: str) -> Volume | None:
        """Return the volume whose papers have DOIs with the same prefix as ``doi``.

        None if unknown.
        """
        return None

    def venue_of_doi(self, doi: str) -> str:
        """Return the venue whose papers have DOIs with the same prefix as ``doi``.

        Empty if there is not exactly one such venue.
        """
        return ""


class _NoVenues(Venues): ...


NO_VENUES: Venues = _NoVenues()


class VenueAgreement(Enum):
    """Result of comparing the cited venue with the venues of a work's records."""

    SAME = "same"
    DIFFERENT = "different"  # both venues are known and differ
    # the cited venue is unknown, and its name differs from that of the recorded venue
    UNKNOWN = "unknown"
    # the cited venue is a workshop or companion of another venue; the work may have appeared twice
    BESIDE = "beside"
    LIKE = "like"  # the cited name is unknown, but may be another name of the recorded venue
    PREPRINT_ONLY = "preprint only"  # a venue is cited, and all records of the work are preprints
    NOT_COMPARABLE = "not comparable"


def is_preprint(record: Record) -> bool:
    """Return whether a record describes a preprint."""
    return record.publtype == "informal" or venue_names.is_preprint_server(record.venue)


def compare_venue(name: str, records: Sequence[Record], venues: Venues) -> VenueAgreement:
    """Compare the cited venue with the venues of all records of one work."""
    if not name or venue_names.is_series(name):
        return VenueAgreement.NOT_COMPARABLE
    of_preprints = any(map(is_preprint, records))
    if venue_names.is_preprint_server(name):
        return VenueAgreement.SAME if of_preprints else VenueAgreement.NOT_COMPARABLE
    published = [record for record in records if record.venue and not is_preprint(record)]
    if published:
        return _compare_names(name, published, venues)
    return VenueAgreement.PREPRINT_ONLY if of_preprints else VenueAgreement.NOT_COMPARABLE


def _compare_names(name: str, records: Sequence[Record], venues: Venues) -> VenueAgreement:
    """Compare the cited venue with those of published records.

    If the table has the cited name for certain, the venues of this name are compared. Otherwise the
    cited name may be another form of the recorded name.
    """
    # a workshop is treated as its conference, because papers are cited either way
    cited, recorded = (
        {venue.partition(":")[0] for venue in found}
        for found in (
            venues.resolve(name),
            (venue for record in records for venue in venues.of_record(record)),
        )
    )
    names = {other for record in records for other in venues.names(record)}
    if _meet(cited, recorded) or any(venue_names.is_called(name, other) for other in names):
        return VenueAgreement.SAME
    certain = bool(cited) and venues.is_certain(name)
    certain = certain and any(venues.is_usual(name, venue) for venue in venues.resolve(name))
    # an event that is held together with the recorded event has the acronym of both, as ESEC / FSE
    decides = bool(recorded and certain) and len(cited) == 1
    is_spelled = certain and "".join(venue_names.venue_words(name)) in {
        venue_names.initials(venue_names.venue_words(other)) for other in names
    }
    decides = (
        decides
        and not is_spelled
        and _acronyms_in(name, cited).isdisjoint(
            acronym for record in records for acronym in _acronyms_in(record.venue, ())
        )
    )
    other_kind = {venue[:4] for venue in cited}.isdisjoint(venue[:4] for venue in recorded)
    is_cut = other_kind and any(venue_names.is_cut(name, other) for other in names)
    if is_cut or (not decides and any(venue_names.may_spell(name, other) for other in names)):
        return VenueAgreement.SAME
    if (
        not recorded
        or not _telling(name)
        or any(record.pub_type not in ("article", "inproceedings") for record in records)
        or (
            not (decides and _are_apart(cited, records, venues))
            and _contains_a_name(name, records, names, decides=decides)
        )
    ):
        return VenueAgreement.NOT_COMPARABLE
    if decides and not venue_names.is_beside(name):
        return VenueAgreement.DIFFERENT
    full_name_known = any(map(venue_names.is_full_name, names))
    if spelled := _acronyms_spelled(name, records):
        is_clear = full_name_known and all(len(word) < _LONG_ACRONYM for word in spelled)
        return VenueAgreement.LIKE if is_clear else VenueAgreement.NOT_COMPARABLE
    if venue_names.is_beside(name):
        return VenueAgreement.BESIDE
    if certain:
        return VenueAgreement.LIKE if is_spelled else VenueAgreement.DIFFERENT
    if not full_name_known:
        return VenueAgreement.NOT_COMPARABLE
    is_like = any(_is_like(name, other) for other in names)
    return VenueAgreement.LIKE if is_like else VenueAgreement.UNKNOWN


def _are_apart(cited: Iterable[str], records: Sequence[Record], venues: Venues) -> bool:
    """Return whether each cited venue had a separate volume in one of the years of ``records``.

    If so, the reference does not cite a common volume of two venues, such as that of ACL and EACL
    1997.
    """
    years = {record.year for record in records}
    return all(not years.isdisjoint(venues.years_of(venue)) for venue in cited)


def _contains_a_name(
    name: str, records: Sequence[Record], names: Iterable[str], *, decides: bool
) -> bool:
    """Return whether the cited name contains the recorded name, or a long name of that venue.

    Besides the words of a long name, the cited name may only have types of events and names in
    capitals. Example: ``ACM SIGCOMM Workshop on Hot Topics in Networks`` contains the long name of
    HotNets. If ``decides`` is true, the cited name is known for certain. Then a single word such as
    ``Bioinformatics`` in ``BMC Bioinformatics`` is not enough.
    """
    words = set(venue_names.venue_words(name))
    if not decides and any(set(venue_names.venue_words(one.venue)) <= words for one in records):
        return True
    capitals = {word.lower() for word in re.findall(r"\b[A-Z]{2,}\b", name)}
    usual = capitals | _TYPES
    long = (set(venue_names.venue_words(other)) for other in names if len(_telling(other)) > 1)
    return any(other <= words and words - other <= usual for other in long)


def _acronyms_spelled(name: str, records: Sequence[Record]) -> Sequence[str]:
    """Return the acronyms of recorded venues that consist of first letters of words of ``name``.

    The recorded venue ``HLT-NAACL`` has two acronyms, and ``ACL (1)`` has one. Societies at the
    beginning of ``name`` are ignored: ``IEEE Computer`` is not ``FUZZ-IEEE``.
    """
    telling = " ".join(venue_names.without_societies(tuple(name.lower().split()))) or name
    found = (word for record in records for word in _acronyms(record.venue))
    return [word for word in found if venue_names.spells_out(telling, word)]


def _acronyms_in(name: str, venues: Iterable[str]) -> frozenset[str]:
    """Return the words of ``name`` with two capitals, such as ``ESEC`` in ``ESEC / SIGSOFT FSE``,
    and the last parts of the identifiers ``venues``, in lower case.
    """
    keys = (venue.rpartition("/")[2] for venue in venues)
    return frozenset((*map(str.lower, _acronyms(name)), *keys)) - {"ieee", "acm"}


def _acronyms(name: str) -> Iterator[str]:
    """Yield the words that have at least three letters, of which at least two are capitals."""
    return (word for word in re.findall("[A-Za-z]{3,}", name) if sum(map(str.isupper, word)) > 1)


def shares_words(name: str, records: Sequence[Record], venues: Venues) -> bool:
    """Return whether a name of the venue of ``records`` contains half of the words of ``name``, or
    two of them. Words that most venues have are not counted.
    """
    telling = _telling(name)
    names = {other for record in records for other in venues.names(record)}
    shared = max(
        (sum(_begins_word(word, _telling(other)) for word in telling) for other in names),
        default=0,
    )
    return shared > 1 or 2 * shared >= len(telling)


def _telling(name: str) -> tuple[str, ...]:
    return venue_names.bare_words(venue_names.venue_words(name))


def _begins_word(word: str, others: Sequence[str]) -> bool:
    return any(word.startswith(other[:4]) or other.startswith(word[:4]) for other in others)


def _is_like(name: str, other: str) -> bool:
    """Return whether two venue names differ only by a typo, or share at least two words that are at
    least half of the words of ``name``.
    """
    ours, theirs = venue_names.venue_words(name), venue_names.venue_words(other)
    telling = set(venue_names.bare_words(ours))
    shared = len(telling & set(theirs))
    return (shared > 1 and 2 * shared >= len(telling)) or is_typo(
        "".join(ours), "".join(theirs), _SHORTEST_NAME
    )


def _meet(cited: set[str], recorded: set[str]) -> bool:
    """Return whether the two sets share a venue.

    A conference and its journal are treated as one venue: VLDB and PVLDB.
    """
    ours, theirs = ({venue.rpartition("/")[2] for venue in each} for each in (cited, recorded))
    journals = {f"p{name}" for name in ours} & theirs or {f"p{name}" for name in theirs} & ours
    return bool(cited & recorded or journals)
