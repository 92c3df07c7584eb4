"""Read sources and convert the records to database rows, in child processes if a source is
large.
"""

import io
import sys
from collections import deque
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing
from itertools import compress, islice, repeat, starmap
from pathlib import Path
from typing import Any, NamedTuple

from citeproof.database import schema
from citeproof.database.building import author_index, identifier_index
from citeproof.database.building.child import Child
from citeproof.database.building.key_pairs import Keys
from citeproof.database.building.packing import packed
from citeproof.database.building.selection import Selection
from citeproof.database.building.source import Source, batches_of, open_source
from citeproof.database.building.source_file import Chunk, SourceFile
from citeproof.database.building.sources import Batch, formats
from citeproof.database.schema import NoticeRow
from citeproof.model.errors import BuildError
from citeproof.processes import cores
from citeproof.text.normalize import normalize_title

_WORTH_A_PROCESS = 4 << 20  # minimum number of bytes of input for which child processes are used
_STOPPED = "the process that read it was stopped"


class Prepared(NamedTuple):
    """A batch of publications as database rows, with data for the indexes of the database."""

    rows: list[list[Any]]  # rows of the table ``records``, without ids
    titles: list[str]
    normalized: list[str]  # the normalised titles
    authors: Keys
    identifiers: Keys
    date: str | None
    skipped: int
    unselected: int  # number of records that the selection of the build leaves out
    faults: tuple[str, ...]
    notices: tuple[NoticeRow, ...]
    position: int


def prepared(
    batches: Iterable[Batch], *, keep_going: bool, only: Selection | None = None
) -> Iterator[Prepared]:
    """Yield ``batches`` as database rows.

    Records that the database cannot store, and records that ``only`` does not select, are left out.

    Raises :class:`BuildError` if a batch has an error message and ``keep_going`` is false.
    """
    for batch in batches:
        if batch.faults and not keep_going:
            raise BuildError(
                f"{batch.faults[0]}; --keep-going leaves such parts out and counts them"
            )
        takeable = [*map(schema.is_takeable, batch.rows)]
        rows = list(compress(batch.rows, takeable))
        skipped, unselected = batch.skipped + len(batch.rows) - len(rows), 0
        if only:
            issns = compress(batch.issns or repeat("", len(batch.rows)), takeable)
            wanted = [only.takes(*pair) for pair in zip(rows, issns, strict=True)]
            rows, unselected = list(compress(rows, wanted)), wanted.count(False)
        titles = [str(row[schema.TITLE]) for row in rows]
        yield Prepared(
            packed(rows),
            titles,
            list(map(normalize_title, titles)),
            author_index.keys_of(rows),
            identifier_index.keys_of(rows),
            batch.date,
            skipped,
            unselected,
            batch.faults,
            batch.notices,
            batch.position,
        )


def is_worth_a_process(size: int) -> bool:
    """Return whether child processes make a build from ``size`` bytes of input faster.

    An unknown size, 0, counts as large.
    """
    return (not size or size >= _WORTH_A_PROCESS) and cores() > 1 and bool(sys.executable)


def read(
    source: Source, *, keep_going: bool = False, only: Selection | None = None, skip: int = 0
) -> Iterator[list[Prepared]]:
    """Yield lists of batches of ``source`` as database rows, without the first ``skip`` lists.

    Large sources are read in child processes. ``only`` does not apply to the records of an existing
    database.
    """
    options = keep_going, only.parts if only else ()
    large = is_worth_a_process(source.size)
    if large and source.chunks:
        # More than five helpers are not useful, because one process cannot write the database
        # faster.
        helpers = min(cores(), 5)
        found = _read_with_helpers(source, islice(source.chunks, skip, None), helpers, *options)
    elif large and source.from_file:
        found = _read_by_child(source, skip, *options)
    else:
        wanted = None if source.copied else only
        left = islice(source.batches, skip, None)
        yield from ([batch] for batch in prepared(left, keep_going=keep_going, only=wanted))
        return
    with closing(found):
        for batches in found:
            yield [*map(Prepared._make, batches)]


def _read_by_child(source: Source, *options: Any) -> Generator[list[Any]]:
    with closing(Child(_STOPPED, read_beside, source.path, *options)) as reader:
        yield from reader


def read_beside(
    _: Iterator[Any], path: Path, skip: int, keep_going: bool, only: Sequence[str]
) -> Iterator[Any]:
    """Read the source at ``path``. This function runs in a child process.

    Yield lists of batches, without the first ``skip`` lists.
    """
    some = islice(open_source(path).batches, skip, None)
    yield from ([tuple(batch)] for batch in _prepared_beside(some, keep_going, only))


def _read_with_helpers(
    source: Source, chunks: Iterable[Chunk], helpers: int, *options: Any
) -> Generator[list[Any]]:
    """Parse ``chunks`` of ``source`` in ``helpers`` child processes.

    Yield the results in the order of the chunks.
    """
    # A helper gets a chunk only after its previous result has been read, so that no deadlock is
    # possible. It gets the chunk before the result is yielded, so that it does not wait. Example
    # with helpers A and B and chunks 1 to 3: A gets chunk 1, B gets chunk 2. The result of A is
    # read, A gets chunk 3, and the results of A, B and A are yielded.
    busy: deque[Child] = deque()
    with ExitStack() as stack:
        for number, chunk in enumerate(chunks):
            found = None
            if number < helpers:
                helper = Child(_STOPPED, parse_beside, source.path, source.format, *options)
                stack.callback(helper.close)
            else:
                helper = busy.popleft()
                found = helper.receive()
            helper.send(tuple(chunk))
            busy.append(helper)
            if found is not None:
                yield found
        for helper in busy:
            yield helper.receive()


def parse_beside(
    sent: Iterator[Any], _: Path, name: str, keep_going: bool, only: Sequence[str]
) -> Iterator[Any]:
    """Parse chunks of lines of the source format ``name``. Yield a list of batches for each chunk
    in ``sent``. This function runs in a child process.
    """
    (kind,) = (kind for kind in formats() if name == kind.NAME)
    for chunk in starmap(Chunk, sent):
        batches = iter([Batch([], faults=(chunk.fault,), position=chunk.position)])
        if not chunk.fault:
            lines = io.BytesIO(chunk.content)
            file = SourceFile(
                Path(chunk.path), lines, before=chunk.position, first_line=chunk.first_line
            )
            batches = batches_of(kind, file)
        yield [*map(tuple, _prepared_beside(batches, keep_going, only))]


def _prepared_beside(
    batches: Iterable[Batch], keep_going: bool, only: Sequence[str]
) -> Iterator[Prepared]:
    """Yield ``batches`` as :func:`prepared` does, with the options of a child process."""
    return prepared(batches, keep_going=keep_going, only=Selection(only) if only else None)
