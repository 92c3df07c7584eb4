"""One input format a file, each with the same shape.

``NAME``, ``SUFFIXES`` (file names it is known by), ``CODES`` (its diagnostics), ``accepts(text)`` (whether a text looks
like it) and ``read(text, file)``. A new format is one more module here; :func:`names` finds it.
"""

from __future__ import annotations

import importlib
import pkgutil
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, cast

from citeproof.errors import InputError
from citeproof.extras import NOT_YET
from citeproof.text.encodings import NotTextError, decode

if TYPE_CHECKING:
    from citeproof.models import Bibliography

STDIN = "-"
_GUESSED = frozenset({"cp1252", "latin-1"})
_BINARY = {
    b"%PDF-": f"is a PDF; {NOT_YET['pdf']}",
    b"\x1f\x8b": "is compressed with gzip; unpack it first",
    b"PK\x03\x04": "is a zip archive or an office document; give the references as text",
}
"""What to say of a file that is no text, by how it begins."""


class Format(Protocol):
    """The shape of a module of this folder."""

    NAME: str
    SUFFIXES: tuple[str, ...]
    CODES: dict[str, str]

    def accepts(self, text: str) -> bool:
        """Whether ``text`` looks like this format."""

    def read(self, text: str, file: str = "") -> Bibliography:
        """Read ``text`` into references and diagnostics; ``file`` is the name that they carry."""


def names() -> tuple[str, ...]:
    """Return the names of the formats, as ``--from`` takes them."""
    return tuple(sorted(module.name.replace("_", "-") for module in pkgutil.iter_modules(__path__)))


def load(name: str) -> Format:
    """Return the format called ``name``.

    Raises:
        InputError: there is no such format.
    """
    if name not in names():
        raise InputError(f"unknown input format {name!r}: use one of {', '.join(names())}")
    return cast("Format", importlib.import_module(f"{__name__}.{name.replace('-', '_')}"))


def read_input(source: str, name: str | None = None) -> Bibliography:
    """Read the bibliography in the file ``source`` (``-``: standard input).

    The format is ``name``, else that of the file's suffix, else the one that its content looks like.

    Raises:
        InputError: the source cannot be read, is binary, holds no entry, or ``name`` is no format.
    """
    if name is not None:
        load(name)
    text, encoding = _text(source)
    file = "<stdin>" if source == STDIN else source
    chosen = load(name or _detect(source, text))
    bibliography = chosen.read(text, file)
    if not bibliography.entries:
        raise InputError(f"{file}: no entry found, read as {chosen.NAME}; name another format with --from")
    if encoding in _GUESSED:
        note = f"{file} is not UTF-8: read as {encoding}; look at its accented letters"
        bibliography = replace(bibliography, notes=(*bibliography.notes, note))
    return bibliography


def _text(source: str) -> tuple[str, str]:
    try:
        data = sys.stdin.buffer.read() if source == STDIN else Path(source).read_bytes()
    except FileNotFoundError as error:
        raise InputError(f"{source}: No such file or directory; check the path") from error
    except IsADirectoryError as error:
        raise InputError(f"{source}: Is a directory; name the bibliographies in it") from error
    except (OSError, ValueError) as error:
        raise InputError(f"{source!r} cannot be read: {getattr(error, 'strerror', None) or error}") from error
    for start, says in _BINARY.items():
        if data.startswith(start):
            raise InputError(f"{source}: {says}")
    try:
        return decode(data)
    except NotTextError as error:
        raise InputError(f"{source}: binary data, not a bibliography in text form") from error


def _detect(source: str, text: str) -> str:
    """Choose among the formats that the suffix names, or else among all, the first that accepts the text."""
    suffix = Path(source).suffix.lower()
    named = [name for name in names() if suffix in load(name).SUFFIXES]
    for name in named or names():
        if load(name).accepts(text):
            return name
    if named:
        return named[-1]
    raise InputError(f"{source}: cannot tell the format; name it with --from ({', '.join(names())})")
