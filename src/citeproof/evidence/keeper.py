"""Keeping evidence while references are verified."""

from __future__ import annotations

from dataclasses import replace
from threading import Lock
from typing import TYPE_CHECKING, Any, cast

from citeproof.evidence.line import Evidence, Figures, Said, basis, known, rules_version
from citeproof.evidence.venues import AskedVenues, packed
from citeproof.validation.decide import Validator
from citeproof.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import date
    from typing import TextIO

    from citeproof.models import Reference
    from citeproof.pipeline import Examination
    from citeproof.validation.venues import Venues


class Keeper:
    """Writes a line for each examination that it is called with, from any thread."""

    def __init__(
        self, out: TextIO, validator: Validator, database: Mapping[str, Any], today: Callable[[], date]
    ) -> None:
        """``validator`` is what decided the verdicts, ``database`` as it describes itself."""
        self._out = out
        self._validator = validator
        self._database = basis(database)
        self._today = today
        self._lock = Lock()
        self.trouble: OSError | None = None
        """Why not everything could be written; a reference is not to blame for it."""

    def __call__(self, examination: Examination) -> None:
        """Write one line."""
        line = evidence(examination, self._validator, self._database, self._today()).packed()
        with self._lock:
            try:
                self._out.write(f"{line}\n")
            except OSError as error:
                self.trouble = error


def evidence(
    examination: Examination,
    decided: Validator,
    database: dict[str, Any],
    day: date,
    asked: AskedVenues | None = None,
) -> Evidence:
    """Return the evidence of one verdict.

    ``asked`` is what the venue table was asked meanwhile; without it the verdict is decided once more, to see.
    """
    reference, findings = _writable(examination.reference), examination.findings
    if asked is None:
        asked = AskedVenues(decided.venues)
        validator = Validator(cast("Venues", asked), policy=decided.policy, today=lambda: day)
        validator.explain(validator.decide(reference, findings), findings)
    return Evidence(
        program=__version__,
        rules=rules_version(),
        day=day,
        database=database,
        policy=Figures.of(decided.policy),
        reference=reference,
        findings=findings,
        venues=[(method, arguments, answer) for method, arguments, answer in packed(asked.answers, known(findings))],
        verdict=Said.of(examination.verdict),
    )


def _writable(reference: Reference) -> Reference:
    """Return ``reference`` with names of files that UTF-8 can write; a file's name may be any bytes."""
    place = reference.place
    file, paper = (name.encode("utf-8", "backslashreplace").decode() for name in (place.file, place.paper))
    return replace(reference, place=replace(place, file=file, paper=paper))
