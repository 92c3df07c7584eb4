"""``citeproof db info`` and ``citeproof db check``: what a database holds, and whether it is sound."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from citeproof.cli.options import FILE, REPORT
from citeproof.database import info as database_info
from citeproof.database.check import check as checks
from citeproof.database.check import deep_check
from citeproof.database.choice import choose_database
from citeproof.database.lookup import Database
from citeproof.model.errors import Exit
from citeproof.report.formats.database import description_lines, venue_lines
from citeproof.settings import load

if TYPE_CHECKING:
    from pathlib import Path


@click.command()
@click.argument("database", type=FILE, metavar="FILE", required=False)
@click.option("--venue", metavar="NAME", help="Show what the name of a journal or conference is taken for, and why.")
@REPORT
def info(database: Path | None, venue: str | None, report: str) -> None:
    """Show what a database holds and where it comes from.

    Sources with date and licence, counts by type and year, size, indexes. Without a FILE it is the database that
    the other commands use when none is named.
    """
    settings = load(bib_db=database)
    path, notes = choose_database(settings)
    for note in notes:
        click.echo(f"citeproof: {note}", err=True)
    with Database.open(path, index_dir=settings.bib_index_dir) as opened:
        if venue is None:
            described = database_info.info(opened)
            lines = description_lines(described)
        else:
            taken = opened.venues.explained(venue)
            venues = [dict(zip(("venue", "names", "years"), one, strict=True)) for one in taken.venues]
            described = {"name": taken.name, "why": taken.why, "venues": venues}
            lines = venue_lines(taken)
    click.echo(json.dumps(described, ensure_ascii=False, indent=2) if report == "json" else "\n".join(lines))


@click.command()
@click.argument("database", type=FILE, metavar="FILE")
@click.option("--deep", is_flag=True, help="Also compare the title index with a comparison of all titles.")
@REPORT
def check(database: Path, report: str, *, deep: bool) -> Exit:
    """Check that a database is sound and its indexes belong to it.

    Exit codes: 0 it is sound, 1 it is not, 2 it cannot be read at all.
    """
    with Database.open(database, index_dir=load().bib_index_dir, titles_in_memory=False) as opened:
        findings = [*checks(opened), *(deep_check(opened) if deep else ())]
    sound = all(finding.sound for finding in findings)
    if report == "json":
        content = {"path": str(database), "sound": sound, "checks": [asdict(finding) for finding in findings]}
        click.echo(json.dumps(content, ensure_ascii=False, indent=2))
    else:
        for finding in findings:
            click.echo(f"{'ok' if finding.sound else 'BAD':<4}{finding.subject:<13}{finding.detail}")
        click.echo(f"{database}: {'sound' if sound else 'not sound'}")
    return Exit.CLEAN if sound else Exit.FLAGGED
