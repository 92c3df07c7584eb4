"""Make the title index of a database: while the database is built, or afterwards for any that there is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from citeproof.bibdb.database import Database
from citeproof.bibdb.title_index.fingerprint import fingerprint
from citeproof.bibdb.title_index.format import index_path
from citeproof.bibdb.title_index.writer.beside import TitlesBeside
from citeproof.bibdb.title_index.writer.build import TitleIndexBuilder
from citeproof.errors import BuildError
from citeproof.storage.sqlite import ReadOnlyFile

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from citeproof.bibdb.title_index.format import Header


class TitleIndexer:
    """The title index of a database that is being built."""

    name = "titles"

    def __init__(self, database: Path, index_dir: Path | None = None) -> None:
        """Prepare the index of the database that will stand at ``database``, beside it or in ``index_dir``.

        Raises:
            BuildError: the index cannot be written there.
        """
        self._path = index_path(database, index_dir)
        self._builder: TitleIndexBuilder | TitlesBeside = _builder(self._path)

    def begin(self, *, beside: bool) -> None:
        """Prepare to take titles in, in another process where ``beside``."""
        if beside:
            self._builder.close()
            self._builder = TitlesBeside(self._path)

    def add(self, first_id: int, titles: Sequence[str], normalized: Sequence[str]) -> None:
        """Take in the titles, raw and normalised, of consecutive records, the first of which is ``first_id``."""
        self._builder.add_all(first_id, titles, normalized)

    def end(self) -> None:
        """Begin to sort the titles, now that no more come, where another process does it."""
        if isinstance(self._builder, TitlesBeside):
            self._builder.end()

    def finish(self, database: Path, progress: Callable[[float], None] = lambda _: None) -> None:
        """Complete the index for the database that now stands at ``database``."""
        file = ReadOnlyFile(database)
        try:
            self._builder.finish(fingerprint(file), progress)
        finally:
            file.close()
            self._builder.close()

    def discard(self) -> None:
        """Leave nothing behind: the build has failed."""
        self._builder.close()


def create(path: Path, index_dir: Path | None = None) -> Header:
    """Write the title index of the database at ``path``, of any layout; the database itself is only read.

    Args:
        path: the database.
        index_dir: where the index goes, if not beside the database.

    Raises:
        DatabaseError: there is no such database.
        BuildError: the index cannot be written, or the database changed meanwhile; the index before stays.
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
