"""Bytes as text: the encodings in which bibliographies are found."""

from __future__ import annotations

import codecs
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
"""Byte order marks; those of UTF-32 first, because one of UTF-16 is its beginning."""

_LOOKED_AT = 65536
_BINARY = bytes(code for code in range(32) if code not in b"\t\n\f\r\x1a\x1b\x08\x0b")
_BYTE = re.compile("[\udc80-\udcff]")
"""Stands for a byte of a file's name that is no UTF-8."""
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_SIGNS = tuple(map(chr, (*range(9), *range(11, 32), 127)))
_FURTHER_SIGNS = tuple(map(chr, range(128, 160)))
"""Control characters one by one, for a search in C: those of ASCII, and those of Latin-1."""
_PIECE = 2**16
"""Characters that are searched at once: so many stay in a processor's cache while they are read forty times."""


class NotTextError(ValueError):
    """The bytes are no text in any encoding that bibliographies use."""


def decode(data: bytes) -> tuple[str, str]:
    """Return ``data`` as text with ``\\n`` ends of line and no other control character but tabs, and its encoding.

    A byte order mark decides; else UTF-8; else Windows-1252, and Latin-1 where even that has no such character.

    Raises:
        NotTextError: the data holds zero bytes or many control characters.
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            try:
                return _lines(data.decode(encoding)), encoding
            except UnicodeDecodeError as error:
                raise NotTextError from error
    head = data[:_LOOKED_AT]
    if b"\0" in data or len(head) - len(head.translate(None, _BINARY)) > len(head) // 50:
        raise NotTextError
    for encoding in ("utf-8", "cp1252", "latin-1"):
        try:
            return _lines(data.decode(encoding)), encoding
        except UnicodeDecodeError:
            continue
    raise AssertionError("Latin-1 decodes every byte")


def without_controls(text: str) -> str:
    """Return ``text`` with a space for each control character but tab and line feed.

    None has a meaning in a bibliography, and a terminal would obey those that come from a hostile one.
    """
    if text.isprintable():
        return text  # a line of a page, mostly: forty searches in it would take ten times as long
    return _CONTROL.sub(" ", text) if _has_controls(text) else text


def _has_controls(text: str) -> bool:
    """Whether a control character is in ``text``: mostly not, which is told in a tenth of the time of a replacement."""
    signs = _SIGNS if text.isascii() else _SIGNS + _FURTHER_SIGNS
    pieces = range(0, len(text), _PIECE)
    return any(text.find(sign, start, start + _PIECE) >= 0 for start in pieces for sign in signs)


def words_in(text: str, words: Collection[bytes]) -> set[bytes]:
    """Return which of ``words``, in lower case, stand in ``text`` in whatever case, also inside other words.

    It is twenty times as fast as one search that ignores case.
    """
    reach = _PIECE + max(map(len, words)) - 1
    found: set[bytes] = set()
    for start in range(0, len(text), _PIECE):
        piece = text[start : start + reach].encode("utf-8", "surrogatepass").lower()
        found.update(word for word in words if word in piece)
    return found


def printable(name: str) -> str:
    """Return ``name`` with an escape for each sign that a terminal would obey or could not show: ``a\\x1b[31m.bib``.

    Bytes of a file's name that are no UTF-8 stay, as Python has them, so that a program can open the file by that name;
    every report shows them escaped.
    """
    if name.isprintable():
        return name
    return "".join(
        sign if sign.isprintable() or _BYTE.match(sign) else sign.encode("unicode_escape").decode() for sign in name
    )


def _lines(text: str) -> str:
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return without_controls(text)
