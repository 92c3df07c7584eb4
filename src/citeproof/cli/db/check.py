"""``citeproof db check``: whether a database is whole."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from citeproof.bibdb.check import check
from citeproof.bibdb.database import Database
from citeproof.bibdb.deep_check import deep_check
from citeproof.cli.file_types import FILE
from citeproof.cli.options import REPORT
from citeproof.errors import Exit
from citeproof.settings import load

if TYPE_CHECKING:
    from pathlib import Path


@click.command()
@click.argument("database", type=FILE, metavar="FILE")
@click.option("--deep", is_flag=True, help="Also compare the title index with a comparison of all titles.")
@REPORT
def command(database: Path, report: str, *, deep: bool) -> Exit:
    """Check that a database is whole and its indexes belong to it.

    Exit codes: 0 it is sound, 1 it is not, 2 it cannot be read at all.
    """
    with Database.open(database, index_dir=load().bib_index_dir, titles_in_memory=False) as opened:
        findings = list(check(opened))
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
