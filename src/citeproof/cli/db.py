"""``citeproof db``: build, describe and check a bibliographic database."""

from __future__ import annotations

import json
import time
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from citeproof.bibdb.build import build as build_database
from citeproof.bibdb.check import check as check_database
from citeproof.bibdb.database import Database
from citeproof.bibdb.deep_check import deep_check
from citeproof.bibdb.info import info as describe
from citeproof.bibdb.schema import TITLE_LETTERS
from citeproof.bibdb.title_index.format import index_path
from citeproof.bibdb.title_index.writer.create import TitleIndexer, create
from citeproof.cli.build_progress import shown
from citeproof.cli.options import FILE
from citeproof.cli.stopping import stoppable
from citeproof.errors import Exit
from citeproof.reports.database import description_lines
from citeproof.session import choose_database
from citeproof.settings import load

if TYPE_CHECKING:
    from pathlib import Path

FORMAT = click.option("--format", "report", type=click.Choice(["table", "json"]), default="table", show_default=True)


@click.group()
def command() -> None:
    """Build, describe and check a bibliographic database."""


@command.command()
@click.argument("sources", nargs=-1, required=True, type=FILE, metavar="SOURCE...")
@click.option("--output", "-o", required=True, type=FILE, metavar="FILE", help="The database to write.")
@click.option("--force", is_flag=True, help="Replace a database that holds far more records, or another file.")
def build(sources: tuple[Path, ...], output: Path, *, force: bool) -> None:
    """Build a database from DBLP's dump and from .bib files.

    The file appears, or replaces the one before, when it is complete; until then nothing changes.
    """
    with stoppable(), shown() as progress:
        indexers = [TitleIndexer(output, load().bib_index_dir)]
        summary = build_database(sources, output, force=force, progress=progress, indexers=indexers)
    for path, count in summary.skipped.items():
        click.echo(
            f"citeproof: {path}: entries left out: {count:,} (not readable, without a title or with one of more than "
            f"{TITLE_LETTERS:,} letters, or with an impossible year)"
            + (f"; `citeproof verify {path}` shows them" if path.suffix == ".bib" else ""),
            err=True,
        )
    rate = summary.records / max(summary.seconds, 1e-9)
    click.echo(
        f"{output}: {summary.records:,} records, {summary.bytes / 1e6:,.1f} MB, "
        f"in {summary.seconds:,.1f} s ({rate:,.0f} records/s)"
    )


@command.command()
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


@command.command()
@click.argument("database", type=FILE, metavar="FILE", required=False)
@FORMAT
def info(database: Path | None, report: str) -> None:
    """Show what a database holds and where it comes from.

    Sources with date and licence, counts by type and year, size, indexes. Without a FILE it is the database that
    the other commands use when none is named.
    """
    settings = load(bib_db=database)
    path, notes = choose_database(settings)
    for note in notes:
        click.echo(f"citeproof: {note}", err=True)
    with Database.open(path, index_dir=settings.bib_index_dir) as opened:
        described = describe(opened)
    if report == "json":
        click.echo(json.dumps(described, ensure_ascii=False, indent=2))
    else:
        click.echo("\n".join(description_lines(described)))


@command.command()
@click.argument("database", type=FILE, metavar="FILE")
@click.option("--deep", is_flag=True, help="Also compare the title index with a comparison of all titles.")
@FORMAT
def check(database: Path, report: str, *, deep: bool) -> Exit:
    """Check that a database is whole and its indexes belong to it.

    Exit codes: 0 it is sound, 1 it is not, 2 it cannot be read at all.
    """
    with Database.open(database, index_dir=load().bib_index_dir, titles_in_memory=False) as opened:
        findings = list(check_database(opened))
        if deep:
            findings += deep_check(opened)
    sound = all(finding.sound for finding in findings)
    if report == "json":
        content = {"path": str(database), "sound": sound, "checks": [asdict(finding) for finding in findings]}
        click.echo(json.dumps(content, ensure_ascii=False, indent=2))
    else:
        for finding in findings:
            click.echo(f"{'ok' if finding.sound else 'BAD':<4}{finding.subject:<13}{finding.detail}")
        click.echo(f"{database}: {'sound' if sound else 'not sound'}")
    return Exit.CLEAN if sound else Exit.FLAGGED
