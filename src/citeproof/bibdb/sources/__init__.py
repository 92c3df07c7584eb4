"""What a database is built from: one kind of source a file, each with the shape of :class:`SourceFormat`.

A new kind is one more module here. It is found from the folder, and ``docs/database.md`` has a line for each.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol, cast

from citeproof.bibdb.source_file import SourceFile
from citeproof.errors import BuildError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from citeproof.bibdb.schema import Row

BEGINNING_BYTES = 1 << 16
"""So much of a file, decompressed, tells what it is."""
_HTML = re.compile(rb"<!doctype\s+html|<html[\s>]", re.IGNORECASE)
_HTML_BYTES = 4096


class Batch(NamedTuple):
    """Some publications of a source, and what is known of it up to here."""

    rows: list[Row]
    date: str | None
    """The day of the newest record so far, ``YYYY-MM-DD``, where records are dated."""
    skipped: int
    """Entries so far that are publications and could not be taken, such as one without a title."""


class SourceFormat(Protocol):
    """The shape of a module of this folder."""

    NAME: str
    """What the table ``sources`` calls the format."""
    LICENCE: str | None
    """The terms on which its publisher gives the records away; None where the file has no one publisher."""

    def accepts(self, beginning: bytes) -> int:
        """Return whether a file that begins so is one: 0 no, 1 perhaps, 2 surely."""

    def label(self, path: Path) -> str:
        """Return what the records of the file at ``path`` carry as their source."""

    def records(self, file: SourceFile) -> Iterator[Batch]:
        """Read the beginning of ``file``, and return its publications, which are read as they are asked for.

        Raises:
            BuildError: the file is broken, or is not of this format after all.
        """


@dataclass(frozen=True, slots=True)
class Source:
    """A file that is open, with what it holds; it can be read once."""

    file: SourceFile
    format: SourceFormat
    batches: Iterator[Batch]


def formats() -> tuple[SourceFormat, ...]:
    """Return every kind of source, by name."""
    names = sorted(module.name for module in pkgutil.iter_modules(__path__))
    return tuple(cast("SourceFormat", importlib.import_module(f"{__name__}.{name}")) for name in names)


def open_source(path: Path) -> Source:
    """Return ``path`` as the source that its content says it is; raise :class:`BuildError` when it is none."""
    file = SourceFile(path)
    try:
        format_ = _format_of(path, file.peek(BEGINNING_BYTES))
        return Source(file, format_, format_.records(file))
    except BaseException:
        file.close()
        raise


def _format_of(path: Path, beginning: bytes) -> SourceFormat:
    if not beginning:
        raise BuildError(f"{path}: holds nothing, once decompressed; fetch it again")
    if _HTML.search(beginning[:_HTML_BYTES]):
        raise BuildError(f"{path}: is a web page, not a dump; fetch the dump again and look at what comes")
    score, best = max(((format_.accepts(beginning), format_) for format_ in formats()), key=lambda scored: scored[0])
    if not score:
        raise BuildError(f"{path}: is neither a DBLP dump nor a .bib file")
    return best
