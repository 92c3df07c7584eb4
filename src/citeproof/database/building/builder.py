"""Build a bibliographic database from sources such as dumps.

The finished file replaces an old database atomically.
"""

import os
import time
import uuid
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import ExitStack, closing, suppress
from dataclasses import astuple, dataclass, field
from datetime import UTC, datetime
from functools import partial
from math import ceil
from pathlib import Path
from typing import Any, TypedDict, Unpack

from citeproof.database import coverage, schema
from citeproof.database.building import author_index, checkpoint, identifier_index
from citeproof.database.building.checkpoint import Checkpoints
from citeproof.database.building.checkpoint import opened as opened_file
from citeproof.database.building.child import Child
from citeproof.database.building.existing import ExistingDatabase
from citeproof.database.building.key_pairs import KeyPairs
from citeproof.database.building.packing import MOST_NAMES, Names
from citeproof.database.building.selection import Selection
from citeproof.database.building.source import (
    Prepared,
    Source,
    is_worth_a_process,
    open_source,
    read,
)
from citeproof.database.building.sources import NO_ORIGIN, Origin
from citeproof.database.building.title_indexer import NO_TITLES, TitleIndexer
from citeproof.database.title_index import signature
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
    with (
        on_failure(titles.discard if titles else lambda: None),
        replacing(target, going_on=True) as building,
        closing(Checkpoints(building, _plan(opened, options))) as checkpoints,
    ):
        filling = _Filling(building, opened, checkpoints, options)
        filling.fill()
        if filling.records < least:
            held = f"{_records_at(target):,} records and the new one only {filling.records:,}"
            raise BuildError(f"{target}: holds {held}; it stays. --force replaces it")
        sync(building)  # so that the database is renamed right after its index
        if titles:
            titles.finish(building, partial(filling.report_indexing, len(STEPS), "titles"))
        filling.report_indexing(len(STEPS) + bool(titles), "")
    read = list(zip(opened, filling.tallies, strict=True))
    added: Counter[str] = Counter()
    for source, tally in read:
        if source.from_file:
            added[source.label] += tally.records
    return Summary(
        target,
        filling.records,
        target.stat().st_size,
        filling.seconds(),
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
    """Return what must be the same for a build to go on after a kill."""
    only = options.get("only")
    read = [
        (
            str(resolved(source.path)),
            # standard input cannot be read again
            source.path.stat().st_mtime_ns if source.path.exists() else uuid.uuid4(),
            source.size,
            source.label,
            source.origin[:-1],  # without the day
        )
        for source in sources
    ]
    versions = __version__, schema.SCHEMA_VERSION, normalize.VERSION, signature.VERSION
    titles = options.get("titles")
    return [read, versions, options.get("keep_going"), only and only.parts, titles and titles.path]


@dataclass(slots=True)
class _Tally:
    """What was read of a source so far."""

    messages: int = 0  # number of lists of batches
    records: int = 0
    skipped: int = 0
    unselected: int = 0
    notices: int = 0
    date: str | None = None  # date of the newest record
    faults: list[str] = field(default_factory=list)

    def count(self, batch: Prepared) -> None:
        """Add a batch."""
        self.records += len(batch.rows)
        self.skipped += batch.skipped
        self.unselected += batch.unselected
        self.notices += len(batch.notices)
        self.date = max(filter(None, (self.date, batch.date)), default=None)
        self.faults += batch.faults


class _Filling:
    """A new database file that a build is filling with records and indexes."""

    def __init__(
        self,
        path: Path,
        sources: Sequence[Source],
        checkpoints: Checkpoints,
        options: Options,
    ) -> None:
        self._path, self._sources, self._checkpoints = path, sources, checkpoints
        self._size = sum(source.size for source in sources)
        self._large = is_worth_a_process(self._size)
        self._titles = options.get("titles")
        self._report: Callable[[Progress], None] = options.get("progress", lambda _: None)
        self._keep_going = options.get("keep_going", False)
        self._only = options.get("only")
        self._started = time.monotonic()
        self.records = self._checksum = self._step = self._saved = 0
        self.tallies: list[_Tally] = []

    def fill(self) -> None:
        with ExitStack() as stack:
            self._file, state = self._begun()
            stack.enter_context(on_failure(self._file.discard))
            begun = state or {}
            self.records, self._checksum, self._step, tallies = begun.get("counts", (0, 0, 0, ()))
            self.tallies = [_Tally(*tally) for tally in tallies]
            self._saved = self.records
            if not state:
                self._file.execute(schema.TABLES + schema.WORD_INDEX)
                self._file.execute(schema.WORD_INDEX_WRITING)
            if self._titles:
                self._titles.begin(beside=self._large, collected=begun.get("titles", NO_TITLES))
            self._names = Names(self._file.execute(schema.KNOWN_NAMES, (MOST_NAMES,)))
            self._authors, self._identifiers = (
                self._pairs(name, begun.get(name, ()), stack) for name in ("authors", "identifiers")
            )
            self._read_sources()
            if self._titles:
                self._titles.end()
            self._index(stack)

    def _pairs(self, name: str, pieces: Sequence[bytes], stack: ExitStack) -> KeyPairs:
        path = self._checkpoints.path(name)
        return KeyPairs(opened_file(path, stack, KeyPairs.size(pieces)), pieces)

    def _begun(self) -> tuple[BulkFile, dict[str, Any] | None]:
        """Open the database, and return the state from which the build goes on, if any."""
        if self._large and self._path.stat().st_size:
            with suppress(BuildError):
                file = BulkFile(self._path, APPLICATION_ID)
                if state := self._checkpoints.load(file.checkpoints):
                    return file, state
                file.discard()
        os.truncate(self._path, 0)  # what a build of other sources has left
        self._checkpoints.close()
        return BulkFile(self._path, APPLICATION_ID), None

    def _checkpoint(self, *, last: bool = False) -> None:
        """Save what a killed build needs to go on from here."""
        if not self._large:
            return
        counts = self.records, self._checksum, self._step, [*map(astuple, self.tallies)]
        number = 0 if last else self._file.checkpoints + 1
        state = {
            "counts": counts,
            "authors": self._authors.checkpoint(),
            "identifiers": self._identifiers.checkpoint(),
            "titles": self._titles.checkpoint() if self._titles else NO_TITLES,
        }
        self._checkpoints.save(number, state)
        self._saved = self.records
        self._file.checkpoint(number)

    def _read_sources(self) -> None:
        ((finished,),) = self._file.execute("SELECT count(*) FROM sources")
        before = 0
        for number, source in enumerate(self._sources):
            if number == len(self.tallies):
                self.tallies.append(_Tally())
            if number >= finished:
                self._fill_from(source, self.tallies[number], before)
            before += source.size

    def _index(self, stack: ExitStack) -> None:
        """Run the :data:`STEPS` of a build.

        ``stack`` is the ExitStack that ends the child process of a large build.
        """
        venues: Child | None = None
        if not self._step:
            self._checkpoint()
        if self._large and self._step <= STEPS.index("venues"):
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
            if number >= self._step:
                work()
                self._step = number + 1
                self._checkpoint(last=step == STEPS[-1])
        self._file.finish()

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

    def _fill_from(self, source: Source, tally: _Tally, before: int) -> None:
        for batches in read(
            source, keep_going=self._keep_going, only=self._only, skip=tally.messages
        ):
            for batch in batches:
                self._take(batch)
                self._file.execute_many(schema.INSERT_NOTICE, batch.notices)
                tally.count(batch)
                position = before + batch.position
                self._report(
                    Progress("reading", position, self._size, self.records, self.seconds())
                )
            tally.messages += 1
            if self.records - self._saved >= checkpoint.EVERY:
                self._checkpoint()
        if not tally.records and not tally.notices:
            left_out = f"; entries left out: {tally.skipped:,}" if tally.skipped else ""
            if tally.unselected:
                left_out += f"; not selected by --only: {tally.unselected:,}"
            raise BuildError(f"{source.path}: holds no publication{left_out}")
        described = (
            source.label,
            source.name,
            source.format,
            source.licence,
            tally.date,
            source.size,
            tally.records,
            tally.skipped,
            len(tally.faults) + source.faults,
            tally.notices,
            *(value or None for value in source.origin),
        )
        self._file.execute(schema.INSERT_SOURCE, described)

    def _take(self, batch: Prepared) -> None:
        first_id = self.records + 1
        self._names.number(first_id, batch.rows)
        self._file.execute_many(schema.INSERT_NAME, self._names.taken())
        self._file.execute_many(schema.INSERT, batch.rows)
        self._file.execute_many(schema.INSERT_WORDS, list(enumerate(batch.normalized, first_id)))
        self._authors.add(first_id, batch.authors)
        self._identifiers.add(first_id, batch.identifiers)
        if self._titles:
            self._titles.add(first_id, batch.titles, batch.normalized)
        self._checksum = schema.checksum(batch.titles, self._checksum)
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
