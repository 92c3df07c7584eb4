"""``citeproof lookup``: titles against the database, as the web service answers."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import click
from rich.console import Console
from rich.text import Text

from citeproof.bibdb.database import NEAREST_FROM
from citeproof.cli import options
from citeproof.errors import Exit, InputError
from citeproof.serialization import lookup_object, record_link
from citeproof.session import open_database
from citeproof.settings import load
from citeproof.text.normalize import normalize_title

if TYPE_CHECKING:
    from collections.abc import Iterator

    from citeproof.models import Candidate, Lookup


@click.command()
@click.argument("titles", nargs=-1, required=True, metavar="TITLE...")
@options.bib_db
@options.bib_threshold
@options.bib_max_candidates
@click.option("--format", "report", type=click.Choice(["table", "json"]), default="table", show_default=True)
def command(titles: tuple[str, ...], report: str, **flags: object) -> Exit:
    """Look each TITLE up; - reads titles from standard input, one a line.

    Exit codes: 0 every title was found, 1 some were not, 2 bad usage,
    3 a search was cut short or its miss could not be proved.
    """
    settings = load(**flags)
    queries = list(_queries(titles))
    if not queries:
        raise InputError("<stdin>: no title to look up; give one a line")
    database, notes = open_database(settings)
    with database:
        for note in notes:
            click.echo(f"citeproof: {note}", err=True)
        most = settings.bib_max_candidates
        lookups = [
            database.look_up(title, settings.bib_threshold, most, nearest_from=NEAREST_FROM) for title in queries
        ]
    if report == "json":
        click.echo(json.dumps([lookup_object(lookup) for lookup in lookups], ensure_ascii=False, indent=2))
    else:
        for lookup in lookups:
            _print(lookup)
    return _exit_code(lookups)


def _queries(titles: tuple[str, ...]) -> Iterator[str]:
    """Yield the titles with white space collapsed; refuse one that has nothing to look up."""
    for argument in titles:
        for line in sys.stdin if argument == "-" else (argument,):
            title = " ".join(line.split())
            if normalize_title(title):
                yield title
            elif argument != "-" or title:
                raise InputError(f"{title!r} has no letter or digit to look up; give a title")


def _exit_code(lookups: list[Lookup]) -> Exit:
    missed = [lookup for lookup in lookups if not lookup.found]
    if any(not lookup.complete for lookup in missed):
        return Exit.INCOMPLETE
    return Exit.FLAGGED if missed else Exit.CLEAN


def _print(lookup: Lookup) -> None:
    console = Console(highlight=False, soft_wrap=True)  # a link that is broken over two lines cannot be followed
    proof = "complete" if lookup.complete else "not complete"
    how = f"{lookup.index or lookup.method.value}, {lookup.candidates_examined} compared, {proof}"
    timing = f"{how}, {lookup.milliseconds:.1f} ms"
    if lookup.found:
        console.print(Text.assemble(("✓ found      ", "green"), lookup.query))
        for candidate in lookup.candidates:
            _print_candidate(console, candidate)
    else:
        verdict = "✗ not found  " if lookup.complete else "? not proved "
        console.print(Text.assemble((verdict, "red"), lookup.query))
        if lookup.nearest:
            console.print(Text("  the nearest title:", "dim"))
            _print_candidate(console, lookup.nearest)
    console.print(Text(f"  {timing}", "dim"))


def _print_candidate(console: Console, candidate: Candidate) -> None:
    record = candidate.record
    facts = ", ".join(filter(None, [", ".join(record.authors), record.venue, str(record.year or "")]))
    console.print(Text(f"  {candidate.similarity:.3f}  {record.title}"))
    console.print(Text(f"         {facts}"))
    if link := record_link(record):
        console.print(Text(f"         {link}", "dim"))
