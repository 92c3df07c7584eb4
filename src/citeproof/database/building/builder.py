"""Build a bibliographic database from sources such as dumps.

The finished file replaces an old database atomically.
"""

import time
import uuid
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from math import ceil
from pathlib import Path
from typing import TypedDict, Unpack

from citeproof.database import coverage, schema
from citeproof.database.building import author_index, identifier_index
from citeproof.database.building.child import Child
from citeproof.database.building.existing import ExistingDatabase
from citeproof.database.building.key_pairs import KeyPairs
from citeproof.database.building.packing import Names
from citeproof.database.building.selection import Selection
from citeproof.database.building.source import Source, is_worth_a_process, open_source, read
from citeproof.database.building.sources import NO_ORIGIN, Batch, Origin
from citeproof.database.building.title_indexer import TitleIndexer
from citeproof.database.venues import table as venue_table
from citeproof.database.venues import volumes
from citeproof.model.errors import BuildError, DatabaseError
from citeproof.model.version import __version__
from citeproof.store.files import replacing, resolved, sync
from citeproof.store.sql import on_failure
from citeproof.store.sqlite import APPLICATION_ID, BulkFile, ReadOnlyFile
from citeproof.text import normalize

STEPS = ("words", "identifiers", "authors", "venues", "coverage", "file")
"""Names of the steps of a build, in order, after all records are read and before the title index is
written.
"""
MOST_NAMED = 5
"""Maximum number of error messages that are kept for a source. Further errors are only counted."""
# minimum ratio of the new to the old number of records for replacing a database without ``force``
_SHRUNK = 0.5


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of the build of a database, for a callback."""

    stage: str  # ``reading`` while sources are read, then ``indexing``
    read: int  # number of bytes read so far, out of ``size`` bytes in all sources
    size: int
    records: int
    seconds: float
    # finished fraction of the indexing, 0 to 1; all steps have the same weight
    indexed: float = 0.0
    # current step of the indexing: one of ``STEPS``, or ``titles`` for the title index
    step: str = ""


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

    # whether to replace even a database with more than twice as many records, or a file of another
    # program
    force: bool
    # whether to skip and count broken lines and files of a source, instead of ending the build
    keep_going: bool
    only: Selection | None  # which records of new sources are taken; None for all
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
    # An error is raised before a long build, not after it.
    least = 0 if options.get("force") else ceil(_records_at(target) * _SHRUNK)
    with ExitStack() as stack:
        return _written(_opened(sources, options, stack), target, least, options)


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

    Raises :class:`BuildError` for fewer than ``least`` records.
    """
    titles = options.get("titles")
    with on_failure(titles.discard if titles else lambda: None), replacing(target) as building:
        filling = _Filling(building, sum(source.size for source in opened), options)
        filling.fill(opened)
        if filling.records < least:
            held = f"{_records_at(target):,} records and the new one only {filling.records:,}"
            raise BuildError(f"{target}: holds {held}; it stays. --force replaces it")
        sync(building)  # so that the database is renamed right after its index
        if titles:
            titles.finish(building, partial(filling.report_indexing, len(STEPS), "titles"))
        filling.report_indexing(len(STEPS) + bool(titles), "")
    size, seconds = target.stat().st_size, filling.seconds()
    return Summary(
        target,
        filling.records,
        size,
        seconds,
        filling.skipped,
        filling.faults,
        filling.unselected,
        filling.added,
    )


class _Filling:
    """A new database file that a build is filling with records and indexes."""

    def __init__(self, path: Path, size: int, options: Options) -> None:
        self._path, self._size = path, size
        self._file = BulkFile(path, APPLICATION_ID)
        self._names = Names()
        self._authors, self._identifiers = KeyPairs(path.parent), KeyPairs(path.parent)
        self._titles = options.get("titles")
        self._report: Callable[[Progress], None] = options.get("progress", lambda _: None)
        self._keep_going = options.get("keep_going", False)
        self._only = options.get("only")
        self._started = time.monotonic()
        self.records = self._checksum = 0
        self.skipped: dict[Path, int] = {}
        self.faults: dict[Path, tuple[int, tuple[str, ...]]] = {}
        self.unselected: dict[Path, int] = {}
        self.added: dict[str, int] = {}

    def fill(self, sources: Sequence[Source]) -> None:
        with ExitStack() as stack, on_failure(self._file.discard):
            stack.callback(self._authors.close)
            stack.callback(self._identifiers.close)
            self._file.execute(schema.TABLES + schema.WORD_INDEX)
            self._file.execute(schema.WORD_INDEX_WRITING)
            if self._titles:
                self._titles.begin(beside=is_worth_a_process(self._size))
            before = 0
            for source in sources:
                self._fill_from(source, before)
                before += source.size
            if self._titles:
                self._titles.end()
            self._index(stack)

    def _index(self, stack: ExitStack) -> None:
        """Run the :data:`STEPS` of a build.

        ``stack`` is the ExitStack that ends the child process of a large build.
        """
        venues: Child | None = None
        if is_worth_a_process(self._size):
            self._file.settle()
            venues = Child(
                "the process that learnt its venues was stopped", volumes.learn_beside, self._path
            )
            stack.callback(venues.close)
            venues.receive()  # it has opened the file
        indexing: tuple[Callable[[], object], ...] = (
            partial(self._file.execute, schema.WORD_INDEX_WHOLE),
            self._index_identifiers,
            partial(author_index.write, self._authors, self._file),
            lambda: volumes.write(
                self._file, venues.receive() if venues else volumes.learnt(self._file)
            ),
            partial(coverage.learn, self._file),
            self._complete,
        )
        for number, (step, work) in enumerate(zip(STEPS, indexing, strict=True)):
            self.report_indexing(number, step)
            work()

    def _index_identifiers(self) -> None:
        self._file.execute(schema.INDEXES)
        identifier_index.write(self._identifiers, self._file)

    def report_indexing(self, steps: int, step: str, share: float = 0.0) -> None:
        """Report that ``steps`` steps are finished.

        ``share`` is the finished fraction of the current ``step``.
        """
        indexed = (steps + share) / (len(STEPS) + bool(self._titles))
        self._report(
            Progress(
                "indexing", self._size, self._size, self.records, self.seconds(), indexed, step
            )
        )

    def seconds(self) -> float:
        return time.monotonic() - self._started

    def _fill_from(self, source: Source, before: int) -> None:
        records = skipped = unselected = notices = 0
        date: str | None = None
        faults: list[str] = []
        for batch in read(source, keep_going=self._keep_going, only=self._only):
            self._take(batch)
            self._file.execute_many(schema.INSERT_NOTICE, batch.notices)
            records += len(batch.rows)
            notices += len(batch.notices)
            faults += batch.faults
            date = max(filter(None, (date, batch.date)), default=None)
            skipped += batch.skipped
            unselected += batch.unselected
            self._report(
                Progress(
                    "reading", before + batch.position, self._size, self.records, self.seconds()
                )
            )
        path = source.path
        if not records and not notices:
            left_out = f"; entries left out: {skipped:,}" if skipped else ""
            left_out += f"; not selected by --only: {unselected:,}" if unselected else ""
            raise BuildError(f"{path}: holds no publication{left_out}")
        described = (
            source.label,
            source.name,
            source.format,
            source.licence,
            date,
            source.size,
            records,
            skipped,
            len(faults) + source.faults,
            notices,
            *(value or None for value in source.origin),
        )
        self._file.execute(schema.INSERT_SOURCE, described)
        if skipped:
            self.skipped[path] = skipped
        if unselected:
            self.unselected[path] = unselected
        if faults:
            self.faults[path] = len(faults), tuple(faults[:MOST_NAMED])
        if source.from_file:
            self.added[source.label] = self.added.get(source.label, 0) + records

    def _take(self, batch: Batch) -> None:
        first_id = self.records + 1
        titles = [str(row[schema.TITLE]) for row in batch.rows]
        packed = self._names.packed(first_id, batch.rows)
        self._file.execute_many(schema.INSERT_NAME, self._names.taken())
        self._file.execute_many(schema.INSERT, packed)
        self._file.execute_many(schema.INSERT_WORDS, list(enumerate(batch.titles, first_id)))
        self._authors.add(first_id, *author_index.keys_of(batch.rows))
        self._identifiers.add(first_id, *identifier_index.keys_of(batch.rows))
        if self._titles:
            self._titles.add(first_id, titles, batch.titles)
        self._checksum = schema.checksum(titles, self._checksum)
        self.records += len(batch.rows)

    def _complete(self) -> None:
        described = (
            ("schema_version", str(schema.SCHEMA_VERSION)),
            ("normalization_version", str(normalize.VERSION)),
            ("records", str(self.records)),
            ("titles_checksum", str(self._checksum)),
            ("build_id", uuid.uuid4().hex),
            ("built", datetime.now(UTC).isoformat(timespec="seconds")),
            ("built_with", f"citeproof {__version__}"),
            *((("only", ", ".join(self._only.parts)),) if self._only else ()),
        )
        self._file.execute_many("INSERT INTO meta VALUES (?, ?)", described)
        venue_table.seal(self._file)
        self._file.finish()


def _records_at(target: Path) -> int:
    """Return the number of records in ``target``, 0 if missing.

    Raises :class:`BuildError` for other files.
    """
    if not target.exists():
        return 0
    try:
        file = ReadOnlyFile(target)
    except DatabaseError:
        raise BuildError(f"{target}: exists and is no database; --force replaces it") from None
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
