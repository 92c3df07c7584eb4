"""Parts that several terminal outputs share: a screen that wraps lines, and the lines on papers and on the run."""

from typing import IO, Any, NoReturn, TextIO, cast

from rich.console import Console
from rich.text import Text

from citeproof.model.run import PaperSum, Run
from citeproof.report import overview
from citeproof.report.advice import Marked
from citeproof.report.overview import MARKS, NAMELESS, WORST_FIRST, Detail, View
from citeproof.report.wording import extraction_line
from citeproof.text.encodings import without_marks

Part = str | Text | tuple[str, str]
"""A text, optionally with a style."""
_MOST_PAPERS = 20
"""Maximum number of papers listed without ``-v``. If there are more papers, only papers with problems are listed."""


class Screen(Console):
    """A console with colours on a terminal and plain text elsewhere. It removes bidirectional control characters.

    If the reader has closed the pipe (``citeproof verify refs.bib | head``), rich would exit with 1, which means that
    an entry is flagged. This console raises :class:`BrokenPipeError`, as every other output does.
    """

    def __init__(self, out: TextIO, *, soft_wrap: bool = False) -> None:
        super().__init__(file=cast("IO[str]", _WithoutMarks(out)), highlight=False, soft_wrap=soft_wrap)

    def on_broken_pipe(self) -> NoReturn:
        """Raise :class:`BrokenPipeError`."""
        raise BrokenPipeError

    def indent(self, *parts: Part, by: int = 4) -> None:
        """Print a text that is indented ``by`` columns. Lines after the first are indented by two columns more."""
        for number, line in enumerate(Text.assemble(*parts).wrap(self, self.width - by - 2)):
            line.rstrip()
            self.print(Text(" " * (by + 2 * bool(number))) + line)

    def hang(self, head: str | tuple[str, str], part: Part) -> None:
        """Print ``head`` and the text ``part`` after it. Further lines begin below the start of the text.

        The first line has the style of ``head``. A text that is a single word, such as a link, is not broken.
        """
        start, text = Text(*head) if isinstance(head, tuple) else Text(head), Text.assemble(part)
        if " " not in text.plain:
            self.print(start + text, soft_wrap=True)
            return
        for number, line in enumerate(text.wrap(self, self.width - len(start))):
            line.rstrip()
            self.print((start if number == 0 else Text(" " * len(start))) + line)

    def whole(self, *parts: Part) -> None:
        """Print a text without wrapping it, because a link in two lines cannot be opened."""
        self.print(Text.assemble(*parts), soft_wrap=True)

    def shortened(self, text: Text) -> None:
        """Print ``text`` in one line, shortened to the width of the terminal."""
        text.truncate(self.width, overflow="ellipsis")
        self.print(text, no_wrap=True)


class _WithoutMarks:
    """A wrapper of the stream ``out`` that removes bidirectional control characters."""

    def __init__(self, out: TextIO) -> None:
        self._out = out

    def write(self, text: str) -> int:
        return self._out.write(without_marks(text))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._out, name)


def marked(parts: Marked) -> Text:
    """Return a text with its differing parts in bold and in brackets. The brackets are visible without colour."""
    shown = ((f"[{text}]", "bold underline") if differs else text for text, differs in parts)
    return Text.assemble(*shown) if parts else Text("(none)")


def print_summary(screen: Screen, run: Run, view: View, where: str = "") -> None:
    """Print the summary of ``run``. ``where`` says where the full report was written."""
    screen.hang("", (overview.sum_line(run.statistics), "bold"))
    for line in overview.basis_lines(run):
        screen.hang("", line)
    print_notes(screen, run, view)
    if where:
        screen.whole(where)


def print_notes(screen: Screen, run: Run, view: View) -> None:
    """Print the notes on ``run`` and the meaning of its exit code."""
    for note in overview.shown_notes(run, everything=view.everything or view.detail is Detail.FULL):
        screen.hang(("Note: ", "dim"), note)
    screen.hang("", overview.exit_meaning(run, view))
    if step := overview.next_step(run):
        screen.hang(("Next: ", "dim"), step)


def print_papers(screen: Screen, run: Run, *, everything: bool) -> None:
    """Print how well reference lists in running text were read and, if there are several papers, the totals of each."""
    papers = run.in_brief().papers
    every = everything or max(len(papers), len(run.extractions)) <= _MOST_PAPERS
    for extraction in run.extractions:
        if every or extraction.fault:
            screen.whole(f"{extraction.file}: {extraction_line(extraction)}")
        if extraction.fault:
            screen.indent((f"THE LIST LOOKS WRONGLY READ: {extraction.fault}", "bold red"), by=2)
    if run.extractions:
        screen.print()
    if len(papers) < 2:
        return
    screen.print(Text(f"{len(papers):,} papers", "bold"))
    flagged = sorted(papers, key=_flagged, reverse=True)[:_MOST_PAPERS]
    shown = [paper for paper in papers if every or (paper in flagged and any(_flagged(paper)))]
    for paper in shown:
        counted = ((status, paper.by_status[status]) for status in WORST_FIRST)
        counts = "  ".join(f"{MARKS[status]} {count} {status.lower()}" for status, count in counted if count)
        screen.whole("  ", paper.name or NAMELESS, (f"  {counts}", "dim"))
    if more := len(papers) - len(shown):
        screen.print(Text(f"  and {more:,} more; --all lists them", "dim"))
    screen.print()


def _flagged(paper: PaperSum) -> tuple[int, ...]:
    """Return the number of wrong entries of ``paper``, and the number of entries that could not be checked."""
    invalid, suspicious, error = (paper.by_status[status] for status in WORST_FIRST[:3])
    return invalid + suspicious, error
