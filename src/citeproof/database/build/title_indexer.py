"""Make the title index of a database, during a build or afterwards.

During a build of many records, a child process sorts the titles while the database is completed. The build sends the
titles, then ``None``, then the fingerprint of the complete database. The child answers with the share of work done.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from citeproof.database.build.child import Child
from citeproof.database.build.title_index import TitleIndexBuilder
from citeproof.database.lookup import Database
from citeproof.database.title_index.exact import SEPARATOR
from citeproof.database.title_index.format import Header, fingerprint, index_path
from citeproof.model.errors import BuildError
from citeproof.store.sqlite import ReadOnlyFile


class TitleIndexer:
    """Writes the title index of a database while the database is built."""

    def __init__(self, database: Path, index_dir: Path | None = None) -> None:
        """Prepare an index beside the file ``database`` or in ``index_dir``, if it can be written there."""
        self._path = index_path(database, index_dir)
        self._builder = TitleIndexBuilder(self._path)
        self._child: Child | None = None

    def begin(self, *, beside: bool) -> None:
        """Prepare for :meth:`add`. With ``beside``, a child process sorts the titles."""
        if beside:
            self._builder.close()
            self._child = Child("the process that wrote the title index was stopped", write_beside, self._path)

    def add(self, first_id: int, titles: Sequence[str], normalized: Sequence[str]) -> None:
        """Add the raw and normalised titles of consecutive records from ``first_id`` on."""
        if self._child:
            self._child.send((first_id, [title if SEPARATOR in title else "" for title in titles], normalized))
        else:
            self._builder.add_all(first_id, titles, normalized)

    def end(self) -> None:
        """Tell the child process, if there is one, that all titles are added and can be sorted."""
        if self._child:
            self._child.send(None)

    def finish(self, database: Path, progress: Callable[[float], None]) -> None:
        """Complete the index of the finished file ``database``. ``progress`` gets the share that is done, 0 to 1."""
        try:
            with closing(ReadOnlyFile(database)) as file:
                own = fingerprint(file)
                if self._child:
                    self._child.send(own)
                    for share in self._child:
                        progress(share)
                else:
                    self._builder.finish(own, progress)
        finally:
            self.discard()

    def discard(self) -> None:
        """Delete the scratch files and end the child process."""
        if self._child:
            self._child.close(seconds=10)
        self._builder.close()


def write_beside(sent: Iterator[Any], path: Path) -> Iterator[float]:
    """Write the title index at ``path`` from the titles ``sent``, in a :class:`Child`; yield the share that is done."""
    try:
        with closing(TitleIndexBuilder(path)) as builder:
            for titles in iter(sent.__next__, None):
                builder.add_all(*titles)
            yield from builder.prepare()
            builder.finish(next(sent))
    except OSError as error:
        raise BuildError(f"{path}: cannot be written: {error.strerror or error}") from error


def create(path: Path, index_dir: Path | None = None) -> Header:
    """Write the title index of the database at ``path``, of any layout, beside the database or in ``index_dir``.

    Raises :class:`BuildError` if the index cannot be written, or the database changes meanwhile.
    """
    with Database.open(path) as database, TitleIndexBuilder(index_path(path, index_dir)) as builder:
        before = fingerprint(database.file)
        for record_id, title in database.titles():
            builder.add(record_id, title)
        if fingerprint(database.file) != before:
            raise BuildError(f"{path}: was changed while its titles were read; try again")
        return builder.finish(before)
