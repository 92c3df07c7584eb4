"""What the data teach about venues, as far as the rules ask."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from citeproof.models import Record, Volume


class Venues(Protocol):
    """What the data teach about venues. Venues are opaque names; two that are equal are one.

    The methods themselves answer as no data do: names are compared as they are written.
    """

    def resolve(self, name: str) -> frozenset[str]:
        """Return the venues that a name may mean; empty when unknown."""
        return frozenset()

    def is_certain(self, name: str) -> bool:
        """Whether the data have this very name or an abbreviation of it, not only its acronym."""
        return False

    def of_record(self, record: Record) -> frozenset[str]:
        """Return the venues that a record may belong to; empty when unknown."""
        return frozenset()

    def names(self, record: Record) -> frozenset[str]:
        """Return every name known for the venue of a record."""
        return frozenset({record.venue} - {""})

    def volume_of(self, record: Record) -> Volume | None:
        """Return the volume that a record is in."""
        return None

    def years_of(self, venue: str) -> frozenset[int]:
        """Return the years of which volumes of a venue are held."""
        return frozenset()

    def companion_not_held(self, venue: str, year: int, complete: float) -> bool:
        """Whether a volume beside a venue (workshops, a companion) is not held for ``year`` as far as ``complete``."""
        return False

    def gives_doi(self, record: Record, doi: str) -> bool:
        """Whether other papers of a record's venue have DOIs that begin as this one does."""
        return False

    def registrant_of(self, record: Record) -> str:
        """Return the registrant of all DOIs around a record in time at its venue; empty when there are several."""
        return ""

    def volume_of_doi(self, doi: str) -> Volume | None:
        """Return the volume whose DOIs begin as this one does."""
        return None

    def venue_of_doi(self, doi: str) -> str:
        """Return the one venue whose DOIs begin as this one does; empty when several do or none."""
        return ""


class _NoVenues(Venues):
    """No data on venues."""


NO_VENUES: Venues = _NoVenues()
