"""Cases for the tests of single rules."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from citeproof.model.findings import Findings, Inquiry, Outcome
from citeproof.model.record import Candidate
from citeproof.verification.validation.case import Case
from citeproof.verification.validation.compare.venues import NO_VENUES
from citeproof.verification.validation.policy import DEFAULT

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from citeproof.model.record import Record, Volume
    from citeproof.model.reference import Reference
    from citeproof.verification.validation.compare.venues import Venues
    from citeproof.verification.validation.policy import Difference

TODAY = date(2026, 11, 20)


def case(
    reference: Reference,
    records: Sequence[Record] = (),
    *,
    volumes: tuple[Volume, ...] = (),
    venues: Venues = NO_VENUES,
    complete: bool = True,
) -> Case:
    """Return the case of ``reference`` and the work it means, where a look-up by title found
    ``records``.
    """
    findings = Findings(
        tuple(Candidate(record, 1.0) for record in records),
        (Inquiry("db", Outcome.ANSWERED, complete=complete),),
        volumes,
    )
    return next(Case.of(reference, findings, TODAY, venues, DEFAULT).by_work())


def codes(differences: Iterable[Difference]) -> list[str]:
    """Return the codes of ``differences``."""
    return [difference.code for difference in differences]
