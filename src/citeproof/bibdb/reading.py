"""Read a source in batches, here or in processes beside this one, so that all cores share a build.

The reader is a plain child that writes messages to its standard output, each a marshalled tuple. It has its own
process group, so that Ctrl-C reaches only the builder, and it ends by itself when nobody reads any more. Of a dump
of lines it only unpacks stretches, and has helpers parse them: children of the same kind, by turns.
"""

from __future__ import annotations

import marshal
import os
import sys
from collections import deque
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, NamedTuple

from citeproof import child_process
from citeproof.bibdb import beside, schema
from citeproof.bibdb.sources import batches_of, open_source
from citeproof.bibdb.stretches import Stretch, StretchFile
from citeproof.errors import BuildError
from citeproof.process_pool import cores
from citeproof.text.normalize import normalize_title

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from subprocess import Popen

    from citeproof.bibdb.schema import Row
    from citeproof.bibdb.source_file import Reading
    from citeproof.bibdb.sources import Batch, Source

WORTH_A_PROCESS = 4 << 20
"""Bytes of sources below which another process costs more than it brings."""
WORTH_HELPERS = 16 << 20
"""Bytes of a dump of lines below which its reader has no helpers."""
MOST_HELPERS = 5
"""So many give the one process that writes more than it can take."""
KEEP_GOING = "--keep-going"
HELPERS = "--helpers="
"""Before their number."""
STRETCHES = "--stretches="
"""Before the format of the stretches that a helper is sent."""


class Frame(NamedTuple):
    """Some records of a source, as the build takes them in."""

    rows: list[Row]
    titles: list[str]
    """Their normalised titles."""
    position: int
    """Bytes of the source that have been read so far."""
    date: str | None
    """Day of the newest record in it, or of one before."""
    skipped: int
    """Entries that could not be taken."""
    faults: tuple[str, ...] = ()
    """What of this frame was broken and is left out."""
    notices: tuple[schema.NoticeRow, ...] = ()


def frames(source: Source, *, keep_going: bool = False) -> Iterator[Frame]:
    """Yield what ``source`` holds; raise :class:`BuildError` where it is broken.

    A bad record costs itself alone: it is left out and counted. A line or a part that cannot be read ends the build,
    unless it is to ``keep_going``.
    """
    return _framed(source.batches, source.file, keep_going)


def _framed(batches: Iterable[Batch], file: Reading, keep_going: bool) -> Iterator[Frame]:
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
    """Whether sources of ``size`` bytes are built sooner by several processes, and there can be any."""
    return size >= WORTH_A_PROCESS and cores() > 1 and bool(sys.executable)


def frames_beside(source: Source, *, keep_going: bool = False) -> Iterator[Frame]:
    """Yield what ``source`` holds, read by other processes where that is faster."""
    path, size = source.file.path, source.file.size
    if not source.from_file or not is_worth_a_process(size):
        yield from frames(source, keep_going=keep_going)
        return
    helpers = min(cores() + 1, MOST_HELPERS) if size >= WORTH_HELPERS else 0
    with beside.start(__spec__.name, path, *([KEEP_GOING] * keep_going), f"{HELPERS}{helpers}") as reader:
        try:
            while (some := beside.receive(reader.stdout, _stopped(path))) is not None:
                yield from map(Frame._make, some)
        finally:
            reader.kill()


def _stopped(path: Path) -> str:
    return f"{path}: the process that read it was stopped"


def _dealt(source: Source, helpers: int, options: Sequence[str]) -> Iterator[bytes]:
    """Yield the messages of ``helpers`` processes about the stretches of ``source``, in their order.

    A helper is sent a stretch when its last message has been taken, so that neither ever waits for the other to read.
    """
    path = source.file.path
    with ExitStack() as stack:
        idle: deque[Popen[bytes]] = deque()
        for _ in range(helpers):
            helper = stack.enter_context(
                beside.start(__spec__.name, path, *options, f"{STRETCHES}{source.format}", hears=True)
            )
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
        beside.send(helper.stdin, tuple(stretch))
        helper.stdin.flush()
    except BrokenPipeError:
        with suppress(BrokenPipeError):
            helper.stdin.close()  # what it has not taken
        raise BuildError(_stopped(path)) from None


def _answer(helper: Popen[bytes], path: Path) -> bytes:
    assert helper.stdout
    message = child_process.read_message(helper.stdout)
    if message is None:
        raise BuildError(_stopped(path))
    return message


def main(path: Path, stream: IO[bytes], options: Sequence[str]) -> None:
    """Write the frames of the source at ``path`` to ``stream``, in lists: then ``None``, or what is wrong.

    A helper does this for the stretches that it is sent.
    """
    keep_going = KEEP_GOING in options
    helpers = int(_value(HELPERS, options) or 0)
    try:
        try:
            if name := _value(STRETCHES, options):
                _help(name, sys.stdin.buffer, stream, keep_going)
                return
            source = open_source(path)
            if helpers and source.stretches:
                for message in _dealt(source, helpers, [KEEP_GOING] * keep_going):
                    stream.write(child_process.framed(message))
            else:
                for frame in frames(source, keep_going=keep_going):
                    beside.send(stream, [tuple(frame)])
            beside.send(stream, None)
        except BuildError as error:
            beside.send(stream, str(error))
        stream.flush()
    except BrokenPipeError:  # the builder has ended; there is nobody to tell
        os._exit(0)


def _help(name: str, commands: IO[bytes], stream: IO[bytes], keep_going: bool) -> None:
    """Read each stretch of a source of the format ``name`` that ``commands`` bring."""
    while message := child_process.read_message(commands):
        stretch = Stretch(*marshal.loads(message))  # noqa: S302 - written by our own parent, by the same Python
        found = _framed(batches_of(name, stretch), StretchFile(stretch), keep_going)
        beside.send(stream, list(map(tuple, found)))
        stream.flush()


def _value(option: str, options: Sequence[str]) -> str:
    return next((each.removeprefix(option) for each in options if each.startswith(option)), "")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.stdout.buffer, sys.argv[2:])
