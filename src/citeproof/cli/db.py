"""``citeproof db``: build, describe and check a bibliographic database."""

from __future__ import annotations

from pathlib import Path

import click

from citeproof.bibdb.build import build as build_database
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
        summary = build_database(sources, output, force=force, progress=progress)
    rate = summary.records / max(summary.seconds, 1e-9)
    click.echo(
        f"{output}: {summary.records:,} records, {summary.bytes / 1e6:,.0f} MB, "
        f"in {summary.seconds:,.1f} s ({rate:,.0f} records/s)"
    )
