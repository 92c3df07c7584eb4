"""Write the title index of a database, during a build or afterwards.

In a large build, a child process sorts the titles while the build completes the database. The build
sends three things to the child process: the titles, ``None`` as the end of the titles, and values
that identify the finished database. The child process sends back the finished fraction of its work.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

from citeproof.database.building.checkpoint import opened
from citeproof.database.building.child import Child
from citeproof.database.building.title_index import Checkpoint, TitleIndexBuilder
from citeproof.database.check import damage
from citeproof.database.lookup import Database
from citeproof.database.title_index.exact import SEPARATOR
from citeproof.database.title_index.format import Header, fingerprint, index_path
from citeproof.model.errors import BuildError, cannot_be
from citeproof.store.sqlite import ReadOnlyFile

NO_TITLES: Checkpoint = (0, ())


class TitleIndexer:
    """Writes the title index of a database while the database is built."""

    def __init__(self, database: Path, index_dir: Path | None = None) -> None:
        """Prepare an index file in ``index_dir``, by default in the folder of ``database``."""
        self.path = index_path(database, index_dir)  # path of the title index
        self._builder: TitleIndexBuilder | None = None
        self._child: Child | None = None
        self._collected, self._ended = NO_TITLES, False

    def begin(self, *, beside: bool, collected: Checkpoint = NO_TITLES) -> None:
        """Prepare for :meth:`add`.

        With ``beside``, a child process sorts the titles and writes the index. The child process
        continues with the titles in ``collected``, a :data:`Checkpoint`.
        """
        if beside:
            self._child = Child(
                "the process that wrote the title index was stopped", write_beside, self.path
            )
            self._child.send(collected)
        else:
            self._builder = TitleIndexBuilder(self.path)

    def checkpoint(self) -> Any:
        """Return a value for the parameter ``collected`` of :meth:`begin`. If this build is killed,
        a later build can continue with it.
        """
        if self._child and not self._ended:
            self._child.send(())
            self._collected = self._child.receive()
        return self._collected

    def add(self, first_id: int, titles: Sequence[str], normalized: Sequence[str]) -> None:
        """Add the titles and normalised titles of records with the ids ``first_id``, ``first_id +
        1`` and so on.
        """
        if self._child:
            self._child.send(
                (first_id, [title if SEPARATOR in title else "" for title in titles], normalized)
            )
        elif self._builder:
            self._builder.add_all(first_id, titles, normalized)

    def end(self) -> None:
        """Call this after all titles were added. A child process then begins to sort the titles."""
        self.checkpoint()
        self._ended = True
        if self._child:
            self._child.send(None)

    def finish(self, database: Path, progress: Callable[[float], None]) -> None:
        """Write the index of the finished file ``database``.

        Call ``progress`` with the finished fraction, 0 to 1.
        """
        try:
            with closing(ReadOnlyFile(database)) as file:
                own = fingerprint(file)
                if self._child:
                    self._child.send(own)
                    for share in self._child:
                        progress(share)
                elif self._builder:
                    self._builder.finish(own, progress)
        finally:
            self.discard()

    def discard(self) -> None:
        """Delete the temporary files and end the child process."""
        if self._child:
            self._child.close(seconds=10)
        if self._builder:
            self._builder.close()
        _collected(self.path).unlink(missing_ok=True)


def _collected(path: Path) -> Path:
    return path.with_name(path.name + ".collected")


def write_beside(sent: Iterator[Any], path: Path) -> Iterator[float | Checkpoint]:
    """Write the index at ``path`` in a child process, from the titles in ``sent``.

    If an empty list of titles is sent, yield a checkpoint. After the last titles, yield the
    finished fraction.
    """
    try:
        with ExitStack() as stack:
            collected = next(sent)
            ends = (position + size for *_, position, size in collected[1])
            file = opened(_collected(path), stack, max(ends, default=0))
            builder = TitleIndexBuilder(path, file=file, collected=collected)
            stack.enter_context(builder)
            for titles in iter(sent.__next__, None):
                if titles:
                    builder.add_all(*titles)
                else:
                    yield builder.checkpoint()
            yield from builder.prepare()
            builder.finish(next(sent))
    except OSError as error:
        raise BuildError(cannot_be("written", path, error)) from error


def create(path: Path, index_dir: Path | None = None) -> Header:
    """Write the title index of the database at ``path`` into ``index_dir``, by default the folder
    of the database.

    Raises :class:`BuildError` if the database is damaged, if the index cannot be written, or if the
    database changes while it is read.
    """
    with Database.open(path) as database, TitleIndexBuilder(index_path(path, index_dir)) as builder:
        # an index that lacks damaged titles would prove wrongly that these titles are not in the
        # database
        if found := damage(database):
            raise BuildError(f"{path}: is not sound, so no index was written; {found}")
        before = fingerprint(database.file)
        for record_id, title in database.titles():
            builder.add(record_id, title)
        if fingerprint(database.file) != before:
            raise BuildError(f"{path}: was changed while its titles were read; try again")
        return builder.finish(before)
