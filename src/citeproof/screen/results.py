"""Query the results of a screening: its papers, references, verdicts and signals."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

from citeproof.model.chance import BASE_RATE, Odds, PaperChance, carried_by
from citeproof.model.errors import InputError
from citeproof.model.reference import Diagnostic, Place, Reference, Severity
from citeproof.model.run import Run, Statistics
from citeproof.model.verdict import Issue, Status, Verdict
from citeproof.report.dossier import Dossier
from citeproof.screen.reading import from_json
from citeproof.screen.signals import Kind, Signal, kinds
from citeproof.screen.signals.failing_together import FAILING
from citeproof.screen.store import EvidenceFile, ScreeningStore
from citeproof.verification.evidence.line import Evidence
from citeproof.verification.evidence.replay import verdict_of
from citeproof.verification.pipeline import unreadable
from citeproof.verification.validation.codes import REASONS

MOST_NAMED = 5
"""Maximum papers that an error suggests."""


def run_of(store: ScreeningStore, name: str) -> Run:
    """Return the verdicts on the paper ``name``, or on the only paper whose name ends in ``/name``.

    The verdicts are decided from the stored evidence, so no database is needed.

    Raises :class:`InputError` if there is no such paper or more than one, or it is not read or not checked completely.
    """
    full, rows = _rows(store, name)
    base_rate = base_rate_of(store)
    verdicts = tuple(_verdict(store.evidence, full, row, base_rate) for row in rows)
    said = json.loads(store.kept("said") or "{}")
    return Run(
        said.get("database", {}), tuple(said.get("notes", ())), verdicts, Statistics.of(verdicts, 0), store.sent()
    )


def dossier_of(store: ScreeningStore, name: str) -> Dossier:
    """Return the evidence on the paper ``name``, which is found as :func:`run_of` finds it.

    Raises :class:`InputError` also if the rules have changed since and a verdict would now be different.
    """
    full, rows = _rows(store, name)
    said = json.loads(store.kept("said") or "{}")
    database = {field: value for field, value in said.get("database", {}).items() if field != "path"}
    entries = tuple(_evidence(store.evidence, full, row) for row in rows)
    dossier = Dossier(
        paper=full,
        database=database,
        notes=tuple(said.get("notes", ())),
        base_rate=base_rate_of(store),
        entries=entries,
    )
    if changed := next(dossier.differences(), ""):
        raise InputError(f"{full}: {changed}: run the screening again")
    return dossier


def base_rate_of(store: ScreeningStore) -> float:
    """Return the base rate of the last run."""
    return float(store.kept("base_rate") or BASE_RATE)


def _rows(store: ScreeningStore, name: str) -> tuple[str, list[_Row]]:
    """Return the full name and the entries of the paper ``name``; raise :class:`InputError` as :func:`run_of` does."""
    select = "SELECT id, name, trouble FROM papers WHERE"
    found = store.rows(f"{select} name = ?", (name,)) or store.rows(
        f"{select} substr(name, -length(?)) = ? ORDER BY name LIMIT {MOST_NAMED + 1}", (f"/{name}", f"/{name}")
    )
    if not found:
        raise InputError(f"no paper is called {name!r}; overview.html and papers.csv name them all")
    if len(found) > 1:
        named = ", ".join(row[1] for row in found[:MOST_NAMED]) + ", ..." * (len(found) > MOST_NAMED)
        raise InputError(f"more than one paper ends in {name!r}: {named}; give more of the name")
    paper, full, trouble = found[0]
    if trouble:
        raise InputError(f"{full}: could not be read: {trouble}")
    columns = ", ".join(_COLUMNS[name] for name in _Row._fields)
    rows = [
        _Row(*row)
        for row in store.rows(
            f"SELECT {columns} FROM places p LEFT JOIN distinct_references r ON r.id = p.reference "  # noqa: S608
            "LEFT JOIN verdicts v ON v.reference = r.id WHERE p.paper = ? ORDER BY p.position",
            (paper,),
        )
    ]
    if not rows:
        raise InputError(f"{full}: cites nothing")
    if any(row.fields and not row.status for row in rows):
        raise InputError(f"{full}: not all of it is checked yet; run the screening to its end")
    return full, rows


class _Row(NamedTuple):
    """One entry of a paper: its place, and either why it could not be read, or its reference with the verdict."""

    key: str
    file: str
    line: int
    page: int
    trouble: str
    is_note: int
    fields: str | None
    status: str
    """Empty if it is not checked."""
    reason: str
    confidence: float
    details: str
    member: int | None
    evidence: int


_COLUMNS = {name: f"p.{name}" for name in ("key", "file", "line", "page", "trouble", "is_note")} | {
    name: f"v.{name}" for name in ("status", "reason", "confidence", "details", "member")
} | {"fields": "r.fields", "evidence": "v.line"}  # fmt: skip


def _evidence(kept: EvidenceFile, paper: str, row: _Row) -> Evidence | Diagnostic:
    """Return the evidence of one entry under its key and its place in the paper."""
    place = Place(row.file, row.line, row.page, paper=paper)
    if row.fields is None:
        severity = Severity.NOTE if row.is_note else Severity.ISSUE
        return Diagnostic(place, "screening.unreadable", row.trouble, key=row.key, severity=severity)
    if row.member is None:
        fault = json.loads(row.details)["issues"][0]["explanation"]
        return Diagnostic(place, "screening.fault", fault, key=row.key)
    evidence = Evidence.unpacked(kept.line(row.member, row.evidence))
    return evidence.model_copy(update={"reference": replace(evidence.reference, key=row.key, place=place)})


def _verdict(kept: EvidenceFile, paper: str, row: _Row, base_rate: float) -> Verdict:
    found = _evidence(kept, paper, row)
    if isinstance(found, Evidence):
        return replace(verdict_of(found, base_rate), decided_by=json.loads(row.details)["decided_by"])
    if row.fields is None:
        return unreadable(found)
    reference = replace(from_json(row.fields), key=row.key, place=found.place)
    issues = json.loads(row.details)["issues"]  # a fault of the program: nothing was decided
    faults = tuple(Issue(**issue | {"severity": Severity(issue["severity"])}) for issue in issues)
    return Verdict(reference, Status(row.status), row.reason, row.confidence, issues=faults)


@dataclass(frozen=True, slots=True)
class Finding:
    """A distinct reference with its verdict."""

    number: int
    reference: Reference
    status: str
    reason: str
    details: dict[str, Any]

    @property
    def faults(self) -> tuple[tuple[str, str], ...]:
        """Code and cited value of each issue, sorted, without notes."""
        issues = (issue for issue in self.details["issues"] if issue["severity"] == "issue")
        return tuple(sorted((issue["code"], issue["cited"]) for issue in issues))

    @property
    def held(self) -> float:
        """Completeness of the cited volume in the database, 0 to 1."""
        return float(self.details["held"])


_STATUS = (
    "CASE WHEN v.status IS NOT NULL THEN v.status WHEN p.is_note THEN 'UNVERIFIED' ELSE 'ERROR' END"  # as in a run
)


@dataclass(frozen=True, slots=True)
class PaperSum:
    """A paper with the totals of its entries."""

    number: int
    name: str
    trouble: str
    """Why it could not be read; empty if it could."""
    seconds: float
    """Time that reading it took."""
    by_status: Mapping[str, int]
    """Number of its entries by status."""
    failing: int
    """Number of entries with a reason of :data:`FAILING`."""
    invented: PaperChance
    carried_by: tuple[str, ...]
    """Keys of the entries that speak most for inventions, the strongest first."""

    @property
    def entries(self) -> int:
        """Number of its entries."""
        return sum(self.by_status.values())

    @property
    def rank(self) -> tuple[float, float, int, str]:
        """Sort key: highest probability of an invention, then most expected inventions, then most failing entries."""
        return (-self.invented.one, -self.invented.expected, -self.failing, self.name)


@dataclass(frozen=True, slots=True)
class OpenEntry:
    """An entry of a paper that is not VALID."""

    paper: str
    key: str
    line: int
    page: int
    status: str
    title: str
    said: str
    """What differs, or why it could not be found or read."""
    match: Mapping[str, Any]
    """The record that it was compared with; empty if there is none."""


class Results:
    """References with their verdicts, papers, signals and totals, as signals, tables and overview ask for them."""

    def __init__(self, store: ScreeningStore) -> None:
        self.store = store
        self.base_rate = base_rate_of(store)

    def open_findings(self) -> Iterator[Finding]:
        """Yield each cited reference whose verdict is not VALID, by number."""
        for page in self.store.pages(
            "SELECT r.id, r.fields, v.status, v.reason, v.details FROM distinct_references r JOIN verdicts v "
            "ON v.reference = r.id WHERE v.status <> 'VALID' AND "
            "EXISTS (SELECT 1 FROM places p WHERE p.reference = r.id) AND",
            "r.id",
        ):
            for number, fields, status, reason, details in page:
                yield Finding(number, from_json(fields), status, reason, json.loads(details))

    def papers_citing(self, reference: int) -> tuple[int, ...]:
        """Return the numbers of the papers that cite ``reference``."""
        rows = self.store.rows("SELECT DISTINCT paper FROM places WHERE reference = ? ORDER BY paper", (reference,))
        return tuple(row[0] for row in rows)

    def titles(self, references: Sequence[int]) -> list[str]:
        """Return the titles of ``references``, in their order."""
        marks = ", ".join("?" * len(references))
        rows = self.store.rows(f"SELECT id, fields FROM distinct_references WHERE id IN ({marks})", references)  # noqa: S608
        titles = {number: str(json.loads(fields).get("title", "")) for number, fields in rows}
        return [titles[number] for number in references if titles.get(number)]

    def paper_name(self, paper: int) -> str:
        """Return the name of ``paper``."""
        return str(self.store.rows("SELECT name FROM papers WHERE id = ?", (paper,))[0][0])

    def papers(self) -> Iterator[PaperSum]:
        """Yield each paper, by number."""
        reasons = ", ".join(f"'{reason}'" for reason in sorted(FAILING))
        counts = ", ".join(f"sum({_STATUS} = '{status}')" for status in Status)
        failing = f"coalesce(sum(v.reason IN ({reasons})), 0)"
        for page in self.store.pages("SELECT id, name, trouble, seconds FROM papers WHERE", "id"):
            sums = {
                row[0]: row[1:]
                for row in self.store.rows(
                    f"SELECT p.paper, {counts}, {failing} FROM places p LEFT JOIN verdicts v "  # noqa: S608
                    "ON v.reference = p.reference WHERE p.paper BETWEEN ? AND ? GROUP BY p.paper",
                    (page[0][0], page[-1][0]),
                )
            }
            odds: dict[int, list[tuple[Odds, str]]] = {}
            for paper, key, *both in self.store.rows(
                "SELECT p.paper, p.key, json_extract(v.details, '$.odds[0]') AS own, "
                "json_extract(v.details, '$.odds[1]') FROM places p JOIN verdicts v ON v.reference = p.reference "
                "WHERE p.paper BETWEEN ? AND ? AND own IS NOT NULL",
                (page[0][0], page[-1][0]),
            ):
                odds.setdefault(paper, []).append((Odds(*both), key))
            for number, name, trouble, seconds in page:
                *statuses, fails = sums.get(number, (*[0] * len(Status), 0))
                by_status = dict(zip((status.value for status in Status), statuses, strict=True))
                own = odds.get(number, [])
                invented = PaperChance.of([one for one, _ in own], self.base_rate)
                yield PaperSum(number, name, trouble, seconds, by_status, fails, invented, tuple(carried_by(own)))

    def open_entries(self) -> Iterator[OpenEntry]:
        """Yield each entry that is not VALID, by paper."""
        for papers in self.store.pages("SELECT id, name FROM papers WHERE", "id"):
            names = dict(papers)
            for paper, key, line, page, trouble, fields, status, reason, details in self.store.rows(
                "SELECT p.paper, p.key, p.line, p.page, p.trouble, r.fields, v.status, v.reason, v.details "
                "FROM places p LEFT JOIN distinct_references r ON r.id = p.reference "
                "LEFT JOIN verdicts v ON v.reference = r.id WHERE p.paper BETWEEN ? AND ? AND NOT p.is_note "
                "AND (v.status IS NULL OR v.status <> 'VALID') ORDER BY p.paper, p.position",
                (papers[0][0], papers[-1][0]),
            ):
                found: dict[str, Any] = json.loads(details) if details else {"issues": [], "match": None}
                issues = [issue["explanation"] for issue in found["issues"] if issue["severity"] == "issue"]
                meaning = REASONS[reason].meaning if reason in REASONS else ""
                yield OpenEntry(
                    names[paper], key, line, page, status or Status.ERROR.value,
                    json.loads(fields).get("title", "") if fields else "",
                    trouble or " ".join(issues) or meaning, found["match"] or {},
                )  # fmt: skip

    @cached_property
    def signals(self) -> tuple[tuple[Kind, list[Signal]], ...]:
        """The signals of each kind."""
        return tuple((kind, kind.find(self)) for kind in kinds())

    @cached_property
    def distinct(self) -> int:
        """Number of distinct references that papers cite."""
        return int(self.store.rows("SELECT count(DISTINCT reference) FROM places")[0][0])

    @cached_property
    def by_reason(self) -> dict[str, int]:
        """Number of entries by reason, the most frequent first."""
        rows = self.store.rows(
            "SELECT v.reason, count(*) FROM places p JOIN verdicts v ON v.reference = p.reference "
            "GROUP BY v.reason ORDER BY 2 DESC"
        )
        return dict(rows)
