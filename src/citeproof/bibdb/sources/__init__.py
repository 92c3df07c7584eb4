"""What a database is built from: one kind of source a file, each a class of the shape of :class:`Source`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator

    from citeproof.bibdb.schema import Row
    from citeproof.bibdb.sources.stream import SourceFile


class Source(Protocol):
    """A file of publications, read once from beginning to end."""

    file: SourceFile
    name: str
    """What its records carry as their source."""
    format: str
    licence: str | None
    date: str | None
    """The day of its newest record as far as it has been read, ``YYYY-MM-DD``, where records are dated."""
    skipped: int
    """Entries so far that are publications and could not be taken, such as one without a title."""

    def rows(self) -> Iterator[list[Row]]:
        """Yield its publications in batches; raise :class:`~citeproof.errors.BuildError` for a broken file."""
