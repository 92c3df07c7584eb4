"""``citeproof db``: get, build, describe and check a bibliographic database."""

import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import click

from citeproof.cli import progress
from citeproof.cli.options import FILE, REPORT
from citeproof.cli.output import say, stoppable
from citeproof.cli.progress import count, duration, size
from citeproof.database.building import builder
from citeproof.database.building.download import (
    Offer,
    download,
    folder_of,
    look,
    refuse_another_kind,
)
from citeproof.database.building.dry_run import dry_run
from citeproof.database.building.dumps import BY_NAME, DUMPS, Dump
from citeproof.database.building.selection import selection_of
from citeproof.database.building.title_indexer import TitleIndexer, create
from citeproof.database.check import check as checks
from citeproof.database.check import deep_check
from citeproof.database.choice import choose_database
from citeproof.database.choice import info as description
from citeproof.database.lookup import Database
from citeproof.database.schema import TITLE_LETTERS
from citeproof.database.title_index.format import index_path
from citeproof.model.errors import BuildError, ConfigurationError, Exit, InputError
from citeproof.report.terminal import description_lines, venue_lines
from citeproof.report.wording import wrapped
from citeproof.settings import default_database, load, load_own

_DATABASE = click.argument("database", type=FILE, metavar="FILE")
_SOURCES = click.argument("sources", nargs=-1, required=True, type=FILE, metavar="SOURCE...")
_FORCE = click.option(
    "--force",
    is_flag=True,
    help=(
        "Replace an existing file, even if it is a database with far more records, or a file of "
        "another program."
    ),
)
_KEEP_GOING = click.option(
    "--keep-going", is_flag=True, help="Leave out broken lines and parts of a dump, and count them."
)
_ONLY = click.option(
    "--only",
    multiple=True,
    metavar="LIST",
    help=(
        "Take only records of these years (2015-2024), fields (cs, ml), ISSNs "
        "(issn:1234-5678) and venues, separated by commas; @FILE has one per line."
    ),
)


@click.group()
def command() -> None:
    """Get, build, describe and check a bibliographic database."""


@command.command("list", short_help="Show the dumps that can be downloaded.")
def list_() -> None:
    """List the dumps that 'citeproof db download' can download, with size, records and licence. No
    connection is opened.
    """
    for dump in DUMPS:
        about = (
            f"{count(dump.records)} records, {size(dump.bytes)} to fetch,"
            f" {size(dump.disk(dump.bytes))} of disk"
        )
        click.echo(wrapped(f"{dump.title}: {dump.holds}", f"{dump.name:<18}"))
        click.echo(wrapped(f"{about}; {dump.licence}", " " * 18))
        if dump.by_hand:
            click.echo(wrapped(f"by hand: {dump.by_hand}", " " * 18))


@command.command("download", short_help="Download a dump and build the database from it.")
@click.argument("name", type=click.Choice(list(BY_NAME)), default="dblp", metavar="[NAME]")
@click.option(
    "--from", "place", metavar="URL|FILE", help="Download from a mirror, or use a local file."
)
@click.option(
    "--output",
    "-o",
    type=FILE,
    metavar="FILE",
    help="The database to write.  [default: the database that all commands use]",
)
@click.option(
    "--dry-run",
    "cited",
    type=FILE,
    metavar="PAPER",
    help=(
        "Download nothing; count the works cited in PAPER that the database lacks and the dump "
        "may have."
    ),
)
@click.option("--yes", "-y", is_flag=True, help="Do not ask before the download.")
@_ONLY
@_FORCE
@_KEEP_GOING
def fetch(
    name: str,
    place: str | None,
    output: Path | None,
    cited: Path | None,
    only: tuple[str, ...],
    *,
    yes: bool,
    force: bool,
    keep_going: bool,
) -> None:
    """Download the dump NAME (see 'citeproof db list') and build the database that all commands
    use.

    The other sources of an existing database are kept. The command shows size, time, disk space and
    licence, and asks before it begins. If you run it again, it resumes an interrupted download, and
    downloads only what has changed.
    """
    from citeproof.online.net.download import Downloader  # imported late, with the HTTP client

    settings = load_own()
    target = output or settings.bib_db or default_database()
    dump = BY_NAME[name]
    writing: dict[str, Any] = {
        "force": force,
        "keep_going": keep_going,
        "only": selection_of(only),
    }
    if cited:
        here = Path(place) if place and "://" not in place else None
        click.echo("\n".join(_dry_run(dump, cited, target, here)))
        return
    if place and "://" not in place:
        refuse_another_kind(dump, Path(place))
        sources = [Path(place)]
        build = (
            partial(builder.update, target, sources)
            if target.exists()
            else partial(builder.build, sources, target)
        )
        _write(target, settings.bib_index_dir, build, **writing)
        return
    if place and not place.startswith(("http://", "https://")):
        raise click.UsageError(f"--from: {place} is neither a file nor a URL of http or https")
    if settings.offline:
        raise ConfigurationError(
            "the setting offline is on, so nothing can be downloaded; --from takes a local file"
        )
    offer = look(dump, target, Downloader(folder_of(target)), place or "")
    if offer is None:
        click.echo(
            f"{target}: already has the newest {dump.title} of {place or dump.url}; nothing "
            "to download"
        )
        return
    click.echo("\n".join(_about(offer, target)), err=True)
    if offer.disk > offer.free:
        space = f"{size(offer.disk)} are needed, and {size(offer.free)} are free"
        raise BuildError(f"{target.parent}: {space}; name a file in another folder with --output")
    if not yes:
        if not sys.stdin.isatty():
            raise click.UsageError(
                "standard input is not a terminal, so citeproof cannot ask; --yes answers yes"
            )
        click.confirm("Go on?", abort=True, err=True)
    with stoppable(building=True), progress.fetching() as arriving, progress.building() as shown:
        downloader = Downloader(folder_of(target), progress=arriving)
        summary = download(
            offer, target, downloader, settings.bib_index_dir, **writing, progress=shown
        )
    _print_summary(summary)


@command.command("build", short_help="Build a database from dumps and bibliographies.")
@_SOURCES
@click.option(
    "--output", "-o", required=True, type=FILE, metavar="FILE", help="The database to write."
)
@_ONLY
@_FORCE
@_KEEP_GOING
def new(sources: tuple[Path, ...], output: Path, only: tuple[str, ...], **options: bool) -> None:
    """Build a database from dumps and bibliographies: files, folders and archives.

    An existing FILE is replaced only when the new database is complete.
    """
    build = partial(builder.build, sources, output, only=selection_of(only))
    _write(output, load().bib_index_dir, build, **options)


@command.command(short_help="Add sources to a database, or replace them.")
@_DATABASE
@_SOURCES
@_ONLY
@_FORCE
@_KEEP_GOING
def update(
    database: Path, sources: tuple[Path, ...], only: tuple[str, ...], **options: bool
) -> None:
    """Add each SOURCE to the database FILE. A SOURCE replaces the source of the same name.

    All other sources stay. FILE changes only when the new database is complete.
    """
    build = partial(builder.update, database, sources, only=selection_of(only))
    _write(database, load().bib_index_dir, build, **options)


@command.command(short_help="Remove sources from a database.")
@_DATABASE
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
def remove(database: Path, names: tuple[str, ...]) -> None:
    """Remove each source called NAME from the database FILE. 'citeproof db info' shows the names.

    All other sources stay. FILE changes only when the new database is complete.
    """
    _write(database, load().bib_index_dir, partial(builder.update, database), without=names)


@command.command(
    short_help="Build the title index of a database, also of a database that another tool made."
)
@_DATABASE
@click.option(
    "--index-dir",
    type=FILE,
    metavar="FOLDER",
    help="Folder of the index.  [default: the setting bib_index_dir, else the database's folder]",
)
def index(database: Path, index_dir: Path | None) -> None:
    """Build the title index of a database, also of a database that another tool made.

    With the index, a look-up proves that no title in the database is more similar than the titles
    found. The database does not change. The index is the file FILE.titles; an old index is replaced
    only when the new one is complete.
    """
    started = time.monotonic()
    index_dir = load(bib_index_dir=index_dir).bib_index_dir
    with stoppable(building=True):
        header = create(database, index_dir)
    written = f"{header.titles:,} titles of {header.records:,} records, {header.size / 1e6:,.1f} MB"
    click.echo(
        f"{index_path(database, index_dir)}: {written}, in {time.monotonic() - started:,.1f} s"
    )


@command.command(
    short_help="Show what a database contains, or what the name of a venue means in it."
)
@click.argument("database", type=FILE, metavar="[FILE]", required=False)
@click.option(
    "--venue",
    metavar="NAME",
    help="Show which venues the name of a journal or conference may mean.",
)
@REPORT
def info(database: Path | None, venue: str | None, report: str) -> None:
    """Show what a database contains: sources with date and licence, numbers of records by type and
    year, size and indexes.

    Without FILE, the command shows the database that the other commands use.
    """
    settings = load(bib_db=database)
    path, notes = choose_database(settings)
    with Database.open(path, index_dir=settings.bib_index_dir) as opened:
        if venue is None:
            described = description(opened)
            lines = description_lines(described)
        else:
            taken = opened.venues.explained(venue)
            venues = [
                dict(zip(("venue", "names", "years"), one, strict=True)) for one in taken.venues
            ]
            described = {"name": taken.name, "why": taken.why, "venues": venues}
            lines = venue_lines(taken)
    click.echo(
        json.dumps(described, ensure_ascii=False, indent=2)
        if report == "json"
        else "\n".join(lines)
    )
    say(*notes)


@command.command(short_help="Check a database and its indexes for damage.")
@_DATABASE
@click.option(
    "--deep",
    is_flag=True,
    help=(
        "Also read the whole title index, and compare its results with a comparison of all titles."
    ),
)
@REPORT
def check(database: Path, report: str, *, deep: bool) -> Exit:
    """Check a database and its indexes for damage.

    Exit codes: 0 undamaged, 1 damaged, 2 FILE cannot be read at all.
    """
    with Database.open(database, index_dir=load().bib_index_dir, titles_in_memory=False) as opened:
        findings = [*checks(opened), *(deep_check(opened) if deep else ())]
    sound = all(finding.sound for finding in findings)
    if report == "json":
        described = {"path": str(database), "sound": sound, "checks": list(map(asdict, findings))}
        click.echo(json.dumps(described, ensure_ascii=False, indent=2))
    else:
        for finding in findings:
            click.echo(
                f"{'ok' if finding.sound else 'BAD':<4}{finding.subject:<13}{finding.detail}"
            )
        click.echo(f"{database}: {'sound' if sound else 'not sound'}")
    return Exit.CLEAN if sound else Exit.FLAGGED


def _write(
    target: Path, index_dir: Path | None, build: Callable[..., builder.Summary], **options: Any
) -> None:
    with stoppable(building=True), progress.building() as shown:
        _print_summary(build(**options, progress=shown, titles=TitleIndexer(target, index_dir)))


def _print_summary(summary: builder.Summary) -> None:
    """Print the size of a new database and, on standard error, how many entries were left out and
    why.
    """
    for path, left_out in summary.skipped.items():
        title = f"not a work, no title, a title of more than {TITLE_LETTERS:,} letters"
        hint = f"; `citeproof verify {path}` shows them" if path.suffix == ".bib" else ""
        say(
            f"{path}: entries left out: {left_out:,} (not readable, {title}, or an impossible"
            f" year){hint}"
        )
    for path, left_out in summary.unselected.items():
        say(f"{path}: not selected by --only: {left_out:,}")
    for path, (broken, first) in summary.faults.items():
        say(f"{path}: broken and left out: {broken:,}", *(f"  {fault}" for fault in first))
        if broken > builder.MOST_NAMED:
            say(f"  ... and {broken - builder.MOST_NAMED:,} more")
    rate = summary.records / max(summary.seconds, 1e-9)
    written = f"{summary.path}: {summary.records:,} records, {summary.bytes / 1e6:,.1f} MB"
    click.echo(f"{written}, in {summary.seconds:,.1f} s ({rate:,.0f} records/s)")


def _dry_run(dump: Dump, cited: Path, target: Path, here: Path | None) -> Iterator[str]:
    """Yield lines that say how many works cited in the paper ``cited`` can be found in ``dump``.

    ``here`` is the dump as a file. Without it, only an upper limit of this number is known.
    ``target`` is the existing database, whose works are not counted.
    """
    if here:
        refuse_another_kind(dump, here)
    from citeproof.readers.formats import read_all  # late
    from citeproof.readers.papers import open_file

    papers = read_all(open_file(cited))
    references = [reference for paper in papers for reference in paper.references]
    if not references:
        raise InputError(f"{cited}: has no reference that can be read")
    with ExitStack() as stack:
        database = stack.enter_context(Database.open(target)) if target.exists() else None
        counted = dry_run(references, database, here)
    others = counted.identified - counted.known
    share = f"{(others if counted.found is None else counted.found) / counted.references:.0%}"
    identified = f"with a DOI or an arXiv identifier: {counted.identified:,}"
    yield f"{cited}: references: {counted.references:,}; {identified}"
    if database:
        yield f"{target}: already has {counted.known:,} of these works"
    if not others:
        why = (
            "the database already has these works"
            if counted.identified
            else "no reference has a DOI or an arXiv identifier"
        )
        yield f"{here or dump.title}: nothing to count, because {why}"
    elif counted.found is None:
        most = f"may have at most {others:,} more ({share} of all references)"
        yield f"{dump.title}: {most}; with --from FILE, those in a downloaded dump are counted"
    elif counted.found:
        yield f"{here}: has {counted.found:,} of the other {others:,} ({share} of all references)"
    else:
        yield f"{here}: has none of the other {others:,}"


def _about(offer: Offer, target: Path) -> Iterator[str]:
    """Yield the lines about size, time, disk space and licence that are shown before a download."""
    dump = offer.dump
    slow, fast = duration(offer.size * 8 / 10e6), duration(offer.size * 8 / 100e6)
    yield f"{dump.title}: {dump.holds}"
    yield f"  from      {offer.url}"
    yield f"  into      {target}"
    yield f"  size      {size(offer.size)} to fetch, about {count(dump.records)} records in all"
    yield f"  time      {slow} at 10 Mbit/s, {fast} at 100, to fetch;"
    yield f"            about {duration(dump.seconds(offer.size))} to build on two cores"
    yield f"  disk      {size(offer.disk)} while it is built; the dump is deleted at the end"
    yield f"  licence   {dump.licence}"
