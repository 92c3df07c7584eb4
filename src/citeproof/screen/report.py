"""One paper of a screening as a run of its own, for the reports of ``citeproof verify``."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from citeproof.errors import InputError
from citeproof.evidence.line import Evidence
from citeproof.evidence.replay import verdict_of
from citeproof.models import Diagnostic, Issue, Place, Severity, Status, Verdict
from citeproof.pipeline import unreadable
from citeproof.results import Run, Statistics
from citeproof.screen.distinct import from_json

if TYPE_CHECKING:
    from citeproof.screen.evidence import EvidenceFile
    from citeproof.screen.store import ScreeningStore

MOST_NAMED = 5
"""So many papers are offered where a name fits several."""


def run_of(store: ScreeningStore, name: str) -> Run:
    """Return the verdicts on what the paper called ``name`` cites; the end of its name will do where only one ends so.

    They are decided from the kept evidence, so no database is needed.

    Raises:
        InputError: no paper is called so, more than one are, nothing of it could be read, or not all is checked.
    """
    paper, full, trouble = _paper(store, name)
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
    verdicts = tuple(_verdict(store.evidence, full, row) for row in rows)
    said = json.loads(store.kept("said") or "{}")
    return Run(said.get("database", {}), tuple(said.get("notes", ())), verdicts, Statistics.of(verdicts, 0))


class _Row(NamedTuple):
    """One entry of a paper: where it stands, why it could not be read, or its reference with the verdict."""

    key: str
    file: str
    line: int
    page: int
    trouble: str
    is_note: int
    fields: str | None
    status: str
    """Empty where it is not checked."""
    reason: str
    confidence: float
    details: str
    member: int | None
    evidence: int


_COLUMNS = {name: f"p.{name}" for name in ("key", "file", "line", "page", "trouble", "is_note")} | {
    name: f"v.{name}" for name in ("status", "reason", "confidence", "details", "member")
} | {"fields": "r.fields", "evidence": "v.line"}  # fmt: skip


def _verdict(kept: EvidenceFile, paper: str, row: _Row) -> Verdict:
    place = Place(row.file, row.line, row.page, paper=paper)
    if row.fields is None:
        severity = Severity.NOTE if row.is_note else Severity.ISSUE
        return unreadable(Diagnostic(place, "screening.unreadable", row.trouble, key=row.key, severity=severity))
    reference = replace(from_json(row.fields), key=row.key, place=place)
    details = json.loads(row.details)
    if row.member is None:  # a fault of the program: nothing was decided
        issues = tuple(Issue(**issue | {"severity": Severity(issue["severity"])}) for issue in details["issues"])
        return Verdict(reference, Status(row.status), row.reason, row.confidence, issues=issues)
    verdict = verdict_of(Evidence.unpacked(kept.line(row.member, row.evidence)))
    return replace(verdict, reference=reference, decided_by=details["decided_by"])


def _paper(store: ScreeningStore, name: str) -> tuple[int, str, str]:
    select = "SELECT id, name, trouble FROM papers WHERE"
    rows = store.rows(f"{select} name = ?", (name,)) or store.rows(
        f"{select} substr(name, -length(?)) = ? ORDER BY name LIMIT {MOST_NAMED + 1}", (f"/{name}", f"/{name}")
    )
    if not rows:
        raise InputError(f"no paper is called {name!r}; overview.html and papers.parquet name them all")
    if len(rows) > 1:
        named = ", ".join(row[1] for row in rows[:MOST_NAMED])
        raise InputError(f"more than one paper ends in {name!r}: {named}{', ...' * (len(rows) > MOST_NAMED)}; say more")
    return rows[0]
