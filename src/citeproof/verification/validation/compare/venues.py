"""Compare venues. The result may be "not comparable", which is never held against a reference."""

from enum import Enum
from typing import Protocol

from citeproof.model.record import Record, Volume
from citeproof.text.venue_likeness import (
    acronyms_in,
    acronyms_spelled,
    contains_name,
    is_like,
    telling_words_of,
)
from citeproof.text.venue_names import (
    initials,
    is_beside,
    is_called,
    is_cut,
    is_full_name,
    is_preprint_server,
    is_series,
    may_spell,
    venue_words,
)

# minimum number of letters of an acronym that rarely fits another name by coincidence: ``IJCNLP``
_LONG_ACRONYM = 5
# from a journal to the conference at which all its papers are presented
_PRESENTED_AT = {"journals/pvldb": "conf/vldb", "journals/tog": "conf/siggraph"}
_NEWSLETTERS = {
    "journals/ccr": "conf/sigcomm",
    "journals/sigarch": "conf/isca conf/asplos",
    "journals/sigcse": "conf/sigcse conf/iticse",
    "journals/sigir": "conf/sigir",
    "journals/sigmetrics": "conf/sigmetrics",
    "journals/sigmod": "conf/sigmod",
    "journals/sigops": "conf/sosp conf/asplos conf/eurosys",
    "journals/sigplan": "conf/popl conf/pldi conf/icfp conf/oopsla conf/asplos conf/ppopp"
    " conf/lctrts conf/iwmm conf/vee conf/gpce conf/haskell conf/pepm conf/dls",
    "journals/sigsoft": "conf/sigsoft conf/issta",
}
"""Map from a newsletter to the conferences whose proceedings were printed as issues of it. DBLP
has the papers of these issues only as papers of the conference.
"""


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
    """Result of comparing the cited venue with that of a record, best agreement first."""

    SAME = "same"
    NOT_COMPARABLE = "not comparable"
    LIKE = "like"  # the cited venue is not known, but may be another name of the recorded venue
    # the cited venue is a workshop or companion of a venue; the work may have appeared twice
    BESIDE = "beside"
    # the cited venue is not known, and has another name than the recorded venue
    UNKNOWN = "unknown"
    DIFFERENT = "different"  # both venues are known and differ
    PREPRINT_ONLY = "preprint only"  # a venue is cited, and all records of the work are preprints


def is_preprint(record: Record) -> bool:
    """Return whether a record describes a preprint."""
    return record.publtype == "informal" or is_preprint_server(record.venue)


def compare_venue(name: str, record: Record, venues: Venues) -> VenueAgreement:
    """Compare the cited venue with the venue of a record."""
    if not name or is_series(name):
        return VenueAgreement.NOT_COMPARABLE
    if is_preprint_server(name):
        return VenueAgreement.SAME if is_preprint(record) else VenueAgreement.NOT_COMPARABLE
    if is_preprint(record):
        return VenueAgreement.PREPRINT_ONLY
    return _compare_names(name, record, venues) if record.venue else VenueAgreement.NOT_COMPARABLE


def _compare_names(name: str, record: Record, venues: Venues) -> VenueAgreement:
    """Compare the cited venue with that of a published record.

    If the table has the cited name for certain, the venues of this name are compared. Otherwise the
    cited name may be another form of the recorded name.
    """
    # a workshop is treated as its conference, because papers are cited either way
    cited, recorded = (
        {_PRESENTED_AT.get(venue, venue).partition(":")[0] for venue in found}
        for found in (venues.resolve(name), venues.of_record(record))
    )
    printed = cited.union(*(_NEWSLETTERS.get(venue, "").split() for venue in cited))
    names = venues.names(record)
    if printed & recorded or any(is_called(name, other) for other in names):
        return VenueAgreement.SAME
    is_usual = any(venues.is_usual(name, venue) for venue in venues.resolve(name))
    certain = is_usual and venues.is_certain(name)
    is_spelled = "".join(venue_words(name)) in {initials(venue_words(other)) for other in names}
    # the name of a joint event, such as ESEC / FSE, may have the acronym of the recorded event
    decides = (
        certain
        and bool(recorded)
        and len(cited) == 1
        and not is_spelled
        and acronyms_in(name, cited).isdisjoint(acronyms_in(record.venue, ()))
    )
    other_kind = {venue[:4] for venue in cited}.isdisjoint(venue[:4] for venue in recorded)
    begins = other_kind and any(is_cut(name, other) for other in names)
    if begins or (not decides and any(may_spell(name, other) for other in names)):
        return VenueAgreement.SAME
    is_apart = decides and all(record.year in venues.years_of(venue) for venue in cited)
    if (
        not recorded
        or not telling_words_of(name)
        or record.pub_type not in ("article", "inproceedings")
        or (not is_apart and contains_name(name, record.venue, names, decides=decides))
    ):
        return VenueAgreement.NOT_COMPARABLE
    if decides and not is_beside(name):
        return VenueAgreement.DIFFERENT
    full_name_known = any(map(is_full_name, names))
    if spelled := acronyms_spelled(name, record.venue):
        is_clear = full_name_known and all(len(word) < _LONG_ACRONYM for word in spelled)
        return VenueAgreement.LIKE if is_clear else VenueAgreement.NOT_COMPARABLE
    if is_beside(name):
        return VenueAgreement.BESIDE
    if certain:
        return VenueAgreement.LIKE if is_spelled else VenueAgreement.DIFFERENT
    if not full_name_known:
        return VenueAgreement.NOT_COMPARABLE
    resembles = any(is_like(name, other) for other in names)
    return VenueAgreement.LIKE if resembles else VenueAgreement.UNKNOWN
