"""Compare venues. The result may be "not comparable", which never counts against a reference."""

import re
from collections.abc import Sequence
from enum import Enum
from typing import Protocol

from citeproof.model.record import Record, Volume
from citeproof.text import venue_names
from citeproof.text.spelling import is_typo

# minimum number of letters of an acronym that rarely fits another name by chance: ``IJCNLP``
_LONG_ACRONYM = 5
_SHORTEST_NAME = 3  # minimum number of letters of a name in which a typo is accepted


class Venues(Protocol):
    """A table of venues.

    Methods return identifiers of venues such as ``conf/acl``. This base class has no data.
    """

    def resolve(self, name: str) -> frozenset[str]:
        """Return identifiers of the venues that a name may mean. Empty if the name is unknown."""
        return frozenset()

    def is_certain(self, name: str) -> bool:
        """Return whether the table has ``name`` in full or abbreviated, and not only as an
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

    def volume_of(self, record: Record) -> Volume | None:
        """Return the volume of proceedings or of a journal that contains a record.

        None if unknown.
        """
        return None

    def years_of(self, venue: str) -> frozenset[int]:
        """Return the years for which the database has volumes of a venue."""
        return frozenset()

    def companion_not_held(self, venue: str, year: int, complete: float) -> bool:
        """Return whether the database lacks a workshop of ``venue``: it has less than the share
        ``complete``.
        """
        return False

    def gives_doi(self, record: Record, doi: str) -> bool:
        """Return whether other papers at the venue of a record have DOIs that begin like
        ``doi``.
        """
        return False

    def registrant_of(self, record: Record) -> str:
        """Return the registrant of the DOIs of a record's venue, such as ``10.1145``.

        Empty if it is not certain.
        """
        return ""

    def volume_of_doi(self, doi: str) -> Volume | None:
        """Return the volume whose papers have DOIs with the same prefix as ``doi``.

        None if unknown.
        """
        return None

    def venue_of_doi(self, doi: str) -> str:
        """Return the venue whose papers have DOIs with the same prefix as ``doi``.

        Empty if not exactly one venue.
        """
        return ""


class _NoVenues(Venues): ...


NO_VENUES: Venues = _NoVenues()


class VenueAgreement(Enum):
    """Result of comparing the cited venue with the venues of a work's records."""

    SAME = "same"
    DIFFERENT = "different"  # both venues are known and differ
    # the cited venue is not known, and has another name than the recorded venue
    UNKNOWN = "unknown"
    # the cited venue is a workshop or companion of a venue; the work may have appeared twice
    BESIDE = "beside"
    LIKE = "like"  # the cited venue is not known, but may be another name of the recorded venue
    PREPRINT_ONLY = "preprint only"  # a venue is cited, and all records of the work are preprints
    NOT_COMPARABLE = "not comparable"


def is_preprint(record: Record) -> bool:
    """Return whether a record describes a preprint."""
    return record.publtype == "informal" or venue_names.is_preprint_server(record.venue)


def compare_venue(name: str, records: Sequence[Record], venues: Venues) -> VenueAgreement:
    """Compare the cited venue with the venues of all records of one work."""
    if not name or venue_names.is_series(name):
        return VenueAgreement.NOT_COMPARABLE
    if venue_names.is_preprint_server(name):
        return (
            VenueAgreement.SAME if any(map(is_preprint, records)) else VenueAgreement.NOT_COMPARABLE
        )
    published = [record for record in records if record.venue and not is_preprint(record)]
    if not published:
        return (
            VenueAgreement.PREPRINT_ONLY
            if any(map(is_preprint, records))
            else VenueAgreement.NOT_COMPARABLE
        )
    # a workshop counts as its conference because papers are cited either way
    cited = {venue.partition(":")[0] for venue in venues.resolve(name)}
    recorded = {
        venue.partition(":")[0] for record in published for venue in venues.of_record(record)
    }
    spelled_alike = (
        venue_names.may_spell(name, other) for one in published for other in venues.names(one)
    )
    if _meet(cited, recorded) or any(spelled_alike):
        return VenueAgreement.SAME
    if not recorded or any(
        record.pub_type not in ("article", "inproceedings") for record in published
    ):
        return VenueAgreement.NOT_COMPARABLE
    names = {other for record in published for other in venues.names(record)}
    # ``HLT-NAACL`` has two acronyms, ``ACL (1)`` one
    words = (word for record in published for word in re.findall("[A-Za-z]{3,}", record.venue))
    spelled = [
        word
        for word in words
        if sum(map(str.isupper, word)) > 1 and venue_names.spells_out(name, word)
    ]
    own = any(
        set(venue_names.venue_words(record.venue)) <= set(venue_names.venue_words(name))
        for record in published
    )
    full_name_known = any(map(venue_names.is_full_name, names))
    if (
        own
        or any(len(word) >= _LONG_ACRONYM for word in spelled)
        or (spelled and not full_name_known)
    ):
        return VenueAgreement.NOT_COMPARABLE
    if spelled:
        return VenueAgreement.LIKE
    if venue_names.is_beside(name):
        return VenueAgreement.BESIDE
    if cited and venues.is_certain(name):
        return VenueAgreement.DIFFERENT
    if not full_name_known:
        return VenueAgreement.NOT_COMPARABLE
    return (
        VenueAgreement.LIKE
        if any(_is_like(name, other) for other in names)
        else VenueAgreement.UNKNOWN
    )


def _is_like(name: str, other: str) -> bool:
    """Return whether two venue names differ by a typo, or share two words and half of the words of
    ``name``.
    """
    ours, theirs = venue_names.venue_words(name), venue_names.venue_words(other)
    telling = set(venue_names.bare_words(ours))
    shared = len(telling & set(theirs))
    return (shared > 1 and 2 * shared >= len(telling)) or is_typo(
        "".join(ours), "".join(theirs), _SHORTEST_NAME
    )


def _meet(cited: set[str], recorded: set[str]) -> bool:
    """Return whether the two sets share a venue.

    A conference and its journal count as one venue: VLDB and PVLDB.
    """
    ours, theirs = ({venue.rpartition("/")[2] for venue in each} for each in (cited, recorded))
    journals = {f"p{name}" for name in ours} & theirs or {f"p{name}" for name in theirs} & ours
    return bool(cited & recorded or journals)
