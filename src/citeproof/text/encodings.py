"""Bytes as text: the encodings in which bibliographies are found."""

from __future__ import annotations

import codecs
import re

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
_CONTROL_BYTES = bytes(code for code in (*range(32), 127) if code not in b"\t\n")
_FURTHER_CONTROL = re.compile(rb"\xc2[\x80-\x9f]")
"""The control characters from 128 to 159 as UTF-8 writes them."""


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
    return _CONTROL.sub(" ", text) if _has_controls(text.encode("utf-8", "surrogatepass")) else text


def _has_controls(data: bytes) -> bool:
    """Whether UTF-8 has a control character: mostly not, and that is told in a quarter of the time of a replacement."""
    return len(data.translate(None, _CONTROL_BYTES)) < len(data) or bool(_FURTHER_CONTROL.search(data))


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
