"""Write and read lines of an evidence file: a verdict, and everything from which it was decided."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import cache, partial
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import Any, Literal, Self, TextIO, cast, get_type_hints

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from citeproof.model.errors import InputError
from citeproof.model.findings import Findings
from citeproof.model.record import Candidate, Record
from citeproof.model.reference import Reference
from citeproof.model.verdict import Issue, Status, Verdict
from citeproof.model.version import __version__
from citeproof.verification.pipeline import Examination
from citeproof.verification.policy_files import THRESHOLDS
from citeproof.verification.validation.compare.venues import NO_VENUES, Venues
from citeproof.verification.validation.policy import DEFAULT, Policy, Weight
from citeproof.verification.validator import Validator

VERSION: Literal[1] = 1
"""Version of the format. It is raised when a field changes its meaning or is removed."""
_DECIDING = ("validator.py", "explanation.py", "validation", "certainty.py", "chance.json")
RULES = (*(f"verification/{name}" for name in _DECIDING), "text", "readers")
"""Paths in the package ``citeproof`` of the modules and packages whose code a verdict depends on."""
Question = tuple[str, tuple[Any, ...]]
"""A query to the venue table: the name of a method of ``Venues``, and its arguments."""
_HINTS = {name: get_type_hints(method) for name, method in vars(Venues).items() if not name.startswith("_")}
_ANSWERS: Mapping[str, TypeAdapter[Any]] = {name: TypeAdapter(hints["return"]) for name, hints in _HINTS.items()}
"""Pydantic type of the return value of each method of ``Venues``, by the name of the method."""
_RECORD = TypeAdapter(Record)


class AskedVenues:
    """A venue table with the methods of ``Venues`` that records each query with its answer.

    A query without an answer in ``answers``, which were recorded earlier, is passed on to ``venues``.
    """

    def __init__(self, venues: Venues = NO_VENUES, answers: Mapping[Question, Any] | None = None) -> None:
        self._venues = venues
        self.answers = dict(answers or {})
        self.unanswered = set[str]()
        """Names of the methods that were called with a query not in ``answers``."""

    def __getattr__(self, method: str) -> Callable[..., Any]:
        """Return a function that calls ``method`` of the table and records the query."""
        if method not in _ANSWERS:
            raise AttributeError(method)
        return partial(self._ask, method)

    def _ask(self, method: str, *arguments: Any) -> Any:
        question = (method, arguments)
        if question not in self.answers:
            self.unanswered.add(method)
            self.answers[question] = getattr(self._venues, method)(*arguments)
        return self.answers[question]


def packed(answers: Mapping[Question, Any], known: Sequence[Record]) -> list[tuple[str, list[Any], Any]]:
    """Return ``answers`` as JSON: method, arguments, answer. A record is replaced by its index in ``known``."""

    def argument(value: Any) -> Any:
        if not isinstance(value, Record):
            return value
        return known.index(value) if value in known else _RECORD.dump_python(value, exclude_defaults=True)

    found = []
    for (method, arguments), answer in answers.items():
        plain = _ANSWERS[method].dump_python(answer, exclude_defaults=True)
        plain = sorted(plain) if isinstance(plain, frozenset) else plain
        found.append((method, [*map(argument, arguments)], plain))
    return found


def unpacked(kept: Iterable[Sequence[Any]], known: Sequence[Record]) -> dict[Question, Any]:
    """Return the answers that :func:`packed` was given. Raises :class:`ValueError` if ``kept`` is malformed."""
    answers = {}
    for method, arguments, answer in kept:
        if method not in _ANSWERS:
            raise ValueError(f"the venue table has no {method!r}")
        whole = list(arguments)
        if "record" in _HINTS[method]:
            whole[0] = known[whole[0]] if isinstance(whole[0], int) else _RECORD.validate_python(whole[0])
        answers[method, tuple(whole)] = _ANSWERS[method].validate_python(answer)
    return answers


class Keeper:
    """Writes evidence to a file: one line for each examination. It can be called from any thread."""

    def __init__(self, out: TextIO, validator: Validator, database: dict[str, Any], today: Callable[[], date]) -> None:
        """``validator`` is the validator of the pipeline; ``database``, the description of the database."""
        self._out, self._lock, self._today = out, Lock(), today
        self._evidence = partial(evidence, decided=validator, database=basis(database))
        self.trouble: OSError | None = None
        """The error that stopped the writing; None while there is none."""

    def __call__(self, examination: Examination) -> None:
        """Write the line of one examination."""
        line = self._evidence(examination, day=self._today()).packed()
        with self._lock:
            try:
                self._out.write(f"{line}\n")
            except OSError as error:
                self.trouble = error


def evidence(
    examination: Examination, decided: Validator, database: dict[str, Any], day: date, asked: AskedVenues | None = None
) -> Evidence:
    """Return the evidence of a verdict. Without ``asked``, the verdict is decided again to record its venue queries."""
    findings, place = examination.findings, examination.reference.place
    file, paper = (name.encode("utf-8", "backslashreplace").decode() for name in (place.file, place.paper))
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
    """The parts of a verdict that a replay must reproduce, without which source answered and how fast."""

    model_config = ConfigDict(frozen=True)

    status: Status
    reason: str
    confidence: float
    issues: tuple[Issue, ...] = ()
    flags: tuple[str, ...] = ()
    best_match: tuple[str, str] | None = None
    """Source and key of the record that is the best match."""
    meant: tuple[tuple[str, str], ...] = ()
    searched: str = ""

    @classmethod
    def of(cls, verdict: Verdict) -> Self:
        """Return the content of ``verdict``."""
        alike = ("status", "reason", "confidence", "issues", "flags", "searched")
        return cls(
            **{name: getattr(verdict, name) for name in alike},
            best_match=_name(verdict.best_match) if verdict.best_match else None,
            meant=tuple(_name(work.candidate) for work in verdict.meant),
        )


class Figures(BaseModel):
    """A policy in numbers, as evidence stores it."""

    weights: dict[str, int]
    """Weight by issue code, in the policy's order: 0 note, 1 open, 2 issue, 3 conflict."""
    thresholds: dict[str, float]
    name: str = DEFAULT.name
    not_compared: tuple[str, ...] = ()
    """Sorted issue codes that the policy ignores."""

    @classmethod
    def of(cls, policy: Policy) -> Self:
        """Return ``policy`` as numbers."""
        return cls(
            weights={code: int(weight) for code, weight in policy.weights.items()},
            thresholds={name: getattr(policy, name) for name in THRESHOLDS},
            name=policy.name,
            not_compared=tuple(sorted(policy.not_compared)),
        )

    def policy(self) -> Policy:
        """Return the policy of the run. Codes and thresholds that did not exist at that time have current defaults."""
        weights = {code: Weight(weight) for code, weight in self.weights.items()}
        known = {name: value for name, value in self.thresholds.items() if name in THRESHOLDS}
        weights |= {code: weight for code, weight in DEFAULT.weights.items() if code not in weights}
        return Policy(weights, self.name, frozenset(self.not_compared), **known)


class Evidence(BaseModel):
    """A verdict with its reference, its findings and everything else from which it was decided."""

    version: Literal[1] = VERSION
    program: str
    rules: str
    """Checksum of the code that decided the verdict."""
    day: date
    """Date of the verdict; it decides which years are in the future."""
    database: dict[str, Any]
    """``build_id`` of the database, and the date of the newest record of each source."""
    policy: Figures
    reference: Reference
    findings: Findings
    venues: list[tuple[str, list[Any], Any]]
    """Queries to the venue table: method, arguments, answer. A record is given by its index in ``findings``."""
    verdict: Said

    def packed(self) -> str:
        """Return the evidence as a line of JSON, without the line feed."""
        return self.model_dump_json(exclude_defaults=True, exclude={"version"})[:-1] + f',"version":{VERSION}}}'

    @classmethod
    def unpacked(cls, line: str | bytes) -> Self:
        """Return the evidence in ``line``. Raises :class:`InputError`, without file and line, if it is invalid."""
        try:
            return cls.model_validate_json(line)
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(map(str, first["loc"]))
            raise InputError(f"is not a line of evidence: {f'{where}: ' if where else ''}{first['msg']}") from error

    def answers(self) -> dict[Question, Any]:
        """Return the recorded answers of the venue table. Raises :class:`InputError` if they are malformed."""
        try:
            return unpacked(self.venues, _records(self.findings))
        except (ValueError, TypeError, IndexError) as error:
            raise InputError(f"is not a line of evidence: venues: {str(error).splitlines()[0]}") from error


def _records(findings: Findings) -> list[Record]:
    return [candidate.record for candidate in (*findings.candidates, *findings.remembered)]


def basis(described: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parts of a database description that identify its content, such as the build id, without its path."""
    sources = {source["name"]: source["dump_date"] for source in described.get("sources", ())}
    return {"build_id": str(described.get("build_id", "")), "sources": sources}


@cache
def code_version(*parts: str) -> str:
    """Return a checksum of modules and packages of citeproof: 12 hexadecimal digits of the SHA-256 of their files."""
    total, root = sha256(), Path(__file__).parents[2]
    for part in parts:
        for path in sorted((root / part).rglob("*.*")) or [root / part]:
            if path.suffix in {".py", ".json"}:
                total.update(f"{path.relative_to(root).as_posix()}\0".encode() + path.read_bytes() + b"\0")
    return total.hexdigest()[:12]


def _name(candidate: Candidate) -> tuple[str, str]:
    return candidate.record.source, candidate.record.key
