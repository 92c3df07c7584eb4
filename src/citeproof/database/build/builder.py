"""Builds a bibliographic database: reads the sources, fills a new file, and puts it in place in one step."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from math import ceil
from pathlib import Path
from typing import Protocol

from citeproof.database import coverage, schema
from citeproof.database.build.author_index import AuthorIndexBuilder, keys_of
from citeproof.database.build.opening import Source, open_source
from citeproof.database.build.reading import Frame, frames_beside, is_worth_a_process
from citeproof.database.build.sources import NO_ORIGIN, Origin
from citeproof.database.build.standing import Standing
from citeproof.database.build.venues import VenuesBeside
from citeproof.database.venues import table as venue_table
from citeproof.database.venues import volumes
from citeproof.model.errors import BuildError, DatabaseError
from citeproof.model.version import __version__
from citeproof.store.bulk import BulkFile
from citeproof.store.replacement import replacing, resolved, sync
from citeproof.store.sqlite import APPLICATION_ID, ReadOnlyFile
from citeproof.text import normalize

STEPS = ("words", "identifiers", "authors", "venues", "coverage", "file")
"""Steps after all records are read; the indexers follow."""
MOST_NAMED = 5
"""Maximum broken lines and parts of a source that are named; the others are counted."""
SHRUNK = 0.5
"""Minimum share of the records of the replaced database; a build with fewer needs ``force``."""


@dataclass(frozen=True, slots=True)
class Progress:
    """Progress of a build."""

    stage: str
    """``reading``, then ``indexing``."""
    read: int
    """Bytes read of :attr:`size`, of all sources."""
    size: int
    records: int
    seconds: float
    indexed: float = 0.0
    """Share of the indexing that is done, 0 to 1; each step counts the same."""
    step: str = ""
    """The present step: one of :data:`STEPS`, or the name of an indexer."""


@dataclass(frozen=True, slots=True)
class Summary:
    """The result of a build."""

    path: Path
    records: int
    bytes: int
    seconds: float
    skipped: dict[Path, int]
    """Number of skipped entries of each source that has any."""
    faults: dict[Path, tuple[int, tuple[str, ...]]]
    """Number of broken lines and parts of each source that has any, and the first of them."""
    added: dict[str, int]
    """Number of records of each source that was read, by its label."""


class Indexer(Protocol):
    """An index outside the database that is built with it, such as the title index."""

    name: str
    """Name that is shown as a step."""

    def begin(self, *, beside: bool) -> None:
        """Prepare to add titles; ``beside`` says that a child process is faster."""

    def add(self, first_id: int, titles: Sequence[str], normalized: Sequence[str]) -> None:
        """Add the raw and normalised titles of consecutive records from ``first_id`` on."""

    def end(self) -> None:
        """No more titles are added. Long work may begin in a child process."""

    def finish(self, database: Path, progress: Callable[[float], None]) -> None:
        """Complete the index of the finished file ``database``, which is put in place right afterwards.

        ``progress`` is called with the share that is done, 0 to 1.
        """

    def discard(self) -> None:
        """Remove everything: the build has failed."""


def build(
    sources: Sequence[Path],
    target: Path,
    *,
    force: bool = False,
    keep_going: bool = False,
    origins: Mapping[Path, Origin] | None = None,
    progress: Callable[[Progress], None] = lambda _: None,
    indexers: Sequence[Indexer] = (),
) -> Summary:
    """Build the database ``target`` from ``sources`` in bounded memory.

    Args:
        sources: files, folders or archives.
        target: the file to write. It is unchanged until the new one is complete.
        force: also replace a database with more than twice the records, or a file of another program.
        keep_going: leave out broken lines and parts, and count them.
        origins: where sources were fetched.
        progress: called with the progress.
        indexers: indexes outside the database to build with it.

    Raises:
        BuildError: a source or the target cannot be used, or without ``keep_going`` a part of a source is broken.
    """
    if target.is_dir():
        raise BuildError(f"{target}: is a directory; name a file")
    _refuse_twice(sources, target)
    least = 0 if force else ceil(_records_at(target) * SHRUNK)  # before a long build, not after it
    with _opened(sources, origins) as opened:
        return _written(opened, target, least, keep_going, progress, indexers)


def update(
    target: Path,
    sources: Sequence[Path] = (),
    *,
    without: Collection[str] = (),
    force: bool = False,
    keep_going: bool = False,
    origins: Mapping[Path, Origin] | None = None,
    progress: Callable[[Progress], None] = lambda _: None,
    indexers: Sequence[Indexer] = (),
) -> Summary:
    """Add ``sources`` to the database ``target``, each in place of the source of its name; the others stay.

    ``without`` names sources to leave out. All indexes are built anew, so this takes as long as a build. Arguments and
    errors are those of :func:`build`; a source that would shrink to less than half needs ``force``.
    """
    _refuse_twice(sources, target)
    standing = Standing.open(target)
    try:
        if unknown := [name for name in without if name not in standing.names]:
            raise BuildError(f"{target}: has no source {unknown[0]!r}; it has {', '.join(standing.names)}")
        with _opened(sources, origins) as opened:
            replaced = {source.label for source in opened}
            kept = standing.sources(without={*replaced, *without})
            if not kept and not opened:
                raise BuildError(f"{target}: no source would be left; delete the file instead")
            least = (
                0
                if force
                else sum(
                    standing.records_of(name) if name not in replaced else ceil(standing.records_of(name) * SHRUNK)
                    for name in standing.names
                    if name not in without
                )
            )
            return _written([*kept, *opened], target, least, keep_going, progress, indexers)
    finally:
        standing.close()


@contextmanager
def _opened(paths: Sequence[Path], origins: Mapping[Path, Origin] | None) -> Iterator[list[Source]]:
    with ExitStack() as stack:
        opened: list[Source] = []
        for path in paths:
            source = open_source(path, (origins or {}).get(path, NO_ORIGIN))
            stack.callback(source.file.close)
            opened.append(source)
        yield opened


def _written(
    opened: Sequence[Source],
    target: Path,
    least: int,
    keep_going: bool,
    progress: Callable[[Progress], None],
    indexers: Sequence[Indexer],
) -> Summary:
    """Write the database ``target`` of the ``opened`` sources; it must have at ``least`` so many records."""
    started = time.monotonic()
    try:
        with replacing(target) as building:
            filling = _Filling(building, indexers, progress, started, keep_going)
            records = filling.fill(opened)
            skipped = {path: count for path, count in filling.skipped.items() if count}
            _refuse_shrinking(target, least, records)
            sync(building)  # so that the database is renamed right after its index
            for number, indexer in enumerate(indexers, len(STEPS)):
                indexer.finish(building, partial(filling.report_indexing, number, indexer.name))
            filling.report_indexing(len(STEPS) + len(indexers), "")
    except BaseException:
        for indexer in indexers:
            indexer.discard()
        raise
    seconds = time.monotonic() - started
    return Summary(target, records, target.stat().st_size, seconds, skipped, filling.faults, filling.added)


class _Filling:
    """The new file that is written."""

    def __init__(
        self,
        path: Path,
        indexers: Sequence[Indexer],
        progress: Callable[[Progress], None],
        started: float,
        keep_going: bool,
    ) -> None:
        self._path = path
        self._file = BulkFile(path, APPLICATION_ID)
        self._venues: VenuesBeside | None = None
        """The child process that learns venues, in a large build."""
        self._authors = AuthorIndexBuilder(path.parent)
        self._indexers = indexers
        self._report = progress
        self._started = started
        self._records = self._size = 0
        self._checksum = 0
        self._keep_going = keep_going
        self.skipped: dict[Path, int] = {}
        self.faults: dict[Path, tuple[int, tuple[str, ...]]] = {}
        self.added: dict[str, int] = {}

    def fill(self, sources: Sequence[Source]) -> int:
        """Write everything, close the file and return the number of records."""
        try:
            self._file.execute(schema.TABLES + schema.WORD_INDEX)
            self._file.execute(schema.WORD_INDEX_WRITING)
            size = sum(source.file.size for source in sources)
            before = 0
            for indexer in self._indexers:
                indexer.begin(beside=is_worth_a_process(size))
            for source in sources:
                self._fill_from(source, before, size)
                before += source.file.size
            for indexer in self._indexers:
                indexer.end()
            if is_worth_a_process(size):
                self._file.settle()
                self._venues = VenuesBeside(self._path)
            self._size = size
            for number, (step, work) in enumerate(zip(STEPS, self._indexing(), strict=True)):
                self.report_indexing(number, step)
                work()
        except BaseException:
            self._file.discard()
            raise
        finally:
            self._authors.close()
            if self._venues:
                self._venues.close()
        return self._records

    def report_indexing(self, steps: int, step: str, share: float = 0.0) -> None:
        """Report that ``steps`` of the indexing are done, and a ``share`` of ``step``."""
        indexed = (steps + share) / (len(STEPS) + len(self._indexers))
        self._report(Progress("indexing", self._size, self._size, self._records, self._seconds(), indexed, step))

    def _indexing(self) -> tuple[Callable[[], object], ...]:
        """Return the work of each of :data:`STEPS`."""
        return (
            partial(self._file.execute, schema.WORD_INDEX_WHOLE),
            partial(self._file.execute, schema.INDEXES),
            partial(self._authors.write, self._file),
            partial(self._venues.write if self._venues else volumes.learn, self._file),
            partial(coverage.learn, self._file),
            self._complete,
        )

    def _complete(self) -> None:
        self._describe()
        venue_table.seal(self._file)
        self._file.finish()

    def _seconds(self) -> float:
        return time.monotonic() - self._started

    def _fill_from(self, source: Source, before: int, size: int) -> None:
        records = skipped = notices = 0
        date: str | None = None
        faults: list[str] = []
        for frame in frames_beside(source, keep_going=self._keep_going):
            self._take(frame)
            self._file.execute_many(schema.INSERT_NOTICE, frame.notices)
            records += len(frame.rows)
            notices += len(frame.notices)
            faults += frame.faults
            date = max(filter(None, (date, frame.date)), default=None)
            skipped += frame.skipped
            position = before + frame.position
            self._report(Progress("reading", position, size, self._records, self._seconds()))
        path = source.file.path
        if not records and not notices:
            left_out = f"; entries left out: {skipped:,}" if skipped else ""
            raise BuildError(f"{path}: holds no publication{left_out}")
        described = (
            source.label, source.name, source.format, source.licence, date, source.file.size, records, skipped,
            len(faults) + source.faults, notices, *(value or None for value in source.origin),
        )  # fmt: skip
        self._file.execute(schema.INSERT_SOURCE, described)
        self.skipped[path] = skipped
        if faults:
            self.faults[path] = len(faults), tuple(faults[:MOST_NAMED])
        if source.from_file:
            self.added[source.label] = self.added.get(source.label, 0) + records

    def _take(self, frame: Frame) -> None:
        """Write the records of ``frame`` and add them to all indexes."""
        first_id = self._records + 1
        titles = [str(row[schema.TITLE]) for row in frame.rows]
        stored = ((number, *row, schema.row_checksum(row) ^ number) for number, row in enumerate(frame.rows, first_id))
        self._file.execute_many(schema.INSERT, stored)
        self._file.execute_many(schema.INSERT_WORDS, list(enumerate(frame.titles, first_id)))
        self._authors.add(first_id, *keys_of(frame.rows))
        for indexer in self._indexers:
            indexer.add(first_id, titles, frame.titles)
        self._checksum = schema.checksum(titles, self._checksum)
        self._records += len(frame.rows)

    def _describe(self) -> None:
        described = {
            "schema_version": schema.SCHEMA_VERSION,
            "normalization_version": normalize.VERSION,
            "records": self._records,
            "titles_checksum": self._checksum,
            "build_id": uuid.uuid4().hex,
            "built": datetime.now(UTC).isoformat(timespec="seconds"),
            "built_with": f"citeproof {__version__}",
        }
        self._file.execute_many("INSERT INTO meta VALUES (?, ?)", [(k, str(v)) for k, v in described.items()])


def _records_at(target: Path) -> int:
    """Return the number of records of the database at ``target``; raise :class:`BuildError` for another file."""
    if not target.exists():
        return 0
    try:
        file = ReadOnlyFile(target)
    except DatabaseError:
        raise BuildError(f"{target}: exists and is no database; --force replaces it") from None
    try:
        if file.application_id != APPLICATION_ID:
            raise BuildError(f"{target}: exists and was not built by citeproof; --force replaces it")
        ((records,),) = file.rows("SELECT count(*) FROM publications")
    finally:
        file.close()
    return int(records)


def _refuse_twice(sources: Sequence[Path], target: Path) -> None:
    """Raise :class:`BuildError` if a file is named twice, or as source and target."""
    files, output = [resolved(path) for path in sources], resolved(target)
    for path, file in zip(sources, files, strict=True):
        if file == output:
            raise BuildError(f"{path}: is a source; write the database to another file")
        if files.count(file) > 1:
            raise BuildError(f"{path}: is named twice; its records would be there twice")


def _refuse_shrinking(target: Path, least: int, records: int) -> None:
    """Raise :class:`BuildError` if the new file has fewer than ``least`` ``records``."""
    if records < least:
        standing = _records_at(target)
        raise BuildError(
            f"{target}: holds {standing:,} records and the new one only {records:,}; it stays. --force replaces it"
        )
