"""A database's description, for people."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

YEARS_A_LINE = 5
COLUMNS = 80
INDENT = " " * 12


def description_lines(info: dict[str, Any]) -> Iterator[str]:
    """Yield what ``citeproof db info`` prints of a database."""
    yield info["path"]
    yield f"  layout    {info['layout']}, {info['bytes'] / 1e6:,.1f} MB"
    if "built" in info:
        yield f"  built     {info['built']} with {info['built_with']}"
    yield f"  records   {info['records']:,}"
    for source in info.get("sources", ()):
        dated = f", newest record of {source['dump_date']}" if source["dump_date"] else ""
        licence = f"; {source['licence']}" if source["licence"] else ""
        yield from _wrapped("source", f"{source['name']}: {source['records']:,} from {source['file']}{dated}{licence}")
    yield f"  indexes   {', '.join(info['indexes']) or 'none: every look-up compares with all titles'}"
    if info["types"]:
        types = (f"{count:,} {name or '(none)'}" for name, count in info["types"].items())
        yield from _wrapped("types", ", ".join(types))
    years = [f"{name or '(none)'}: {count:,}" for name, count in info["years"].items()]
    for start in range(0, len(years), YEARS_A_LINE):
        yield ("  years     " if not start else INDENT) + "  ".join(years[start : start + YEARS_A_LINE])


def _wrapped(name: str, text: str) -> list[str]:
    """Return a line of the description, or several where one would be too long for a terminal."""
    return textwrap.wrap(
        text,
        COLUMNS,
        initial_indent=f"  {name}".ljust(len(INDENT)),
        subsequent_indent=INDENT,
        break_long_words=False,
        break_on_hyphens=False,
    )
