"""``citeproof db info``: what a database holds, from where and how old."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from citeproof.bibdb.database import Database
from citeproof.bibdb.info import info
from citeproof.cli.file_types import FILE
from citeproof.cli.options import REPORT
from citeproof.database_choice import choose_database
from citeproof.reports.database import description_lines
from citeproof.settings import load

if TYPE_CHECKING:
    from pathlib import Path


@click.command()
@click.argument("database", type=FILE, metavar="FILE", required=False)
@REPORT
def command(database: Path | None, report: str) -> None:
    """Show what a database holds and where it comes from.

    Sources with date and licence, counts by type and year, size, indexes. Without a FILE it is the database that
    the other commands use when none is named.
    """
    settings = load(bib_db=database)
    path, notes = choose_database(settings)
    for note in notes:
        click.echo(f"citeproof: {note}", err=True)
    with Database.open(path, index_dir=settings.bib_index_dir) as opened:
        described = info(opened)
    if report == "json":
        click.echo(json.dumps(described, ensure_ascii=False, indent=2))
    else:
        click.echo("\n".join(description_lines(described)))
