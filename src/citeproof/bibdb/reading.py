"""Read a source in batches, here or in a process beside this one, so that two cores share a build.

The other process is a plain child that writes messages to its standard output, each a marshalled
tuple. It has its own process group, so that Ctrl-C reaches only the
builder, and it ends by itself when nobody reads any more.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import IO, TYPE_CHECKING, NamedTuple

from citeproof.bibdb import beside, schema
from citeproof.bibdb.sources import open_source
from citeproof.errors import BuildError
from citeproof.process_pool import cores
from citeproof.text.normalize import normalize_title

if TYPE_CHECKING:
    from collections.abc import Iterator

    from citeproof.bibdb.schema import Row
    from citeproof.bibdb.sources import Source

WORTH_A_PROCESS = 4 << 20
"""Bytes of sources below which another process costs more than it brings."""
KEEP_GOING = "--keep-going"


class Frame(NamedTuple):
    """Some records of a source, as the build takes them in."""

    rows: list[Row]
    titles: list[str]
    """Their normalised titles."""
    position: int
    """Bytes of the source that have been read so far."""
    date: str | None
    """Day of the newest record so far."""
    skipped: int
    """Entries so far that could not be taken."""
    faults: tuple[str, ...] = ()
    """What of this frame was broken and is left out."""
    notices: tuple[schema.NoticeRow, ...] = ()


def frames(source: Source, *, keep_going: bool = False) -> Iterator[Frame]:
    """Yield what ``source`` holds; raise :class:`BuildError` where it is broken.

    A bad record costs itself alone: it is left out and counted. A line or a part that cannot be read ends the build,
    unless it is to ``keep_going``.
    """
    left_out = 0
    for batch in source.batches:
        if batch.faults and not keep_going:
            raise BuildError(f"{batch.faults[0]}; --keep-going leaves such parts out and counts them")
        rows = list(filter(schema.is_takeable, batch.rows))
        left_out += len(batch.rows) - len(rows)
        titles = [normalize_title(row[schema.TITLE]) for row in rows]  # type: ignore[arg-type]
        skipped = batch.skipped + left_out
        yield Frame(rows, titles, source.file.position, batch.date, skipped, batch.faults, batch.notices)


def is_worth_a_process(size: int) -> bool:
    """Whether sources of ``size`` bytes are built sooner by several processes, and there can be any."""
    return size >= WORTH_A_PROCESS and cores() > 1 and bool(sys.executable)


def frames_beside(source: Source, *, keep_going: bool = False) -> Iterator[Frame]:
    """Yield what ``source`` holds, read by another process where that is faster."""
    if not source.from_file or not is_worth_a_process(source.file.size):
        yield from frames(source, keep_going=keep_going)
        return
    stopped = f"{source.file.path}: the process that read it was stopped"
    with beside.start(__spec__.name, source.file.path, *([KEEP_GOING] * keep_going)) as reader:
        try:
            while content := beside.receive(reader.stdout, stopped):
                yield Frame(*content)
        finally:
            reader.kill()


def main(path: Path, stream: IO[bytes], *, keep_going: bool = False) -> None:
    """Write the frames of the source at ``path`` to ``stream``: batches, then ``None`` or what is wrong."""
    try:
        try:
            for frame in frames(open_source(path), keep_going=keep_going):
                beside.send(stream, tuple(frame))
            beside.send(stream, None)
        except BuildError as error:
            beside.send(stream, str(error))
        stream.flush()
    except BrokenPipeError:  # the builder has ended; there is nobody to tell
        os._exit(0)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.stdout.buffer, keep_going=KEEP_GOING in sys.argv[2:])
