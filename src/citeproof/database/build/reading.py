"""Read a source in batches, in this process or in child processes.

For a dump of JSON lines the child only decompresses chunks, and passes them in turn to helpers, children of its own,
which parse them.
"""

import sys
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

from citeproof.database import schema
from citeproof.database.build.child import Child
from citeproof.database.build.opening import Source, batches_of, open_source
from citeproof.database.build.source_file import Stretch
from citeproof.database.build.sources import Batch
from citeproof.model.errors import BuildError
from citeproof.processes import cores
from citeproof.text.normalize import normalize_title

WORTH_A_PROCESS = 4 << 20
"""Minimum total bytes of sources for reading them in another process."""
WORTH_HELPERS = 16 << 20
"""Minimum bytes of a dump of JSON lines for parsing it in several processes."""
MOST_HELPERS = 5
"""Maximum processes that parse lines. More would parse faster than one process can write."""
STOPPED = "the process that read it was stopped"


def prepared(batches: Iterable[Batch], *, keep_going: bool = False) -> Iterator[Batch]:
    """Yield ``batches`` with the normalised titles of their records.

    A record that the database cannot store is skipped and counted. Raises :class:`BuildError` for a line or part that
    cannot be read, unless ``keep_going`` is true.
    """
    for batch in batches:
        if batch.faults and not keep_going:
            raise BuildError(f"{batch.faults[0]}; --keep-going leaves such parts out and counts them")
        rows = list(filter(schema.is_takeable, batch.rows))
        titles = [normalize_title(row[schema.TITLE]) for row in rows]  # type: ignore[arg-type]
        yield batch._replace(rows=rows, titles=titles, skipped=batch.skipped + len(batch.rows) - len(rows))


def is_worth_a_process(size: int) -> bool:
    """Return whether child processes can be started, and build sources of ``size`` bytes faster than one process."""
    return size >= WORTH_A_PROCESS and cores() > 1 and bool(sys.executable)


def read(source: Source, *, keep_going: bool = False) -> Iterator[Batch]:
    """Yield the batches of ``source`` after :func:`prepared`. Child processes read them if that is faster."""
    if not source.from_file or not is_worth_a_process(source.size):
        yield from prepared(source.batches, keep_going=keep_going)
        return
    helpers = min(cores() + 1, MOST_HELPERS) if source.size >= WORTH_HELPERS else 0
    reader = Child(STOPPED, read_beside, source.path, str(helpers), "keep going" if keep_going else "")
    with closing(reader):
        for batches in reader:
            yield from map(Batch._make, batches)


def read_beside(_: Iterator[Any], path: Path, helpers: str, keep_going: str) -> Iterator[Any]:
    """Yield lists of the batches of the source at ``path``. A :class:`Child` runs it, with ``helpers`` of its own."""
    source = open_source(path)
    if source.stretches and int(helpers):
        yield from _dealt(source, int(helpers), keep_going)
    else:
        for batch in prepared(source.batches, keep_going=bool(keep_going)):
            yield [tuple(batch)]


def _dealt(source: Source, helpers: int, keep_going: str) -> Iterator[bytes]:
    """Distribute the chunks of ``source`` to ``helpers`` processes, and yield their messages in the order of the
    chunks.

    A process gets its next chunk when its last message has been read, so that no deadlock is possible.
    """
    # Example: two helpers and chunks 1 to 3. Helper A gets chunk 1, helper B chunk 2. The answer of A is yielded, then
    # A gets chunk 3, and the answers of B and A follow: answers come in the order of the chunks.
    busy: deque[Child] = deque()
    with ExitStack() as stack:
        for number, stretch in enumerate(source.stretches or ()):
            if number < helpers:
                child = Child(STOPPED, parse_beside, source.path, source.format, keep_going)
                helper = stack.enter_context(closing(child))
            else:
                helper = busy.popleft()
                yield helper.message()
            helper.send(tuple(stretch))
            busy.append(helper)
        for helper in busy:
            yield helper.message()


def parse_beside(stretches: Iterator[Any], _: Path, name: str, keep_going: str) -> Iterator[Any]:
    """Yield a list of batches for each of ``stretches``, chunks in the format ``name``. A :class:`Child` runs it."""
    for stretch in stretches:
        yield [*map(tuple, prepared(batches_of(name, Stretch(*stretch)), keep_going=bool(keep_going)))]
