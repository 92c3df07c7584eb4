"""Open a source of a database, and read the records in batches.

Large sources are read in child processes.

A source is a file, a folder or an archive. Archives are not unpacked to the disk. For a large file
of JSON lines, one child process decompresses the file. Other child processes, called helpers, parse
the lines.
"""

import gzip
import io
import re
import sys
import tarfile
import zipfile
import zlib
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass
from functools import partial
from itertools import chain, compress, islice, repeat, starmap
from pathlib import Path
from typing import IO, Any, NamedTuple, TypeVar

from citeproof.database import schema
from citeproof.database.building import author_index, identifier_index
from citeproof.database.building.child import Child
from citeproof.database.building.key_pairs import Keys
from citeproof.database.building.packing import packed
from citeproof.database.building.selection import Selection
from citeproof.database.building.source_file import (
    CHUNK_BYTES,
    STANDARD_INPUT,
    Chunk,
    SourceFile,
)
from citeproof.database.building.sources import NO_ORIGIN, Batch, Origin, SourceFormat, formats
from citeproof.database.schema import NoticeRow
from citeproof.model.errors import BuildError
from citeproof.processes import cores
from citeproof.store.sql import on_failure
from citeproof.text.normalize import normalize_title

# number of decompressed bytes, from the start of a file, that are used to detect the format
_BEGINNING_BYTES = 1 << 16
_WORTH_A_PROCESS = 4 << 20  # minimum number of bytes of input for which child processes are used
# minimum number of bytes of a source for which several child processes parse JSON lines
_WORTH_HELPERS = 16 << 20
_STOPPED = "the process that read it was stopped"
_HTML = re.compile(rb"<!doctype\s+html|<html[\s>]", re.IGNORECASE)
_CERTAINLY = 2  # result of ``SourceFormat.accepts`` for a file that certainly has the format
# position of the text ``ustar`` in the first block of a tar archive (POSIX.1-1988)
_TAR_MAGIC = slice(257, 262)
_ZIP, _GZIP = b"PK\x03\x04", b"\x1f\x8b"
_Member = tuple[str, IO[bytes] | None]  # name of a file in an archive, and the decompressed content
_Read = TypeVar("_Read")


class Prepared(NamedTuple):
    """A batch of publications as the database stores them, and what its indexes take of them."""

    rows: list[list[Any]]  # rows of the table ``records``, without ids
    titles: list[str]
    normalized: list[str]  # the normalised titles
    authors: Keys
    identifiers: Keys
    date: str | None
    skipped: int
    unselected: int  # number of records that the selection of the build leaves out
    faults: tuple[str, ...]
    notices: tuple[NoticeRow, ...]
    position: int


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
    copied: bool = False  # whether the records are those of an existing database
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
        return _source(path, file.size, kind, _batches(kind, file), chunks, origin, file.close)


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
            batches = _each_file(kind, parts, partial(_batches, kind), _broken_batch)
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
        raise BuildError(f"{path}: holds nothing, once decompressed; fetch it again")
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
    """Yield the items of ``read(file)`` for files of format ``kind``.

    On an error, yield the result of ``broken``.
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


def _batches(kind: SourceFormat, file: SourceFile) -> Iterator[Batch]:
    for batch in kind.records(file):
        faults = tuple(f"{file.path}: {fault}" for fault in batch.faults)
        yield batch._replace(faults=faults, position=file.position)  # from the start of the source


def _in_folder(paths: Iterable[Path]) -> Generator[SourceFile]:
    """Open and yield the files at ``paths``, except empty files.

    A file is closed when the next file is requested.
    """
    before = 0
    for path in paths:
        if size := path.stat().st_size:
            with closing(SourceFile(path, before=before)) as file:
                yield file
            before += size


def _in_archive(
    path: Path, members: Callable[[IO[bytes]], Iterator[_Member]]
) -> Generator[SourceFile]:
    """Open and yield the files in the archive at ``path``.

    A file is closed when the next file is requested.
    """
    try:
        with path.open("rb") as raw:
            for name, stream in members(raw):
                if not _hidden(Path(name)):
                    with closing(SourceFile(path / name, stream, within=raw)) as file:
                        yield file
    except (tarfile.TarError, zipfile.BadZipFile, EOFError, zlib.error, OSError) as error:
        raise BuildError(
            f"{path}: the archive ends in the middle or is damaged ({error})"
        ) from None


def _of_tar(raw: IO[bytes]) -> Iterator[_Member]:
    # tarfile reads the first member of a gzip file only, and would lose the others unseen
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


def prepared(
    batches: Iterable[Batch], *, keep_going: bool, only: Selection | None = None
) -> Iterator[Prepared]:
    """Yield ``batches`` as they are stored, without records that the database cannot store, and
    without those that ``only`` does not select.

    Raises :class:`BuildError` if a batch has an error message and ``keep_going`` is false.
    """
    for batch in batches:
        if batch.faults and not keep_going:
            raise BuildError(
                f"{batch.faults[0]}; --keep-going leaves such parts out and counts them"
            )
        takeable = [*map(schema.is_takeable, batch.rows)]
        rows = list(compress(batch.rows, takeable))
        skipped, unselected = batch.skipped + len(batch.rows) - len(rows), 0
        if only:
            issns = compress(batch.issns or repeat("", len(batch.rows)), takeable)
            wanted = [only.takes(*pair) for pair in zip(rows, issns, strict=True)]
            rows, unselected = list(compress(rows, wanted)), wanted.count(False)
        titles = [str(row[schema.TITLE]) for row in rows]
        yield Prepared(
            list(map(packed, rows)),
            titles,
            list(map(normalize_title, titles)),
            author_index.keys_of(rows),
            identifier_index.keys_of(rows),
            batch.date,
            skipped,
            unselected,
            batch.faults,
            batch.notices,
            batch.position,
        )


def is_worth_a_process(size: int) -> bool:
    """Return whether child processes make a build from ``size`` bytes of input faster."""
    return size >= _WORTH_A_PROCESS and cores() > 1 and bool(sys.executable)


def read(
    source: Source, *, keep_going: bool = False, only: Selection | None = None, skip: int = 0
) -> Iterator[list[Prepared]]:
    """Yield lists of batches of ``source`` as they are stored, without the first ``skip`` lists.

    Large sources are read in child processes. ``only`` does not apply to the records of an existing
    database.
    """
    if not source.from_file or not is_worth_a_process(source.size):
        wanted = None if source.copied else only
        left = islice(source.batches, skip, None)
        yield from ([batch] for batch in prepared(left, keep_going=keep_going, only=wanted))
        return
    # More than five helpers would parse faster than one process can write the database.
    helpers = min(cores() + 1, 5) if source.size >= _WORTH_HELPERS else 0
    going, parts = "keep going" if keep_going else "", "\n".join(only.parts) if only else ""
    reader = Child(_STOPPED, read_beside, source.path, str(helpers), str(skip), going, parts)
    with closing(reader):
        for batches in reader:
            yield [*map(Prepared._make, batches)]


def read_beside(
    _: Iterator[Any], path: Path, helpers: str, skip: str, keep_going: str, only: str = ""
) -> Iterator[Any]:
    """Read the source at ``path`` in a child process, with ``helpers`` further processes.

    Yield lists of batches, without the first ``skip`` lists.
    """
    source = open_source(path)
    if source.chunks and int(helpers):
        left = islice(source.chunks, int(skip), None)
        yield from _read_with_helpers(source, left, int(helpers), keep_going, only)
    else:
        selection = Selection(only.split("\n")) if only else None
        some = islice(source.batches, int(skip), None)
        for batch in prepared(some, keep_going=bool(keep_going), only=selection):
            yield [tuple(batch)]


def _read_with_helpers(
    source: Source, chunks: Iterable[Chunk], helpers: int, *options: str
) -> Iterator[bytes]:
    """Parse ``chunks`` of ``source`` in ``helpers`` child processes.

    Yield the results in the order of the chunks.
    """
    # A helper gets a chunk only after its last answer has been read, so that no deadlock is
    # possible. Example with helpers A and B and chunks 1 to 3: A gets chunk 1, B chunk 2. The
    # answer of A is yielded, A gets chunk 3, and the answers of B and A follow.
    busy: deque[Child] = deque()
    with ExitStack() as stack:
        for number, chunk in enumerate(chunks):
            if number < helpers:
                helper = Child(_STOPPED, parse_beside, source.path, source.format, *options)
                stack.callback(helper.close)
            else:
                helper = busy.popleft()
                yield helper.message()
            helper.send(tuple(chunk))
            busy.append(helper)
        for helper in busy:
            yield helper.message()


def parse_beside(
    sent: Iterator[Any], _: Path, name: str, keep_going: str, only: str = ""
) -> Iterator[Any]:
    """Parse lines of the format ``name`` in a child process.

    Yield a list of batches for each chunk in ``sent``.
    """
    (kind,) = (kind for kind in formats() if name == kind.NAME)
    selection = Selection(only.split("\n")) if only else None
    for chunk in starmap(Chunk, sent):
        batches = iter([Batch([], faults=(chunk.fault,), position=chunk.position)])
        if not chunk.fault:
            lines = io.BytesIO(chunk.content)
            file = SourceFile(
                Path(chunk.path), lines, before=chunk.position, first_line=chunk.first_line
            )
            batches = _batches(kind, file)
        some = prepared(batches, keep_going=bool(keep_going), only=selection)
        yield [*map(tuple, some)]
