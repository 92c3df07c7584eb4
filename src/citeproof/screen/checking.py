"""Check distinct references in a worker process. Equal references of several papers are one distinct reference."""

import json
from dataclasses import asdict, replace
from datetime import date
from functools import lru_cache
from hashlib import blake2b
from operator import itemgetter
from typing import Any, NamedTuple, cast

from citeproof.database.title_index.format import fingerprint
from citeproof.model.errors import DatabaseError
from citeproof.model.reference import Reference
from citeproof.model.verdict import Verdict
from citeproof.screen.reading import from_json
from citeproof.verification.evidence.line import AskedVenues, code_version, evidence
from citeproof.verification.evidence.line import basis as evidence_basis
from citeproof.verification.opening import kept_session
from citeproof.verification.pipeline import Examination, own_fault
from citeproof.verification.session import Session
from citeproof.verification.validation.compare.venues import Venues
from citeproof.verification.validator import Validator

_CODE = ("database", "model", "readers", "text", "verification")  # packages whose code decides verdicts


class Distinct(NamedTuple):
    """A distinct reference to check, with its fields in JSON."""

    number: int
    fields: str


class Checked(NamedTuple):
    """The verdict on a distinct reference, as it is stored."""

    number: int
    status: str
    reason: str
    confidence: float
    details: str
    """JSON object with ``issues``, ``match`` (the compared record or null), ``flags``, ``held`` (completeness of
    the cited volume in the database, 0 to 1; 0 for an unknown volume), ``decided_by`` (the strategy), and ``odds``
    (:class:`Odds` as a list; null if nothing was decided)."""
    evidence: str = ""  # line of evidence for citeproof replay; empty if nothing was decided


def check_references(chosen: str, basis: str, references: list[Distinct]) -> list[Checked]:
    """Return the verdicts on ``references``. The session with the settings ``chosen`` is cached for further calls.

    Raises :class:`DatabaseError` if the :func:`basis_of` this session is not ``basis``.
    """
    session = kept_session(chosen)
    if _kept_basis(chosen) != basis:
        path = session.database.path if session.database else "no database"
        raise DatabaseError(f"{path}: is another database than that of the run, or citeproof is another version here")
    asked, decider = AskedVenues(session.validator.venues), session.validator
    validator = Validator(cast("Venues", asked), policy=decider.policy, base_rate=decider.base_rate)
    keeper = Keeper(session, asked)
    pipeline = replace(session.pipeline, witness=keeper.witness, validator=validator)
    found = []
    for each in references:
        asked.answers.clear()
        found.append(keeper.checked(pipeline.answer(cited(each))))
    return found


def cited(reference: Distinct) -> Reference:
    """Return ``reference`` as a :class:`Reference` with its number as key."""
    return replace(from_json(reference.fields), key=str(reference.number))


class Keeper:
    """Turns verdicts into :class:`Checked`, each with the evidence of the examination that it rests on."""

    def __init__(self, session: Session, asked: AskedVenues | None = None) -> None:
        """``asked`` records the queries to the venue table, which :func:`evidence` stores."""
        self._session, self._asked = session, asked
        self._database = evidence_basis(session.describe_database())
        self._examined: dict[str, Examination] = {}

    def witness(self, examination: Examination) -> None:
        """Store the evidence of an examination until :meth:`checked` is called with its verdict."""
        self._examined[examination.verdict.reference.key] = examination

    def checked(self, verdict: Verdict) -> Checked:
        """Return ``verdict`` as :class:`Checked`, without evidence if the examination was not completed."""
        held, line = 0.0, ""
        if database := self._session.database:
            volumes = database.venues.claimed_volumes(verdict.reference.venue, verdict.reference.year)
            held = max((volume.completeness for volume in volumes), default=0.0)
        if examination := self._examined.pop(verdict.reference.key, None):
            line = evidence(examination, self._session.validator, self._database, date.today(), self._asked).packed()
        return _checked(int(verdict.reference.key), verdict, held, line)


def basis_of(session: Session) -> str:
    """Return a hash of all that determines verdicts: content of the database, thresholds, code of :data:`_CODE`."""
    limits = itemgetter("bib_threshold", "bib_max_candidates")(json.loads(session.elsewhere))
    content = fingerprint(session.database.file) if session.database else ""
    return blake2b(repr((code_version(*_CODE), limits, content)).encode(), digest_size=8).hexdigest()


def described(session: Session) -> dict[str, Any]:
    """Return the description of the database with a checksum of its content, ``digest``."""
    digest = {"digest": fingerprint(session.database.file)["digest"]} if session.database else {}
    return session.describe_database() | digest


@lru_cache(1)
def _kept_basis(chosen: str) -> str:
    return basis_of(kept_session(chosen))


def lost(reference: Distinct) -> Checked:
    """Return the verdict on a reference whose check killed its worker process twice."""
    error = ChildProcessError("the process that checked it died, twice")
    return _checked(reference.number, own_fault(from_json(reference.fields), error))


def _checked(number: int, verdict: Verdict, held: float = 0.0, line: str = "") -> Checked:
    names = ("key", "source", "title", "authors", "year", "venue", "doi", "arxiv_id")
    best = verdict.best_match
    details = {
        "issues": [asdict(issue) for issue in verdict.issues],
        "match": best and {name: getattr(best.record, name) for name in names} | {"similarity": best.similarity},
        "flags": verdict.flags,
        "held": round(held, 3),
        "decided_by": verdict.decided_by,
        "odds": verdict.chance.odds if verdict.chance else None,
    }
    return Checked(number, verdict.status.value, verdict.reason, verdict.confidence, json.dumps(details), line)
