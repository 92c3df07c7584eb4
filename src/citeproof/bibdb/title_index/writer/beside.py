"""Writes a title index in a process beside the build, so that titles are sorted while the database is completed.

The other process is a plain child that reads marshalled messages from its standard input: the titles of consecutive
records, then ``None``, and when the database is complete its fingerprint. It answers with the share of the titles that
is done, with ``None`` at the end, or with what is wrong. It ends by itself when nobody builds any more.
"""

from __future__ import annotations

import marshal
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NoReturn

from citeproof import child_process
from citeproof.bibdb import beside
from citeproof.bibdb.title_index.keys import SEPARATOR
from citeproof.bibdb.title_index.writer.build import TitleIndexBuilder
from citeproof.errors import BuildError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

SECONDS_TO_END = 10
"""How long the other process may take to remove what it has begun; a single step of its work takes less."""


class TitlesBeside:
    """Stands for a :class:`~citeproof.bibdb.title_index.writer.build.TitleIndexBuilder` in another process."""

    def __init__(self, path: Path) -> None:
        """Build the index at ``path``."""
        self._path = path
        self._process = beside.start(__spec__.name, path, hears=True)

    def add_all(self, first_id: int, titles: Sequence[str], normalized: Sequence[str]) -> None:
        """Take in the titles of consecutive records; raise :class:`BuildError` where the other process has failed."""
        self._send((first_id, [title if SEPARATOR in title else "" for title in titles], normalized))

    def end(self) -> None:
        """Have the titles sorted and signed: no more come."""
        self._send(None)

    def finish(self, fingerprint: dict[str, Any], progress: Callable[[float], None]) -> None:
        """Wait until the file for the database that ``fingerprint`` names is in its place.

        Raises:
            BuildError: it cannot be written; the file before stays.
        """
        self._send(fingerprint)
        while (share := self._answer()) is not None:
            progress(share)

    def close(self) -> None:
        """End the other process, which leaves no scratch files."""
        process = self._process
        process.terminate()
        try:
            process.wait(SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            process.kill()
        for pipe in (process.stdin, process.stdout):
            if pipe:
                with suppress(BrokenPipeError):
                    pipe.close()
        process.wait()

    def _send(self, content: Any) -> None:
        assert self._process.stdin
        try:
            beside.send(self._process.stdin, content)
            self._process.stdin.flush()
        except BrokenPipeError:
            while self._answer() is not None:
                pass  # the share that was done before it failed

    def _answer(self) -> float | None:
        stopped = f"{self._path}: the process that wrote the title index was stopped"
        share: float | None = beside.receive(self._process.stdout, stopped)
        return share


def main(path: Path, commands: IO[bytes], answers: IO[bytes]) -> None:
    """Write the index at ``path`` of what ``commands`` say, and tell in ``answers`` how far it is."""

    def tell(content: float | str | None) -> None:
        beside.send(answers, content)
        answers.flush()

    try:
        with TitleIndexBuilder(path) as builder:
            while titles := _next(commands):
                builder.add_all(*titles)
            builder.prepare(tell)
            builder.finish(_next(commands))
        tell(None)
    except BuildError as error:
        tell(str(error))


def _next(stream: IO[bytes]) -> Any:
    message = child_process.read_message(stream)
    if message is None:
        raise SystemExit  # the build has ended
    return marshal.loads(message)  # noqa: S302 - written by our own parent, by the same Python


def _stop(*_: object) -> NoReturn:
    raise SystemExit  # scratch files and a file that is half written go on the way out


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, _stop)
    with suppress(BrokenPipeError):
        main(Path(sys.argv[1]), sys.stdin.buffer, sys.stdout.buffer)
