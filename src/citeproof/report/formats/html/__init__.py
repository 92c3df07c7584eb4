"""The report as one HTML file that needs no network and works without scripts.

It is written paper by paper, so memory does not depend on its length.
"""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, PackageLoader

from citeproof.model.chance import SHOWN
from citeproof.model.findings import Agreement, Inquiry, NearestWork, Outcome
from citeproof.model.reference import Severity
from citeproof.model.verdict import Status, Verdict
from citeproof.model.version import __version__
from citeproof.readers.fields.bibtex_entry import bibtex_entry
from citeproof.report.advice import FOR_REASONS, sentence
from citeproof.report.differences import FIELD_NAMES, FieldDifference, Marked, differences, marked_words
from citeproof.report.misses import kind_missed
from citeproof.report.overview import (
    NAMELESS,
    NOTICES,
    Overview,
    basis_lines,
    exit_meaning,
    is_problem,
    place_in,
    short_names,
    shown_notes,
    sum_line,
)
from citeproof.report.sentences import facts, sentence_on, told, works
from citeproof.report.view import MARKS, USUAL, WORST_FIRST, Detail, View
from citeproof.report.wording import (
    chance_line,
    found_otherwise,
    notice_link,
    record_link,
    records_line,
    relation,
    shown_key,
)
from citeproof.verification.certainty.calibration import in_words

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TextIO

    from citeproof.model.record import Record
    from citeproof.model.run import Paper, Run

_AGREEMENT = {
    Agreement.SAME: "agrees",
    Agreement.PARTLY: "agrees in part",
    Agreement.DIFFERENT: "differs",
    Agreement.UNCLEAR: "not comparable",
}
"""Result of the comparison of a field, for users; fields that one side does not state are not shown."""


@dataclass(frozen=True, slots=True)
class Work:
    """A work and its relation to the reference."""

    relation: str
    title: str
    facts: str
    link: str
    """An http or https URL; else empty."""
    whence: str
    """Source and key of the record."""
    bibtex: str
    """The record as a BibTeX entry."""
    fields: tuple[tuple[str, str, Marked, Marked], ...] = ()
    """Each compared field: name, result, as cited, as recorded."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A reference with its verdict."""

    id: str
    verdict: Verdict
    mark: str
    place: str
    key: str
    open: bool
    """Whether the entry is shown in full from the start; others are one line that can be opened."""
    sure: str
    chance: str
    """Sentence on the chance that the reference is invented; empty if none is known."""
    sentence: str
    group: str
    """Sentence that all entries with the same reason share; empty for a problem and for one that is VALID."""
    kind: str
    """Kind of a work that was not found: ``patent``; empty for kinds that most sources hold."""
    differences: tuple[FieldDifference, ...]
    works: tuple[Work, ...]
    """The works that explain a problem."""
    nearest: tuple[Work, ...]
    """All works that the verdict names, with their fields."""
    notices: tuple[tuple[str, str], ...]
    """Sentences on the flags of the work, each with the URL of the notice."""
    issues: tuple[tuple[str, str, bool], ...]
    """Code, explanation, and whether it counts."""
    inquiries: tuple[tuple[str, str], ...]
    """Names of sources, each with its answer in words."""
    acceptance: str
    """Sentence on its acceptance; empty if there is none."""


def entry_of(verdict: Verdict, place: str, number: str) -> Entry:
    """Return ``verdict`` for the template; ``place`` is its place in the input, ``number`` its id in the page."""
    best = verdict.best_match.record if verdict.best_match else None
    kind = kind_missed(verdict)
    shown = tuple(_work(label, work.record) for label, work in works(verdict))
    if not shown and best and not verdict.meant:
        shown = (_work("the work", best),)
    return Entry(
        number,
        verdict,
        MARKS[verdict.status],
        place,
        shown_key(verdict.reference),
        is_problem(verdict) and not verdict.is_accepted,
        in_words(verdict),
        _chance(verdict),
        _advice(verdict),
        group_sentence(verdict),
        kind.one if kind else "",
        differences(verdict),
        shown,
        tuple(_nearest(work) for work in verdict.meant),
        tuple((NOTICES[flag], _safe(notice_link(verdict, flag))) for flag in verdict.flags if flag in NOTICES),
        tuple((issue.code, issue.explanation, issue.severity is Severity.ISSUE) for issue in verdict.issues),
        tuple(_inquiries(verdict)),
        sentence_on(verdict),
    )


def group_sentence(verdict: Verdict) -> str:
    """Return the sentence for all entries with the same reason; empty for problems."""
    if is_problem(verdict):
        return ""
    return "Accepted by a person." if verdict.is_accepted else FOR_REASONS.get(verdict.reason, "")


def _chance(verdict: Verdict) -> str:
    if not verdict.chance:
        return ""
    facts = "; ".join(fact.effect for fact in verdict.chance.facts[:SHOWN] if fact.is_telling)
    return f"Is it probably invented? {chance_line(verdict.chance)}{f' Why: it {facts}.' if facts else ''}"


def _advice(verdict: Verdict) -> str:
    """Return what to do, with the issues if the reason alone does not say it."""
    named = "" if verdict.reference.title == told(verdict) or is_problem(verdict) else told(verdict)
    said = sentence(verdict)
    return said if not named or named.lower() in said.lower() else f"{said.removesuffix('.')}: {named}"


def _nearest(work: NearestWork) -> Work:
    fields = tuple(
        (
            FIELD_NAMES.get(field.field, field.field),
            _AGREEMENT[field.agreement],
            *marked_words(field.cited, field.recorded),
        )
        for field in work.fields
        if field.agreement in _AGREEMENT
    )
    return _work(relation(work), work.record, fields)


def _work(label: str, record: Record, fields: tuple[tuple[str, str, Marked, Marked], ...] = ()) -> Work:
    whence = f"{record.source} {record.key}".strip()
    return Work(label, record.title, facts(record), _safe(record_link(record)), whence, bibtex_entry(record), fields)


def _inquiries(verdict: Verdict) -> Iterator[tuple[str, str]]:
    for inquiry in verdict.evidence:
        yield inquiry.source, _outcome(inquiry)
    if said := found_otherwise(verdict):
        yield "works found otherwise", said
    if said := verdict.remembered:
        yield "memory", said


def _outcome(inquiry: Inquiry) -> str:
    """Return the result of one query: ``2 records``, ``no record; nothing better is in it``, ``failed: timed out``."""
    if inquiry.outcome is not Outcome.ANSWERED:
        return f"{inquiry.outcome.value}: {inquiry.detail}" if inquiry.detail else inquiry.outcome.value
    proof = "nothing better is in it" if inquiry.complete else ""
    return "; ".join(filter(None, (records_line(inquiry), proof, inquiry.detail)))


def _safe(link: str) -> str:
    """Return ``link`` if it is an http or https URL, else an empty text: the URL of a record may be any text."""
    return link if link.startswith(("https://", "http://")) else ""


_PIECE = 64
"""Parts of the template that are written at a time."""
MOST_ENTRIES = 10_000
"""Maximum entries listed; of a longer run only those that must be looked at. An entry has 1 to 2 kB, and browsers are
slow with a file of 170 MB."""
_LEFT_OUT = "Of {:,} entries those that must be looked at are listed; the others are counted. --all lists every one."


def render(run: Run, out: TextIO, view: View = USUAL, *, template: str = "report.html", **more: Any) -> None:
    """Write ``run`` to ``out``; a ``template`` that extends the report's takes ``more`` values."""
    names = short_names(verdict.reference.file for verdict in run.verdicts)
    run_lines = (*basis_lines(run), *shown_notes(run, everything=True), exit_meaning(run, view))
    script = _asset("report.js")
    pieces = (
        _environment()
        .get_template(template)
        .stream(
            title=_title(run),
            sum=sum_line(run.statistics),
            accepted=sum(run.statistics.accepted.values()),
            statuses=[(status, MARKS[status], run.statistics.by_status[status]) for status in WORST_FIRST],
            papers=_papers(run, names, view),
            left_out=_LEFT_OUT.format(len(run.verdicts)) if _is_long(run, view) else "",
            overview=[(number, one.name or NAMELESS, one) for number, one in enumerate(run.in_brief().papers, start=1)],
            lines=run_lines,
            style=_asset("report.css"),
            script=script,
            script_hash=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
            version=__version__,
            **more,
        )
    )
    pieces.enable_buffering(_PIECE)
    for piece in pieces:
        out.write(piece)


def _papers(run: Run, names: dict[str, str], view: View) -> Iterator[dict[str, Any]]:
    """Yield each paper with its entries, the worst first; with ``-q`` and of a long run only those to look at."""
    count = 0
    for number, paper in enumerate(run.papers, start=1):
        verdicts = list(_in_order(paper))
        if view.detail is Detail.PROBLEMS or _is_long(run, view):
            wanted = {Status.ERROR, *view.failing}
            verdicts = [v for v in verdicts if not v.is_accepted and (is_problem(v) or v.status in wanted)]
        entries = (
            entry_of(verdict, place_in(verdict.reference.place, names), f"entry-{count + place}")
            for place, verdict in enumerate(verdicts, start=1)
        )
        yield {"id": f"paper-{number}", "name": paper.name or NAMELESS, "paper": paper, "entries": entries}
        count += len(verdicts)


def _is_long(run: Run, view: View) -> bool:
    """Return whether a run has more than :data:`MOST_ENTRIES` entries, and not all were requested."""
    return len(run.verdicts) > MOST_ENTRIES and not view.everything


def _in_order(paper: Paper) -> Iterator[Verdict]:
    overview = Overview.of(paper.verdicts)
    yield from overview.problems
    for group in overview.groups:
        yield from group.verdicts
    yield from overview.valid
    yield from overview.accepted


def _title(run: Run) -> str:
    papers = run.papers
    return (
        f"References of {papers[0].name or NAMELESS}" if len(papers) == 1 else f"References of {len(papers):,} papers"
    )


@cache
def _environment() -> Environment:
    return Environment(
        loader=PackageLoader(__name__, "."),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )


@cache
def _asset(name: str) -> str:
    return files("citeproof.report.formats.html").joinpath(name).read_text("utf-8")
