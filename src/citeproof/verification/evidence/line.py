"""Write and read the lines of an evidence file.

A line has a verdict and all data that decided the verdict.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import partial
from threading import Lock
from typing import Any, Literal, Self, TextIO, cast, get_type_hints

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from citeproof.model.errors import InputError
from citeproof.model.findings import Findings
from citeproof.model.record import Candidate, Record
from citeproof.model.reference import Reference
from citeproof.model.verdict import Issue, Status, Verdict
from citeproof.model.version import __version__, code_version
from citeproof.verification.pipeline import Examination
from citeproof.verification.policy_files import THRESHOLDS
from citeproof.verification.validation.compare.venues import NO_VENUES, Venues
from citeproof.verification.validation.policy import DEFAULT, Policy, Weight
from citeproof.verification.validator import Validator

VERSION: Literal[1] = 1
"""Version of the evidence format. It increases when a field is removed or gets another meaning."""
_DECIDING = (
    "validator.py",
    "decision.py",
    "explanation.py",
    "validation",
    "certainty.py",
    "chance.json",
)
RULES = (*(f"verification/{name}" for name in _DECIDING), "text", "readers")
"""Paths of the code that decides verdicts, relative to the package ``citeproof``: modules and
packages.
"""
Question = tuple[str, tuple[Any, ...]]
"""A call of a method of ``Venues``: the name of the method, and the arguments."""
_HINTS = {
    name: get_type_hints(method)
    for name, method in vars(Venues).items()
    if not name.startswith("_")
}
_ANSWERS: Mapping[str, TypeAdapter[Any]] = {
    name: TypeAdapter(hints["return"]) for name, hints in _HINTS.items()
}
"""Map from a method of ``Venues``, such as ``resolve``, to the Pydantic adapter of the return
type.
"""
_RECORD = TypeAdapter(Record)


class AskedVenues:
    """Proxy for the venue table ``venues``. It records each method call with the return value.

    ``answers`` maps calls to return values that were recorded earlier. Calls that are not in
    ``answers`` are passed on to ``venues``.
    """

    def __init__(
        self, venues: Venues = NO_VENUES, answers: Mapping[Question, Any] | None = None
    ) -> None:
        self._venues = venues
        self.answers = dict(answers or {})
        self.unanswered = set[str]()
        """Names of the methods that were called with arguments which are not in ``answers``."""

    def __getattr__(self, method: str) -> Callable[..., Any]:
        """Return a function that calls ``method`` of ``Venues`` and records the call."""
        if method not in _ANSWERS:
            raise AttributeError(method)
        return partial(self._ask, method)

    def _ask(self, method: str, *arguments: Any) -> Any:
        question = (method, arguments)
        if question not in self.answers:
            self.unanswered.add(method)
            self.answers[question] = getattr(self._venues, method)(*arguments)
        return self.answers[question]


def packed(
    answers: Mapping[Question, Any], known: Sequence[Record]
) -> list[tuple[str, list[Any], Any]]:
    """Return ``answers``, the recorded calls of the venue table, as JSON lists: method, arguments,
    answer.

    A record in the arguments is replaced by its index in ``known``.
    """

    def argument(value: Any) -> Any:
        if not isinstance(value, Record):
            return value
        return (
            known.index(value)
            if value in known
            else _RECORD.dump_python(value, exclude_defaults=True)
        )

    found = []
    for (method, arguments), answer in answers.items():
        plain = _ANSWERS[method].dump_python(answer, exclude_defaults=True)
        plain = sorted(plain) if isinstance(plain, frozenset) else plain
        found.append((method, [*map(argument, arguments)], plain))
    return found


def unpacked(kept: Iterable[Sequence[Any]], known: Sequence[Record]) -> dict[Question, Any]:
    """Return the recorded calls that :func:`packed` converted to ``kept``. ``known`` are the
    records to which indexes refer.

    Raises :class:`ValueError` if ``kept`` is malformed.
    """
    answers = {}
    for method, arguments, answer in kept:
        if method not in _ANSWERS:
            raise ValueError(f"the venue table has no {method!r}")
        whole = list(arguments)
        if "record" in _HINTS[method]:
            whole[0] = (
                known[whole[0]] if isinstance(whole[0], int) else _RECORD.validate_python(whole[0])
            )
        answers[method, tuple(whole)] = _ANSWERS[method].validate_python(answer)
    return answers


class Keeper:
    """Writes a line of evidence to a file for each reference that was examined. Thread-safe."""

    def __init__(
        self, out: TextIO, validator: Validator, database: dict[str, Any], today: Callable[[], date]
    ) -> None:
        """``validator`` decides the verdicts.

        ``database`` describes the database. ``today`` returns the date.
        """
        self._out, self._lock, self._today = out, Lock(), today
        self._evidence = partial(evidence, decided=validator, database=basis(database))
        self.trouble: OSError | None = None
        """Last error that occurred while writing. None if no error occurred."""

    def __call__(self, examination: Examination) -> None:
        """Write the evidence of an examined reference as one line."""
        line = self._evidence(examination, day=self._today()).packed()
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
    """Return the evidence of a verdict.

    ``asked`` has the queries to the venue table. If it is None, the verdict is decided again, to
    record these queries.
    """
    findings, place = examination.findings, examination.reference.place
    file, paper = (
        name.encode("utf-8", "backslashreplace").decode() for name in (place.file, place.paper)
    )
    reference = replace(examination.reference, place=replace(place, file=file, paper=paper))
    if asked is None:
        asked = AskedVenues(decided.venues)
        validator = Validator(cast("Venues", asked), policy=decided.policy, today=lambda: day)
        validator.explain(validator.decide(reference, findings), findings)
    return Evidence(
        program=__version__,
        rules=code_version(*RULES),
        day=day,
        database=database,
        policy=Figures.of(decided.policy),
        reference=reference,
        findings=findings,
        venues=packed(asked.answers, _records(findings)),
        verdict=Said.of(examination.verdict),
    )


class Said(BaseModel):
    """The content of a verdict that a replay must reproduce.

    It does not include which source answered and how fast.
    """

    model_config = ConfigDict(frozen=True)

    status: Status
    reason: str
    confidence: float
    issues: tuple[Issue, ...] = ()
    flags: tuple[str, ...] = ()
    best_match: tuple[str, str] | None = None
    """Source and key of the record that matches best."""
    meant: tuple[tuple[str, str], ...] = ()
    searched: str = ""

    @classmethod
    def of(cls, verdict: Verdict) -> Self:
        """Return the content of ``verdict`` that a replay must reproduce."""
        alike = ("status", "reason", "confidence", "issues", "flags", "searched")
        return cls(
            **{name: getattr(verdict, name) for name in alike},
            best_match=_name(verdict.best_match) if verdict.best_match else None,
            meant=tuple(_name(work.candidate) for work in verdict.meant),
        )


class Figures(BaseModel):
    """A policy as stored in evidence: weights of issue codes and thresholds, as numbers."""

    weights: dict[str, int]
    """Map from issue code to the number of its weight, a :class:`Weight`: 0 for a note, 3 for a
    conflict.

    The codes are in the order of the policy.
    """
    thresholds: dict[str, float]
    name: str = DEFAULT.name
    not_compared: tuple[str, ...] = ()
    """Sorted issue codes that the policy ignores."""

    @classmethod
    def of(cls, policy: Policy) -> Self:
        """Return the weights and thresholds of ``policy``."""
        return cls(
            weights={code: int(weight) for code, weight in policy.weights.items()},
            thresholds={name: getattr(policy, name) for name in THRESHOLDS},
            name=policy.name,
            not_compared=tuple(sorted(policy.not_compared)),
        )

    def policy(self) -> Policy:
        """Return the recorded policy.

        Issue codes and thresholds that were not recorded get the current defaults.
        """
        weights = {code: Weight(weight) for code, weight in self.weights.items()}
        known = {name: value for name, value in self.thresholds.items() if name in THRESHOLDS}
        weights |= {code: weight for code, weight in DEFAULT.weights.items() if code not in weights}
        return Policy(weights, self.name, frozenset(self.not_compared), **known)


class Evidence(BaseModel):
    """A verdict, and all data from which it was decided, such as the reference and the findings."""

    version: Literal[1] = VERSION
    program: str
    rules: str
    """Checksum of the code that decided the verdict."""
    day: date
    """Date of the verdict. Cited years after this date are future years."""
    database: dict[str, Any]
    """``build_id`` of the database, and the date of the newest record of each source."""
    policy: Figures
    reference: Reference
    findings: Findings
    venues: list[tuple[str, list[Any], Any]]
    """Queries to the venue table: method, arguments, answer.

    A record is replaced by its index in ``findings``.
    """
    verdict: Said

    def packed(self) -> str:
        """Return the evidence as a line of JSON, without the line feed."""
        return (
            self.model_dump_json(exclude_defaults=True, exclude={"version"})[:-1]
            + f',"version":{VERSION}}}'
        )

    @classmethod
    def unpacked(cls, line: str | bytes) -> Self:
        """Parse a line of an evidence file. Raises :class:`InputError` if the line is invalid."""
        try:
            return cls.model_validate_json(line)
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(map(str, first["loc"]))
            raise InputError(
                f"is not a line of evidence: {f'{where}: ' if where else ''}{first['msg']}"
            ) from error

    def answers(self) -> dict[Question, Any]:
        """Return the recorded answers of the venue table.

        Raises :class:`InputError` if they are malformed.
        """
        try:
            return unpacked(self.venues, _records(self.findings))
        except (ValueError, TypeError, IndexError) as error:
            raise InputError(
                f"is not a line of evidence: venues: {str(error).splitlines()[0]}"
            ) from error


def _records(findings: Findings) -> list[Record]:
    return [candidate.record for candidate in (*findings.candidates, *findings.remembered)]


def basis(described: Mapping[str, Any]) -> dict[str, Any]:
    """Return a map with the build id of a database and the dates of its sources.

    ``described`` is the description of the database.
    """
    sources = {source["name"]: source["dump_date"] for source in described.get("sources", ())}
    return {"build_id": str(described.get("build_id", "")), "sources": sources}


def _name(candidate: Candidate) -> tuple[str, str]:
    return candidate.record.source, candidate.record.key
