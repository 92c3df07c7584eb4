"""All details of every reference, one block each, with codes; then the statistics."""

from collections.abc import Mapping

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
from citeproof.report.terminal import Part, Screen, marked, print_papers
from citeproof.report.wording import notice_link, record_link, relation, sent_line, sentence_on, shown_key
from citeproof.verification.certainty.calibration import says_something

_COMPARED = {
    Agreement.SAME: "agrees",
    Agreement.PARTLY: "in part",
    Agreement.DIFFERENT: "differs",
    Agreement.UNCLEAR: "not comparable",
}
"""Groups of fields in the line on a work. A field that one side does not state is left out."""
_STATUS_WIDTH = max(map(len, Status))
_LABEL = 13
"""Width of the column with the labels of statistics."""


def print_all(screen: Screen, run: Run) -> None:
    """Print every verdict of ``run`` with its evidence, and all its statistics."""
    papers = run.papers
    for paper in papers:
        if len(papers) > 1:
            screen.whole((f"== {paper.name or NAMELESS}", "bold"))
            screen.print()
        for verdict in paper.verdicts:
            _print_verdict(screen, verdict)
    print_papers(screen, run, everything=True)
    _print_statistics(screen, run)


def _print_verdict(screen: Screen, verdict: Verdict) -> None:
    reference = verdict.reference
    screen.print(
        Text.assemble(
            (f"{MARKS[verdict.status]} {verdict.status.value:<{_STATUS_WIDTH}}", STYLES[verdict.status]),
            "  ",
            (shown_key(reference) or "(no key)", "bold"),
            (f"  {reference.place}", "dim") if reference.file else "",
        )
    )
    sure = f", confidence {verdict.confidence:.2f}" if says_something(verdict) else ""
    screen.indent(verdict.reason, (sure, "dim"))
    if verdict.reason == ReasonCode.PARSE_SUSPECT:
        screen.indent(f"as it stands: {reference.raw}")
    elif reference.title:
        screen.indent(reference.title)
    if verdict.searched:
        screen.indent(f"searched: {verdict.searched}")
    for issue in verdict.issues:
        _print_issue(screen, issue)
    if silent := [inquiry.source for inquiry in verdict.evidence if inquiry.outcome is Outcome.FAILED]:
        screen.indent((f"no answer from {', '.join(dict.fromkeys(silent))}", "magenta"))
    looked_up = [inquiry for inquiry in verdict.evidence if inquiry.method and inquiry.outcome is Outcome.ANSWERED]
    for cut in filter(None, dict.fromkeys(inquiry.detail for inquiry in looked_up)):
        screen.indent((cut, "magenta"))
    if said := verdict.remembered:
        screen.indent((said, "dim"))
    if about := sentence_on(verdict):
        screen.indent((about, "bold"))
    for flag in verdict.flags:
        screen.indent((f"flag: {flag}  {notice_link(verdict, flag)}".rstrip(), "bold yellow"))
    if verdict.best_match and not verdict.meant:
        _print_work(screen, "match", verdict.best_match.record.title, verdict.best_match.record)
    for work in verdict.meant:
        _print_nearest(screen, work)
    screen.print()


def _print_issue(screen: Screen, issue: Issue) -> None:
    counts = issue.severity is Severity.ISSUE
    label = issue.code if counts else f"note: {issue.code}"
    screen.indent((label, "bold" if counts else "dim"), "  ", issue.explanation)
    said = issue.cited in issue.explanation and issue.recorded in issue.explanation
    if counts and not said:  # nobody reads the same two values twice
        cited, recorded = marked_words(issue.cited, issue.recorded)
        screen.indent(("cited     ", "dim"), marked(cited), by=6)
        screen.indent(("recorded  ", "dim"), marked(recorded), by=6)


def _print_nearest(screen: Screen, work: NearestWork) -> None:
    """Print a work that the reference may mean, and which of its fields agree."""
    title = work.compared("title")
    shown: Part = work.record.title
    if title and title.agreement is Agreement.PARTLY:
        shown = marked(marked_words(title.cited, title.recorded)[1])
    _print_work(screen, relation(work), shown, work.record)
    said = []
    for agreement, label in _COMPARED.items():
        if fields := work.fields_that(agreement):
            said.append(f"{label}: {', '.join(FIELD_NAMES.get(field, field) for field in fields)}")
    screen.indent(("; ".join(said), "dim"), by=6)


def _print_work(screen: Screen, label: str, title: Part, record: Record) -> None:
    facts = [first_names(record.authors, 4), record.venue, str(record.year or "")]
    screen.indent((f"{label}: ", "dim"), title)
    screen.indent(", ".join(filter(None, facts)), by=6)
    whence = f"{record.source} {record.key}"
    link = record_link(record)
    together = f"{link}  ({whence})" if link else whence
    if len(together) + 6 <= screen.width:
        link, whence = together, ""
    for line in filter(None, (link, whence)):
        screen.whole((" " * 6 + line, "dim"))


def _print_statistics(screen: Screen, run: Run) -> None:
    statistics = run.statistics
    counts = "  ".join(
        f"{MARKS[Status(status)]} {count} {status.lower()}" for status, count in statistics.by_status.items()
    )
    entries = "1 entry" if statistics.entries == 1 else f"{statistics.entries} entries"
    screen.print(Text(f"{entries}: {counts}", "bold"))
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
            screen.hang((f"  {'' if number else label:<{_LABEL - 2}}", "dim"), text)
    if statistics.failures and statistics.by_status[Status.ERROR]:
        screen.print(Text("What was not answered is asked again by the next run; --sources leaves a source out."))


def _tally(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counts.items()) or "none"
