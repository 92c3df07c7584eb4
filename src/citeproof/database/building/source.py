"""Open a source of a database, and read the records in batches.

A source is a file, a folder or an archive. Archives are not unpacked to the disk. A large file of a
format that can be split is decompressed and split into chunks by the build. Child processes, called
helpers, parse the chunks.
"""

import gzip
import re
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path
from typing import IO, TypeVar

from citeproof.database.building.source_file import (
    CHUNK_BYTES,
    STANDARD_INPUT,
    Chunk,
    SourceFile,
)
from citeproof.database.building.sources import NO_ORIGIN, Batch, Origin, SourceFormat, formats
from citeproof.model.errors import BuildError
from citeproof.store.sql import on_failure

# number of decompressed bytes, from the start of a file, that are used to detect the format
_BEGINNING_BYTES = 1 << 16
_HTML = re.compile(rb"<!doctype\s+html|<html[\s>]", re.IGNORECASE)
_CERTAINLY = 2  # result of ``SourceFormat.accepts`` for a file that certainly has the format
# position of the text ``ustar`` in the first block of a tar archive (POSIX.1-1988)
_TAR_MAGIC = slice(257, 262)
_ZIP, _GZIP = b"PK\x03\x04", b"\x1f\x8b"
_Member = tuple[str, IO[bytes] | None]  # name of a file in an archive, and the decompressed content
_Read = TypeVar("_Read")


@dataclass(frozen=True, slots=True)
class Source:
    """An opened source of records, such as a dump. The records can be read only once."""

    path: Path
    size: int  # total size in bytes; 0 if unknown, for example for a pipe
    label: str  # name of the source in the database, such as ``dblp``
    format: str
    licence: str | None
    batches: Iterator[Batch]
    name: str  # name of the file, folder or archive
    origin: Origin
    # number of errors that an earlier build skipped, if the source is copied from an existing
    # database
    faults: int = 0
    from_file: bool = True  # whether another process can open the source by ``path``
    copied: bool = False  # whether the records come from an existing database
    # chunks of lines to read instead of ``batches``; None for other formats
    chunks: Iterator[Chunk] | None = None
    close: Callable[[], object] = tuple  # function that closes the files of the source


def open_source(path: Path, origin: Origin = NO_ORIGIN) -> Source:
    """Open the file, folder or archive at ``path`` as a source.

    The format is detected from the content.

    In a folder, ``tar`` or ``zip``, the first file of a known format sets the format. Other files
    are ignored. Raises :class:`BuildError` if ``path`` cannot be read, or has no known format.
    """
    if path.is_dir():
        paths = sorted(
            found
            for found in path.rglob("*")
            if found.is_file() and not _hidden(found.relative_to(path))
        )
        return _of_parts(
            path, sum(found.stat().st_size for found in paths), _in_folder(paths), origin
        )
    file = SourceFile(path)
    with on_failure(file.close):
        beginning = file.peek(_BEGINNING_BYTES)
        if beginning[_TAR_MAGIC] == b"ustar" or beginning.startswith(_ZIP):
            file.close()
            members = _of_zip if beginning.startswith(_ZIP) else _of_tar
            return _of_parts(path, path.stat().st_size, _in_archive(path, members), origin)
        kind = _format_of(path, beginning)
        chunks = kind.CHUNKS(file) if kind.CHUNKS else None
        return _source(path, file.size, kind, batches_of(kind, file), chunks, origin, file.close)


def _of_parts(path: Path, size: int, files: Generator[SourceFile], origin: Origin) -> Source:
    for file in files:
        score, kind = _best(file.peek(_BEGINNING_BYTES))
        if score == _CERTAINLY:
            parts = chain([file], files)
            chunks = (
                _each_file(kind, parts, partial(_chunks_of, kind), _broken_chunk)
                if kind.CHUNKS and kind.CHUNKS(file)
                else None
            )
            batches = _each_file(kind, parts, partial(batches_of, kind), _broken_batch)
            return _source(path, size, kind, batches, chunks, origin, files.close)
    raise BuildError(
        f"{path}: is {'a directory' if path.is_dir() else 'an archive'} without a file of a known"
        " kind"
    )


def _source(
    path: Path,
    size: int,
    kind: SourceFormat,
    batches: Iterator[Batch],
    chunks: Iterator[Chunk] | None,
    origin: Origin,
    close: Callable[[], object],
) -> Source:
    label, from_file = kind.NAME if kind.LICENCE else path.name, path != STANDARD_INPUT
    return Source(
        path,
        size,
        label,
        kind.NAME,
        kind.LICENCE,
        batches,
        path.name,
        origin,
        0,
        from_file,
        False,
        chunks,
        close,
    )


def _format_of(path: Path, beginning: bytes) -> SourceFormat:
    if not beginning:
        raise BuildError(f"{path}: is empty after decompression; fetch it again")
    if _HTML.search(beginning, 0, 4096):
        raise BuildError(
            f"{path}: is a web page, not a dump; look at the file, and fetch the dump again"
        )
    score, best = _best(beginning)
    if not score:
        raise BuildError(f"{path}: is neither a known kind of dump nor a bibliography")
    return best


def _best(beginning: bytes) -> tuple[int, SourceFormat]:
    return max(
        ((kind.accepts(beginning), kind) for kind in formats()), key=lambda scored: scored[0]
    )


def _each_file(
    kind: SourceFormat,
    files: Iterable[SourceFile],
    read: Callable[[SourceFile], Iterator[_Read]],
    broken: Callable[[SourceFile, str], _Read],
) -> Iterator[_Read]:
    """Yield the items of ``read(file)`` for each of ``files`` that has the format ``kind``.

    If a file cannot be read further, yield ``broken(file, message)`` in place of the rest.
    """
    for file in files:
        try:
            if kind.accepts(file.peek(_BEGINNING_BYTES)) == _CERTAINLY:
                yield from read(file)
        except BuildError as error:
            yield broken(file, str(error))


def _broken_batch(file: SourceFile, fault: str) -> Batch:
    return Batch([], faults=(fault,), position=file.position)


def _chunks_of(kind: SourceFormat, file: SourceFile) -> Iterator[Chunk]:
    some = kind.CHUNKS(file) if kind.CHUNKS else None
    return some or iter([Chunk(str(file.path), file.read_all(), 1, file.position)])


def _broken_chunk(file: SourceFile, fault: str) -> Chunk:
    return Chunk(str(file.path), b"", 0, file.position, fault)


def batches_of(kind: SourceFormat, file: SourceFile) -> Iterator[Batch]:
    """Yield the batches of ``file``. Error messages name the file."""
    for batch in kind.records(file):
        faults = tuple(f"{file.path}: {fault}" for fault in batch.faults)
        yield batch._replace(faults=faults, position=file.position)  # from the source's start


def _in_folder(paths: Iterable[Path]) -> Generator[SourceFile]:
    """Open and yield the files at ``paths``, except empty files.

    A file is closed when the next file is requested.
    """
    before = 0
    for path in paths:
        if size := path.stat().st_size:
            with closing(SourceFile(path, before=before, is_part=True)) as file:
                yield file
            before += size


def _in_archive(
    path: Path, members: Callable[[IO[bytes]], Iterator[_Member]]
) -> Generator[SourceFile]:
    """Open and yield the files in the archive at ``path``. ``members`` is the function that reads
    the kind of archive, such as tar.

    A file is closed when the next file is requested.
    """
    try:
        with path.open("rb") as raw:
            for name, stream in members(raw):
                if not _hidden(Path(name)):
                    with closing(SourceFile(path / name, stream, within=raw, is_part=True)) as file:
                        yield file
    except (tarfile.TarError, zipfile.BadZipFile, EOFError, zlib.error, OSError) as error:
        raise BuildError(
            f"{path}: the archive ends in the middle or is damaged ({error})"
        ) from None


def _of_tar(raw: IO[bytes]) -> Iterator[_Member]:
    # tarfile reads only the first member of a gzip file, and would lose the other members silently
    is_gzip = raw.read(2) == _GZIP
    raw.seek(0)
    stream = gzip.GzipFile(fileobj=raw) if is_gzip else raw
    with tarfile.open(fileobj=stream, mode="r|*", bufsize=CHUNK_BYTES) as archive:
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
