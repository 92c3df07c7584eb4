"""The description of a database and of its venues, for ``citeproof db info``."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from citeproof.database.venues.table import TakenFor

YEARS_A_LINE = 5
COLUMNS = 80
INDENT = " " * 12


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
    for start in range(0, len(years), YEARS_A_LINE):
        yield ("  years     " if not start else INDENT) + "  ".join(years[start : start + YEARS_A_LINE])


def venue_lines(taken: TakenFor) -> Iterator[str]:
    """Yield the lines on what the name of a venue is taken for."""
    yield f"{taken.name}: {taken.why}"
    for venue, names, years in taken.venues:
        yield from _wrapped("venue", venue)
        yield from _wrapped("names", ", ".join(names))
        yield from _wrapped("years", f"{years[0]} to {years[-1]}, {len(years)} held" if years else "none held")


def _source(source: dict[str, Any]) -> Iterator[str]:
    """Yield phrases on a source: number of records, file, age, URL, licence."""
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
    """Return a line of the description, wrapped if it is too long for a terminal."""
    return textwrap.wrap(
        text,
        COLUMNS,
        initial_indent=f"  {name}".ljust(len(INDENT)),
        subsequent_indent=INDENT,
        break_long_words=False,
        break_on_hyphens=False,
    )
