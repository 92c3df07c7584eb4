"""``citeproof db list``: which dumps there are to get."""

from __future__ import annotations

import textwrap

import click

from citeproof.bibdb.dumps import DUMPS
from citeproof.cli.db.sizes import count, size

_INDENT = " " * 18


@click.command()
def command() -> None:
    """Show the dumps that 'citeproof db download' knows, with size, records and licence; nothing is asked online."""
    for dump in DUMPS:
        about = f"{count(dump.records)} records, {size(dump.bytes)} to fetch, {size(dump.disk(dump.bytes))} of disk"
        head = dump.name.ljust(len(_INDENT))
        for line in (
            f"{dump.title}: {dump.holds}",
            f"{about}; {dump.licence}",
            dump.by_hand and f"by hand: {dump.by_hand}",
        ):
            for part in textwrap.wrap(line, 80 - len(_INDENT), break_long_words=False, break_on_hyphens=False):
                click.echo(head + part)
                head = _INDENT
