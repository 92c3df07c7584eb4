"""Terminal output: a console that wraps lines, the summary of a run, and results of the
database.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import IO, Any, NoReturn, TextIO, cast

from rich.console import Console
from rich.text import Text

from citeproof.database.venues.table import TakenFor
from citeproof.model.record import Candidate, Lookup
from citeproof.model.run import PaperSum, Run
from citeproof.model.stored import JsonObject
from citeproof.readers.fields.bibtex import bibtex_entry
from citeproof.report import overview
from citeproof.report.advice import Marked
from citeproof.report.overview import MARKS, NAMELESS, WORST_FIRST, Detail, View
from citeproof.report.wording import (
    IDENTIFIERS,
    NARROWEST,
    RELATED,
    extraction_line,
    facts,
    record_link,
    wrapped,
)
from citeproof.text.encodings import without_marks

Part = str | Text | tuple[str, str]
"""A text, or a pair of a text and a style."""
MOST_SHOWN = 10
"""Maximum number of records in each list that a look-up prints."""
_FIXED = "\u00a0"  # a no-break space
_HEAD = 12  # number of columns of the label of a line about a database
_MOST_PAPERS = 20
"""Maximum number of papers listed without ``--all``.

If there are more papers, only papers with problems are listed.
"""


class Screen(Console):
    """A console with colours on a terminal and plain text elsewhere, without bidirectional control
    characters.

    If the reader has closed the pipe (``citeproof verify refs.bib | head``), rich would exit with
    code 1, which means that an entry is flagged. This console raises :class:`BrokenPipeError`
    instead, like all other output.
    """

    def __init__(self, out: TextIO, *, soft_wrap: bool = False) -> None:
        super().__init__(
            file=cast("IO[str]", _WithoutMarks(out)), highlight=False, soft_wrap=soft_wrap
        )
        self.width = max(self.width or 80, NARROWEST)  # COLUMNS may be 0

    def on_broken_pipe(self) -> NoReturn:
        """Raise :class:`BrokenPipeError`."""
        raise BrokenPipeError

    def indent(self, *parts: Part, by: int = 4) -> None:
        """Print ``parts``, indented by ``by`` columns.

        Further lines are indented by two more columns.
        """
        for number, line in enumerate(Text.assemble(*parts).wrap(self, self.width - by - 2)):
            line.rstrip()
            self.print(Text(" " * (by + 2 * bool(number))) + line)

    def hang(self, head: str | tuple[str, str], part: Part) -> None:
        """Print ``head`` and then the text ``part``.

        Further lines are aligned with the start of ``part``. ``head`` may be a pair of a text and a
        style. If ``part`` is a single word, such as a link, it is not broken.
        """
        start, text = Text(*head) if isinstance(head, tuple) else Text(head), Text.assemble(part)
        if " " not in text.plain:
            self.print(start + text, soft_wrap=True)
            return
        for number, line in enumerate(text.wrap(self, self.width - len(start))):
            line.rstrip()
            self.print((start if number == 0 else Text(" " * len(start))) + line)

    def whole(self, *parts: Part) -> None:
        """Print ``parts`` without wrapping, so that links can be opened."""
        self.print(Text.assemble(*parts), soft_wrap=True)

    def shortened(self, text: Text) -> None:
        """Print ``text`` in one line, shortened to the width of the terminal."""
        text.truncate(self.width, overflow="ellipsis")
        self.print(text, no_wrap=True)


class _WithoutMarks:
    """Wraps the stream ``out`` and removes bidirectional control characters from the written
    text.
    """

    def __init__(self, out: TextIO) -> None:
        self._out = out

    def write(self, text: str) -> int:
        return self._out.write(without_marks(text))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._out, name)


def marked(parts: Marked) -> Text:
    """Return ``parts`` as one text for the terminal. Parts that differ are bold and in brackets."""
    shown = ((f"[{text}]", "bold underline") if differs else text for text, differs in parts)
    return Text.assemble(*shown) if parts else Text("(none)")


def print_summary(screen: Screen, run: Run, view: View, where: str = "") -> None:
    """Print the summary of ``run``.

    ``where`` is an optional last line that says where the full report is.
    """
    screen.hang("", (overview.sum_line(run.statistics), "bold"))
    for line in overview.basis_lines(run):
        screen.hang("", line)
    print_notes(screen, run, view)
    if where:
        screen.whole(where)


def print_notes(screen: Screen, run: Run, view: View) -> None:
    """Print the notes on ``run``, the meaning of its exit code, and the next step for the user."""
    for note in overview.shown_notes(run, everything=view.everything or view.detail is Detail.FULL):
        screen.hang(("Note: ", "dim"), note)
    for line in overview.exit_meaning(run, view):
        screen.hang("", line)
    if step := overview.next_step(run):
        screen.hang(("Next: ", "dim"), step)


def print_papers(screen: Screen, run: Run, *, everything: bool) -> None:
    """Print how completely each reference list was read. For several papers, also print the totals
    of each paper.

    If there are more than 20 papers, and ``everything`` is false, only papers with problems and
    lists with faults are printed.
    """
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
        counts = "  ".join(
            f"{MARKS[status]} {count} {status.lower()}" for status, count in counted if count
        )
        screen.whole("  ", paper.name or NAMELESS, (f"  {counts}", "dim"))
    if more := len(papers) - len(shown):
        screen.print(Text(f"  and {more:,} more; --all lists them", "dim"))
    screen.print()


def _flagged(paper: PaperSum) -> tuple[int, ...]:
    """Return two numbers: how many entries of ``paper`` are INVALID or SUSPICIOUS, and how many are
    ERROR.
    """
    invalid, suspicious, error = (paper.by_status[status] for status in WORST_FIRST[:3])
    return invalid + suspicious, error


def print_lookups(lookups: Iterable[Lookup], near: Iterable[bool], out: TextIO) -> None:
    """Print ``lookups``.

    ``near`` has a boolean for each look-up: whether the best title differs from the query.
    """
    screen = Screen(out)
    for lookup, is_near in zip(lookups, near, strict=True):
        by_identifier = identified(lookup)
        if is_near:
            verdict, style = "≈ near       ", "yellow"
        elif lookup.found or by_identifier:
            verdict, style = "✓ found      ", "green"
        else:
            verdict, style = "✗ not found  " if lookup.complete else "? not proved ", "red"
        screen.hang((verdict, style), lookup.query)
        _print_some(screen, lookup.candidates, lookup.more)
        for kind, link in RELATED.items():
            if alike := [candidate for candidate in lookup.related if candidate.match is kind]:
                screen.print(Text(f"  {link}:", "dim"))
                _print_some(screen, alike)
        if lookup.nearest and not by_identifier:
            screen.print(Text("  the nearest title:", "dim"))
            _print_some(screen, [lookup.nearest])
        proof = "complete" if lookup.complete else "not complete"
        cut = ": stopped at --bib-max-candidates" if lookup.cut else ""
        how = (
            f"{lookup.index or lookup.method.value}, {lookup.candidates_examined} compared,"
            f" {proof}{cut}"
        )
        screen.hang("  ", (f"{how}, {lookup.milliseconds:.1f} ms", "dim"))


def identified(lookup: Lookup) -> list[Candidate]:
    """Return the records with the DOI or arXiv id that was looked up.

    Empty if a title was looked up.
    """
    return [candidate for candidate in lookup.related if candidate.match in IDENTIFIERS]


def bibtex_entries(lookup: Lookup) -> str:
    """Return the found records as BibTeX entries. If nothing was found, return a BibTeX comment."""
    found = lookup.candidates or identified(lookup)
    return "\n\n".join(bibtex_entry(one.record) for one in found) or f"% not found: {lookup.query}"


def _print_some(screen: Screen, candidates: Sequence[Candidate], others: int = 0) -> None:
    for candidate in candidates[:MOST_SHOWN]:
        record = candidate.record
        score = " " * 5 if candidate.match in IDENTIFIERS else f"{candidate.similarity:.3f}"
        screen.hang(f"  {score}  ", record.title)
        screen.hang(" " * 9, facts(record))
        if link := record_link(record):
            screen.hang(" " * 9, (link, "dim"))
    if (more := len(candidates) - MOST_SHOWN + others) > 0:
        screen.hang(" " * 9, (f"and {more:,} more", "dim"))


def description_lines(info: JsonObject) -> Iterator[str]:
    """Yield the lines that describe a database: path, size, sources, indexes, types and years."""
    yield info["path"]
    yield _line("layout", f"{info['layout']}, {info['bytes'] / 1e6:,.1f} MB")
    if "built" in info:
        yield _line("built", f"{info['built']} with {info['built_with']}")
    yield _line("records", f"{info['records']:,}")
    for source in info.get("sources", ()):
        yield _line("source", "; ".join(_source(source)))
    indexes = ", ".join(info["indexes"]) or "none: every look-up compares all titles"
    yield _line("indexes", indexes)
    if info["types"]:
        types = (f"{count:,} {name or '(none)'}" for name, count in info["types"].items())
        years = (f"{name or '(none)'}: {count:>7,}" for name, count in info["years"].items())
        yield _line("types", ", ".join(map(_whole, types)))
        yield _line("years", "  ".join(map(_whole, years)))


def venue_lines(taken: TakenFor) -> Iterator[str]:
    """Yield lines about the venues that the name in ``taken`` may mean."""
    yield wrapped(f"{taken.name}: {taken.why}")
    for venue, names, years in taken.venues:
        yield _line("venue", venue)
        yield _line("names", ", ".join(names))
        yield _line(
            "years", f"{years[0]} to {years[-1]}, {len(years)} held" if years else "none held"
        )


def _source(source: JsonObject) -> Iterator[str]:
    notices = source.get("notices")
    holds = f"{source['records']:,}" + (f" and {notices:,} notices" if notices else "")
    yield f"{source['name']}: {holds} from {source['file']}"
    if source["dump_date"]:
        days = source.get("days_old")
        yield f"newest of {source['dump_date']}" + (
            f", {days:,} days ago" if days is not None else ""
        )
    if source.get("url"):
        yield f"fetched {source['fetched']} from {source['url']}"
    if source["licence"]:
        yield source["licence"]


def _line(name: str, text: str) -> str:
    return wrapped(text, f"  {name}".ljust(_HEAD)).replace(_FIXED, " ")


def _whole(text: str) -> str:
    """Return ``text`` with no-break spaces, so that :func:`_line` does not wrap it."""
    return text.replace(" ", _FIXED)
