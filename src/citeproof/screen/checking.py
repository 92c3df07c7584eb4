"""Verify references in a worker process. A reference that several papers cite is verified only
once.
"""

import json
from dataclasses import replace
from datetime import date
from functools import lru_cache
from hashlib import blake2b
from operator import itemgetter
from typing import NamedTuple, cast

from citeproof.database.title_index.format import fingerprint
from citeproof.model.errors import DatabaseError
from citeproof.model.reference import Reference
from citeproof.model.stored import JsonObject, json_values
from citeproof.model.verdict import Verdict
from citeproof.model.version import code_version
from citeproof.screen.bibliographies import from_json
from citeproof.verification.evidence.line import AskedVenues, evidence
from citeproof.verification.evidence.line import basis as evidence_basis
from citeproof.verification.pipeline import Examination, own_fault
from citeproof.verification.session import Session
from citeproof.verification.startup import kept_session
from citeproof.verification.validation.compare.venues import Venues
from citeproof.verification.validator import Validator

# packages of citeproof whose code decides verdicts
_CODE = ("database", "model", "readers", "text", "verification")


class Distinct(NamedTuple):
    """A reference to verify, which one or more papers cite. ``fields`` has its fields in JSON."""

    number: int
    fields: str


class Checked(NamedTuple):
    """The verdict on the reference with the number ``number``, as it is stored in the screening
    database.
    """

    number: int
    status: str
    reason: str
    confidence: float
    details: str
    """JSON object with ``issues``, ``match`` (the matching record or null), ``flags``,
    ``decided_by`` (name of the last search that affected the verdict), ``odds`` (:class:`Odds` as a
    list; null if there is no definite verdict) and ``held``.

    ``held`` is the share of the cited volume of a journal or conference that the database has, from
    0 to 1. It is 0 if the volume is unknown.
    """
    # JSON from which citeproof replay repeats the verdict; empty if nothing was decided
    evidence: str = ""


def check_references(chosen: str, basis: str, references: list[Distinct]) -> list[Checked]:
    """Verify ``references`` and return the verdicts. ``chosen`` are the settings in JSON. The
    opened database is kept for later calls.

    Raises :class:`DatabaseError` if ``basis``, the hash of the main process, differs from the hash
    that :func:`basis_of` returns in this process.
    """
    session = kept_session(chosen)
    if _kept_basis(chosen) != basis:
        path = session.database.path if session.database else "no database"
        raise DatabaseError(
            f"{path}: is not the database of the run, or another version of citeproof is "
            "installed here"
        )
    asked, decider = AskedVenues(session.validator.venues), session.validator
    validator = Validator(cast("Venues", asked), policy=decider.policy, base_rate=decider.base_rate)
    keeper = Keeper(session, asked)
    pipeline = replace(session.pipeline, on_examination=keeper.witness, validator=validator)
    found = []
    for each in references:
        asked.answers.clear()
        found.append(keeper.checked(pipeline.answer(cited(each))))
    return found


def cited(reference: Distinct) -> Reference:
    """Return ``reference`` as a :class:`Reference` whose citation key is the number of the
    reference.
    """
    return replace(from_json(reference.fields), key=str(reference.number))


class Keeper:
    """Converts verdicts to :class:`Checked`, and adds the evidence for each verdict, such as the
    records found.
    """

    def __init__(self, session: Session, asked: AskedVenues | None = None) -> None:
        """``asked`` records which journals and conferences were looked up. These become a part of
        the evidence.
        """
        self._session, self._asked = session, asked
        self._database = evidence_basis(session.describe_database())
        self._examined: dict[str, Examination] = {}

    def witness(self, examination: Examination) -> None:
        """Keep ``examination`` in memory until :meth:`checked` is called with its verdict."""
        self._examined[examination.verdict.reference.key] = examination

    def checked(self, verdict: Verdict) -> Checked:
        """Return ``verdict`` as :class:`Checked`. The evidence in it is empty if the verification
        was not completed.
        """
        held, line = 0.0, ""
        if database := self._session.database:
            volumes = database.venues.claimed_volumes(
                verdict.reference.venue, verdict.reference.year
            )
            held = max((volume.completeness for volume in volumes), default=0.0)
        if examination := self._examined.pop(verdict.reference.key, None):
            line = evidence(
                examination, self._session.validator, self._database, date.today(), self._asked
            ).packed()
        return _checked(int(verdict.reference.key), verdict, held, line)


def basis_of(session: Session) -> str:
    """Return a hash of everything on which verdicts depend: database content, thresholds and
    program code.
    """
    limits = itemgetter("bib_threshold", "bib_max_candidates")(json.loads(session.settings_json))
    content = fingerprint(session.database.file) if session.database else ""
    return blake2b(
        repr((code_version(*_CODE), limits, content)).encode(), digest_size=8
    ).hexdigest()


def described(session: Session) -> JsonObject:
    """Return the description of the session's database, with a checksum of the database content as
    ``digest``.
    """
    digest = {"digest": fingerprint(session.database.file)["digest"]} if session.database else {}
    return session.describe_database() | digest


@lru_cache(1)
def _kept_basis(chosen: str) -> str:
    return basis_of(kept_session(chosen))


def lost(reference: Distinct) -> Checked:
    """Return the verdict ERROR, with a fault of the program as its reason, on a reference during
    whose verification two worker processes died.
    """
    error = ChildProcessError("the worker process died twice on this reference")
    return _checked(reference.number, own_fault(from_json(reference.fields), error))


def _checked(number: int, verdict: Verdict, held: float = 0.0, line: str = "") -> Checked:
    names = ("key", "source", "title", "authors", "year", "venue", "doi", "arxiv_id")
    best = verdict.best_match
    details = {
        "issues": list(map(json_values, verdict.issues)),
        "match": (
            best
            and {name: getattr(best.record, name) for name in names}
            | {"similarity": best.similarity}
        ),
        "flags": verdict.flags,
        "held": round(held, 3),
        "decided_by": verdict.decided_by,
        "odds": verdict.chance.odds if verdict.chance else None,
    }
    return Checked(
        number, verdict.status.value, verdict.reason, verdict.confidence, json.dumps(details), line
    )
