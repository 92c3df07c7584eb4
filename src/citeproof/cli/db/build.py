"""``citeproof db build``: a database of sources that the user has."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from citeproof.bibdb.build import build
from citeproof.bibdb.title_index.writer.create import TitleIndexer
from citeproof.cli.build_progress import shown
from citeproof.cli.db.summary import FORCE, KEEP_GOING, say
from citeproof.cli.file_types import FILE
from citeproof.cli.stopping import stoppable
from citeproof.settings import load

if TYPE_CHECKING:
    from pathlib import Path


@click.command()
@click.argument("sources", nargs=-1, required=True, type=FILE, metavar="SOURCE...")
@click.option("--output", "-o", required=True, type=FILE, metavar="FILE", help="The database to write.")
@FORCE
@KEEP_GOING
def command(sources: tuple[Path, ...], output: Path, *, force: bool, keep_going: bool) -> None:
    """Build a database from dumps and from bibliographies: files, folders and archives.

    The file appears, or replaces the one before, when it is complete; until then nothing changes.
    """
    with stoppable(), shown() as progress:
        indexers = [TitleIndexer(output, load().bib_index_dir)]
        say(build(sources, output, force=force, keep_going=keep_going, progress=progress, indexers=indexers))
