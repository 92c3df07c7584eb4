"""Build a bibliographic database from sources such as dumps.

The finished file replaces an old database atomically.
"""

import uuid
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from functools import partial
from math import ceil
from pathlib import Path
from typing import TypedDict, Unpack

from citeproof.database import schema
from citeproof.database.building.checkpoint import Checkpoints
from citeproof.database.building.existing import ExistingDatabase
from citeproof.database.building.filling import Filling
from citeproof.database.building.progress import Progress, Reporter
from citeproof.database.building.selection import Selection
from citeproof.database.building.source import Source, open_source
from citeproof.database.building.sources import NO_ORIGIN, Origin
from citeproof.database.building.title_indexer import TitleIndexer
from citeproof.database.title_index import signature
from citeproof.model.errors import BuildError, DatabaseError
from citeproof.model.version import __version__
from citeproof.store.files import replacing, resolved, sync
from citeproof.store.sql import on_failure
from citeproof.store.sqlite import APPLICATION_ID, ReadOnlyFile
from citeproof.text import normalize

MOST_NAMED = 5
"""Maximum number of error messages that are kept for a source. Further errors are only counted."""
# a database is replaced without ``force`` only if the new database has at least this share of the
# old number of records
_SHRUNK = 0.5


@dataclass(frozen=True, slots=True)
class Summary:
    """The result of the build of a database."""

    path: Path
    records: int
    bytes: int
    seconds: float
    skipped: dict[Path, int]  # map from the path of a source to the number of skipped entries
    # map from path of a source to number and first messages of errors
    faults: dict[Path, tuple[int, tuple[str, ...]]]
    # map from the path of a source to the number of records that ``only`` left out
    unselected: dict[Path, int]
    # map from the label of a newly read source, such as ``dblp``, to the number of records
    added: dict[str, int]


class Options(TypedDict, total=False):
    """The options of the build of a database."""

    # whether to replace a database with more than twice as many records, or a file of another
    # program
    force: bool
    # whether to skip and count broken lines and files of a source, instead of ending the build
    keep_going: bool
    only: Selection | None  # which records of new sources are stored; None for all
    # map from the path of a downloaded source to the URL and version
    origins: Mapping[Path, Origin]
    progress: Callable[[Progress], None]
    titles: TitleIndexer | None  # writer of the title index; None to write no title index


def build(sources: Sequence[Path], target: Path, **options: Unpack[Options]) -> Summary:
    """Build the database file ``target`` from ``sources``, which are files, folders or archives.

    ``target`` is unchanged until the new database is complete. Raises :class:`BuildError` if a
    source or ``target`` cannot be used. Without ``keep_going``, also raises :class:`BuildError` if
    a line or file of a source is broken.
    """
    if target.is_dir():
        raise BuildError(f"{target}: is a directory; name a file")
    _refuse_twice(sources, target)
    # Checks that may raise an error come before the long build.
    least = 0 if options.get("force") else ceil(_records_at(target) * _SHRUNK)
    with ExitStack() as stack:
        opened = _opened(sources, options, stack)
        return _written(opened, target, least, options)


def update(
    target: Path,
    sources: Sequence[Path] = (),
    *,
    without: Collection[str] = (),
    **options: Unpack[Options],
) -> Summary:
    """Add ``sources`` to the database ``target``.

    A new source replaces an old source of the same name.

    Old sources named in ``without`` are removed. Raises :class:`BuildError` as :func:`build` does.
    Without ``force``, also raises :class:`BuildError` if the database would lose over half of the
    records of the replaced sources.
    """
    _refuse_twice(sources, target)
    with closing(ExistingDatabase(target)) as existing, ExitStack() as stack:
        records = existing.records()
        if unknown := [name for name in without if name not in records]:
            raise BuildError(f"{target}: has no source {unknown[0]!r}; it has {', '.join(records)}")
        opened = _opened(sources, options, stack)
        replaced = {source.label for source in opened}
        kept = existing.sources(without={*replaced, *without})
        if not kept and not opened:
            raise BuildError(f"{target}: no source would be left; delete the file instead")
        stay = {name: number for name, number in records.items() if name not in without}
        least = sum(
            ceil(number * _SHRUNK) if name in replaced else number for name, number in stay.items()
        )
        return _written([*kept, *opened], target, 0 if options.get("force") else least, options)


def _opened(paths: Sequence[Path], options: Options, stack: ExitStack) -> list[Source]:
    origins = options.get("origins", {})
    return [
        stack.enter_context(closing(open_source(path, origins.get(path, NO_ORIGIN))))
        for path in paths
    ]


def _written(opened: Sequence[Source], target: Path, least: int, options: Options) -> Summary:
    """Build ``target`` from ``opened`` sources.

    Raises :class:`BuildError` if the new database has fewer than ``least`` records.
    """
    titles, plan = options.get("titles"), _plan(opened, options)
    reporter = Reporter(
        options.get("progress", lambda _: None),
        sum(source.size for source in opened),
        titles=bool(titles),
    )
    with (
        replacing(target, going_on=True) as building,
        closing(Checkpoints(building, plan)) as checkpoints,
        on_failure(titles.discard if titles else lambda: None),
    ):
        filling = Filling(
            building,
            opened,
            checkpoints,
            reporter,
            titles=titles,
            keep_going=options.get("keep_going", False),
            only=options.get("only"),
        )
        filling.fill()
        if filling.records < least:
            held = f"{_records_at(target):,} records and the new one only {filling.records:,}"
            raise BuildError(f"{target}: holds {held}; it stays. --force replaces it")
        sync(building)  # done here, so that the database is renamed right after the index
        if titles:
            titles.finish(building, partial(reporter.indexing, filling.records, "titles"))
        reporter.indexing(filling.records, "")
    read = list(zip(opened, filling.tallies, strict=True))
    added: Counter[str] = Counter()
    for source, tally in read:
        if source.from_file:
            added[source.label] += tally.records
    return Summary(
        target,
        filling.records,
        target.stat().st_size,
        reporter.seconds(),
        {source.path: tally.skipped for source, tally in read if tally.skipped},
        {
            source.path: (len(tally.faults), tuple(tally.faults[:MOST_NAMED]))
            for source, tally in read
            if tally.faults
        },
        {source.path: tally.unselected for source, tally in read if tally.unselected},
        dict(added),
    )


def _plan(sources: Sequence[Source], options: Options) -> list[object]:
    """Return values that identify a build, such as sources and options. A build continues a build
    that was killed only if these values are equal.
    """
    only = options.get("only")
    read = [
        (
            str(resolved(source.path)),
            # standard input cannot be read again
            source.path.stat().st_mtime_ns if source.path.exists() else uuid.uuid4(),
            source.size,
            source.label,
            source.origin[:-1],  # without the date of the download
        )
        for source in sources
    ]
    versions = __version__, schema.SCHEMA_VERSION, normalize.VERSION, signature.VERSION
    titles = options.get("titles")
    return [read, versions, options.get("keep_going"), only and only.parts, titles and titles.path]


def _records_at(target: Path) -> int:
    """Return the number of records in the database ``target``, or 0 if the file is missing.

    Raises :class:`BuildError` if the file is not a database of citeproof.
    """
    if not target.exists():
        return 0
    try:
        file = ReadOnlyFile(target)
    except DatabaseError:
        raise BuildError(f"{target}: exists and is not a database; --force replaces it") from None
    with closing(file):
        if file.application_id != APPLICATION_ID:
            raise BuildError(
                f"{target}: exists and was not built by citeproof; --force replaces it"
            )
        return int(file.rows("SELECT count(*) FROM publications")[0][0])


def _refuse_twice(sources: Sequence[Path], target: Path) -> None:
    """Raise :class:`BuildError` if a source is named twice, or is the same file as ``target``."""
    files, output = [resolved(path) for path in sources], resolved(target)
    for path, file in zip(sources, files, strict=True):
        if file == output:
            raise BuildError(f"{path}: is a source; write the database to another file")
        if files.count(file) > 1:
            raise BuildError(f"{path}: is named twice; its records would occur twice")
