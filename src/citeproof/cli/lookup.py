"""``citeproof lookup``: look titles up in the database."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator

import click

from citeproof.cli import options
from citeproof.cli.output import say
from citeproof.database.choice import open_database
from citeproof.database.lookup import NEAREST_FROM, Database
from citeproof.model.errors import Exit, InputError
from citeproof.model.record import Lookup
from citeproof.report.formats.database import bibtex_entries, identified, print_lookups
from citeproof.report.serialization import lookup_object
from citeproof.settings import load
from citeproof.text.identifiers import identifier_in
from citeproof.text.normalize import LONGEST_TITLE, normalize_title
from citeproof.verification.validation.compare.titles import compare_titles, words_a_letter_apart


@click.command()
@click.argument("titles", nargs=-1, required=True, metavar="TITLE...")
@options.look_up
@click.option("--format", "report", type=click.Choice(["table", "json", "bibtex"]), default="table", show_default=True)
def command(titles: tuple[str, ...], report: str, **flags: object) -> Exit:
    """Look each TITLE up, or the DOI or arXiv id given in its place.

    Quote a title of several words; several single words are one title.
    - reads titles from standard input, one per line.

    Exit codes: 0 all were found, 1 some were not, or only a title that
    differs in words, 2 bad usage, 3 a search was cut short or its miss
    could not be proved.
    """
    settings = load(**flags)
    queries = list(_queries(titles))
    if not queries:
        raise InputError("<stdin>: no title to look up; give one a line")
    database, notes = open_database(settings)
    with database:
        most = settings.bib_max_candidates
        lookups = [
            database.look_up_text(title, settings.bib_threshold, most, nearest_from=NEAREST_FROM) for title in queries
        ]
        near = [_is_near(lookup, database) for lookup in lookups]
    if report == "json":
        click.echo(json.dumps([lookup_object(lookup) for lookup in lookups], ensure_ascii=False, indent=2))
    elif report == "bibtex":
        click.echo("\n\n".join(map(bibtex_entries, lookups)))
    else:
        print_lookups(lookups, near, sys.stdout)
    say(*notes)
    missed = [lookup for lookup in lookups if not (lookup.found or identified(lookup))]
    if any(not lookup.complete for lookup in missed):
        return Exit.INCOMPLETE
    return Exit.FLAGGED if missed or any(near) else Exit.CLEAN


def _queries(titles: tuple[str, ...]) -> Iterator[str]:
    """Yield the titles with white space collapsed; raises :class:`InputError` for one without a letter or digit.

    Several single words, none of them an identifier, are a title that was not quoted.
    """
    if len(titles) > 1 and not any(" " in each or each == "-" or identifier_in(each) for each in titles):
        titles = (" ".join(titles),)
    for argument in titles:
        for line in sys.stdin if argument == "-" else (argument,):
            title = " ".join(line.split())
            if len(title) > LONGEST_TITLE:
                raise InputError(f"{title[:40]!r}... has {len(title):,} letters; a title has at most {LONGEST_TITLE:,}")
            if normalize_title(title):
                yield title
            elif argument != "-" or title:
                raise InputError(f"{title!r} has no letter or digit to look up; give a title")


def _is_near(lookup: Lookup, database: Database) -> bool:
    """Return whether the best title that was found differs in words, by the word rule of a verification."""
    if not lookup.found:
        return False
    best = lookup.candidates[0].record.title
    counts = database.title_counts(words_a_letter_apart(lookup.query, best))
    return not compare_titles(lookup.query, best, counts).same
