"""The report for a terminal: problems, a few lines on undecided entries, and the summary. With
``-v``, all details.
"""

from collections.abc import Mapping
from typing import TextIO

from rich.text import Text

from citeproof.model.codes import ReasonCode
from citeproof.model.findings import Agreement, NearestWork
from citeproof.model.quantity import quantity
from citeproof.model.record import Record
from citeproof.model.run import Run
from citeproof.model.verdict import Issue, Status, Verdict
from citeproof.report import overview, wording
from citeproof.report.advice import (
    AGREEMENTS,
    FIELD_NAMES,
    differences,
    first_names,
    marked_words,
    sentence,
)
from citeproof.report.overview import MARKS, NAMELESS, STYLES, USUAL, Detail, Group, Overview, View
from citeproof.report.terminal import Part, Screen, marked, print_notes, print_papers, print_summary
from citeproof.verification.certainty import in_words, says_something

_STATUS_WIDTH = max(map(len, Status)) + 2  # width of the column with the status, in characters
_MOST_LINES = 5
"""Maximum number of lines for entries with the same reason, without ``--all``.

The last line may state the number of further entries.
"""
_LABELS = AGREEMENTS | {Agreement.PARTLY: "in part"}
"""Map from the result of comparing a field to the label before the names of the fields, as in
``agrees: title, year``.
"""


def render(run: Run, out: TextIO, view: View = USUAL) -> None:
    """Write the report on ``run`` to ``out``, in colour if ``out`` is a terminal."""
    screen = Screen(out)
    if view.detail is Detail.FULL:
        _print_all(screen, run)
        print_notes(screen, run, view)
        return
    _print_entries(screen, run, view)
    if view.detail is Detail.PROBLEMS:
        for line in overview.remembered_lines(run):
            screen.hang("", line)
    else:
        print_papers(screen, run, everything=view.everything)
        print_summary(screen, run, view)


def _print_entries(screen: Screen, run: Run, view: View) -> None:
    sections = Overview.of(run.verdicts)
    names = overview.names_in(run)
    quiet = view.detail is Detail.PROBLEMS
    if not quiet and (shortened := [full for full, short in names.items() if full != short]):
        for full in shortened:
            screen.whole((full, "bold"))
        screen.print()
    for verdict in sections.problems:
        _print_problem(screen, verdict, names)
    for group in sections.groups:
        if view.lists(group.status):
            _print_group(screen, group, names, everything=view.everything)
    if view.everything and sections.valid:
        for verdict in sections.valid:
            screen.shortened(
                _line(verdict, names, f"{MARKS[Status.VALID]} ", verdict.reference.title)
            )
        screen.print()
    for verdicts in (sections.accepted, sections.lapsed):
        if verdicts and not quiet:
            screen.hang("", (wording.heading(verdicts), "bold"))
            for verdict in verdicts:
                mark = (MARKS[verdict.status], STYLES[verdict.status])
                screen.indent(mark, " ", *_where(verdict, names), f"  {wording.listed(verdict)}")
            screen.print()


def _print_group(screen: Screen, group: Group, names: dict[str, str], *, everything: bool) -> None:
    screen.hang((f"{group.heading}  ", STYLES[group.status]), group.sentence)
    if len(searched := {verdict.searched for verdict in group.verdicts} - {""}) == 1:
        screen.hang("    ", (searched.pop(), "dim"))
    few = everything or len(group.verdicts) <= _MOST_LINES
    shown = group.verdicts if few else group.verdicts[: _MOST_LINES - 1]
    for verdict in shown:
        line = _line(verdict, names, "    ", wording.listing(verdict))
        name_fills_it = 2 * len(_line(verdict, names, "    ", "")) > screen.width
        if wording.tells_issues(verdict) or name_fills_it:
            screen.hang("    ", line[4:])
        else:
            screen.shortened(line)
    if more := len(group.verdicts) - len(shown):
        screen.print(Text(f"    and {more:,} more; --all lists them", "dim"))
    screen.print()


def _print_problem(screen: Screen, verdict: Verdict, names: dict[str, str]) -> None:
    head = f"{MARKS[verdict.status]} {verdict.status.value:<{_STATUS_WIDTH}}"
    screen.whole((head, STYLES[verdict.status]), *_where(verdict, names))
    if verdict.reference.title:
        screen.indent(verdict.reference.title)
    if not verdict.is_valid:
        screen.indent((sentence(verdict), "bold"))
    found = differences(verdict)
    for difference in found:
        name = f" {difference.field}" if len(found) > 1 else ""
        width = len(f"recorded{name}") + 2
        screen.hang((f"      {f'cited{name}':<{width}}", "dim"), marked(difference.cited))
        screen.hang((f"      {f'recorded{name}':<{width}}", "dim"), marked(difference.recorded))
    told = any(difference.field == "title" for difference in found)
    for number, (label, record, agrees) in enumerate(wording.works(verdict)):
        _print_work(screen, label, record, "" if agrees or (told and not number) else record.title)
    for said, link in wording.notices(verdict):
        screen.indent((said, "bold"))
        screen.whole(" " * 6, (link, "dim"))
    if how_often := in_words(verdict):
        screen.indent((f"{how_often[0].upper()}{how_often[1:]}.", "dim"))
    screen.print()


def _line(verdict: Verdict, names: dict[str, str], start: str, about: str) -> Text:
    return Text.assemble(start, *_where(verdict, names), f"  {about}" if about else "")


def _where(verdict: Verdict, names: dict[str, str]) -> tuple[tuple[str, str], ...]:
    place, key = (
        overview.place_in(verdict.reference.place, names),
        wording.shown_key(verdict.reference),
    )
    return ((place, "bold"), (" " if place and key else "", ""), (key, "bold"))


def _print_work(screen: Screen, label: str, record: Record, title: str) -> None:
    screen.indent((f"{label}: ", "dim"), title or wording.facts(record))
    if title:
        screen.indent(wording.facts(record), by=6)
    if link := wording.record_link(record) or f"{record.source} {record.key}":
        screen.whole(" " * 6, (link, "dim"))


def _print_all(screen: Screen, run: Run) -> None:
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
    head = (
        f"{MARKS[verdict.status]} {wording.status_name(verdict):<{_STATUS_WIDTH - 2}}",
        STYLES[verdict.status],
    )
    place = (f"  {reference.place}", "dim") if reference.file else ""
    screen.print(
        Text.assemble(head, "  ", (wording.shown_key(reference) or "(no key)", "bold"), place)
    )
    sure = f", confidence {verdict.confidence:.2f}" if says_something(verdict) else ""
    screen.indent(verdict.reason, (sure, "dim"))
    if verdict.reason == ReasonCode.PARSE_SUSPECT:
        screen.indent(f"cited text: {reference.raw}")
    elif reference.title:
        screen.indent(reference.title)
    if verdict.searched:
        screen.indent(f"searched: {verdict.searched}")
    for issue in verdict.issues:
        _print_issue(screen, issue)
    if silent := dict.fromkeys(inquiry.source for inquiry in verdict.failures):
        screen.indent((f"no answer from {', '.join(silent)}", "magenta"))
    looked_up = [inquiry for inquiry in verdict.evidence if inquiry.method and inquiry.answered]
    for cut in filter(None, dict.fromkeys(inquiry.detail for inquiry in looked_up)):
        screen.indent((cut, "magenta"))
    if said := verdict.remembered:
        screen.indent((said, "dim"))
    if about := wording.sentence_on(verdict):
        screen.indent((about, "bold"))
    for flag in verdict.flags:
        screen.indent(
            (f"flag: {flag}  {wording.notice_link(verdict, flag)}".rstrip(), "bold yellow")
        )
    if verdict.best_match and not verdict.meant:
        _print_record(screen, "match", verdict.best_match.record.title, verdict.best_match.record)
    for work in verdict.meant:
        _print_nearest(screen, work)
    screen.print()


def _print_issue(screen: Screen, issue: Issue) -> None:
    counts = issue.counts
    label = issue.code if counts else f"note: {issue.code}"
    screen.indent((label, "bold" if counts else "dim"), "  ", issue.explanation)
    said = issue.cited in issue.explanation and issue.recorded in issue.explanation
    if counts and not said:  # do not print the same two values twice
        cited, recorded = marked_words(issue.cited, issue.recorded)
        screen.indent(("cited     ", "dim"), marked(cited), by=6)
        screen.indent(("recorded  ", "dim"), marked(recorded), by=6)


def _print_nearest(screen: Screen, work: NearestWork) -> None:
    title = work.compared("title")
    shown: Part = work.record.title
    if title and title.agreement is Agreement.PARTLY:
        shown = marked(marked_words(title.cited, title.recorded)[1])
    _print_record(screen, wording.relation(work), shown, work.record)
    fields = {
        label: [FIELD_NAMES.get(one, one) for one in work.fields_that(how)]
        for how, label in _LABELS.items()
    }
    said = "; ".join(f"{label}: {', '.join(names)}" for label, names in fields.items() if names)
    screen.indent((said, "dim"), by=6)


def _print_record(screen: Screen, label: str, title: Part, record: Record) -> None:
    facts = [first_names(record.authors, 4), record.venue, str(record.year or "")]
    screen.indent((f"{label}: ", "dim"), title)
    screen.indent(", ".join(filter(None, facts)), by=6)
    whence = f"{record.source} {record.key}"
    link = wording.record_link(record)
    together = f"{link}  ({whence})" if link else whence
    if len(together) + 6 <= screen.width:
        link, whence = together, ""
    for line in filter(None, (link, whence)):
        screen.whole((" " * 6 + line, "dim"))


def _print_statistics(screen: Screen, run: Run) -> None:
    statistics = run.statistics
    counts = "  ".join(
        f"{MARKS[Status(name)]} {count:,} {name.lower()}"
        for name, count in statistics.by_status.items()
    )
    entries = quantity(statistics.entries, "entry", "entries")
    screen.print(Text(f"{entries}: {counts}", "bold"))
    lines = {
        "decided by": [_tally(statistics.by_strategy)],
        "look-ups": [_tally(statistics.lookups_by_method)],
        "cache hits": [str(statistics.cache_hits)],
        "failures": run.in_brief().failures or ["none"],
        "time": [f"{statistics.seconds:.2f} s, {statistics.per_second:,.0f} references a second"],
        "database": [str(run.database.get("path", "none"))],
        "sent": list(map(wording.sent_line, run.sent)) or ["nothing left this machine"],
    }
    for label, texts in lines.items():
        for number, text in enumerate(texts):
            screen.hang((f"  {'' if number else label:<11}", "dim"), text)
    if statistics.failures and statistics.by_status[Status.ERROR]:
        screen.print(
            Text(
                "The next run repeats the queries that failed. Use --sources to leave out a source."
            )
        )


def _tally(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counts.items()) or "none"
