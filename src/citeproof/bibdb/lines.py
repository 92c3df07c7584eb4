"""The lines of a source file: of JSON, as objects, and of tables."""

from __future__ import annotations

import io
from codecs import BOM_UTF8
from itertools import chain
from typing import TYPE_CHECKING, Any

import orjson

from citeproof.errors import BuildError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from citeproof.bibdb.source_file import SourceFile

CHUNK_BYTES = 1 << 18
LONGEST_LINE = 1 << 26
"""Bytes. No work takes so many: the longest of OpenAlex, with thousands of authors, have some 10 million."""
LONGEST_LIST = 1 << 30
"""Bytes of a file that is one list of works. Crossref's have 5,000 works each, some 50 million."""
_LIST = b'{"items":'


def lines(file: SourceFile) -> Iterator[bytes]:
    """Yield the lines of ``file``, with their ends; raise :class:`BuildError` for one that is longer than any work."""
    for content in whole_lines(file):
        yield from io.BytesIO(content)


def whole_lines(file: SourceFile) -> Iterator[bytes]:
    """Yield the lines of ``file`` with their ends, many at once.

    Raises:
        BuildError: the file is broken, or a line is longer than any work.
    """
    rest = b""
    while chunk := file.read(CHUNK_BYTES):
        whole, newline, end = chunk.rpartition(b"\n")
        if not newline:
            rest += chunk
            if len(rest) > LONGEST_LINE:
                raise BuildError(f"{file.path}: has a line of more than {LONGEST_LINE:,} bytes; it is no dump of works")
            continue
        yield b"".join((rest, whole, newline))
        rest = end
    if rest:
        yield rest


def objects(file: SourceFile) -> Iterator[tuple[int, dict[str, Any] | None]]:
    """Yield the JSON objects of ``file``, each with its line; None for a line that is none.

    A file that is one object with a list ``items``, as Crossref's, is taken as that list; the numbers then count its
    works.
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


def is_one_list(file: SourceFile) -> bool:
    """Whether ``file`` is one object with a list ``items``, as Crossref's are."""
    return file.first_line == 1 and file.peek(len(_LIST)).replace(b" ", b"").startswith(_LIST)


def _listed(file: SourceFile) -> Iterator[dict[str, Any] | None]:
    data = bytearray()
    while chunk := file.read(CHUNK_BYTES):
        data += chunk
        if len(data) > LONGEST_LIST:
            raise BuildError(f"{file.path}: is one list of more than {LONGEST_LIST:,} bytes; split it")
    try:
        found = orjson.loads(data)["items"]
    except (orjson.JSONDecodeError, KeyError, TypeError):
        raise BuildError(f"{file.path}: is no JSON, or ends in the middle; fetch it again") from None
    for item in found if isinstance(found, list) else ():
        yield item if isinstance(item, dict) else None


def text_lines(file: SourceFile) -> Iterator[str]:
    """Yield the lines of a table: UTF-8, or where a line is none, Windows' Latin."""
    for number, whole in enumerate(lines(file)):
        line = whole if number else whole.removeprefix(BOM_UTF8)
        try:
            yield line.decode("utf-8").replace("\0", "")
        except UnicodeDecodeError:
            yield line.decode("cp1252", "replace").replace("\0", "")
