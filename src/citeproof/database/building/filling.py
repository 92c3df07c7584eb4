"""Fill the file of a new database with records, then with indexes.

If a large build was killed, the next build continues at the last checkpoint.
"""

import os
import uuid
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import astuple, dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from citeproof.database import coverage, schema
from citeproof.database.building import author_index, checkpoint, identifier_index
from citeproof.database.building.checkpoint import Checkpoints, opened
from citeproof.database.building.child import Child
from citeproof.database.building.key_pairs import KeyPairs
from citeproof.database.building.packing import MOST_NAMES, Names
from citeproof.database.building.prepared import Prepared, is_worth_a_process, read
from citeproof.database.building.progress import STEPS, Reporter
from citeproof.database.building.selection import Selection
from citeproof.database.building.source import Source
from citeproof.database.building.title_indexer import NO_TITLES, TitleIndexer
from citeproof.database.venues import table as venue_table
from citeproof.database.venues import volumes
from citeproof.model.errors import BuildError
from citeproof.model.version import __version__
from citeproof.store.sql import on_failure
from citeproof.store.sqlite import APPLICATION_ID, BulkFile
from citeproof.text import normalize

# state at the beginning of a build
_BEGINNING: dict[str, Any] = {
    "counts": (0, 0, 0, ()),
    "authors": (),
    "identifiers": (),
    "titles": NO_TITLES,
}


@dataclass(slots=True)
class Tally:
    """Counts of the records that were read from a source so far."""

    # number of lists of batches that were read, which is the position at which a build continues
    messages: int = 0
    records: int = 0
    skipped: int = 0
    unselected: int = 0
    notices: int = 0
    date: str | None = None  # date of the newest record
    faults: list[str] = field(default_factory=list)

    def count(self, batch: Prepared) -> None:
        """Add the numbers of a batch that was read."""
        self.records += len(batch.rows)
        self.skipped += batch.skipped
        self.unselected += batch.unselected
        self.notices += len(batch.notices)
        self.date = max(filter(None, (self.date, batch.date)), default=None)
        self.faults += batch.faults


class Filling:
    """A new database file that a build is filling with records and indexes."""

    def __init__(
        self,
        path: Path,
        sources: Sequence[Source],
        checkpoints: Checkpoints,
        reporter: Reporter,
        *,
        titles: TitleIndexer | None,
        keep_going: bool,
        only: Selection | None,
    ) -> None:
        self._path, self._sources, self._checkpoints = path, sources, checkpoints
        self._large = is_worth_a_process(sum(source.size for source in sources))
        self._reporter, self._titles = reporter, titles
        self._keep_going, self._only = keep_going, only
        self.records = self._checksum = self._step = self._saved = 0
        self.tallies: list[Tally] = []

    def fill(self) -> None:
        """Write the whole file.

        Raises :class:`BuildError` for a source that cannot be read or has no publication.
        """
        with ExitStack() as stack:
            self._file, state = self._begun()
            stack.enter_context(on_failure(self._file.discard))
            if state is _BEGINNING:
                self._file.execute(schema.TABLES + schema.WORD_INDEX + schema.WORD_INDEX_WRITING)
            self.records, self._checksum, self._step, tallies = state["counts"]
            self.tallies = [Tally(*tally) for tally in tallies]
            self._saved = self.records
            if self._titles:
                self._titles.begin(beside=self._large, collected=state["titles"])
            self._names = Names(self._file.execute(schema.KNOWN_NAMES, (MOST_NAMES,)))
            self._authors = self._pairs("authors", state, stack)
            self._identifiers = self._pairs("identifiers", state, stack)
            self._read_sources()
            if self._titles:
                self._titles.end()
            self._index(stack)

    def _pairs(self, name: str, state: dict[str, Any], stack: ExitStack) -> KeyPairs:
        path, pieces = self._checkpoints.path(name), state[name]
        return KeyPairs(opened(path, stack, KeyPairs.size(pieces)), pieces)

    def _begun(self) -> tuple[BulkFile, dict[str, Any]]:
        """Open the database, and return the state from which the build continues."""
        if self._large and self._path.stat().st_size:
            with suppress(BuildError):
                file = BulkFile(self._path, APPLICATION_ID)
                if state := self._checkpoints.load(file.checkpoints):
                    return file, state
                file.discard()
        os.truncate(self._path, 0)  # remove the content that a build of other sources left
        self._checkpoints.close()
        return BulkFile(self._path, APPLICATION_ID), _BEGINNING

    def _checkpoint(self, *, last: bool = False) -> None:
        """Save the state of the build, from which the next build continues if this build is killed.
        ``last`` is true after the last step of the build.
        """
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
        before = 0  # number of bytes of the previous sources
        for number, source in enumerate(self._sources):
            if number == len(self.tallies):
                self.tallies.append(Tally())
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
            venues.receive()  # wait until the child process has opened the file
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
            self._reporter.indexing(self.records, step)
            if number >= self._step:
                work()
                self._step = number + 1
                self._checkpoint(last=step == STEPS[-1])
        self._file.finish()

    def _index_identifiers(self) -> None:
        self._file.execute(schema.INDEXES)
        identifier_index.write(self._identifiers, self._file)

    def _fill_from(self, source: Source, tally: Tally, before: int) -> None:
        for batches in read(
            source, keep_going=self._keep_going, only=self._only, skip=tally.messages
        ):
            for batch in batches:
                self._take(batch)
                self._file.execute_many(schema.INSERT_NOTICE, batch.notices)
                tally.count(batch)
                self._reporter.reading(self.records, before + batch.position)
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
