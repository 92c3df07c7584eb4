"""One line of a file of evidence: a verdict, and all that it was decided from."""

from __future__ import annotations

from datetime import date
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, ValidationError

from citeproof.errors import InputError
from citeproof.evidence import venues as venue_answers
from citeproof.models import Findings, Issue, Reference, Status, Verdict
from citeproof.validation.policies import THRESHOLDS
from citeproof.validation.policy import DEFAULT, Policy, Weight

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from importlib.resources.abc import Traversable

    from citeproof.models import Candidate, Record

VERSION: Literal[1] = 1
"""Raised when a field changes its meaning or goes."""
_RULES = ("validation", "text", "fields")
"""Packages whose code decides."""


class Said(BaseModel):
    """What a verdict says; which source answered, and how fast, is no part of it."""

    model_config = ConfigDict(frozen=True)

    status: Status
    reason: str
    confidence: float
    issues: tuple[Issue, ...] = ()
    flags: tuple[str, ...] = ()
    best_match: tuple[str, str] | None = None
    """Source and key of the record."""
    meant: tuple[tuple[str, str], ...] = ()
    searched: str = ""

    @classmethod
    def of(cls, verdict: Verdict) -> Self:
        """Return what ``verdict`` says."""
        return cls(
            status=verdict.status,
            reason=verdict.reason,
            confidence=verdict.confidence,
            issues=verdict.issues,
            flags=verdict.flags,
            best_match=_name(verdict.best_match) if verdict.best_match else None,
            meant=tuple(_name(work.candidate) for work in verdict.meant),
            searched=verdict.searched,
        )


class Figures(BaseModel):
    """A policy in figures."""

    weights: dict[str, int]
    """Code of a difference, to 0 (note), 1 (open), 2 (issue) or 3 (conflict); in the policy's order."""
    thresholds: dict[str, float]
    name: str = DEFAULT.name
    not_compared: tuple[str, ...] = ()
    """Codes of differences that it leaves out, sorted."""

    @classmethod
    def of(cls, policy: Policy) -> Self:
        """Return ``policy`` in figures."""
        return cls(
            weights={code: int(weight) for code, weight in policy.weights.items()},
            thresholds={name: getattr(policy, name) for name in THRESHOLDS},
            name=policy.name,
            not_compared=tuple(sorted(policy.not_compared)),
        )

    def policy(self) -> Policy:
        """Return the policy; codes and thresholds that came later are as they are now."""
        weights = {code: Weight(weight) for code, weight in self.weights.items()}
        known = {name: value for name, value in self.thresholds.items() if name in THRESHOLDS}
        weights |= {code: weight for code, weight in DEFAULT.weights.items() if code not in weights}
        return Policy(weights, self.name, frozenset(self.not_compared), **known)


class Evidence(BaseModel):
    """A verdict with its reference, its findings, and what else decided."""

    version: Literal[1] = VERSION
    program: str
    """The version of citeproof."""
    rules: str
    """Names the code that decided: equal for equal code."""
    day: date
    """The day of the verdict: a year may be in the future then, and past now."""
    database: dict[str, Any]
    """``build_id`` of the database, and of each of its sources the day of its newest record."""
    policy: Figures
    reference: Reference
    """As it was decided on."""
    findings: Findings
    venues: list[tuple[str, list[Any], Any]]
    """What the venue table was asked: method, arguments, answer. A record is its place among the findings'."""
    verdict: Said

    def packed(self) -> str:
        """Return the line, without its end."""
        return self.model_dump_json(exclude_defaults=True, exclude={"version"})[:-1] + f',"version":{VERSION}}}'

    @classmethod
    def unpacked(cls, line: str | bytes) -> Self:
        """Return what ``packed`` gave.

        Raises :class:`InputError` where the line is something else; it says what, not where.
        """
        try:
            return cls.model_validate_json(line)
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(map(str, first["loc"]))
            raise InputError(f"is no line of evidence: {f'{where}: ' if where else ''}{first['msg']}") from error

    def answers(self) -> dict[venue_answers.Question, Any]:
        """Return what the venue table answered; raise :class:`InputError` where that cannot be understood."""
        try:
            return venue_answers.unpacked(self.venues, known(self.findings))
        except (ValueError, TypeError, IndexError) as error:
            raise InputError(f"is no line of evidence: venues: {str(error).splitlines()[0]}") from error


def known(findings: Findings) -> list[Record]:
    """Return the records of ``findings`` in their order."""
    return [candidate.record for candidate in (*findings.candidates, *findings.remembered)]


def basis(described: Mapping[str, Any]) -> dict[str, Any]:
    """Return of a described database what names its content: no path, and nothing else of the machine."""
    sources = {source["name"]: source["dump_date"] for source in described.get("sources", ())}
    return {"build_id": str(described.get("build_id", "")), "sources": sources}


def rules_version() -> str:
    """Return a name for the code that decides: the first 12 digits of the SHA-256 of its files."""
    return code_version(*_RULES)


@cache
def code_version(*packages: str) -> str:
    """Return a name for the code of ``packages`` and modules of citeproof: 12 digits of the SHA-256 of their files."""
    total = sha256()
    for package in packages:
        for path, content in _code(files("citeproof") / package, package):
            total.update(f"{path}\0".encode() + content + b"\0")
    return total.hexdigest()[:12]


def _code(place: Traversable, path: str) -> Iterator[tuple[str, bytes]]:
    if place.is_dir():
        for entry in sorted(place.iterdir(), key=lambda entry: entry.name):
            yield from _code(entry, f"{path}/{entry.name}")
    elif path.endswith(".py"):
        yield path, place.read_bytes()


def _name(candidate: Candidate) -> tuple[str, str]:
    return candidate.record.source, candidate.record.key
