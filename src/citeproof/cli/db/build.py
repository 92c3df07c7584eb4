"""``citeproof db build``, ``update``, ``remove`` and ``index``: write a database or its title index."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import click

from citeproof.cli import progress
from citeproof.cli.options import FILE
from citeproof.cli.stopping import stoppable
from citeproof.database.build import builder
from citeproof.database.build.title_indexer import TitleIndexer, create
from citeproof.database.schema import TITLE_LETTERS
from citeproof.database.title_index.format import index_path
from citeproof.settings import load

if TYPE_CHECKING:
    from pathlib import Path

FORCE = click.option("--force", is_flag=True, help="Replace a database that holds far more records, or another file.")
KEEP_GOING = click.option(
    "--keep-going", is_flag=True, help="Leave out and count lines and parts of a dump that are broken."
)


@click.command("build")
@click.argument("sources", nargs=-1, required=True, type=FILE, metavar="SOURCE...")
@click.option("--output", "-o", required=True, type=FILE, metavar="FILE", help="The database to write.")
@FORCE
@KEEP_GOING
def new(sources: tuple[Path, ...], output: Path, *, force: bool, keep_going: bool) -> None:
    """Build a database from dumps and from bibliographies: files, folders and archives.

    The file appears, or replaces the one before, when it is complete; until then nothing changes.
    """
    with stoppable(), progress.building() as shown:
        indexers = [TitleIndexer(output, load().bib_index_dir)]
        say(builder.build(sources, output, force=force, keep_going=keep_going, progress=shown, indexers=indexers))


@click.command()
@click.argument("database", type=FILE, metavar="FILE")
@click.argument("sources", nargs=-1, required=True, type=FILE, metavar="SOURCE...")
@FORCE
@KEEP_GOING
def update(database: Path, sources: tuple[Path, ...], *, force: bool, keep_going: bool) -> None:
    """Add each SOURCE to the database FILE, or replace the source of its name.

    The other sources stay. The database does not change until the new one is complete.
    """
    with stoppable(), progress.building() as shown:
        indexers = [TitleIndexer(database, load().bib_index_dir)]
        say(builder.update(database, sources, force=force, keep_going=keep_going, progress=shown, indexers=indexers))


@click.command()
@click.argument("database", type=FILE, metavar="FILE")
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
def remove(database: Path, names: tuple[str, ...]) -> None:
    """Remove each source called NAME from the database FILE, as 'citeproof db info' names it.

    The other sources stay. The database does not change until the new one is complete.
    """
    with stoppable(), progress.building() as shown:
        indexers = [TitleIndexer(database, load().bib_index_dir)]
        say(builder.update(database, without=names, progress=shown, indexers=indexers))


@click.command()
@click.argument("database", type=FILE, metavar="FILE")
@click.option(
    "--index-dir",
    type=FILE,
    metavar="FOLDER",
    help="Where the index goes. Default: the setting bib_index_dir, else beside it.",
)
def index(database: Path, index_dir: Path | None) -> None:
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


def say(summary: builder.Summary) -> None:
    """Print what was written, and to standard error what was left out."""
    for path, count in summary.skipped.items():
        click.echo(
            f"citeproof: {path}: entries left out: {count:,} (not readable, without a title or with one of more than "
            f"{TITLE_LETTERS:,} letters, or with an impossible year)"
            + (f"; `citeproof verify {path}` shows them" if path.suffix == ".bib" else ""),
            err=True,
        )
    for path, (count, first) in summary.faults.items():
        click.echo(f"citeproof: {path}: broken and left out: {count:,}", err=True)
        for fault in first:
            click.echo(f"citeproof:   {fault}", err=True)
        if count > builder.MOST_NAMED:
            click.echo(f"citeproof:   ... and {count - builder.MOST_NAMED:,} more", err=True)
    rate = summary.records / max(summary.seconds, 1e-9)
    click.echo(
        f"{summary.path}: {summary.records:,} records, {summary.bytes / 1e6:,.1f} MB, "
        f"in {summary.seconds:,.1f} s ({rate:,.0f} records/s)"
    )
