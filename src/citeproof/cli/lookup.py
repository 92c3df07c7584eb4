"""``citeproof lookup``: titles against the database, as the web service answers."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import click

from citeproof.bibdb.database import NEAREST_FROM
from citeproof.cli import options
from citeproof.database_choice import open_database
from citeproof.errors import Exit, InputError
from citeproof.reports.lookup import bibtex_entries, identified, print_lookups
from citeproof.serialization import lookup_object
from citeproof.settings import load
from citeproof.text.normalize import LONGEST_TITLE, normalize_title

if TYPE_CHECKING:
    from collections.abc import Iterator

    from citeproof.models import Lookup


@click.command()
@click.argument("titles", nargs=-1, required=True, metavar="TITLE...")
@options.bib_db
@options.bib_threshold
@options.bib_max_candidates
@click.option("--format", "report", type=click.Choice(["table", "json", "bibtex"]), default="table", show_default=True)
def command(titles: tuple[str, ...], report: str, **flags: object) -> Exit:
    """Look each TITLE up, or the DOI or arXiv id given in its place.

    - reads them from standard input, one a line.

    Exit codes: 0 all were found, 1 some were not, 2 bad usage,
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
            database.look_up_text(title, settings.bib_threshold, most, nearest_from=NEAREST_FROM) for title in queries
        ]
    if report == "json":
        click.echo(json.dumps([lookup_object(lookup) for lookup in lookups], ensure_ascii=False, indent=2))
    elif report == "bibtex":
        click.echo("\n\n".join(map(bibtex_entries, lookups)))
    else:
        print_lookups(lookups, sys.stdout)
    return _exit_code(lookups)


def _queries(titles: tuple[str, ...]) -> Iterator[str]:
    """Yield the titles with white space collapsed; refuse one that has nothing to look up."""
    for argument in titles:
        for line in sys.stdin if argument == "-" else (argument,):
            title = " ".join(line.split())
            if len(title) > LONGEST_TITLE:
                raise InputError(f"{title[:40]!r}... has {len(title):,} letters; a title has at most {LONGEST_TITLE:,}")
            if normalize_title(title):
                yield title
            elif argument != "-" or title:
                raise InputError(f"{title!r} has no letter or digit to look up; give a title")


def _exit_code(lookups: list[Lookup]) -> Exit:
    missed = [lookup for lookup in lookups if not (lookup.found or identified(lookup))]
    if any(not lookup.complete for lookup in missed):
        return Exit.INCOMPLETE
    return Exit.FLAGGED if missed else Exit.CLEAN
