"""Make the title index of a database, during a build or afterwards.

During a build of many records a child process sorts the titles while the database is completed. It reads marshalled
messages from its standard input: the titles of consecutive records, then ``None``, and the fingerprint of the complete
database. It answers with the share that is done, with ``None`` at the end, or with an error message. It ends when its
pipes are closed.
"""

from __future__ import annotations

import marshal
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import IO, Any

from citeproof import processes
from citeproof.database.build.title_index import TitleIndexBuilder
from citeproof.database.lookup import Database
from citeproof.database.title_index.exact import SEPARATOR
from citeproof.database.title_index.format import Header, fingerprint, index_path
from citeproof.model.errors import BuildError
from citeproof.store.sqlite import ReadOnlyFile

SECONDS_TO_END = 10
"""Maximum seconds that the child process takes to end once its pipes are closed; a step of its work takes less."""


class TitlesBeside:
    """A :class:`~citeproof.database.build.title_index.TitleIndexBuilder` in a child process."""

    def __init__(self, path: Path) -> None:
        """Build the index at ``path``."""
        self._path = path
        self._process = processes.start_child(__spec__.name, path, takes_input=True)

    def add_all(self, first_id: int, titles: Sequence[str], normalized: Sequence[str]) -> None:
        """Add the titles of consecutive records; raise :class:`BuildError` if the child process has failed."""
        self._send((first_id, [title if SEPARATOR in title else "" for title in titles], normalized))

    def end(self) -> None:
        """Begin to sort the titles: no more are added."""
        self._send(None)

    def finish(self, fingerprint: dict[str, Any], progress: Callable[[float], None]) -> None:
        """Wait until the index of the database with this ``fingerprint`` is in place.

        Raises :class:`BuildError` if it cannot be written; the old file stays.
        """
        self._send(fingerprint)
        while (share := self._answer()) is not None:
            progress(share)

    def close(self) -> None:
        """End the child process, which removes its scratch files."""
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe:
                with suppress(BrokenPipeError):
                    pipe.close()
        try:
            self._process.wait(SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _send(self, content: Any) -> None:
        assert self._process.stdin
        try:
            processes.send(self._process.stdin, content)
        except BrokenPipeError:
            while self._answer() is not None:
                pass  # shares that were sent before it failed; the error comes last

    def _answer(self) -> float | None:
        stopped = f"{self._path}: the process that wrote the title index was stopped"
        share: float | None = processes.receive(self._process.stdout, stopped)
        return share


def main(path: Path, commands: IO[bytes], answers: IO[bytes]) -> None:
    """Write the index at ``path`` of the titles in ``commands``, and write the progress to ``answers``."""

    report = partial(processes.send, answers)
    try:
        with TitleIndexBuilder(path) as builder:
            while titles := _next(commands):
                builder.add_all(*titles)
            builder.prepare(report)
            builder.finish(_next(commands))
        report(None)
    except BrokenPipeError:
        raise
    except BuildError as error:
        report(str(error))
    except OSError as error:
        report(f"{path}: cannot be written: {error.strerror or error}")


def _next(stream: IO[bytes]) -> Any:
    message = processes.read_message(stream)
    if message is None:
        raise BrokenPipeError  # the build has ended
    return marshal.loads(message)  # noqa: S302 - written by our own parent, by the same Python


if __name__ == "__main__":
    try:
        main(Path(sys.argv[1]), sys.stdin.buffer, sys.stdout.buffer)
    except BrokenPipeError:
        os._exit(0)  # scratch files are gone, and nobody reads what is left in the buffer


class TitleIndexer:
    """The title index of a database that is built."""

    name = "titles"

    def __init__(self, database: Path, index_dir: Path | None = None) -> None:
        """Prepare the index of the database that is built at ``database``, beside it or in ``index_dir``.

        Raises :class:`BuildError` if the index cannot be written there.
        """
        self._path = index_path(database, index_dir)
        self._builder: TitleIndexBuilder | TitlesBeside = _builder(self._path)

    def begin(self, *, beside: bool) -> None:
        """Prepare to add titles, in a child process with ``beside``."""
        if beside:
            self._builder.close()
            self._builder = TitlesBeside(self._path)

    def add(self, first_id: int, titles: Sequence[str], normalized: Sequence[str]) -> None:
        """Add the raw and normalised titles of consecutive records from ``first_id`` on."""
        self._builder.add_all(first_id, titles, normalized)

    def end(self) -> None:
        """Begin to sort the titles, if a child process does it."""
        if isinstance(self._builder, TitlesBeside):
            self._builder.end()

    def finish(self, database: Path, progress: Callable[[float], None]) -> None:
        """Complete the index of the finished file ``database``, which is put in place right afterwards.

        ``progress`` is called with the share that is done, 0 to 1.
        """
        with closing(ReadOnlyFile(database)) as file, closing(self._builder):
            self._builder.finish(fingerprint(file), progress)

    def discard(self) -> None:
        """Remove everything: the build has failed."""
        self._builder.close()


def create(path: Path, index_dir: Path | None = None) -> Header:
    """Write the title index of the database at ``path``, of any layout, beside it or in ``index_dir``.

    Raises:
        DatabaseError: there is no such database.
        BuildError: the index cannot be written, or the database changed meanwhile; the old index stays.
    """
    with Database.open(path) as database, _builder(index_path(path, index_dir)) as builder:
        before = fingerprint(database.file)
        for record_id, title in database.titles():
            builder.add(record_id, title)
        if fingerprint(database.file) != before:
            raise BuildError(f"{path}: was changed while its titles were read; try again")
        return builder.finish(before)


def _builder(target: Path) -> TitleIndexBuilder:
    try:
        return TitleIndexBuilder(target)
    except BuildError as error:
        raise BuildError(f"{error}; --index-dir names another folder") from error
