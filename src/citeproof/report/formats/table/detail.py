"""All details of every reference, one block each, with codes; then the statistics."""

from __future__ import annotations

from collections.abc import Mapping

from rich.console import Console
from rich.text import Text

from citeproof.model.codes import ReasonCode
from citeproof.model.findings import Agreement, NearestWork, Outcome
from citeproof.model.record import Record
from citeproof.model.reference import Severity
from citeproof.model.run import Run
from citeproof.model.verdict import Issue, Status, Verdict
from citeproof.report.advice import first_names
from citeproof.report.differences import FIELD_NAMES, marked_words
from citeproof.report.overview import MARKS, NAMELESS, STYLES
from citeproof.report.terminal import hang, indent, marked, print_papers
from citeproof.report.wording import notice_link, record_link, relation, sent_line, sentence_on, shown_key
from citeproof.verification.certainty.calibration import says_something

_COMPARED = {
    "agrees": (Agreement.SAME,),
    "in part": (Agreement.PARTLY,),
    "differs": (Agreement.DIFFERENT,),
    "not comparable": (Agreement.UNCLEAR,),
}
"""Groups of fields in the line on a work; fields that one side does not state are left out."""
_STATUS_WIDTH = max(map(len, Status))
_LABEL = 13
"""Columns of the label of a statistic."""


def print_all(console: Console, run: Run) -> None:
    """Print every verdict of ``run`` with its evidence, and all its statistics."""
    papers = run.papers
    for paper in papers:
        if len(papers) > 1:
            console.print(Text(f"== {paper.name or NAMELESS}", "bold"), soft_wrap=True)
            console.print()
        for verdict in paper.verdicts:
            _print_verdict(console, verdict)
    print_papers(console, run, everything=True)
    _print_statistics(console, run)


def _print_verdict(console: Console, verdict: Verdict) -> None:
    mark, style = MARKS[verdict.status], STYLES[verdict.status]
    reference = verdict.reference
    console.print(
        Text.assemble(
            (f"{mark} {verdict.status.value:<{_STATUS_WIDTH}}", style),
            "  ",
            (shown_key(reference) or "(no key)", "bold"),
            (f"  {reference.place}", "dim") if reference.file else "",
        )
    )
    sure = f", confidence {verdict.confidence:.2f}" if says_something(verdict) else ""
    indent(console, Text.assemble(verdict.reason, (sure, "dim")))
    if verdict.reason == ReasonCode.PARSE_SUSPECT:
        indent(console, Text(f"as it stands: {reference.raw}"))
    elif reference.title:
        indent(console, Text(reference.title))
    if verdict.searched:
        indent(console, Text(f"searched: {verdict.searched}"))
    for issue in verdict.issues:
        _print_issue(console, issue)
    if silent := [inquiry.source for inquiry in verdict.evidence if inquiry.outcome is Outcome.FAILED]:
        indent(console, Text(f"no answer from {', '.join(dict.fromkeys(silent))}", "magenta"))
    looked_up = [inquiry for inquiry in verdict.evidence if inquiry.method and inquiry.outcome is Outcome.ANSWERED]
    for cut in filter(None, dict.fromkeys(inquiry.detail for inquiry in looked_up)):
        indent(console, Text(cut, "magenta"))
    if said := verdict.remembered:
        indent(console, Text(said, "dim"))
    if about := sentence_on(verdict):
        indent(console, Text(about, "bold"))
    for flag in verdict.flags:
        indent(console, Text(f"flag: {flag}  {notice_link(verdict, flag)}".rstrip(), "bold yellow"))
    if verdict.best_match and not verdict.meant:
        _print_work(console, "match", Text(verdict.best_match.record.title), verdict.best_match.record)
    for work in verdict.meant:
        _print_nearest(console, work)
    console.print()


def _print_issue(console: Console, issue: Issue) -> None:
    counts = issue.severity is Severity.ISSUE
    label = issue.code if counts else f"note: {issue.code}"
    indent(console, Text.assemble((label, "bold" if counts else "dim"), "  ", issue.explanation))
    said = issue.cited in issue.explanation and issue.recorded in issue.explanation
    if not counts or said:  # nobody reads the same two values twice
        return
    cited, recorded = marked_words(issue.cited, issue.recorded)
    indent(console, Text.assemble(("cited     ", "dim"), marked(cited)), 6)
    indent(console, Text.assemble(("recorded  ", "dim"), marked(recorded)), 6)


def _print_nearest(console: Console, work: NearestWork) -> None:
    """Print a work that may be meant, and which of its fields agree."""
    title = work.compared("title")
    shown = Text(work.record.title)
    if title and title.agreement is Agreement.PARTLY:
        shown = marked(marked_words(title.cited, title.recorded)[1])
    _print_work(console, relation(work), shown, work.record)
    parts = {label: work.fields_that(*agreements) for label, agreements in _COMPARED.items()}
    said = [
        f"{label}: {', '.join(FIELD_NAMES.get(field, field) for field in fields)}"
        for label, fields in parts.items()
        if fields
    ]
    indent(console, Text("; ".join(said), "dim"), 6)


def _print_work(console: Console, label: str, title: Text, record: Record) -> None:
    facts = [first_names(record.authors, 4), record.venue, str(record.year or "")]
    indent(console, Text.assemble((f"{label}: ", "dim"), title))
    indent(console, Text(", ".join(filter(None, facts))), 6)
    whence = f"{record.source} {record.key}"
    link = record_link(record)
    together = f"{link}  ({whence})" if link else whence
    if len(together) + 6 <= console.width:
        link, whence = together, ""
    for line in filter(None, (link, whence)):  # a link that is broken over two lines cannot be followed
        console.print(Text(" " * 6 + line, "dim"), soft_wrap=True)


def _print_statistics(console: Console, run: Run) -> None:
    statistics = run.statistics
    counts = "  ".join(
        f"{MARKS[Status(status)]} {count} {status.lower()}" for status, count in statistics.by_status.items()
    )
    entries = "1 entry" if statistics.entries == 1 else f"{statistics.entries} entries"
    console.print(Text(f"{entries}: {counts}", "bold"))
    lines = {
        "decided by": [_tally(statistics.by_strategy)],
        "look-ups": [_tally(statistics.lookups_by_method)],
        "cache hits": [str(statistics.cache_hits)],
        "failures": run.in_brief().failures or ["none"],
        "time": [f"{statistics.seconds:.2f} s, {statistics.per_second:,.0f} references a second"],
        "database": [str(run.database.get("path", "none"))],
        "sent": list(map(sent_line, run.sent)) or ["nothing left this machine"],
    }
    for label, texts in lines.items():
        for number, text in enumerate(texts):
            head = Text(f"  {'' if number else label:<{_LABEL - 2}}", "dim")
            hang(console, head, Text(text))
    if statistics.failures and statistics.by_status[Status.ERROR]:
        console.print(Text("What was not answered is asked again by the next run; --sources leaves a source out."))


def _tally(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counts.items()) or "none"
