"""The report as Markdown, for issues, pull requests and mails: totals, problems, and undecided
entries.
"""

import re
from collections.abc import Iterator
from typing import TextIO

from citeproof.model.record import Record
from citeproof.model.run import Run
from citeproof.model.verdict import Status, Verdict
from citeproof.report import overview
from citeproof.report.advice import Marked, differences, sentence
from citeproof.report.overview import (
    MARKS,
    NAMELESS,
    USUAL,
    WORST_FIRST,
    Detail,
    Group,
    Overview,
    View,
)
from citeproof.report.wording import (
    facts,
    heading,
    listed,
    listing,
    notices,
    record_link,
    shown_key,
    works,
)

_SIGNS = re.compile(r"([\\`*_{}\[\]<>#|~!@$&])")
_MOST_LISTED = 20  # maximum number of entries per reason that are listed without ``--all``


def render(run: Run, out: TextIO, view: View = USUAL) -> None:
    """Write the report on ``run`` to ``out``."""
    for line in _lines(run, view):
        out.write(f"{line}\n")


def _lines(run: Run, view: View) -> Iterator[str]:
    sections = Overview.of(run.verdicts)
    names = overview.names_in(run)
    quiet = view.detail is Detail.PROBLEMS
    if not quiet:
        yield from ("# References", "")
        yield from _totals(run)
    if sections.problems:
        yield from ("## Problems", "")
    for verdict in sections.problems:
        yield from _problem(verdict, names)
    for group in sections.groups:
        if view.lists(group.status):
            yield from _group(group, names, everything=view.everything)
    if view.everything and sections.valid:
        yield from (f"## {MARKS[Status.VALID]} {len(sections.valid):,} VALID", "")
        yield from (
            f"* {_where(verdict, names)} {plain(verdict.reference.title)}"
            for verdict in sections.valid
        )
        yield ""
    for verdicts in (sections.accepted, sections.lapsed):
        if verdicts and not quiet:
            yield from (f"## {heading(verdicts).rstrip('.')}", "")
            yield from (
                f"* {MARKS[one.status]} {_where(one, names)} {plain(listed(one))}"
                for one in verdicts
            )
            yield ""
    if quiet:
        yield from (f"* {plain(line)}" for line in overview.remembered_lines(run))
    else:
        yield from ("## About this run", "")
        notes = overview.shown_notes(run, everything=view.everything)
        lines = (*overview.basis_lines(run), *notes, *overview.exit_meaning(run, view))
        yield from (f"* {plain(line)}" for line in lines)


def _totals(run: Run) -> Iterator[str]:
    """Yield a Markdown table with one row per paper, and a row of totals if there are several
    papers.
    """
    statuses = [status for status in WORST_FIRST if run.statistics.by_status[status]]
    rows = [
        (paper.name or NAMELESS, paper.entries, paper.by_status) for paper in run.in_brief().papers
    ]
    if len(rows) > 1:
        rows.append(("all", run.statistics.entries, dict(run.statistics.by_status)))
    yield (
        " | ".join(
            ["| paper", "entries", *(f"{MARKS[status]} {status.lower()}" for status in statuses)]
        )
        + " |"
    )
    yield "|---|" + "---:|" * (len(statuses) + 1)
    for name, entries, by_status in rows:
        yield (
            " | ".join(
                [f"| {plain(name)}", str(entries), *(str(by_status[status]) for status in statuses)]
            )
            + " |"
        )
    yield ""


def _problem(verdict: Verdict, names: dict[str, str]) -> Iterator[str]:
    yield from (f"### {MARKS[verdict.status]} {verdict.status.value} {_where(verdict, names)}", "")
    if verdict.reference.title:
        yield from (f"*{plain(verdict.reference.title)}*", "")
    if not verdict.is_valid:
        yield from (f"**{plain(sentence(verdict))}**", "")
    yield from (f"* {plain(said)} {link}" for said, link in notices(verdict))
    for difference in differences(verdict):
        yield f"* {difference.field}, cited: {_marked(difference.cited)}"
        yield f"* {difference.field}, recorded: {_marked(difference.recorded)}"
    yield from (f"* {label}: {_work(record)}" for label, record, _ in works(verdict))
    yield ""


def _group(group: Group, names: dict[str, str], *, everything: bool) -> Iterator[str]:
    yield from (f"## {group.heading}", "")
    yield from (plain(group.sentence), "")
    shown = group.verdicts if everything else group.verdicts[:_MOST_LISTED]
    for verdict in shown:
        yield f"* {_where(verdict, names)} {plain(listing(verdict))}".rstrip()
    if more := len(group.verdicts) - len(shown):
        yield f"* and {more:,} more"
    yield ""


def _where(verdict: Verdict, names: dict[str, str]) -> str:
    place = overview.place_in(verdict.reference.place, names)
    text = " ".join(filter(None, (place, shown_key(verdict.reference))))
    return f"`{text.replace('`', chr(39))}`" if text else ""


def _work(record: Record) -> str:
    # escape characters that would end a link
    link = re.sub(r"[\s()<>\\]", lambda sign: f"%{ord(sign[0]):02X}", record_link(record))
    title = f"[{plain(record.title)}]({link})" if link else plain(record.title)
    return f"{title}, {plain(facts(record))}"


def _marked(parts: Marked) -> str:
    shown = ((_SIGNS.sub(r"\\\1", text), differs) for text, differs in parts)
    return "".join(f"**{text}**" if differs else text for text, differs in shown) or "(none)"


def plain(text: str) -> str:
    """Return ``text`` in one line, with Markdown's special characters escaped."""
    return _SIGNS.sub(r"\\\1", " ".join(text.split()))
