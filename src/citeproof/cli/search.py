"""``citeproof search``: find works by words, and add them to a bibliography."""

from __future__ import annotations

import re
from pathlib import Path

import click

from citeproof.cli import options
from citeproof.cli.named_entries import entries_of
from citeproof.cli.output import replace_content, say, stoppable
from citeproof.database.choice import open_database
from citeproof.database.search import search
from citeproof.model.errors import Exit, InputError
from citeproof.model.record import Record
from citeproof.model.reference import Reference
from citeproof.readers.fields.bibtex_entry import bibtex_entry, entry_key
from citeproof.settings import load
from citeproof.text.encodings import without_marks
from citeproof.text.normalize import normalize_title


@click.command()
@click.argument("words", nargs=-1, required=True, metavar="WORD...")
@click.option(
    "--add",
    "bibliography",
    type=options.FILE,
    metavar="FILE",
    help="Add the work to this .bib file, if it is the only one.",
)
@click.option("--pick", type=click.IntRange(1), metavar="N", help="Use only work number N of those found.")
@click.option("--most", type=click.IntRange(1, 100), default=5, show_default=True, metavar="N", help="Works to print.")
@options.bib_db
def command(words: tuple[str, ...], bibliography: Path | None, pick: int | None, most: int, **flags: object) -> Exit:
    """Find works that have each WORD in title, authors, venue or year, and print them as BibTeX.

    Exit codes: 0 found, 1 nothing found, 2 bad usage, or several works where one is to be added.
    """
    text = " ".join(words)
    if not normalize_title(text):
        raise InputError(f"{text!r} has no letter or digit; give words of a title, authors, a venue or a year")
    database, notes = open_database(load(**flags))
    with database:
        found = search(database, text, max(most, pick or 0))
    if pick:
        found = found[pick - 1 : pick]
    if not found:
        say(f"nothing found for {text!r}; try fewer words", *notes)
        return Exit.FLAGGED
    if bibliography:
        _add(bibliography, found)
    else:
        click.echo(without_marks("\n\n".join(map(bibtex_entry, found))))
    say(*notes)
    return Exit.CLEAN


def _add(path: Path, found: list[Record]) -> None:
    """Append the only record of ``found`` to the bibliography ``path``, under a key that it does not have yet.

    Raises :class:`InputError` if there are several records, or if ``path`` has the work or cannot be read.
    """
    if len(found) > 1:
        listed = "".join(f"\n  --pick {n}: {_said(record)}" for n, record in enumerate(found, 1))
        raise InputError(without_marks(f"{len(found)} works fit; say more, or pick one:{listed}"))
    (record,) = found
    data = path.read_bytes() if path.exists() else b""
    every = entries_of(str(path), "bibtex") if data.strip() else []
    entries = [entry for entry in every if isinstance(entry, Reference)]
    for entry in entries:
        same = normalize_title(entry.title) == normalize_title(record.title) and entry.year == record.year
        if same or (record.doi and entry.doi == record.doi):
            raise InputError(without_marks(f"{entry.place} {entry.key}: is that work already: {_said(record)}"))
    keys = {entry.key.casefold() for entry in entries}
    base = entry_key(record)
    free = (key for key in (base, *(f"{base}{n}" for n in range(2, len(keys) + 3))) if key.casefold() not in keys)
    key = next(free)
    added = re.sub(r"(?<=\{)[^,]*", lambda _: key, bibtex_entry(record), count=1) + "\n"
    newline = "\r\n" if b"\r\n" in data else "\n"
    gap = "" if not data else newline if data.endswith(b"\n") else 2 * newline
    with stoppable():
        replace_content(path, data + (gap + added.replace("\n", newline)).encode())
    click.echo(without_marks(f"{path}: added {key}: {_said(record)}"))


def _said(record: Record) -> str:
    people = ", ".join(record.authors[:3]) + (" and others" if len(record.authors) > 3 else "")
    return ", ".join(filter(None, (record.title, people, record.venue, str(record.year or ""))))
