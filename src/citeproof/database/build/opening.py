"""Open a source of a database: a file, or the files of a folder or archive as one source.

A folder is read in the order of its names. A ``tar`` and a ``zip`` are read front to back, and nothing is unpacked to
the disk.
"""

import io
import re
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path
from typing import IO, TypeVar

from citeproof.database.build.source_file import STANDARD_INPUT, SourceFile, Stretch, is_one_list, stretches
from citeproof.database.build.sources import NO_ORIGIN, Batch, Origin, SourceFormat, formats
from citeproof.model.errors import BuildError

BEGINNING_BYTES = 1 << 16
"""Number of decompressed bytes at the start of a file from which its format is detected."""
_HTML = re.compile(rb"<!doctype\s+html|<html[\s>]", re.IGNORECASE)
_HTML_BYTES = 4096
_SURELY = 2
_TAR_MAGIC = slice(257, 262)
"""Offset of the magic ``ustar`` in the first block of a tar archive (POSIX.1-1988)."""
_ZIP = b"PK\x03\x04"
_Member = tuple[str, IO[bytes] | None]
"""Name of a member of an archive, and a stream of its decompressed bytes."""
_Read = TypeVar("_Read")


@dataclass(frozen=True, slots=True)
class Source:
    """A source of records that is open for reading. It can be read only once."""

    path: Path
    size: int
    """Total bytes; 0 if unknown, as for a pipe."""
    label: str
    """Value of ``source`` in its records."""
    format: str
    licence: str | None
    batches: Iterator[Batch]
    name: str
    """Name of the file."""
    origin: Origin
    faults: int = 0
    """Number of parts that were skipped when this source was built, if it comes from an existing database."""
    from_file: bool = True
    """Whether another process can open the source by its path."""
    stretches: Iterator[Stretch] | None = None
    """Chunks of lines that several processes can parse. If they are given, they replace :attr:`batches`."""
    close: Callable[[], object] = tuple
    """Close the files of the source."""


def open_source(path: Path, origin: Origin = NO_ORIGIN) -> Source:
    """Open the source at ``path``. Its format is detected from its content.

    In a folder, a ``tar`` or a ``zip``, the first file of a known format decides, and all files of this format are
    read. Raises :class:`BuildError` if ``path`` cannot be read, or has no known format.
    """
    if path.is_dir():
        paths = sorted(found for found in path.rglob("*") if found.is_file() and not _hidden(found.relative_to(path)))
        return _of_parts(path, sum(found.stat().st_size for found in paths), _in_folder(paths), origin)
    file = SourceFile(path)
    try:
        beginning = file.peek(BEGINNING_BYTES)
        if beginning[_TAR_MAGIC] == b"ustar" or beginning.startswith(_ZIP):
            file.close()
            members = _of_zip if beginning.startswith(_ZIP) else _of_tar
            return _of_parts(path, path.stat().st_size, _in_archive(path, members), origin)
        kind = _format_of(path, beginning)
        batches, chunks = _batches(kind, file), stretches(file) if _is_of_lines(kind, file) else None
        return _source(path, file.size, kind, batches, chunks, origin, file.close)
    except BaseException:
        file.close()
        raise


def _of_parts(path: Path, size: int, files: Generator[SourceFile], origin: Origin) -> Source:
    for file in files:
        score, kind = _best(file.peek(BEGINNING_BYTES))
        if score == _SURELY:
            parts = chain([file], files)
            batches = _each(kind, parts, partial(_batches, kind), _broken_batch)
            chunks = _each(kind, parts, stretches, _broken_stretch) if _is_of_lines(kind, file) else None
            return _source(path, size, kind, batches, chunks, origin, files.close)
    raise BuildError(f"{path}: is a {'directory' if path.is_dir() else 'archive'} without a file of a known kind")


def _source(
    path: Path, size: int, kind: SourceFormat, batches: Iterator[Batch], chunks: Iterator[Stretch] | None,
    origin: Origin, close: Callable[[], object],
) -> Source:  # fmt: skip
    label = kind.NAME if kind.LICENCE else path.name
    return Source(
        path, size, label, kind.NAME, kind.LICENCE, batches, path.name, origin, 0, path != STANDARD_INPUT, chunks, close
    )


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


def _is_of_lines(kind: SourceFormat, file: SourceFile) -> bool:
    return kind.LINES and file.peek(1).startswith(b"{") and not is_one_list(file)


def _each(
    kind: SourceFormat,
    files: Iterable[SourceFile],
    read: Callable[[SourceFile], Iterator[_Read]],
    broken: Callable[[SourceFile, str], _Read],
) -> Iterator[_Read]:
    """Yield what ``read`` yields for each of ``files`` of one format, and ``broken`` for the rest of a broken file."""
    for file in files:
        try:
            if kind.accepts(file.peek(BEGINNING_BYTES)) == _SURELY:
                yield from read(file)
        except BuildError as error:
            yield broken(file, str(error))


def _broken_batch(file: SourceFile, fault: str) -> Batch:
    return Batch([], faults=(fault,), position=file.position)


def _broken_stretch(file: SourceFile, fault: str) -> Stretch:
    return Stretch(str(file.path), b"", 0, file.position, fault)


def batches_of(name: str, stretch: Stretch) -> Iterator[Batch]:
    """Yield the batches of records in ``stretch``, a chunk of lines of a source in the format ``name``."""
    (kind,) = (kind for kind in formats() if name == kind.NAME)
    if stretch.fault:
        return iter([Batch([], faults=(stretch.fault,), position=stretch.position)])
    content = io.BytesIO(stretch.content)
    file = SourceFile(Path(stretch.path), content, before=stretch.position, first_line=stretch.first_line)
    return _batches(kind, file)


def _batches(kind: SourceFormat, file: SourceFile) -> Iterator[Batch]:
    """Yield the batches of ``file``, with positions in the source and with the path of the file in their faults."""
    for batch in kind.records(file):
        faults = tuple(f"{file.path}: {fault}" for fault in batch.faults)
        yield batch._replace(faults=faults, position=file.position)


def _in_folder(paths: Sequence[Path]) -> Generator[SourceFile]:
    """Yield the files at ``paths`` that are not empty; each is closed when the next one is requested."""
    before = 0
    for path in paths:
        if size := path.stat().st_size:
            with closing(SourceFile(path, before=before)) as file:
                yield file
            before += size


def _in_archive(path: Path, members: Callable[[IO[bytes]], Iterator[_Member]]) -> Generator[SourceFile]:
    """Yield the ``members`` of the archive at ``path``; each is closed when the next one is requested."""
    try:
        with path.open("rb") as raw:
            for name, stream in members(raw):
                if not _hidden(Path(name)):
                    with closing(SourceFile(path / name, stream, within=raw)) as file:
                        yield file
    except (tarfile.TarError, zipfile.BadZipFile, EOFError, zlib.error, OSError) as error:
        raise BuildError(f"{path}: the archive ends in the middle or is damaged ({error})") from None


def _of_tar(raw: IO[bytes]) -> Iterator[_Member]:
    with tarfile.open(fileobj=raw, mode="r|*") as archive:
        for member in archive:
            if member.isfile() and member.size:
                yield member.name, archive.extractfile(member)


def _of_zip(raw: IO[bytes]) -> Iterator[_Member]:
    with zipfile.ZipFile(raw) as archive:
        for member in archive.infolist():
            if not member.is_dir() and member.file_size:
                with archive.open(member) as stream:
                    yield member.filename, stream


def _hidden(path: Path) -> bool:
    return any(part.startswith((".", "__MACOSX")) for part in path.parts)
