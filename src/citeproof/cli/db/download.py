"""``citeproof db list`` and ``citeproof db download``: the known dumps, and one of them as a source of the database."""

from __future__ import annotations

import sys
import textwrap
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from citeproof.cli import progress
from citeproof.cli.amounts import count, duration, size
from citeproof.cli.db.build import FORCE, KEEP_GOING, say
from citeproof.cli.options import FILE
from citeproof.cli.stopping import stoppable
from citeproof.database.build.builder import build, update
from citeproof.database.build.download import BY_NAME, DUMPS, download, folder_of, look, refuse_another_kind
from citeproof.database.build.title_indexer import TitleIndexer
from citeproof.model.errors import BuildError, ConfigurationError
from citeproof.settings import default_database, load_own

if TYPE_CHECKING:
    from collections.abc import Iterator

    from citeproof.database.build.download import Offer

SLOW, FAST = 10e6, 100e6
"""Bits a second of two usual connections."""
_INDENT = " " * 18


@click.command("list")
def list_() -> None:
    """Show the dumps that 'citeproof db download' knows, with size, records and licence; nothing is asked online."""
    for dump in DUMPS:
        about = f"{count(dump.records)} records, {size(dump.bytes)} to fetch, {size(dump.disk(dump.bytes))} of disk"
        head = dump.name.ljust(len(_INDENT))
        for line in (
            f"{dump.title}: {dump.holds}",
            f"{about}; {dump.licence}",
            dump.by_hand and f"by hand: {dump.by_hand}",
        ):
            for part in textwrap.wrap(line, 80 - len(_INDENT), break_long_words=False, break_on_hyphens=False):
                click.echo(head + part)
                head = _INDENT


@click.command("download")
@click.argument("name", type=click.Choice(list(BY_NAME)), default="dblp", metavar="[NAME]")
@click.option("--from", "place", metavar="URL|FILE", help="Fetch it from a mirror, or take a file that is here.")
@click.option(
    "--output", "-o", type=FILE, metavar="FILE", help="The database.  [default: the one that all commands use]"
)
@click.option("--yes", "-y", is_flag=True, help="Do not ask.")
@FORCE
@KEEP_GOING
def fetch(name: str, place: str | None, output: Path | None, *, yes: bool, force: bool, keep_going: bool) -> None:
    """Fetch the dump NAME (see 'citeproof db list') and build the database that all commands use.

    A database that is there keeps its other sources. A second call fetches only what has changed, and goes on where a
    call was cut. It says size, time, disk and licence, and asks.
    """
    from citeproof.online.net.download import Downloader  # imported late, with the HTTP client

    settings = load_own()
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
    with stoppable(), progress.fetching() as arriving, progress.building() as shown:
        summary = download(
            offer, target, Downloader(folder_of(target), progress=arriving), force=force, keep_going=keep_going,
            progress=shown, indexers=lambda: [TitleIndexer(target, settings.bib_index_dir)],
        )  # fmt: skip
    say(summary)


def _take(name: str, path: Path, target: Path, *, force: bool, keep_going: bool) -> None:
    """Make a file that is here a source of the database ``target``."""
    refuse_another_kind(BY_NAME[name], path)
    with stoppable(), progress.building() as shown:
        indexers = [TitleIndexer(target, load_own().bib_index_dir)]
        write = partial(update, target, [path]) if target.exists() else partial(build, [path], target)
        summary = write(force=force, keep_going=keep_going, progress=shown, indexers=indexers)
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
