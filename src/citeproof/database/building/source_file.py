"""Read a file of records, plain or gzip, as bytes, lines, JSON objects or XML."""

import gzip
import io
import os
import re
import tarfile
import zipfile
import zlib
from codecs import BOM_UTF8
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from typing import IO, NamedTuple, cast
from xml.etree import ElementTree as ET

import orjson

from citeproof.model.errors import BuildError, cannot_be
from citeproof.model.stored import JsonObject

STANDARD_INPUT = Path("-")
CHUNK_BYTES = 1 << 18
"""Number of bytes that are read from a file at a time."""
LONGEST_LINE = 1 << 26
"""Maximum number of bytes of a line or an XML element.

OpenAlex works with thousands of authors take about 10 million bytes.
"""
# maximum bytes of a file with one JSON list; Crossref's files have about 50 million bytes
_LONGEST_LIST = 1 << 30
_DOCTYPE = re.compile(rb"<!DOCTYPE|<!ENTITY", re.IGNORECASE)
_LIST = b'{"items":'


class SourceFile:
    """A file of records, read as decompressed bytes.

    All errors while reading are raised as :class:`BuildError`.
    """

    def __init__(
        self,
        path: Path,
        stream: IO[bytes] | None = None,
        *,
        within: IO[bytes] | None = None,
        before: int = 0,
        first_line: int = 1,
        is_part: bool = False,
    ) -> None:
        """Open the file at ``path``.

        If ``stream`` is given, read ``stream``, and use ``path`` only as a name.

        If ``stream`` is a file in an archive, ``within`` is the opened archive. If ``stream`` is a
        part of a file, ``first_line`` is the line number at which the part begins. ``before`` is
        added to :attr:`position`. ``is_part`` tells whether the file is in a folder or archive.
        Raises :class:`BuildError` if the file is empty or cannot be opened.
        """
        self.path, self.first_line, self.is_part = path, first_line, is_part
        self._within, self._before = within, before
        try:
            if stream is not None:
                self._raw: IO[bytes] = io.BufferedReader(cast("io.RawIOBase", stream))
            else:
                self._raw = (
                    path.open("rb") if path != STANDARD_INPUT else open(0, "rb", closefd=False)  # noqa: SIM115
                )
            # 0 if the size is unknown, as for a pipe
            self.size = os.fstat(self._raw.fileno()).st_size if stream is None else 0
            beginning = self._raw.peek(2)
        except FileNotFoundError:
            raise BuildError(f"{path}: no such file") from None
        except (OSError, EOFError, zlib.error) as error:
            raise BuildError(cannot_be("read", path, error)) from error
        if not beginning:
            self._raw.close()
            raise BuildError(f"{path}: is empty")
        is_gzip = beginning.startswith(b"\x1f\x8b")
        content = gzip.GzipFile(fileobj=self._raw) if is_gzip else self._raw
        self._bytes = cast("io.BufferedIOBase", content)
        self._ahead = b""

    def read(self, size: int) -> bytes:
        """Read and return up to ``size`` decompressed bytes.

        Wait only for the first byte. No bytes are returned at the end of the file.
        """
        if self._ahead:
            chunk, self._ahead = self._ahead[:size], self._ahead[size:]
            return chunk
        try:
            return self._bytes.read1(size)
        except EOFError:
            raise BuildError(
                f"{self.path}: the gzip file ends in the middle; fetch it again"
            ) from None
        except (zlib.error, gzip.BadGzipFile) as error:
            raise BuildError(
                f"{self.path}: the gzip file is damaged ({error}); fetch it again"
            ) from None
        except (OSError, tarfile.TarError, zipfile.BadZipFile) as error:
            raise BuildError(cannot_be("read", self.path, error)) from error

    def read_all(self) -> bytes:
        """Return all remaining bytes."""
        return b"".join(iter(lambda: self.read(1 << 20), b""))

    def peek(self, size: int) -> bytes:
        """Return the next ``size`` bytes without consuming them.

        The result stays the same until :meth:`read` is called.
        """
        if not self._ahead:
            ahead = b""
            while len(ahead) < size and (more := self.read(size - len(ahead))):
                ahead += more
            self._ahead = ahead
        return self._ahead

    @property
    def position(self) -> int:
        """Number of bytes of the source that were read.

        For a compressed source, compressed bytes are counted.
        """
        measured = self._within or (self._raw if self.size else None)
        return self._before + (measured.tell() if measured else 0)

    def close(self) -> None:
        """Close the file."""
        self._bytes.close()
        self._raw.close()


def lines(file: SourceFile) -> Iterator[bytes]:
    """Yield the lines of ``file`` as bytes, with line ends.

    Raises :class:`BuildError` if the file is broken.
    """
    for content in whole_lines(file):
        yield from io.BytesIO(content)


def whole_lines(file: SourceFile, least: int = 1) -> Iterator[bytes]:
    """Yield ``file`` in chunks of complete lines.

    A chunk has at least ``least`` bytes, except the last chunk.

    Raises :class:`BuildError` if the file is broken or a line is longer than 64 MiB. Earlier lines
    are yielded first.
    """
    pieces: list[bytes] = []
    size = 0
    rest = b""
    try:
        while chunk := file.read(CHUNK_BYTES):
            whole, newline, end = chunk.rpartition(b"\n")
            if not newline:
                rest += chunk
                if len(rest) > LONGEST_LINE:
                    fault = f"has a line of over {LONGEST_LINE:,} bytes; it is not a dump of works"
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
    """Yield the lines of ``file`` as text.

    Lines that are not valid UTF-8 are decoded as Windows-1252.
    """
    for number, whole in enumerate(lines(file)):
        line = whole if number else whole.removeprefix(BOM_UTF8)
        try:
            text = line.decode()
        except UnicodeDecodeError:
            text = line.decode("cp1252", "replace")
        yield text.replace("\0", "")


def objects(file: SourceFile) -> Iterator[tuple[int, JsonObject | None]]:
    """Yield ``(line number, JSON object)`` for every line that is not blank.

    The object is None if the line is not a JSON object.

    If the whole file is one JSON object ``{"items": [...]}``, its items are yielded instead of the
    lines.
    """
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
    """Return the root element of an XML file.

    Raises :class:`BuildError` for broken XML and for a ``<!DOCTYPE>``.
    """
    data = file.read_all()
    if _DOCTYPE.search(data):  # a DOCTYPE can declare entities that expand without limit
        raise BuildError(f"{file.path}: declares a document type, which no file of its kind does")
    try:
        return ET.fromstring(data)  # noqa: S314 - no entity can be declared without a document type
    except ET.ParseError as error:
        raise BuildError(f"{file.path}: ends in the middle, or is no XML: {error}") from None


def is_one_list(file: SourceFile) -> bool:
    """Return whether ``file`` is a single JSON object ``{"items": [...]}``, the format of
    Crossref's files.
    """
    return file.first_line == 1 and file.peek(len(_LIST)).replace(b" ", b"").startswith(_LIST)


def _listed(file: SourceFile) -> Iterator[JsonObject | None]:
    data = bytearray()
    while chunk := file.read(CHUNK_BYTES):
        data += chunk
        if len(data) > _LONGEST_LIST:
            raise BuildError(
                f"{file.path}: is one list of more than {_LONGEST_LIST:,} bytes; split it"
            )
    try:
        found = orjson.loads(data)["items"]
    except (orjson.JSONDecodeError, KeyError, TypeError):
        raise BuildError(
            f"{file.path}: is not JSON, or ends in the middle; fetch it again"
        ) from None
    for item in found if isinstance(found, list) else ():
        yield item if isinstance(item, dict) else None


class Chunk(NamedTuple):
    """A chunk of a file: consecutive complete lines, or the error message that ends the reading."""

    path: str
    content: bytes
    first_line: int  # line number, in the file, of the first line of the chunk
    position: int  # number of bytes from the start of the source to the end of the chunk
    # error message, if the file could not be read further; ``content`` is then empty
    fault: str = ""


def json_chunks(file: SourceFile) -> Iterator[Chunk] | None:
    """Return an iterator over the JSON lines of ``file`` in chunks of about 1 MiB.

    None if ``file`` is a single JSON list or has another format. Broken files raise
    :class:`BuildError`.
    """
    return None if is_one_list(file) or file.peek(1)[:1] != b"{" else _chunks(file)


def row_chunks(file: SourceFile) -> Iterator[Chunk]:
    """Yield the rows of a table whose columns are separated by commas, about 1 MiB per chunk. Each
    chunk begins with the header.

    Broken files raise :class:`BuildError`.
    """
    # A line break within quotation marks is a part of a value, so a row ends where the number of
    # quotation marks is even.
    header, line, waiting = b"", 0, b""
    for chunk in _chunks(file):
        content = waiting + chunk.content
        if content.count(b'"') % 2 and len(content) < LONGEST_LINE:
            waiting = content
            continue
        yield chunk._replace(content=header + content, first_line=max(line, 1))
        header = header or content.partition(b"\n")[0] + b"\n"
        line, waiting = line + content.count(b"\n"), b""
    if waiting:
        yield Chunk(str(file.path), header + waiting, max(line, 1), file.position)


def _chunks(file: SourceFile) -> Iterator[Chunk]:
    line = 1
    for content in whole_lines(file, 1 << 20):
        yield Chunk(str(file.path), content, line, file.position)
        line += content.count(b"\n")


Chunks = Callable[[SourceFile], Iterator[Chunk] | None]
"""Function that splits a file into chunks, or returns None if one process must read the file."""
