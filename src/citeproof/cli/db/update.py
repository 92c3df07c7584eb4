"""``citeproof db update``: add or replace sources of a database that stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from citeproof.bibdb.build import update
from citeproof.bibdb.title_index.writer.create import TitleIndexer
from citeproof.cli.build_progress import shown
from citeproof.cli.db.summary import FORCE, KEEP_GOING, say
from citeproof.cli.file_types import FILE
from citeproof.cli.stopping import stoppable
from citeproof.settings import load

if TYPE_CHECKING:
    from pathlib import Path


@click.command()
@click.argument("database", type=FILE, metavar="FILE")
@click.argument("sources", nargs=-1, required=True, type=FILE, metavar="SOURCE...")
@FORCE
@KEEP_GOING
def command(database: Path, sources: tuple[Path, ...], *, force: bool, keep_going: bool) -> None:
    """Add each SOURCE to the database FILE, or put it in the place of the one of its name.

    The other sources stay. The database is what it was until the new one is complete.
    """
    with stoppable(), shown() as progress:
        indexers = [TitleIndexer(database, load().bib_index_dir)]
        say(update(database, sources, force=force, keep_going=keep_going, progress=progress, indexers=indexers))
