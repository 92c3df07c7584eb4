"""What a database is built from: one kind of source a file, each with the shape of :class:`SourceFormat`.

A new kind is one more module here. It is found from the folder, and ``docs/database.md`` has a line for each.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple, Protocol, cast

from citeproof.bibdb.lines import is_one_list
from citeproof.bibdb.parts import Parts, in_archive, in_folder, is_archive
from citeproof.bibdb.source_file import SourceFile
from citeproof.bibdb.stretches import Stretch, StretchFile, split
from citeproof.errors import BuildError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from citeproof.bibdb.schema import NoticeRow, Row
    from citeproof.bibdb.source_file import Reading

BEGINNING_BYTES = 1 << 16
"""So much of a file, decompressed, tells what it is."""
_HTML = re.compile(rb"<!doctype\s+html|<html[\s>]", re.IGNORECASE)
_HTML_BYTES = 4096
_SURELY = 2


class Batch(NamedTuple):
    """Some publications of a source, and what is known of it up to here."""

    rows: list[Row]
    date: str | None
    """The day of the newest record so far, ``YYYY-MM-DD``, where records are dated."""
    skipped: int
    """Entries so far that are publications and could not be taken, such as one without a title."""
    faults: tuple[str, ...] = ()
    """What in this batch is broken, each with its place: ``line 17: is no JSON object``."""
    notices: tuple[NoticeRow, ...] = ()
    """Retractions and the like that this batch tells of, of works in it or elsewhere."""


class SourceFormat(Protocol):
    """The shape of a module of this folder."""

    NAME: str
    """What the table ``sources`` calls the format."""
    LICENCE: str | None
    """The terms on which its publisher gives the records away; None where the file has no one publisher."""

    LINES: bool
    """Whether each line of JSON is a work by itself, so that the lines of one file can be read by several processes."""

    def accepts(self, beginning: bytes) -> int:
        """Return whether a file that begins so is one: 0 no, 1 perhaps, 2 surely."""

    def label(self, path: Path) -> str:
        """Return what the records of the file at ``path`` carry as their source."""

    def records(self, file: SourceFile) -> Iterator[Batch]:
        """Read the beginning of ``file``, and return its publications, which are read as they are asked for.

        Raises:
            BuildError: the file is broken, or is not of this format after all.
        """


class Origin(NamedTuple):
    """Where a file was fetched from, and which version of it; empty for a file that the user had."""

    url: str = ""
    etag: str = ""
    modified: str = ""
    """The server's ``Last-Modified``."""
    fetched: str = ""
    """The day, ``YYYY-MM-DD``."""


NO_ORIGIN = Origin()


@dataclass(frozen=True, slots=True)
class Source:
    """Something that is open, with what it holds; it can be read once."""

    file: Reading
    label: str
    """What its records carry as their source."""
    format: str
    licence: str | None
    batches: Iterator[Batch]
    name: str
    """The file's own name."""
    origin: Origin
    faults: int = 0
    """What was broken and left out when it became part of the database that it is read back from."""
    from_file: bool = True
    """It can be opened again by its path, in another process."""
    stretches: Iterator[Stretch] | None = None
    """Its lines, to be had in place of :attr:`batches`: several processes can read them."""


@cache
def formats() -> tuple[SourceFormat, ...]:
    """Return every kind of source, by name."""
    names = sorted(module.name for module in pkgutil.iter_modules(__path__))
    return tuple(cast("SourceFormat", importlib.import_module(f"{__name__}.{name}")) for name in names)


def open_source(path: Path, origin: Origin = NO_ORIGIN) -> Source:
    """Return ``path`` as the source that its content says it is; raise :class:`BuildError` when it is none.

    A folder, a ``tar`` and a ``zip`` are the files in them, as far as they surely are of the kind of the first that is.
    """
    if path.is_dir():
        return _of_parts(in_folder(path), origin)
    file = SourceFile(path)
    try:
        beginning = file.peek(BEGINNING_BYTES)
        if is_archive(beginning):
            file.close()
            return _of_parts(in_archive(path, beginning), origin)
        kind = _format_of(path, beginning)
        batches = _placed(file, kind.records(file))
        stretches = split(file, file) if _is_of_lines(kind, file) else None
        return Source(file, kind.label(path), kind.NAME, kind.LICENCE, batches, path.name, origin, stretches=stretches)
    except BaseException:
        file.close()
        raise


def _format_of(path: Path, beginning: bytes) -> SourceFormat:
    if not beginning:
        raise BuildError(f"{path}: holds nothing, once decompressed; fetch it again")
    if _HTML.search(beginning[:_HTML_BYTES]):
        raise BuildError(f"{path}: is a web page, not a dump; fetch the dump again and look at what comes")
    score, best = _best(beginning)
    if not score:
        raise BuildError(f"{path}: is neither a dump of a kind that is known nor a bibliography")
    return best


def _best(beginning: bytes) -> tuple[int, SourceFormat]:
    return max(((kind.accepts(beginning), kind) for kind in formats()), key=lambda scored: scored[0])


def _of_parts(parts: Parts, origin: Origin) -> Source:
    try:
        for file in parts:
            score, kind = _best(file.peek(BEGINNING_BYTES))
            if score == _SURELY:
                path, batches = parts.path, _chained(kind, file, parts)
                stretches = _split_all(kind, file, parts) if _is_of_lines(kind, file) else None
                return Source(
                    parts, kind.label(path), kind.NAME, kind.LICENCE, batches, path.name, origin, stretches=stretches
                )
    except BaseException:
        parts.close()
        raise
    parts.close()
    what = "directory" if parts.path.is_dir() else "archive"
    raise BuildError(f"{parts.path}: is a {what} without a file of a kind that is known")


def _chained(kind: SourceFormat, first: SourceFile, others: Parts) -> Iterator[Batch]:
    """Yield what the parts hold that are of one kind; a broken part is a fault, and the others are read."""
    date: str | None = None
    skipped = 0
    for file in chain([first], others):
        within = 0
        try:
            if kind.accepts(file.peek(BEGINNING_BYTES)) < _SURELY:
                continue
            for batch in _placed(file, kind.records(file)):
                within = batch.skipped
                date = max(filter(None, (date, batch.date)), default=None)
                yield batch._replace(date=date, skipped=skipped + within)
        except BuildError as error:
            yield Batch([], date, skipped + within, (str(error),))
        skipped += within


def _is_of_lines(kind: SourceFormat, file: SourceFile) -> bool:
    return kind.LINES and file.peek(1).startswith(b"{") and not is_one_list(file)


def _split_all(kind: SourceFormat, first: SourceFile, others: Parts) -> Iterator[Stretch]:
    """Yield the stretches of all parts that are of one kind, as :func:`_chained` yields their batches."""
    for file in chain([first], others):
        try:
            if kind.accepts(file.peek(BEGINNING_BYTES)) < _SURELY:
                continue
            yield from split(file, others)
        except BuildError as error:
            yield Stretch(str(file.path), b"", 0, others.position, str(error))


def batches_of(name: str, stretch: Stretch) -> Iterator[Batch]:
    """Yield what ``stretch`` of a source of the format ``name`` holds."""
    if stretch.fault:
        yield Batch([], None, 0, (stretch.fault,))
        return
    (kind,) = (kind for kind in formats() if name == kind.NAME)
    file = StretchFile(stretch)
    yield from _placed(file, kind.records(file))


def _placed(file: SourceFile, batches: Iterable[Batch]) -> Iterator[Batch]:
    """Yield ``batches`` with ``file`` named in their faults."""
    for batch in batches:
        yield batch._replace(faults=tuple(f"{file.path}: {fault}" for fault in batch.faults)) if batch.faults else batch
