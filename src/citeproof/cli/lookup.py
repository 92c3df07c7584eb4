"""``citeproof lookup`` and ``search``: look titles up in the database, and find works by words."""

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from citeproof.cli import options
from citeproof.cli.output import once_a_day, replace_content, say, stoppable
from citeproof.database.choice import open_database
from citeproof.database.search import Found
from citeproof.database.search import search as works
from citeproof.model.errors import Exit, InputError
from citeproof.model.record import Candidate, Record
from citeproof.readers.fields.bibtex import bibtex_entry, entry_key
from citeproof.report.serialization import lookup_object
from citeproof.report.terminal import bibtex_entries, identified, print_lookups
from citeproof.settings import load
from citeproof.text.encodings import without_marks
from citeproof.text.identifiers import identifier_in
from citeproof.text.normalize import LONGEST_TITLE, normalize_title
from citeproof.text.similarity import differ_in_words, similarity


@click.command()
@click.argument("titles", nargs=-1, required=True, metavar="TITLE...")
@options.look_up
@click.option(
    "--format",
    "report",
    type=click.Choice(["table", "json", "bibtex"]),
    default="table",
    show_default=True,
)
@click.option(
    "--all",
    "every",
    is_flag=True,
    help="Show all records that reach the threshold, not only the most similar.",
)
def command(titles: tuple[str, ...], report: str, every: bool, **flags: object) -> Exit:
    """Look up each TITLE, which may also be a DOI or an arXiv id.

    Quote a title of several words; if every argument is a single word, all words are one title.
    - reads titles from standard input, one per line.

    Exit codes: 0 all titles were found; 1 some were not found, or only similar titles with other
    words were found; 2 bad usage; 3 a search was stopped early, or it is not proved that a title is
    missing.
    """
    settings = load(**flags)
    queries = list(_queries(titles))
    if not queries:
        raise InputError("<stdin>: no title to look up; give one per line")
    database, notes = open_database(settings)
    notes = once_a_day(notes)
    least, most = settings.bib_threshold, settings.bib_max_candidates
    with database:
        lookups = [database.look_up_text(title, least, most, every=every) for title in queries]
    near = [
        one.found and differ_in_words(one.query, one.candidates[0].record.title) for one in lookups
    ]
    if report == "json":
        click.echo(
            json.dumps([lookup_object(one) for one in lookups], ensure_ascii=False, indent=2)
        )
    elif report == "bibtex":
        click.echo("\n\n".join(map(bibtex_entries, lookups)))
    else:
        print_lookups(lookups, near, sys.stdout)
    say(*notes)
    missed = [one for one in lookups if not (one.found or identified(one))]
    if any(one.cut for one in lookups) or any(not one.complete for one in missed):
        return Exit.INCOMPLETE
    return Exit.FLAGGED if missed or any(near) else Exit.CLEAN


def _queries(titles: tuple[str, ...]) -> Iterator[str]:
    """Yield the titles to look up.

    Raises InputError for a title that is too long or has no letter or digit.
    """
    if len(titles) > 1 and not any(
        " " in each or each == "-" or identifier_in(each) for each in titles
    ):
        titles = (" ".join(titles),)  # several single words are a title that was not quoted
    for argument in titles:
        for line in sys.stdin if argument == "-" else (argument,):
            title = " ".join(line.split())
            if len(title) > LONGEST_TITLE:
                raise InputError(
                    f"{title[:40]!r}... has {len(title):,} letters; a title has at most"
                    f" {LONGEST_TITLE:,}"
                )
            if normalize_title(title):
                yield title
            elif argument != "-" or title:
                raise InputError(f"{title!r} has no letter or digit to look up; give a title")


@click.command()
@click.argument("words", nargs=-1, required=True, metavar="WORD...")
@click.option(
    "--add",
    "bibliography",
    type=options.FILE,
    metavar="FILE",
    help="Add the work to this .bib file, if it is the only one.",
)
@click.option(
    "--pick", type=click.IntRange(1), metavar="N", help="Use only work number N of those found."
)
@click.option(
    "--most",
    type=click.IntRange(1, 100),
    default=5,
    show_default=True,
    metavar="N",
    help="Maximum number of works to print.",
)
@options.bib_db
def search(
    words: tuple[str, ...], bibliography: Path | None, pick: int | None, most: int, **flags: object
) -> Exit:
    """Find works by words of the title, the authors, the venue or the year, and print them as
    BibTeX.

    If no work has all words, the works that have most of them are printed.

    Exit codes: 0 found, 1 no work has all words, 2 bad usage, or several works fit and --add needs
    one.
    """
    text = " ".join(words)
    if not normalize_title(text):
        raise InputError(
            f"{text!r} has no letter or digit; give words of a title, authors, a venue or a year"
        )
    database, notes = open_database(load(**flags))
    notes = once_a_day(notes)
    with database:
        found = works(database, text, max(most, pick or 0))
    whole = [one for one in found if not one.missing]
    if bibliography and not pick:
        found = whole or found
    if pick:
        found = found[pick - 1 : pick]
    if not found:
        say(f"nothing found for {text!r}; try fewer words", *notes)
        return Exit.FLAGGED
    if bibliography:
        if not whole and not pick:
            raise InputError(_several("no work has all words", found))
        if len(found) > 1:
            raise InputError(_several(f"{len(found)} works fit; add words", found))
        _add(bibliography, found[0].record)
        found = whole = found[:1]
    else:
        click.echo(without_marks("\n\n".join(bibtex_entry(one.record) for one in found)))
    if not whole:
        lacks = ", ".join(found[0].missing)
        say(f"no work has all words of {text!r}; the first work printed lacks: {lacks}", *notes)
        return Exit.FLAGGED
    say(*notes)
    return Exit.CLEAN


def _several(why: str, found: list[Found]) -> str:
    listed = (f"\n  --pick {n}: {_described(one.record)}" for n, one in enumerate(found, 1))
    return without_marks(f"{why}, or pick one:{''.join(listed)}")


def _add(path: Path, record: Record) -> None:
    """Append the work to a bibliography.

    Raises InputError if the bibliography already has the work, or is in another format.
    """
    from citeproof.readers.document import Document
    from citeproof.readers.formats import bibtex, detect
    from citeproof.verification.validation.comparison import Identity
    from citeproof.verification.validation.identity import compared, identify

    data = path.read_bytes() if path.exists() else b""
    document = Document.of(str(path), data)
    format_ = detect(document) if data.strip() else bibtex
    if not document.is_text or not format_ or format_.NAME != bibtex.NAME:
        raise InputError(f"{path}: is not a BibTeX file; --add needs one")
    entries = bibtex.read(document).references
    for entry in entries:
        titles = normalize_title(entry.title), normalize_title(record.title)
        item = compared(entry, Candidate(record, similarity(*titles)))
        if item.doi or identify(item) is Identity.CITED:
            raise InputError(
                without_marks(
                    f"{entry.place} {entry.key}: is already this work: {_described(record)}"
                )
            )
    keys = {entry.key.casefold() for entry in entries}
    base = entry_key(record)
    key = next(
        each
        for each in (base, *(f"{base}{n}" for n in range(2, len(keys) + 3)))
        if each.casefold() not in keys
    )
    added = re.sub(r"(?<=\{)[^,]*", lambda _: key, bibtex_entry(record), count=1) + "\n"
    newline = "\r\n" if b"\r\n" in data else "\n"
    gap = "" if not data else newline if data.endswith(b"\n") else 2 * newline
    with stoppable():
        replace_content(path, data + (gap + added.replace("\n", newline)).encode())
    click.echo(without_marks(f"{path}: added {key}: {_described(record)}"))


def _described(record: Record) -> str:
    people = ", ".join(record.authors[:3]) + (" and others" if len(record.authors) > 3 else "")
    return ", ".join(filter(None, (record.title, people, record.venue, str(record.year or ""))))
