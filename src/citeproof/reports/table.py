"""The report for people: one block a reference, then the statistics."""

from __future__ import annotations

from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING

from rich.text import Text

from citeproof.models import Agreement, Outcome, Severity, Status
from citeproof.reports import console
from citeproof.text.differences import differing_words
from citeproof.wording import extraction_line, failure_lines, notice_link, record_link, relation, remembered, sent_line

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import TextIO

    from rich.console import Console

    from citeproof.models import Extraction, Issue, NearestWork, Record, Verdict
    from citeproof.results import Paper, Run

LOOKS = {
    Status.VALID: ("✓", "green"),
    Status.SUSPICIOUS: ("!", "yellow"),
    Status.INVALID: ("✗", "bold red"),
    Status.UNVERIFIED: ("?", "cyan"),
    Status.ERROR: ("⚠", "magenta"),
}
"""Mark and colour of each status."""
_COMPARED = {
    "agrees": (Agreement.SAME,),
    "in part": (Agreement.PARTLY,),
    "differs": (Agreement.DIFFERENT,),
    "not comparable": (Agreement.UNCLEAR,),
}
"""How the fields of a work are summed up; what one of the two does not state is left out."""
NAMELESS = "(no document)"
"""The paper of references that a program made itself."""
_STATUS_WIDTH = max(map(len, Status))
_LABEL = 13
"""Columns before what the statistics say."""


def render(run: Run, out: TextIO) -> None:
    """Write ``run`` to ``out``: in colour on a terminal, plain elsewhere."""
    screen = console(out, soft_wrap=False)
    for note in run.notes:
        screen.print(Text(f"Note: {note}", "dim"))
    if run.notes:
        screen.print()
    papers = run.papers
    for paper in papers:
        if len(papers) > 1:
            screen.print(Text(f"== {paper.name or NAMELESS}", "bold"), soft_wrap=True)
            screen.print()
        for verdict in paper.verdicts:
            _print_verdict(screen, verdict)
    for extraction in run.extractions:
        _print_extraction(screen, extraction)
    if len(papers) > 1:
        _print_papers(screen, papers)
    _print_statistics(screen, run)


def _print_extraction(console: Console, extraction: Extraction) -> None:
    console.print(Text(f"{extraction.file}: {extraction_line(extraction)}"))
    if extraction.fault:
        _indent(console, Text(f"THE LIST LOOKS WRONGLY READ: {extraction.fault}", "bold red"), 2)


def _print_verdict(console: Console, verdict: Verdict) -> None:
    mark, style = LOOKS[verdict.status]
    reference = verdict.reference
    console.print(
        Text.assemble(
            (f"{mark} {verdict.status.value:<{_STATUS_WIDTH}}", style),
            "  ",
            (reference.key or "(no key)", "bold"),
            (f"  {reference.place}", "dim") if reference.file else "",
        )
    )
    _indent(console, Text.assemble(verdict.reason, (f", confidence {verdict.confidence:.2f}", "dim")))
    if verdict.reason == "parse_suspect":
        _indent(console, Text(f"as it stands: {reference.raw}"))
    elif reference.title:
        _indent(console, Text(reference.title))
    for issue in verdict.issues:
        _print_issue(console, issue)
    if silent := [inquiry.source for inquiry in verdict.evidence if inquiry.outcome is Outcome.FAILED]:
        _indent(console, Text(f"no answer from {', '.join(dict.fromkeys(silent))}", "magenta"))
    looked_up = [inquiry for inquiry in verdict.evidence if inquiry.method and inquiry.outcome is Outcome.ANSWERED]
    for cut in filter(None, dict.fromkeys(inquiry.detail for inquiry in looked_up)):
        _indent(console, Text(cut, "magenta"))
    if said := remembered(verdict):
        _indent(console, Text(said, "dim"))
    for flag in verdict.flags:
        _indent(console, Text(f"flag: {flag}  {notice_link(verdict, flag)}".rstrip(), "bold yellow"))
    if verdict.best_match and not verdict.meant:
        _print_work(console, "match", Text(verdict.best_match.record.title), verdict.best_match.record)
    for work in verdict.meant:
        _print_nearest(console, work)
    console.print()


def _print_issue(console: Console, issue: Issue) -> None:
    counts = issue.severity is Severity.ISSUE
    label = issue.code if counts else f"note: {issue.code}"
    _indent(console, Text.assemble((label, "bold" if counts else "dim"), "  ", issue.explanation))
    said = issue.cited in issue.explanation and issue.recorded in issue.explanation
    if not counts or said:  # nobody reads the same two values twice
        return
    cited, recorded = differing_words(issue.cited, issue.recorded)
    _indent(console, Text.assemble(("cited     ", "dim"), _marked(cited)), 6)
    _indent(console, Text.assemble(("recorded  ", "dim"), _marked(recorded)), 6)


def _marked(words: list[tuple[str, bool]]) -> Text:
    """Return the words with each run that differs in brackets, so that the marks survive without colour.

    Where most words differ, marks tell nothing that reading both lines does not.
    """
    differing = sum(differs for _, differs in words)
    if differing * 2 > len(words):
        return Text(" ".join(word for word, _ in words))
    runs = [(differs, " ".join(word for word, _ in run)) for differs, run in groupby(words, key=itemgetter(1))]
    parts = [Text(f"[{run}]", "bold underline") if differs else Text(run) for differs, run in runs]
    return Text(" ").join(parts) if parts else Text("(none)")


def _print_nearest(console: Console, work: NearestWork) -> None:
    """Show a work that may be meant, what of it is cited, and what is not."""
    title = next((field for field in work.fields if field.field == "title"), None)
    shown = Text(work.record.title)
    if title and title.agreement is Agreement.PARTLY:
        shown = _marked(differing_words(title.cited, title.recorded)[1])
    _print_work(console, relation(work), shown, work.record)
    parts = {label: work.fields_that(*agreements) for label, agreements in _COMPARED.items()}
    said = [f"{label}: {', '.join(map(_field_name, fields))}" for label, fields in parts.items() if fields]
    _indent(console, Text("; ".join(said), "dim"), 6)


def _print_work(console: Console, label: str, title: Text, record: Record) -> None:
    facts = [_names(record.authors), record.venue, str(record.year or "")]
    _indent(console, Text.assemble((f"{label}: ", "dim"), title))
    _indent(console, Text(", ".join(filter(None, facts))), 6)
    whence = f"{record.source} {record.key}"
    link = record_link(record)
    together = f"{link}  ({whence})" if link else whence
    if len(together) + 6 <= console.width:
        link, whence = together, ""
    for line in filter(None, (link, whence)):  # a link that is broken over two lines cannot be followed
        console.print(Text(" " * 6 + line, "dim"), soft_wrap=True)


def _field_name(field: str) -> str:
    return {"doi": "DOI", "arxiv_id": "arXiv id"}.get(field, field)


def _names(authors: tuple[str, ...], most: int = 4) -> str:
    return ", ".join(authors[:most]) + (f" and {len(authors) - most} more" if len(authors) > most else "")


def _indent(console: Console, text: Text, by: int = 4) -> None:
    """Print ``text`` with its lines ``by`` columns in, those after the first two more."""
    for number, line in enumerate(text.wrap(console, console.width - by - 2)):
        line.rstrip()
        console.print(Text(" " * (by + 2 * bool(number))) + line)


def _print_papers(console: Console, papers: Sequence[Paper]) -> None:
    """Show one line a paper: how many of its entries have which status."""
    console.print(Text(f"{len(papers)} papers", "bold"))
    for paper in papers:
        counts = "  ".join(
            f"{LOOKS[Status(status)][0]} {count} {status.lower()}" for status, count in paper.by_status.items() if count
        )
        console.print(Text.assemble("  ", paper.name or NAMELESS, (f"  {counts}", "dim")), soft_wrap=True)
    console.print()


def _print_statistics(console: Console, run: Run) -> None:
    statistics = run.statistics
    counts = "  ".join(
        f"{LOOKS[Status(status)][0]} {count} {status.lower()}" for status, count in statistics.by_status.items()
    )
    entries = "1 entry" if statistics.entries == 1 else f"{statistics.entries} entries"
    console.print(Text(f"{entries}: {counts}", "bold"))
    lines = {
        "decided by": [_tally(statistics.by_strategy)],
        "look-ups": [_tally(statistics.lookups_by_method)],
        "cache hits": [str(statistics.cache_hits)],
        "failures": failure_lines(run.verdicts) or ["none"],
        "time": [f"{statistics.seconds:.2f} s, {statistics.per_second:,.0f} references a second"],
        "database": [str(run.database.get("path", "none"))],
        "sent": list(map(sent_line, run.sent)) or ["nothing left this machine"],
    }
    for label, texts in lines.items():
        for number, text in enumerate(texts):
            head = Text(f"  {'' if number else label:<{_LABEL - 2}}", "dim")
            _hang(console, head, Text(text))
    if statistics.failures and statistics.by_status[Status.ERROR]:
        console.print(Text("What was not answered is asked again by the next run; --sources leaves a source out."))


def _hang(console: Console, head: Text, text: Text) -> None:
    """Print ``text`` behind ``head``, further lines below its beginning; a single word is never broken."""
    if " " not in text.plain:
        console.print(head + text, soft_wrap=True)
        return
    for number, line in enumerate(text.wrap(console, console.width - len(head))):
        line.rstrip()
        console.print((head if number == 0 else Text(" " * len(head))) + line)


def _tally(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counts.items()) or "none"
