"""``citeproof db remove``: leave sources out of a database that stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from citeproof.bibdb.build import update
from citeproof.bibdb.title_index.writer.create import TitleIndexer
from citeproof.cli.build_progress import shown
from citeproof.cli.db.summary import say
from citeproof.cli.file_types import FILE
from citeproof.cli.stopping import stoppable
from citeproof.settings import load

if TYPE_CHECKING:
    from pathlib import Path


@click.command()
@click.argument("database", type=FILE, metavar="FILE")
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
def command(database: Path, names: tuple[str, ...]) -> None:
    """Remove each source called NAME from the database FILE, as 'citeproof db info' names it.

    The other sources stay. The database is what it was until the new one is complete.
    """
    with stoppable(), shown() as progress:
        indexers = [TitleIndexer(database, load().bib_index_dir)]
        say(update(database, without=names, progress=progress, indexers=indexers))
