"""Show results of the database on a terminal: look-ups, and descriptions of the database and of its venues."""

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TextIO

from rich.text import Text

from citeproof.database.venues.table import TakenFor
from citeproof.model.record import Candidate, Lookup
from citeproof.readers.fields.bibtex import bibtex_entry
from citeproof.report.terminal import Screen
from citeproof.report.wording import IDENTIFIERS, RELATED, facts, record_link

_INDENT = " " * 12
MOST_SHOWN = 10
"""Maximum number of records in each list that is shown for a look-up."""


def print_lookups(lookups: Iterable[Lookup], near: Iterable[bool], out: TextIO) -> None:
    """Write ``lookups`` to ``out``: in colour on a terminal, plain elsewhere.

    ``near`` has a value for each look-up: whether its best title differs in words from the query.
    """
    screen = Screen(out, soft_wrap=True)  # a link over two lines cannot be followed
    for lookup, is_near in zip(lookups, near, strict=True):
        by_identifier = identified(lookup)
        if is_near:
            verdict, style = "≈ near       ", "yellow"
        elif lookup.found or by_identifier:
            verdict, style = "✓ found      ", "green"
        else:
            verdict, style = "✗ not found  " if lookup.complete else "? not proved ", "red"
        screen.print(Text.assemble((verdict, style), lookup.query))
        _print_some(screen, lookup.candidates, lookup.more)
        for kind, link in RELATED.items():
            if alike := [candidate for candidate in lookup.related if candidate.match is kind]:
                screen.print(Text(f"  {link}:", "dim"))
                _print_some(screen, alike)
        if lookup.nearest and not by_identifier:
            screen.print(Text("  the nearest title:", "dim"))
            _print_some(screen, [lookup.nearest])
        proof = "complete" if lookup.complete else "not complete"
        cut = ": cut by --bib-max-candidates" if lookup.cut else ""
        how = f"{lookup.index or lookup.method.value}, {lookup.candidates_examined} compared, {proof}{cut}"
        screen.print(Text(f"  {how}, {lookup.milliseconds:.1f} ms", "dim"))


def identified(lookup: Lookup) -> bool:
    """Return whether the query was an identifier and a record has this identifier."""
    return any(candidate.match in IDENTIFIERS for candidate in lookup.related)


def bibtex_entries(lookup: Lookup) -> str:
    """Return the records that were found as BibTeX entries; a comment if there is none."""
    found = lookup.candidates or tuple(candidate for candidate in lookup.related if candidate.match in IDENTIFIERS)
    return "\n\n".join(bibtex_entry(one.record) for one in found) or f"% not found: {lookup.query}"


def _print_some(screen: Screen, candidates: Sequence[Candidate], others: int = 0) -> None:
    for candidate in candidates[:MOST_SHOWN]:
        record = candidate.record
        score = " " * 5 if candidate.match in IDENTIFIERS else f"{candidate.similarity:.3f}"
        screen.print(Text(f"  {score}  {record.title}"))
        screen.print(Text(f"         {facts(record)}"))
        if link := record_link(record):
            screen.print(Text(f"         {link}", "dim"))
    if (more := len(candidates) - MOST_SHOWN + others) > 0:
        screen.print(Text(f"         and {more:,} more", "dim"))


def description_lines(info: dict[str, Any]) -> Iterator[str]:
    """Yield the lines that describe a database."""
    yield info["path"]
    yield f"  layout    {info['layout']}, {info['bytes'] / 1e6:,.1f} MB"
    if "built" in info:
        yield f"  built     {info['built']} with {info['built_with']}"
    yield f"  records   {info['records']:,}"
    for source in info.get("sources", ()):
        yield from _wrapped("source", "; ".join(_source(source)))
    yield f"  indexes   {', '.join(info['indexes']) or 'none: every look-up compares with all titles'}"
    if info["types"]:
        types = (f"{count:,} {name or '(none)'}" for name, count in info["types"].items())
        yield from _wrapped("types", ", ".join(types))
    years = [f"{name or '(none)'}: {count:,}" for name, count in info["years"].items()]
    for start in range(0, len(years), 5):
        yield ("  years     " if not start else _INDENT) + "  ".join(years[start : start + 5])


def venue_lines(taken: TakenFor) -> Iterator[str]:
    """Yield lines on the venues that a name may mean."""
    yield f"{taken.name}: {taken.why}"
    for venue, names, years in taken.venues:
        yield from _wrapped("venue", venue)
        yield from _wrapped("names", ", ".join(names))
        yield from _wrapped("years", f"{years[0]} to {years[-1]}, {len(years)} held" if years else "none held")


def _source(source: dict[str, Any]) -> Iterator[str]:
    notices = source.get("notices")
    holds = f"{source['records']:,}" + (f" and {notices:,} notices" if notices else "")
    yield f"{source['name']}: {holds} from {source['file']}"
    if source["dump_date"]:
        days = source.get("days_old")
        yield f"newest of {source['dump_date']}" + (f", {days:,} days ago" if days is not None else "")
    if source.get("url"):
        yield f"fetched {source['fetched']} from {source['url']}"
    if source["licence"]:
        yield source["licence"]


def _wrapped(name: str, text: str) -> list[str]:
    head = f"  {name}".ljust(len(_INDENT))
    return textwrap.TextWrapper(80, head, _INDENT, break_long_words=False, break_on_hyphens=False).wrap(text)
