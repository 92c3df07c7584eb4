"""``citeproof db download``: get a dump and make it a source of the database that all commands use."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from citeproof.bibdb.build import build, update
from citeproof.bibdb.download import download, folder_of, look, refuse_another_kind
from citeproof.bibdb.dumps import BY_NAME
from citeproof.bibdb.title_index.writer.create import TitleIndexer
from citeproof.cli import build_progress, download_progress
from citeproof.cli.db.sizes import count, duration, size
from citeproof.cli.db.summary import FORCE, KEEP_GOING, say
from citeproof.cli.file_types import FILE
from citeproof.cli.stopping import stoppable
from citeproof.errors import BuildError, ConfigurationError
from citeproof.net.download import Downloader
from citeproof.settings import default_database, load

if TYPE_CHECKING:
    from collections.abc import Iterator

    from citeproof.bibdb.download import Offer

SLOW, FAST = 10e6, 100e6
"""Bits a second of two usual connections."""


@click.command()
@click.argument("name", type=click.Choice(list(BY_NAME)), default="dblp", metavar="[NAME]")
@click.option("--from", "place", metavar="URL|FILE", help="Fetch it from a mirror, or take a file that is here.")
@click.option(
    "--output", "-o", type=FILE, metavar="FILE", help="The database.  [default: the one that all commands use]"
)
@click.option("--yes", "-y", is_flag=True, help="Do not ask.")
@FORCE
@KEEP_GOING
def command(name: str, place: str | None, output: Path | None, *, yes: bool, force: bool, keep_going: bool) -> None:
    """Fetch the dump NAME (see 'citeproof db list') and build the database that all commands use.

    A database that is there keeps its other sources. A second call fetches only what has changed, and goes on where a
    call was cut. It says size, time, disk and licence, and asks.
    """
    settings = load()
    target = output or settings.bib_db or default_database()
    if place and "://" not in place:
        _take(name, Path(place), target, force=force, keep_going=keep_going)
        return
    if place and not place.startswith(("http://", "https://")):
        raise click.UsageError(f"--from: {place} is neither a file nor an address of http or https")
    if settings.offline:
        raise ConfigurationError("the settings say offline, so nothing can be fetched; --from takes a file")
    dump = BY_NAME[name]
    offer = look(dump, target, Downloader(folder_of(target)), place or "")
    if offer is None:
        click.echo(f"{target}: has {dump.title} as it is at {place or dump.url}; nothing to fetch")
        return
    for line in _about(offer, target):
        click.echo(line, err=True)
    if offer.disk > offer.free:
        raise BuildError(
            f"{target.parent}: needs {size(offer.disk)} and has {size(offer.free)} free; --output elsewhere"
        )
    if not yes:
        if not sys.stdin.isatty():
            raise click.UsageError("nobody can be asked here; --yes says yes")
        click.confirm("Go on?", abort=True, err=True)
    with stoppable(), download_progress.shown() as arriving, build_progress.shown() as progress:
        summary = download(
            offer, target, Downloader(folder_of(target), progress=arriving), force=force, keep_going=keep_going,
            progress=progress, indexers=lambda: [TitleIndexer(target, settings.bib_index_dir)],
        )  # fmt: skip
    say(summary)


def _take(name: str, path: Path, target: Path, *, force: bool, keep_going: bool) -> None:
    """Make a file that is here a source of the database ``target``."""
    refuse_another_kind(BY_NAME[name], path)
    with stoppable(), build_progress.shown() as progress:
        indexers = [TitleIndexer(target, load().bib_index_dir)]
        if target.exists():
            summary = update(
                target, [path], force=force, keep_going=keep_going, progress=progress, indexers=indexers
            )  # fmt: skip
        else:
            summary = build([path], target, force=force, keep_going=keep_going, progress=progress, indexers=indexers)
    say(summary)


def _about(offer: Offer, target: Path) -> Iterator[str]:
    """Yield what to know before saying yes."""
    dump = offer.dump
    minutes = [duration(offer.size * 8 / speed) for speed in (SLOW, FAST)]
    yield f"{dump.title}: {dump.holds}"
    yield f"  from      {offer.url}"
    yield f"  into      {target}"
    yield f"  size      {size(offer.size)} to fetch, about {count(dump.records)} records in all"
    yield f"  time      {minutes[0]} at 10 Mbit/s, {minutes[1]} at 100, to fetch;"
    yield f"            about {duration(dump.seconds(offer.size))} to build on two cores"
    yield f"  disk      {size(offer.disk)} while it is built, of which the dump is dropped at the end"
    yield f"  licence   {dump.licence}"
