"""Check distinct references, in a process of their own: what is kept of each verdict."""

from __future__ import annotations

import json
from collections import deque
from dataclasses import asdict, dataclass, replace
from datetime import date
from functools import lru_cache
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, cast

from citeproof.bibdb.title_index.fingerprint import fingerprint
from citeproof.errors import DatabaseError
from citeproof.evidence.keeper import evidence
from citeproof.evidence.line import basis as evidence_basis
from citeproof.evidence.line import code_version
from citeproof.evidence.venues import AskedVenues
from citeproof.opening import kept_session
from citeproof.pipeline import own_fault
from citeproof.screen.distinct import from_json
from citeproof.validation.decide import Validator

if TYPE_CHECKING:
    from citeproof.models import Reference, Verdict
    from citeproof.pipeline import Examination
    from citeproof.session import Session
    from citeproof.validation.venues import Venues

CODE = ("bibdb", "fields", "strategies", "text", "validation", "models.py", "pipeline.py")
"""What looks up and decides. A version of citeproof that differs elsewhere gives the same verdicts."""


@dataclass(frozen=True, slots=True)
class Distinct:
    """One distinct reference, to be checked."""

    number: int
    fields: str
    """In JSON."""


@dataclass(frozen=True, slots=True)
class Checked:
    """What is kept of the verdict on one distinct reference."""

    number: int
    status: str
    reason: str
    confidence: float
    details: str
    """In JSON: ``issues``; ``match``, the record it was compared with, or null; ``flags``; and ``held``, which share
    of the cited volume the database holds, 0 to 1, 0 where it knows no such volume; ``decided_by``, the strategy."""
    evidence: str = ""
    """What it was decided from, as a line for ``citeproof replay``; empty where nothing was decided."""


def check_references(chosen: str, basis: str, references: list[Distinct]) -> list[Checked]:
    """Return the verdicts on ``references`` of the session with the settings ``chosen``, which is kept open.

    Raises :class:`DatabaseError` where that session does not rest on ``basis``.
    """
    session = kept_session(chosen)
    if _kept_basis(chosen) != basis:
        path = session.database.path if session.database else "no database"
        raise DatabaseError(f"{path}: is another database than that of the run, or citeproof is another version here")
    examined: deque[Examination] = deque(maxlen=1)
    asked = AskedVenues(session.validator.venues)
    validator = Validator(cast("Venues", asked), policy=session.validator.policy)
    pipeline = session.pipeline.witnessed(examined.append).deciding(validator)
    keeper = Keeper(session)
    found = []
    for each in references:
        examined.clear()
        asked.answers.clear()
        verdict = pipeline.answer(cited(each))
        found.append(keeper.checked(each.number, verdict, examined[0] if examined else None, asked))
    return found


def cited(reference: Distinct) -> Reference:
    """Return ``reference`` with its number as its key."""
    return replace(from_json(reference.fields), key=str(reference.number))


class Keeper:
    """Makes of a verdict of ``session`` what is kept of it."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._database = evidence_basis(session.describe_database())

    def checked(
        self, number: int, verdict: Verdict, examination: Examination | None, asked: AskedVenues | None = None
    ) -> Checked:
        """Return what is kept of the verdict on the reference ``number``.

        ``examination`` is None where it did not come to its end; ``asked`` as in :func:`evidence`.
        """
        line = ""
        if examination:
            line = evidence(examination, self._session.validator, self._database, date.today(), asked).packed()
        return _checked(number, verdict, _held(self._session, verdict), line)


def basis_of(session: Session) -> str:
    """Return what verdicts rest on, in 16 letters: the database's content, the threshold, the code of :data:`CODE`."""
    chosen = json.loads(session.elsewhere)
    limits = chosen["bib_threshold"], chosen["bib_max_candidates"]
    content = fingerprint(session.database.file) if session.database else ""
    return blake2b(repr((code_version(*CODE), limits, content)).encode(), digest_size=8).hexdigest()


@lru_cache(1)
def _kept_basis(chosen: str) -> str:
    return basis_of(kept_session(chosen))


def lost(reference: Distinct) -> Checked:
    """Return the verdict on a reference whose process died twice."""
    error = ChildProcessError("the process that checked it died, twice")
    return _checked(reference.number, own_fault(from_json(reference.fields), error))


def _held(session: Session, verdict: Verdict) -> float:
    if not session.database:
        return 0.0
    volumes = session.database.venues.claimed_volumes(verdict.reference.venue, verdict.reference.year)
    return max((volume.completeness for volume in volumes), default=0.0)


def _checked(number: int, verdict: Verdict, held: float = 0.0, line: str = "") -> Checked:
    details: dict[str, Any] = {
        "issues": [asdict(issue) for issue in verdict.issues],
        "match": _record(verdict),
        "flags": verdict.flags,
        "held": round(held, 3),
        "decided_by": verdict.decided_by,
    }
    return Checked(number, verdict.status.value, verdict.reason, verdict.confidence, json.dumps(details), line)


def _record(verdict: Verdict) -> dict[str, Any] | None:
    if not verdict.best_match:
        return None
    record = verdict.best_match.record
    names = ("key", "source", "title", "authors", "year", "venue", "doi", "arxiv_id")
    return {name: getattr(record, name) for name in names} | {"similarity": verdict.best_match.similarity}
