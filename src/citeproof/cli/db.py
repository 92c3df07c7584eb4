"""``citeproof db``: build, describe and check a bibliographic database."""

from __future__ import annotations

import time
from pathlib import Path

import click

from citeproof.bibdb.build import build as build_database
from citeproof.bibdb.title_index.attached import index_path
from citeproof.bibdb.title_index.create import TitleIndexer, create
from citeproof.cli.build_progress import shown

FILE = click.Path(path_type=Path)


@click.group()
def command() -> None:
    """Build, describe and check a bibliographic database."""


@command.command()
@click.argument("sources", nargs=-1, required=True, type=FILE, metavar="SOURCE...")
@click.option("--output", "-o", required=True, type=FILE, metavar="FILE", help="The database to write.")
@click.option("--force", is_flag=True, help="Replace a database that holds far more records, or another file.")
def build(sources: tuple[Path, ...], output: Path, *, force: bool) -> None:
    """Build a database from DBLP's dump (dblp.xml.gz) and from .bib files.

    The file appears, or replaces the one before, when it is complete; until then nothing changes.
    """
    with shown() as progress:
        indexers = [TitleIndexer(output)]
        summary = build_database(sources, output, force=force, progress=progress, indexers=indexers)
    rate = summary.records / max(summary.seconds, 1e-9)
    click.echo(
        f"{output}: {summary.records:,} records, {summary.bytes / 1e6:,.0f} MB, "
        f"in {summary.seconds:,.1f} s ({rate:,.0f} records/s)"
    )


@command.command()
@click.argument("database", type=FILE, metavar="FILE")
@click.option("--index-dir", type=FILE, metavar="FOLDER", help="Where the index goes, if not beside the database.")
def index(database: Path, index_dir: Path | None) -> None:
    """Write the title index of a database of any layout; the database itself is only read.

    With it a look-up proves that no title is nearer than what it found. It is written beside the
    database as FILE.titles, and appears when it is complete.
    """
    started = time.monotonic()
    header = create(database, index_dir)
    click.echo(
        f"{index_path(database, index_dir)}: {header.titles:,} titles of {header.records:,} records, "
        f"{header.size / 1e6:,.0f} MB, in {time.monotonic() - started:,.1f} s"
    )
