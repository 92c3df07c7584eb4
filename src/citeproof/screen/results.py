"""Read the stored results of a screening: papers, references, verdicts and signals. A signal is an
observation about several papers.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from citeproof.model.chance import BASE_RATE, Odds, PaperChance, carried_by
from citeproof.model.codes import IssueCode, ReasonCode
from citeproof.model.errors import InputError
from citeproof.model.reference import Diagnostic, Place, Reference, Severity
from citeproof.model.run import PaperSum, Run, Statistics
from citeproof.model.stored import JsonObject
from citeproof.model.verdict import Status
from citeproof.report.dossier import Dossier
from citeproof.report.overview import WORST_FIRST
from citeproof.screen.bibliographies import from_json
from citeproof.screen.store import EvidenceFile, ScreeningStore
from citeproof.verification.evidence.line import Evidence

_MOST_NAMED = 5  # maximum number of papers that an error message lists
NOWHERE = frozenset(
    {
        ReasonCode.TITLE_NOT_FOUND,
        ReasonCode.FOUND_NOWHERE,
        ReasonCode.ABSENT_FROM_COMPLETE_VOLUME,
        ReasonCode.ABSENT_FROM_COMPLETE_SOURCE,
        ReasonCode.NOT_IN_CITED_VOLUME,
    }
)
"""Reason codes of verdicts on references whose title was found in no source."""
FAILING = NOWHERE | {
    ReasonCode.IDENTITY_CONFLICT,
    ReasonCode.MALFORMED_IDENTIFIER,
    ReasonCode.FUTURE_DATE,
}
"""Reason codes of verdicts on references that were not found, or that cannot exist as cited."""


def run_of(store: ScreeningStore, name: str) -> Run:
    """Return the verdicts on the paper ``name``, decided again from the stored evidence.

    If no name ends in ``12.pdf`` except ``papers/12.pdf``, then ``12.pdf`` is enough to name this
    paper. Raises :class:`InputError` if there is not exactly one paper with this name, or if it has
    not been verified yet.
    """
    full, entries = _entries(store, name)
    run = _dossier(store, full, entries).run()
    verdicts = tuple(
        replace(verdict, decided_by=json.loads(entry.details or "{}").get("decided_by", ""))
        for verdict, entry in zip(run.verdicts, entries, strict=True)
    )
    return replace(
        run,
        database=_said(store).get("database", {}),
        verdicts=verdicts,
        statistics=Statistics.of(verdicts, 0),
        sent=store.sent(),
    )


def dossier_of(store: ScreeningStore, name: str) -> Dossier:
    """Return the stored evidence for the verdicts on the paper ``name``, which is found as in
    :func:`run_of`.

    Raises :class:`InputError` if verdicts are missing or outdated.
    """
    full, entries = _entries(store, name)
    dossier = _dossier(store, full, entries)
    if changed := next(dossier.differences(), ""):
        raise InputError(f"{full}: {changed}: run the screening again")
    return dossier


def _dossier(store: ScreeningStore, paper: str, entries: Sequence[_Entry]) -> Dossier:
    said = _said(store)
    database = {name: value for name, value in said.get("database", {}).items() if name != "path"}
    return Dossier(
        paper=paper,
        database=database,
        notes=tuple(said.get("notes", ())),
        base_rate=base_rate_of(store),
        entries=tuple(_evidence(store.evidence, paper, entry) for entry in entries),
    )


def _said(store: ScreeningStore) -> JsonObject:
    """Return the description of the database that the last run stored, and its notes."""
    said: JsonObject = json.loads(store.kept("said") or "{}")
    return said


def base_rate_of(store: ScreeningStore) -> float:
    """Return the share of references, from 0 to 1, that the last run assumed to be invented."""
    return float(store.kept("base_rate") or BASE_RATE)


class _Entry(NamedTuple):
    """A bibliography entry of a paper, as a row of the SQL view ``entries``."""

    key: str
    file: str
    line: int
    page: int
    trouble: str
    is_note: int
    fields: str | None
    details: str | None  # details of the verdict as JSON; None if the reference was not checked
    member: int | None
    evidence: int


def _entries(store: ScreeningStore, name: str) -> tuple[str, list[_Entry]]:
    """Return the full name of the paper ``name`` and its bibliography entries.

    Raises :class:`InputError` if there is not exactly one paper with this name, or if the paper has
    no entry.
    """
    select = "SELECT id, name, trouble FROM papers WHERE"
    found = store.execute(f"{select} name = ?", (name,)) or store.execute(
        f"{select} substr(name, -length(?)) = ? ORDER BY name LIMIT {_MOST_NAMED + 1}",
        (f"/{name}", f"/{name}"),
    )
    if not found:
        raise InputError(
            f"no paper is called {name!r}; overview.html and papers.csv list all papers"
        )
    if len(found) > 1:
        named = ", ".join(row[1] for row in found[:_MOST_NAMED])
        if len(found) > _MOST_NAMED:
            named += ", ..."
        raise InputError(
            f"the names of several papers end in {name!r}: {named}; give a longer part of the name"
        )
    paper, full, trouble = found[0]
    if trouble:
        raise InputError(f"{full}: could not be read: {trouble}")
    select = f"SELECT {', '.join(_Entry._fields)} FROM entries WHERE paper = ? ORDER BY position"  # noqa: S608
    entries = list(map(_Entry._make, store.execute(select, (paper,))))
    if not entries:
        raise InputError(f"{full}: cites nothing")
    if any(entry.fields and not entry.details for entry in entries):
        raise InputError(
            f"{full}: not all references of this paper have been checked; run the screening to "
            "its end"
        )
    return full, entries


def _evidence(kept: EvidenceFile, paper: str, entry: _Entry) -> Evidence | Diagnostic:
    """Return the evidence for the verdict on ``entry`` of ``paper``, which is stored in the file
    ``kept``. If the entry has no verdict, return a diagnostic.
    """
    place = Place(entry.file, entry.line, entry.page, paper=paper)
    if not entry.details:
        severity = Severity.NOTE if entry.is_note else Severity.ISSUE
        return Diagnostic(
            place, "screening.unreadable", entry.trouble, key=entry.key, severity=severity
        )
    if entry.member is None:
        fault = json.loads(entry.details)["issues"][0]["explanation"]
        return Diagnostic(place, IssueCode.PROGRAM_FAULT.value, fault, key=entry.key)
    evidence = Evidence.unpacked(kept.line(entry.member, entry.evidence))
    return evidence.model_copy(
        update={"reference": replace(evidence.reference, key=entry.key, place=place)}
    )


@dataclass(frozen=True, slots=True)
class Finding:
    """A reference whose verdict is not VALID, with the numbers of the papers that cite it."""

    number: int
    reference: Reference
    reason: str
    details: JsonObject
    papers: frozenset[int]  # numbers of the papers that cite the reference

    @property
    def faults(self) -> tuple[tuple[str, str], ...]:
        """Sorted pairs of issue code and cited value, such as ``("year", "2019")``. Notes, which do
        not affect the verdict, are left out.
        """
        issues = self.details["issues"]
        return tuple(
            sorted((one["code"], one["cited"]) for one in issues if one["severity"] == "issue")
        )


class Signal(NamedTuple):
    """An observation from the comparison of many papers, such as a wrong DOI that several papers
    share.
    """

    papers: tuple[int, ...]  # numbers of the papers concerned
    references: tuple[int, ...]  # numbers of the distinct references that show the observation
    weight: float  # importance, by which signals of the same kind are sorted
    said: str  # the observation as a sentence for users


class Kind(NamedTuple):
    """The findings that have the same status and the same reason."""

    status: str
    reason: str
    entries: int  # number of bibliography entries
    papers: frozenset[int]  # numbers of the papers with such an entry


@dataclass(frozen=True, slots=True, kw_only=True)
class ScreenedPaper(PaperSum):
    """A screened paper with its number of entries of each status, and estimates of how many of its
    references are invented.
    """

    number: int
    trouble: str  # why the paper could not be read; empty if it was read
    seconds: float  # seconds that reading the paper took
    failing: int  # number of entries that were not found or cannot exist as cited

    @property
    def rank(self) -> tuple[float, float, int, str]:
        """Sort key. It puts the papers first that most probably have invented references."""
        return (-self.invented.one, -self.invented.expected, -self.failing, self.name)


class Results:
    """The stored results of a screening of many papers."""

    def __init__(self, store: ScreeningStore, finders: Mapping[str, Finder]) -> None:
        """``finders`` maps the name of a kind of signal to the function that finds signals of this
        kind.
        """
        self.store, self.base_rate = store, base_rate_of(store)
        self._finders = finders

    def open_findings(self) -> Iterator[Finding]:
        """Yield each reference whose verdict is not VALID, with the papers that cite it, sorted by
        the number of the reference.
        """
        for number, fields, reason, details, papers in self.store.each(
            "SELECT r.id, r.fields, v.reason, v.details, json_group_array(p.paper) FROM"
            " distinct_references r JOIN verdicts v ON v.reference = r.id JOIN places p ON"
            " p.reference = r.id WHERE v.status <> 'VALID' GROUP BY r.id"
        ):
            yield Finding(
                number,
                from_json(fields),
                reason,
                json.loads(details),
                frozenset(json.loads(papers)),
            )

    def titles(self, references: Sequence[int]) -> list[str]:
        """Return the titles of the references with the numbers ``references``, in the same order.
        References without a title are left out.
        """
        marks = ", ".join("?" * len(references))
        rows = self.store.execute(
            f"SELECT id, fields FROM distinct_references WHERE id IN ({marks})",  # noqa: S608
            references,
        )
        titles = {number: str(json.loads(fields).get("title", "")) for number, fields in rows}
        return [titles[number] for number in references if titles.get(number)]

    @cached_property
    def left_out(self) -> list[str]:
        """Sorted names of the files that have no references or an unsupported format."""
        # A unit is a file, a folder, a piece of a file (``a.jsonl:0``) or a part of an archive.
        rows = self.store.execute("""
            SELECT u.name FROM units u
            WHERE u.name NOT LIKE u.path || ':%'
            AND NOT (u.name = u.path AND EXISTS (SELECT 1 FROM papers p WHERE p.path = u.path))
            AND NOT EXISTS (SELECT 1 FROM papers p WHERE p.name = u.name)
            AND NOT EXISTS
                (SELECT 1 FROM papers p WHERE p.name > u.name || '/' AND p.name < u.name || '0')
            ORDER BY u.name""")
        return [name for (name,) in rows]

    def paper_name(self, paper: int) -> str:
        """Return the name of the paper with the number ``paper``."""
        return str(self.store.execute("SELECT name FROM papers WHERE id = ?", (paper,))[0][0])

    @cached_property
    def papers(self) -> list[ScreenedPaper]:
        """All papers that were screened, sorted by number."""
        # The view "entries" is not used, because SQLite would copy all its rows for this join.
        status = (
            "coalesce(v.status, CASE p.is_note WHEN 0 THEN 'ERROR' WHEN 1 THEN 'UNVERIFIED' END)"
        )
        counts = ", ".join(f"count(*) FILTER (WHERE {status} = '{each}')" for each in Status)
        reasons = ", ".join(f"'{reason}'" for reason in sorted(FAILING))
        # the same name as from the function name_of
        name = (
            "coalesce(nullif(p.key, ''), nullif(r.fields ->> 'doi', ''), r.fields ->> 'title', '')"
        )
        select = f"""
            SELECT n.id, n.name, n.trouble, n.seconds,
                json_group_array(json_array({name}, json_extract(v.details, '$.odds')))
                    FILTER (WHERE json_extract(v.details, '$.odds[0]') IS NOT NULL),
                count(*) FILTER (WHERE v.reason IN ({reasons})), {counts}
            FROM papers n LEFT JOIN places p ON p.paper = n.id LEFT JOIN verdicts v ON v.reference
            = p.reference LEFT JOIN distinct_references r ON r.id = p.reference
            GROUP BY n.id
        """  # noqa: S608
        found = []
        for number, name, trouble, seconds, telling, failing, *statuses in self.store.each(select):
            by_status = dict(zip((status.value for status in Status), statuses, strict=True))
            odds = [(Odds(*both), key) for key, both in json.loads(telling)]
            invented = PaperChance.of([one for one, _ in odds], self.base_rate)
            found.append(
                ScreenedPaper(
                    name,
                    by_status,
                    invented,
                    tuple(carried_by(odds)),
                    number=number,
                    trouble=trouble,
                    seconds=seconds,
                    failing=failing,
                )
            )
        return found

    @property
    def unread(self) -> list[ScreenedPaper]:
        """The papers that could not be read."""
        return [paper for paper in self.papers if paper.trouble]

    @cached_property
    def by_status(self) -> dict[str, int]:
        """Map from each status, such as ``VALID``, to the number of bibliography entries in all
        papers that have this status.
        """
        return {
            status.value: sum(paper.by_status[status] for paper in self.papers) for status in Status
        }

    @cached_property
    def kinds(self) -> list[Kind]:
        """Kinds of findings, the worst status first. Kinds with the same status are sorted by
        frequency.
        """
        rows = self.store.execute(
            "SELECT v.status, v.reason, count(*), json_group_array(DISTINCT p.paper) FROM places p"
            " JOIN verdicts v ON v.reference = p.reference WHERE v.status <> 'VALID'"
            " GROUP BY v.status, v.reason"
        )
        kinds = [
            Kind(status, reason, count, frozenset(json.loads(papers)))
            for status, reason, count, papers in rows
        ]
        worst = list(WORST_FIRST)
        kinds.sort(key=lambda kind: (worst.index(Status(kind.status)), -kind.entries, kind.reason))
        return kinds

    @cached_property
    def distinct(self) -> int:
        """Number of different references that the papers cite."""
        return int(self.store.execute("SELECT count(DISTINCT reference) FROM places")[0][0])

    @cached_property
    def signals(self) -> dict[str, list[Signal]]:
        """Map from the name of each kind of signal, such as ``wrong_dois``, to its signals, sorted
        by weight.
        """
        return {
            kind: sorted(find(self), key=lambda signal: -signal.weight)
            for kind, find in self._finders.items()
        }


Finder = Callable[[Results], Iterable[Signal]]
"""Function that finds the signals of one kind."""
