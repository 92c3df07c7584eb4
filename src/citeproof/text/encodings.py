"""Bytes as text: the encodings in which bibliographies are found."""

from __future__ import annotations

import codecs

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
"""Byte order marks; those of UTF-32 first, because one of UTF-16 is its beginning."""

_LOOKED_AT = 65536
_CONTROLS = bytes(code for code in range(32) if code not in b"\t\n\f\r\x1a\x1b\x08\x0b")


class NotTextError(ValueError):
    """The bytes are no text in any encoding that bibliographies use."""


def decode(data: bytes) -> tuple[str, str]:
    """Return ``data`` as text with ``\\n`` ends of line, and the encoding that was used.

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
    if b"\0" in data or len(head) - len(head.translate(None, _CONTROLS)) > len(head) // 50:
        raise NotTextError
    for encoding in ("utf-8", "cp1252", "latin-1"):
        try:
            return _lines(data.decode(encoding)), encoding
        except UnicodeDecodeError:
            continue
    raise AssertionError("Latin-1 decodes every byte")


def _lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text
