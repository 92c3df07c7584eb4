"""What a build says of itself once it is done, and the options that all builds take."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from citeproof.bibdb.build import MOST_NAMED
from citeproof.bibdb.schema import TITLE_LETTERS

if TYPE_CHECKING:
    from citeproof.bibdb.build import Summary

FORCE = click.option("--force", is_flag=True, help="Replace a database that holds far more records, or another file.")
KEEP_GOING = click.option(
    "--keep-going", is_flag=True, help="Leave out and count lines and parts of a dump that are broken."
)


def say(summary: Summary) -> None:
    """Say what was written, and on standard error what was left out."""
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
        if count > MOST_NAMED:
            click.echo(f"citeproof:   ... and {count - MOST_NAMED:,} more", err=True)
    rate = summary.records / max(summary.seconds, 1e-9)
    click.echo(
        f"{summary.path}: {summary.records:,} records, {summary.bytes / 1e6:,.1f} MB, "
        f"in {summary.seconds:,.1f} s ({rate:,.0f} records/s)"
    )
