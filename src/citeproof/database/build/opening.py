"""Open a source of a database: a file, or the files of a folder or archive as one source.

A folder is read in the order of its names. A ``tar`` and a ``zip`` are read front to back, and nothing is unpacked to
the disk.
"""

from __future__ import annotations

import re
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import IO

from citeproof.database.build.source_file import Reading, SourceFile, Stretch, StretchFile, is_one_list, split
from citeproof.database.build.sources import NO_ORIGIN, Batch, Origin, SourceFormat, formats
from citeproof.model.errors import BuildError

BEGINNING_BYTES = 1 << 16
"""Number of decompressed bytes from which the format of a file is detected."""
_HTML = re.compile(rb"<!doctype\s+html|<html[\s>]", re.IGNORECASE)
_HTML_BYTES = 4096
_SURELY = 2
_TAR_MAGIC = slice(257, 262)
"""Position of ``ustar`` in the first block of an archive (POSIX.1-1988)."""
_ZIP = b"PK\x03\x04"


@dataclass(frozen=True, slots=True)
class Source:
    """An open source, which can be read once."""

    file: Reading
    label: str
    """Value of ``source`` in its records."""
    format: str
    licence: str | None
    batches: Iterator[Batch]
    name: str
    """Name of the file."""
    origin: Origin
    faults: int = 0
    """For a source of an existing database: number of parts that were left out when that was built."""
    from_file: bool = True
    """Whether another process can open it by its path."""
    stretches: Iterator[Stretch] | None = None
    """Chunks of its lines, which several processes can read, instead of :attr:`batches`."""


def open_source(path: Path, origin: Origin = NO_ORIGIN) -> Source:
    """Open the source at ``path``; its format is detected from its content.

    Of a folder, a ``tar`` or a ``zip``, the files of the format of the first known file are read. Raises
    :class:`BuildError` if ``path`` cannot be read, or has no known format.
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
        return _source(kind, file, batches, stretches, origin)
    except BaseException:
        file.close()
        raise


def _source(
    kind: SourceFormat, file: Reading, batches: Iterator[Batch], stretches: Iterator[Stretch] | None, origin: Origin
) -> Source:
    name = file.path.name
    label = kind.NAME if kind.LICENCE else name
    return Source(file, label, kind.NAME, kind.LICENCE, batches, name, origin, stretches=stretches)


def _format_of(path: Path, beginning: bytes) -> SourceFormat:
    if not beginning:
        raise BuildError(f"{path}: holds nothing, once decompressed; fetch it again")
    if _HTML.search(beginning[:_HTML_BYTES]):
        raise BuildError(f"{path}: is a web page, not a dump; look at the file, and fetch the dump again")
    score, best = _best(beginning)
    if not score:
        raise BuildError(f"{path}: is neither a known kind of dump nor a bibliography")
    return best


def _best(beginning: bytes) -> tuple[int, SourceFormat]:
    return max(((kind.accepts(beginning), kind) for kind in formats()), key=lambda scored: scored[0])


def _of_parts(parts: Parts, origin: Origin) -> Source:
    try:
        for file in parts:
            score, kind = _best(file.peek(BEGINNING_BYTES))
            if score == _SURELY:
                stretches = _split_all(kind, file, parts) if _is_of_lines(kind, file) else None
                return _source(kind, parts, _chained(kind, file, parts), stretches, origin)
    except BaseException:
        parts.close()
        raise
    parts.close()
    what = "directory" if parts.path.is_dir() else "archive"
    raise BuildError(f"{parts.path}: is a {what} without a file of a known kind")


def _chained(kind: SourceFormat, first: SourceFile, others: Parts) -> Iterator[Batch]:
    """Yield the batches of all parts of one format; a broken part is a fault, and the others are read."""
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
    """Yield the chunks of all parts of one format, as :func:`_chained` yields their batches."""
    for file in chain([first], others):
        try:
            if kind.accepts(file.peek(BEGINNING_BYTES)) < _SURELY:
                continue
            yield from split(file, others)
        except BuildError as error:
            yield Stretch(str(file.path), b"", 0, others.position, str(error))


def batches_of(name: str, stretch: Stretch) -> Iterator[Batch]:
    """Yield the batches of ``stretch``, a chunk of a source of the format ``name``."""
    if stretch.fault:
        yield Batch([], None, 0, (stretch.fault,))
        return
    (kind,) = (kind for kind in formats() if name == kind.NAME)
    file = StretchFile(stretch)
    yield from _placed(file, kind.records(file))


def _placed(file: SourceFile, batches: Iterable[Batch]) -> Iterator[Batch]:
    """Yield ``batches`` with the path of ``file`` in their faults."""
    for batch in batches:
        yield batch._replace(faults=tuple(f"{file.path}: {fault}" for fault in batch.faults)) if batch.faults else batch


class Parts:
    """The files of one source; each is read to its end before the next one is requested."""

    def __init__(self, path: Path, size: int, files: Iterator[SourceFile], position: Callable[[], int]) -> None:
        """``position`` returns the bytes, of the ``size`` bytes at ``path``, that were read before the present file."""
        self.path = path
        self.size = size
        self._files = files
        self._position = position
        self._current: SourceFile | None = None

    def __iter__(self) -> Iterator[SourceFile]:
        return self

    def __next__(self) -> SourceFile:
        if self._current:
            self._current.close()
            self._current = None
        self._current = next(self._files)
        return self._current

    @property
    def position(self) -> int:
        """Bytes of :attr:`size` that have been read."""
        return self._position() + (self._current.position if self._current else 0)

    def close(self) -> None:
        """Close all files."""
        if self._current:
            self._current.close()
        self._files.close()  # type: ignore[attr-defined] # each is a generator


def in_folder(folder: Path) -> Parts:
    """Return the files in ``folder`` and its subfolders, without hidden ones."""
    names = sorted(path for path in folder.rglob("*") if path.is_file() and not _hidden(path.relative_to(folder)))
    sizes = [path.stat().st_size for path in names]
    done = [0]

    def files() -> Iterator[SourceFile]:
        for path, size in zip(names, sizes, strict=True):
            if size:
                yield SourceFile(path)
            done[0] += size

    return Parts(folder, sum(sizes), files(), lambda: done[0])


def is_archive(beginning: bytes) -> bool:
    """Return whether a file with this ``beginning``, decompressed, is a ``tar`` or a ``zip``."""
    return beginning[_TAR_MAGIC] == b"ustar" or beginning.startswith(_ZIP)


def in_archive(path: Path, beginning: bytes) -> Parts:
    """Return the members of the archive at ``path``."""
    try:
        raw = path.open("rb")
    except OSError as error:
        raise BuildError(f"{path}: cannot be read: {error.strerror}") from error
    members = _of_zip if beginning.startswith(_ZIP) else _of_tar
    closed = [0]

    def files() -> Iterator[SourceFile]:
        with raw:
            try:
                for name, stream in members(raw):
                    if not _hidden(Path(name)):
                        yield SourceFile(path / name, stream)
            except (tarfile.TarError, zipfile.BadZipFile, EOFError, zlib.error, OSError) as error:
                raise BuildError(f"{path}: the archive ends in the middle or is damaged ({error})") from None
            finally:
                closed[0] = raw.tell()

    return Parts(path, path.stat().st_size, files(), lambda: closed[0] if raw.closed else raw.tell())


def _of_tar(raw: IO[bytes]) -> Iterator[tuple[str, IO[bytes] | None]]:
    with tarfile.open(fileobj=raw, mode="r|*") as archive:
        for member in archive:
            if member.isfile() and member.size:
                yield member.name, archive.extractfile(member)


def _of_zip(raw: IO[bytes]) -> Iterator[tuple[str, IO[bytes] | None]]:
    with zipfile.ZipFile(raw) as archive:
        for member in archive.infolist():
            if not member.is_dir() and member.file_size:
                with archive.open(member) as stream:
                    yield member.filename, stream


def _hidden(path: Path) -> bool:
    return any(part.startswith((".", "__MACOSX")) for part in path.parts)
