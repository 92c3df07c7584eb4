"""Read a source in batches, in this process or in child processes, so that a build uses all cores.

The reader is a child process that writes marshalled messages to its standard output. It has its own process group, so
that Ctrl-C reaches only the build, and it ends when its output is closed. For a dump of JSON lines it only decompresses
chunks, and passes them in turn to helpers, child processes of the same kind, which parse them.
"""

from __future__ import annotations

import marshal
import os
import sys
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from subprocess import Popen
from typing import IO, NamedTuple

from citeproof import processes
from citeproof.database import schema
from citeproof.database.build.opening import Source, batches_of, open_source
from citeproof.database.build.source_file import Reading, Stretch, StretchFile
from citeproof.database.build.sources import Batch
from citeproof.database.schema import Row
from citeproof.model.errors import BuildError
from citeproof.processes import cores
from citeproof.text.normalize import normalize_title

WORTH_A_PROCESS = 4 << 20
"""Minimum bytes of sources that are read in another process."""
WORTH_HELPERS = 16 << 20
"""Minimum bytes of a dump of lines whose reader has helpers."""
MOST_HELPERS = 5
"""Maximum helpers. More would parse faster than one process can write."""


class Frame(NamedTuple):
    """A batch of a source, ready for the database."""

    rows: list[Row]
    titles: list[str]
    """Their normalised titles."""
    position: int
    """Bytes of the source that have been read."""
    date: str | None
    """Day of the newest record so far."""
    skipped: int
    """Number of skipped entries."""
    faults: tuple[str, ...] = ()
    """Broken lines and parts that are left out."""
    notices: tuple[schema.NoticeRow, ...] = ()


def frames(batches: Iterable[Batch], file: Reading, *, keep_going: bool = False) -> Iterator[Frame]:
    """Yield the ``batches`` of ``file``.

    A record that the database cannot take is skipped and counted. Raises :class:`BuildError` for a line or part that
    cannot be read, unless ``keep_going`` is true.
    """
    before = 0
    for batch in batches:
        if batch.faults and not keep_going:
            raise BuildError(f"{batch.faults[0]}; --keep-going leaves such parts out and counts them")
        rows = list(filter(schema.is_takeable, batch.rows))
        titles = [normalize_title(row[schema.TITLE]) for row in rows]  # type: ignore[arg-type]
        skipped = batch.skipped - before + len(batch.rows) - len(rows)
        before = batch.skipped
        yield Frame(rows, titles, file.position, batch.date, skipped, batch.faults, batch.notices)


def is_worth_a_process(size: int) -> bool:
    """Return whether sources of ``size`` bytes are built faster by several processes, if those can be started."""
    return size >= WORTH_A_PROCESS and cores() > 1 and bool(sys.executable)


def frames_beside(source: Source, *, keep_going: bool = False) -> Iterator[Frame]:
    """Yield :func:`frames` of ``source``, read by other processes if that is faster."""
    path, size = source.file.path, source.file.size
    if not source.from_file or not is_worth_a_process(size):
        yield from frames(source.batches, source.file, keep_going=keep_going)
        return
    helpers = min(cores() + 1, MOST_HELPERS) if size >= WORTH_HELPERS else 0
    with _started(path, keep_going, helpers=helpers) as reader:
        try:
            while (some := processes.receive(reader.stdout, _stopped(path))) is not None:
                yield from map(Frame._make, some)
        finally:
            reader.kill()


def _started(path: Path, keep_going: bool, helpers: int = 0, chunks_of: str = "") -> Popen[bytes]:
    """Start a reader of the source at ``path``, or a helper that parses chunks of the format ``chunks_of``."""
    options = (str(int(keep_going)), str(helpers), chunks_of)
    return processes.start_child(__spec__.name, path, *options, takes_input=bool(chunks_of))


def _stopped(path: Path) -> str:
    return f"{path}: the process that read it was stopped"


def _dealt(source: Source, helpers: int, keep_going: bool) -> Iterator[bytes]:
    """Yield the messages of ``helpers`` processes about the chunks of ``source``, in order.

    A helper gets its next chunk when its last message has been read, so that no deadlock is possible.
    """
    # Example: two helpers and chunks 1 to 3. Helper A gets chunk 1, helper B chunk 2. The answer of A is yielded, then
    # A gets chunk 3, and the answers of B and A follow: answers come in the order of the chunks.
    path = source.file.path
    with ExitStack() as stack:
        idle: deque[Popen[bytes]] = deque()
        for _ in range(helpers):
            helper = stack.enter_context(_started(path, keep_going, chunks_of=source.format))
            stack.callback(helper.kill)
            idle.append(helper)
        busy: deque[Popen[bytes]] = deque()
        for stretch in source.stretches or ():
            if not idle:
                yield _answer(busy[0], path)
                idle.append(busy.popleft())
            helper = idle.popleft()
            _send(helper, stretch, path)
            busy.append(helper)
        for helper in busy:
            yield _answer(helper, path)


def _send(helper: Popen[bytes], stretch: Stretch, path: Path) -> None:
    assert helper.stdin
    try:
        processes.send(helper.stdin, tuple(stretch))
    except BrokenPipeError:
        with suppress(BrokenPipeError):
            helper.stdin.close()  # what it has not taken
        raise BuildError(_stopped(path)) from None


def _answer(helper: Popen[bytes], path: Path) -> bytes:
    assert helper.stdout
    message = processes.read_message(helper.stdout)
    if message is None:
        raise BuildError(_stopped(path))
    return message


def main(path: Path, stream: IO[bytes], keep_going: bool, helpers: int, chunks_of: str) -> None:
    """Write lists of the frames of the source at ``path`` to ``stream``, then ``None`` or an error message.

    A helper writes those of the chunks that it is sent.
    """
    try:
        try:
            if chunks_of:
                _help(chunks_of, sys.stdin.buffer, stream, keep_going)
                return
            source = open_source(path)
            if helpers and source.stretches:
                for message in _dealt(source, helpers, keep_going):
                    stream.write(processes.framed(message))
            else:
                for frame in frames(source.batches, source.file, keep_going=keep_going):
                    processes.send(stream, [tuple(frame)])
            processes.send(stream, None)
        except BuildError as error:
            processes.send(stream, str(error))
    except BrokenPipeError:  # the builder has ended; there is nobody to tell
        os._exit(0)


def _help(name: str, commands: IO[bytes], stream: IO[bytes], keep_going: bool) -> None:
    """Read each chunk of a source of the format ``name`` from ``commands``."""
    while message := processes.read_message(commands):
        stretch = Stretch(*marshal.loads(message))  # noqa: S302 - written by our own parent, by the same Python
        found = frames(batches_of(name, stretch), StretchFile(stretch), keep_going=keep_going)
        processes.send(stream, list(map(tuple, found)))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.stdout.buffer, sys.argv[2] == "1", int(sys.argv[3]), sys.argv[4])
