"""``citeproof db index``: the title index of a database of any layout."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import click

from citeproof.bibdb.title_index.format import index_path
from citeproof.bibdb.title_index.writer.create import create
from citeproof.cli.file_types import FILE
from citeproof.cli.stopping import stoppable
from citeproof.settings import load

if TYPE_CHECKING:
    from pathlib import Path


@click.command()
@click.argument("database", type=FILE, metavar="FILE")
@click.option(
    "--index-dir",
    type=FILE,
    metavar="FOLDER",
    help="Where the index goes. Default: the setting bib_index_dir, else beside it.",
)
def command(database: Path, index_dir: Path | None) -> None:
    """Write the title index of a database of any layout.

    With it a look-up proves that no title is nearer than what it found. The database is only
    read; the index is written beside it as FILE.titles, and appears when it is complete.
    """
    started = time.monotonic()
    index_dir = load(bib_index_dir=index_dir).bib_index_dir
    with stoppable():
        header = create(database, index_dir)
    click.echo(
        f"{index_path(database, index_dir)}: {header.titles:,} titles of {header.records:,} records, "
        f"{header.size / 1e6:,.1f} MB, in {time.monotonic() - started:,.1f} s"
    )
