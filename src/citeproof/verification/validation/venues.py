"""Knowledge about venues that the rules need."""

from typing import Protocol

from citeproof.model.record import Record, Volume


class Venues(Protocol):
    """Knowledge about venues, which have opaque identifiers. These methods, without data, know nothing."""

    def resolve(self, name: str) -> frozenset[str]:
        """Return the venues that a name may mean; empty if none is known."""
        return frozenset()

    def is_certain(self, name: str) -> bool:
        """Return whether the database has this name or an abbreviation of it, and not only its acronym."""
        return False

    def of_record(self, record: Record) -> frozenset[str]:
        """Return the venues that a record may belong to; empty if unknown."""
        return frozenset()

    def names(self, record: Record) -> frozenset[str]:
        """Return all known names of a record's venue."""
        return frozenset({record.venue} - {""})

    def volume_of(self, record: Record) -> Volume | None:
        """Return the volume that a record is in."""
        return None

    def years_of(self, venue: str) -> frozenset[int]:
        """Return the years of a venue's volumes in the database."""
        return frozenset()

    def companion_not_held(self, venue: str, year: int, complete: float) -> bool:
        """Return whether workshops or companions of a venue in ``year`` have a completeness below ``complete``."""
        return False

    def gives_doi(self, record: Record, doi: str) -> bool:
        """Return whether other papers of a record's venue have DOIs that begin like ``doi``."""
        return False

    def registrant_of(self, record: Record) -> str:
        """Return the only registrant of the DOIs of a record's venue around its year; empty if there are several."""
        return ""

    def volume_of_doi(self, doi: str) -> Volume | None:
        """Return the volume whose DOIs have the same prefix as the given DOI."""
        return None

    def venue_of_doi(self, doi: str) -> str:
        """Return the only venue whose DOIs have the prefix of the given DOI; empty if there are several or none."""
        return ""


class _NoVenues(Venues): ...


NO_VENUES: Venues = _NoVenues()
