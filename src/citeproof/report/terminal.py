"""Parts of terminal outputs: the console, wrapped lines, and the lines on papers and on the whole run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import IO, Any, NoReturn, TextIO, cast

from rich.console import Console
from rich.text import Text

from citeproof.model.run import PaperSum, Run
from citeproof.report.differences import Marked
from citeproof.report.overview import (
    MARKS,
    NAMELESS,
    WORST_FIRST,
    Detail,
    View,
    basis_lines,
    exit_meaning,
    next_step,
    shown_notes,
    sum_line,
)
from citeproof.report.wording import extraction_line
from citeproof.text.encodings import without_marks

_MOST_PAPERS = 20
"""Maximum papers listed without ``-v``; of more, only those with problems."""


def console(out: TextIO, *, soft_wrap: bool) -> Console:
    """Return a console that writes to ``out``, in colour on a terminal, without marks of text direction.

    If the reader has closed the pipe (``citeproof verify refs.bib | head``), rich would exit with 1, which means that
    an entry is flagged. This console raises :class:`BrokenPipeError`, as every other output does.
    """

    class Output(Console):
        def on_broken_pipe(self) -> NoReturn:
            raise BrokenPipeError

    return Output(file=cast("IO[str]", _WithoutMarks(out)), highlight=False, soft_wrap=soft_wrap)


class _WithoutMarks:
    """A wrapper of the stream ``out`` that removes marks of text direction from written text."""

    def __init__(self, out: TextIO) -> None:
        self._out = out

    def write(self, text: str) -> int:
        """Write ``text``."""
        return self._out.write(without_marks(text))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._out, name)


def indent(console: Console, text: Text, by: int = 4) -> None:
    """Print ``text`` with its lines ``by`` columns in, those after the first two more."""
    for number, line in enumerate(text.wrap(console, console.width - by - 2)):
        line.rstrip()
        console.print(Text(" " * (by + 2 * bool(number))) + line)


def hang(console: Console, head: Text, text: Text) -> None:
    """Print ``text`` after ``head``, with further lines aligned to its start; a single word is never broken."""
    if " " not in text.plain:
        console.print(head + text, soft_wrap=True)
        return
    for number, line in enumerate(text.wrap(console, console.width - len(head))):
        line.rstrip()
        console.print((head if number == 0 else Text(" " * len(head))) + line)


def whole(console: Console, text: Text, by: int) -> None:
    """Print ``text`` in one line, indented by ``by`` columns: a link in two lines cannot be opened."""
    console.print(Text(" " * by) + text, soft_wrap=True)


def one_line(console: Console, text: Text) -> None:
    """Print ``text`` in one line, shortened to the width of the terminal."""
    text.truncate(console.width, overflow="ellipsis")
    console.print(text, no_wrap=True)


def marked(parts: Marked) -> Text:
    """Return a text with the differing parts in bold and brackets, which are visible without colour."""
    if not parts:
        return Text("(none)")
    return Text.assemble(*((f"[{text}]", "bold underline") if differs else text for text, differs in parts))


def print_summary(console: Console, run: Run, view: View, where: str = "") -> None:
    """Print the summary of ``run``; ``where`` says where the full report was written."""
    hang(console, Text(), Text(sum_line(run.statistics), "bold"))
    for line in basis_lines(run):
        hang(console, Text(), Text(line))
    print_notes(console, run, view)
    if where:
        console.print(Text(where), soft_wrap=True)


def print_notes(console: Console, run: Run, view: View) -> None:
    """Print the notes on ``run`` and the meaning of its exit code."""
    for note in shown_notes(run, everything=view.everything or view.detail is Detail.FULL):
        hang(console, Text("Note: ", "dim"), Text(note))
    hang(console, Text(), Text(exit_meaning(run, view)))
    if step := next_step(run):
        hang(console, Text("Next: ", "dim"), Text(step))


def print_papers(console: Console, run: Run, *, everything: bool) -> None:
    """Print how lists in running text were read, and the counts of each paper if there are several."""
    papers = run.in_brief().papers
    every = everything or max(len(papers), len(run.extractions)) <= _MOST_PAPERS
    for extraction in run.extractions:
        if every or extraction.fault:
            console.print(Text(f"{extraction.file}: {extraction_line(extraction)}"), soft_wrap=True)
        if extraction.fault:
            indent(console, Text(f"THE LIST LOOKS WRONGLY READ: {extraction.fault}", "bold red"), 2)
    if run.extractions:
        console.print()
    if len(papers) > 1:
        _print_sums(console, papers, every=every)


def _print_sums(console: Console, papers: Sequence[PaperSum], *, every: bool) -> None:
    console.print(Text(f"{len(papers):,} papers", "bold"))
    flagged = sorted(papers, key=_flagged, reverse=True)[:_MOST_PAPERS]
    shown = [paper for paper in papers if every or (paper in flagged and any(_flagged(paper)))]
    for paper in shown:
        counts = "  ".join(
            f"{MARKS[status]} {paper.by_status[status]} {status.lower()}"
            for status in WORST_FIRST
            if paper.by_status[status]
        )
        console.print(Text.assemble("  ", paper.name or NAMELESS, (f"  {counts}", "dim")), soft_wrap=True)
    if more := len(papers) - len(shown):
        console.print(Text(f"  and {more:,} more; --all lists them", "dim"))
    console.print()


def _flagged(paper: PaperSum) -> tuple[int, ...]:
    """Return the number of wrong entries of ``paper``, and of those that could not be checked."""
    invalid, suspicious, error = (paper.by_status[status] for status in WORST_FIRST[:3])
    return invalid + suspicious, error
