"""Build a bibliographic database: read the sources, fill a new file, put it in place in one step."""

from __future__ import annotations

import time
import uuid
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Protocol

from citeproof.bibdb import schema, venues
from citeproof.bibdb.author_index import AuthorIndexBuilder, keys_of
from citeproof.bibdb.reading import frames_beside
from citeproof.bibdb.sources import open_source
from citeproof.errors import BuildError, DatabaseError
from citeproof.storage.bulk import BulkFile
from citeproof.storage.replacement import replacing, resolved, sync
from citeproof.storage.sqlite import APPLICATION_ID, ReadOnlyFile
from citeproof.text import normalize
from citeproof.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from citeproof.bibdb.sources import Source

STEPS = ("identifiers", "authors", "venues", "file")
"""What is done once all records are read; then come the indexers."""
SHRUNK = 0.5
"""A build with fewer than this share of the records that it replaces needs ``force``."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a build has come."""

    stage: str
    """``reading``, then ``indexing``."""
    read: int
    """Bytes read of :attr:`size`, over all sources."""
    size: int
    records: int
    seconds: float
    indexed: float = 0.0
    """Share of the indexing that is done, 0 to 1; each of its steps counts alike."""
    step: str = ""
    """What is indexed now: one of :data:`STEPS`, or the name of an indexer."""


@dataclass(frozen=True, slots=True)
class Summary:
    """What a build has written."""

    path: Path
    records: int
    bytes: int
    seconds: float
    skipped: dict[Path, int]
    """How many entries of each source could not be taken, where there are any."""


class Indexer(Protocol):
    """An index outside the database that grows with it, such as the title index."""

    name: str
    """What it is, for people who wait for it."""

    def add(self, first_id: int, titles: Sequence[str], normalized: Sequence[str]) -> None:
        """Take in the titles, raw and normalised, of consecutive records, the first of which is ``first_id``."""

    def finish(self, database: Path, progress: Callable[[float], None]) -> None:
        """Complete the index for the finished file ``database``, which takes its place right afterwards.

        ``progress`` is told which share of this is done, 0 to 1.
        """

    def discard(self) -> None:
        """Leave nothing behind: the build has failed."""


def build(
    sources: Sequence[Path],
    target: Path,
    *,
    force: bool = False,
    progress: Callable[[Progress], None] = lambda _: None,
    indexers: Sequence[Indexer] = (),
) -> Summary:
    """Build the database ``target`` from ``sources``, in memory that does not grow with them.

    Until the new file is complete, ``target`` is what it was. Raises :class:`BuildError` when a
    source or the target cannot be used, and when the new file would hold far fewer records than
    the one that it replaces, unless ``force``.
    """
    started = time.monotonic()
    if target.is_dir():
        raise BuildError(f"{target}: is a directory; name a file")
    _refuse_twice(sources, target)
    standing = 0 if force else _records_at(target)  # before a long build, not after it
    opened = [open_source(path) for path in sources]
    try:
        with replacing(target) as building:
            filling = _Filling(building, indexers, progress, started)
            records = filling.fill(opened)
            skipped = {path: count for path, count in filling.skipped.items() if count}
            _refuse_shrinking(target, standing, records)
            sync(building)  # index and database take their places one right after the other
            for number, indexer in enumerate(indexers, len(STEPS)):
                indexer.finish(building, partial(filling.report_indexing, number, indexer.name))
            filling.report_indexing(len(STEPS) + len(indexers), "")
    except BaseException:
        for indexer in indexers:
            indexer.discard()
        raise
    finally:
        for source in opened:
            source.file.close()
    return Summary(target, records, target.stat().st_size, time.monotonic() - started, skipped)


class _Filling:
    """The new file while it is written."""

    def __init__(
        self, path: Path, indexers: Sequence[Indexer], progress: Callable[[Progress], None], started: float
    ) -> None:
        self._file = BulkFile(path, APPLICATION_ID)
        self._authors = AuthorIndexBuilder(path.parent)
        self._indexers = indexers
        self._report = progress
        self._started = started
        self._records = self._size = 0
        self._checksum = 0
        self.skipped: dict[Path, int] = {}

    def fill(self, sources: Sequence[Source]) -> int:
        """Write everything, close the file and return how many records it holds."""
        try:
            self._file.execute(schema.TABLES + schema.WORD_INDEX)
            self._file.execute(schema.WORD_INDEX_MEMORY)
            size = sum(source.file.size for source in sources)
            before = 0
            for source in sources:
                self._fill_from(source, before, size)
                before += source.file.size
            self._size = size
            for number, (step, work) in enumerate(zip(STEPS, self._indexing(), strict=True)):
                self.report_indexing(number, step)
                work()
        except BaseException:
            self._file.discard()
            raise
        finally:
            self._authors.close()
        return self._records

    def report_indexing(self, steps: int, step: str, share: float = 0.0) -> None:
        """Tell that so many steps of the indexing are done, and this share of ``step``."""
        indexed = (steps + share) / (len(STEPS) + len(self._indexers))
        self._report(Progress("indexing", self._size, self._size, self._records, self._seconds(), indexed, step))

    def _indexing(self) -> tuple[Callable[[], object], ...]:
        """Return what is to be done for each of :data:`STEPS`."""
        return (
            partial(self._file.execute, schema.INDEXES),
            partial(self._authors.write, self._file),
            partial(venues.learn, self._file),
            self._complete,
        )

    def _complete(self) -> None:
        self._describe()
        venues.seal(self._file)
        self._file.finish()

    def _seconds(self) -> float:
        return time.monotonic() - self._started

    def _fill_from(self, source: Source, before: int, size: int) -> None:
        records = skipped = 0
        date: str | None = None
        for frame in frames_beside(source):
            first_id = self._records + 1
            titles = [str(row[schema.TITLE]) for row in frame.rows]
            numbered = enumerate(zip(frame.rows, frame.checksums, strict=True), first_id)
            self._file.execute_many(schema.INSERT, ((n, *row, checksum ^ n) for n, (row, checksum) in numbered))
            self._file.execute_many(schema.INSERT_WORDS, list(enumerate(frame.titles, first_id)))
            self._authors.add(first_id, *keys_of(frame.rows))
            for indexer in self._indexers:
                indexer.add(first_id, titles, frame.titles)
            self._checksum = schema.checksum(titles, self._checksum)
            self._records += len(frame.rows)
            records += len(frame.rows)
            date, skipped = frame.date, frame.skipped
            position = before + frame.position
            self._report(Progress("reading", position, size, self._records, self._seconds()))
        file = source.file
        if not records:
            left_out = f"; entries left out: {skipped:,}" if skipped else ""
            raise BuildError(f"{file.path}: holds no publication{left_out}")
        kind = source.format
        described = (
            kind.label(file.path), file.path.name, kind.NAME, kind.LICENCE, date, file.size, records, skipped
        )  # fmt: skip
        self._file.execute("INSERT INTO sources VALUES (?, ?, ?, ?, ?, ?, ?, ?)", described)
        self.skipped[file.path] = skipped

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
    """Return how many records the database holds that stands at ``target``; raise when something else stands there."""
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
    """Raise when a file is named twice: its records would be there twice, or the database would replace it."""
    files, output = [resolved(path) for path in sources], resolved(target)
    for path, file in zip(sources, files, strict=True):
        if file == output:
            raise BuildError(f"{path}: is a source; write the database to another file")
        if files.count(file) > 1:
            raise BuildError(f"{path}: is named twice; its records would be there twice")


def _refuse_shrinking(target: Path, standing: int, records: int) -> None:
    """Raise when ``target`` holds far more records than the new file."""
    if records < standing * SHRUNK:
        raise BuildError(
            f"{target}: holds {standing:,} records and the new one only {records:,}; it stays. --force replaces it"
        )
