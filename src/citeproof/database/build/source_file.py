"""Read a source file: its bytes (plain or gzip), its lines, and chunks of lines for other processes."""

import gzip
import io
import os
import re
import tarfile
import zipfile
import zlib
from codecs import BOM_UTF8
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import IO, Any, NamedTuple, cast
from xml.etree import ElementTree as ET

import orjson

from citeproof.model.errors import BuildError

STANDARD_INPUT = Path("-")
CHUNK_BYTES = 1 << 18
"""Number of bytes read at a time to divide a file into lines."""
_LONGEST_LINE = 1 << 26  # maximum bytes; works of OpenAlex with thousands of authors take some 10 million bytes
_LONGEST_LIST = 1 << 30  # maximum bytes; Crossref's files have 5,000 works in some 50 million bytes
_DOCTYPE = re.compile(rb"<!DOCTYPE|<!ENTITY", re.IGNORECASE)
_LIST = b'{"items":'


class SourceFile:
    """The decompressed bytes of a source file. Every error in the file is raised as :class:`BuildError`."""

    def __init__(
        self, path: Path, stream: IO[bytes] | None = None, *, within: IO[bytes] | None = None, before: int = 0,
        first_line: int = 1,
    ) -> None:  # fmt: skip
        """Open ``path``, or read ``stream`` instead: a member of the archive ``within``, or a chunk of the file.

        ``first_line`` is the number of the first line in the file. ``before`` is the number of bytes of the source that
        precede the content. Raises :class:`BuildError` if the file cannot be opened, or is empty.
        """
        self.path, self.first_line = path, first_line
        self._within, self._before = within, before
        try:
            if stream is not None:
                self._raw: IO[bytes] = io.BufferedReader(cast("io.RawIOBase", stream))
            else:
                self._raw = path.open("rb") if path != STANDARD_INPUT else open(0, "rb", closefd=False)  # noqa: SIM115
            self.size = os.fstat(self._raw.fileno()).st_size if stream is None else 0  # 0 if unknown, as for a pipe
            beginning = self._raw.peek(2)
        except FileNotFoundError:
            raise BuildError(f"{path}: no such file") from None
        except (OSError, EOFError, zlib.error) as error:
            raise BuildError(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}") from error
        if not beginning:
            self._raw.close()
            raise BuildError(f"{path}: is empty")
        is_gzip = beginning.startswith(b"\x1f\x8b")
        self._bytes = cast("IO[bytes]", gzip.GzipFile(fileobj=self._raw)) if is_gzip else self._raw
        self._ahead = b""

    def read(self, size: int) -> bytes:
        """Return up to ``size`` bytes; empty at the end."""
        if self._ahead:
            chunk, self._ahead = self._ahead[:size], self._ahead[size:]
            return chunk
        try:
            return self._bytes.read(size)
        except EOFError:
            raise BuildError(f"{self.path}: the gzip file ends in the middle; fetch it again") from None
        except (zlib.error, gzip.BadGzipFile) as error:
            raise BuildError(f"{self.path}: the gzip file is damaged ({error}); fetch it again") from None
        except (OSError, tarfile.TarError, zipfile.BadZipFile) as error:
            raise BuildError(f"{self.path}: cannot be read: {getattr(error, 'strerror', None) or error}") from error

    def read_all(self) -> bytes:
        """Return all remaining bytes."""
        return b"".join(iter(lambda: self.read(1 << 20), b""))

    def peek(self, size: int) -> bytes:
        """Return up to ``size`` bytes from the start, which stay unread. Call it before the first :meth:`read`."""
        if not self._ahead:
            self._ahead = self.read(size)
        return self._ahead

    @property
    def position(self) -> int:
        """Number of bytes of the source that have been read; compressed bytes if the source is compressed."""
        measured = self._within or (self._raw if self.size else None)
        return self._before + (measured.tell() if measured else 0)

    def close(self) -> None:
        """Close the file."""
        self._bytes.close()
        self._raw.close()


def lines(file: SourceFile) -> Iterator[bytes]:
    """Yield the lines of ``file`` with their line ends. Raises :class:`BuildError` as :func:`whole_lines` does."""
    for content in whole_lines(file):
        yield from io.BytesIO(content)


def whole_lines(file: SourceFile, least: int = 1) -> Iterator[bytes]:
    """Yield chunks of complete lines of ``file``, each of at least ``least`` bytes except the last.

    Raises :class:`BuildError` after the last whole line if the file is broken, or a line is longer than 64 MiB.
    """
    pieces: list[bytes] = []
    size = 0
    rest = b""
    try:
        while chunk := file.read(CHUNK_BYTES):
            whole, newline, end = chunk.rpartition(b"\n")
            if not newline:
                rest += chunk
                if len(rest) > _LONGEST_LINE:
                    fault = f"has a line of more than {_LONGEST_LINE:,} bytes; it is no dump of works"
                    raise BuildError(f"{file.path}: {fault}")
                continue
            pieces += rest, whole, newline
            size += len(rest) + len(whole) + 1
            rest = end
            if size >= least:
                yield b"".join(pieces)
                pieces, size = [], 0
    except BuildError:
        if pieces:
            yield b"".join(pieces)
        raise
    if pieces or rest:
        yield b"".join((*pieces, rest))


def text_lines(file: SourceFile) -> Iterator[str]:
    """Yield the lines of a table as text. Lines that are not UTF-8 are decoded from Windows-1252."""
    for number, whole in enumerate(lines(file)):
        line = whole if number else whole.removeprefix(BOM_UTF8)
        try:
            text = line.decode()
        except UnicodeDecodeError:
            text = line.decode("cp1252", "replace")
        yield text.replace("\0", "")


def objects(file: SourceFile) -> Iterator[tuple[int, dict[str, Any] | None]]:
    """Yield line numbers and JSON objects of ``file``, or of its list ``items``; None for a line without an object."""
    if is_one_list(file):
        yield from enumerate(_listed(file), 1)
        return
    some = (content.removesuffix(b"\n").split(b"\n") for content in whole_lines(file))
    for number, line in enumerate(chain.from_iterable(some), file.first_line):
        if not line or line.isspace():
            continue
        try:
            found = orjson.loads(line)
        except orjson.JSONDecodeError:
            found = None
        yield number, found if isinstance(found, dict) else None


def xml_root(file: SourceFile) -> ET.Element:
    """Return the root element of an XML file; raise :class:`BuildError` if it is broken or has a document type."""
    data = file.read_all()
    if _DOCTYPE.search(data):  # it can declare entities that expand without limit
        raise BuildError(f"{file.path}: declares a document type, which no file of its kind does")
    try:
        return ET.fromstring(data)  # noqa: S314 - no entity can be declared without a document type
    except ET.ParseError as error:
        raise BuildError(f"{file.path}: ends in the middle, or is no XML: {error}") from None


def is_one_list(file: SourceFile) -> bool:
    """Return whether ``file`` is one JSON object with a list ``items``, as Crossref's files are."""
    return file.first_line == 1 and file.peek(len(_LIST)).replace(b" ", b"").startswith(_LIST)


def _listed(file: SourceFile) -> Iterator[dict[str, Any] | None]:
    data = bytearray()
    while chunk := file.read(CHUNK_BYTES):
        data += chunk
        if len(data) > _LONGEST_LIST:
            raise BuildError(f"{file.path}: is one list of more than {_LONGEST_LIST:,} bytes; split it")
    try:
        found = orjson.loads(data)["items"]
    except (orjson.JSONDecodeError, KeyError, TypeError):
        raise BuildError(f"{file.path}: is no JSON, or ends in the middle; fetch it again") from None
    for item in found if isinstance(found, list) else ():
        yield item if isinstance(item, dict) else None


class Chunk(NamedTuple):
    """A chunk of complete lines of a file, or the error that ended the file."""

    path: str
    content: bytes
    first_line: int  # number of the first line of the chunk, counted in the file
    position: int  # number of bytes of the source up to the end of the chunk
    fault: str = ""  # message of the error that ended the file, with an empty ``content``; empty if there was no error


def line_chunks(file: SourceFile) -> Iterator[Chunk]:
    """Yield ``file`` in chunks of complete lines of at least 1 MiB. Raises :class:`BuildError` as ``whole_lines``."""
    line = 1
    for content in whole_lines(file, 1 << 20):
        yield Chunk(str(file.path), content, line, file.position)
        line += content.count(b"\n")
