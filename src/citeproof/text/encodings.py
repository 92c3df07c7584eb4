"""Decode bytes to text, and remove or escape characters that must not reach a terminal."""

import codecs
import html
import re
from collections.abc import Collection

_DIRECTION_MARKS = dict.fromkeys(
    [0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)]
)
"""Table for ``str.translate`` that removes the bidirectional control characters of Unicode (UAX #9,
section 2).
"""
# soft hyphen, zero-width space, word joiner, byte order mark
_INVISIBLE = _DIRECTION_MARKS | dict.fromkeys([0x00AD, 0x200B, 0x2060, 0xFEFF])
_MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
}
_MARKS |= {codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
"""Map from byte order mark to encoding.

UTF-32 comes before UTF-16, because the little-endian mark of UTF-32 begins with that of UTF-16.
"""
# number of bytes at the start of a file in which control characters are counted
_LOOKED_AT = 65536
_BINARY = bytes(code for code in range(32) if code not in b"\t\n\f\r\x1a\x1b\x08\x0b")
"""Control characters, as bytes, that occur only in binary files."""
# regex for a surrogate, which represents a byte in a file name that is not UTF-8
_BYTE = re.compile("[\udc80-\udcff]")
_NOT_ASCII = re.compile("[^\0-\x7f]+")
KEPT = "surrogateescape"
"""Name of the error handler for ``decode`` and ``encode`` that keeps bytes which are invalid in the
encoding of a text, as lone surrogates.
"""
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_ASCII_CONTROLS = tuple(map(chr, (*range(9), *range(11, 32), 127)))
_LATIN_CONTROLS = tuple(map(chr, range(128, 160)))
"""Control characters of Latin-1 that are not in ASCII: U+0080 to U+009F."""
_PIECE = 2**16  # number of characters searched at a time, so that they fit in the processor's cache


def without_marks(text: str) -> str:
    """Return ``text`` without bidirectional control characters, because these could reverse the
    order of text on a terminal.
    """
    return text if text.isascii() else text.translate(_DIRECTION_MARKS)


def without_invisibles(text: str) -> str:
    """Return ``text`` without the invisible characters that web pages and word processors leave in
    copied text: bidirectional control characters, soft hyphens, zero-width spaces.

    The joiners of Persian and Indic scripts are kept.
    """
    return text if text.isascii() else text.translate(_INVISIBLE)


def resolve_entities(text: str) -> str:
    """Decode HTML character references such as ``&amp;`` in ``text``.

    Decoded control characters become spaces.
    """
    try:
        return without_controls(html.unescape(text)) if "&" in text else text
    except ValueError:  # a character reference has thousands of digits
        return text


class NotTextError(ValueError):
    """Raised if bytes are not text in a known encoding."""


def decode(data: bytes) -> tuple[str, str]:
    """Return the text of ``data`` and the name of its encoding.

    A byte order mark determines the encoding. Without a mark, UTF-8, Windows-1252 and Latin-1 are
    tried in this order. If ``data`` is mostly UTF-8, bytes that are invalid in UTF-8 are read as
    Windows-1252. All line ends become ``\\n``, and control characters other than tabs become
    spaces.

    Raises:
        NotTextError: ``data`` contains zero bytes or many control characters, or its byte order
        mark is wrong.
    """
    marked = [encoding for mark, encoding in _MARKS.items() if data.startswith(mark)][:1]
    head = data[:_LOOKED_AT]
    if not marked and (
        b"\0" in data or len(head) - len(head.translate(None, _BINARY)) > len(head) // 50
    ):
        raise NotTextError
    for encoding in marked or ("utf-8", "cp1252", "latin-1"):
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            if (
                not encoding.startswith("utf-8")
                or (text := _mixed(data.decode(encoding, KEPT))) == ""
            ):
                continue
        return without_controls(
            text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text
        ), encoding
    raise NotTextError


def _mixed(text: str) -> str:
    """Return ``text`` with each surrogate replaced by the Windows-1252 character of the byte that
    it represents. The decoder wrote a surrogate for each byte that is invalid in UTF-8.

    The result is empty if there are more than four times as many surrogates as other characters
    outside ASCII. Then the text is not in UTF-8: text in Windows-1252 is hardly ever valid UTF-8 by
    accident.
    """
    strays = len(_BYTE.findall(text))
    if strays > 4 * (sum(map(len, _NOT_ASCII.findall(text))) - strays):
        return ""
    return _BYTE.sub(lambda byte: bytes([ord(byte[0]) - 0xDC00]).decode("cp1252", "replace"), text)


def without_controls(text: str) -> str:
    """Return ``text`` with control characters replaced by spaces. Tabs and line feeds are kept."""
    if text.isprintable():
        return text  # most lines of a page; ten times as fast as the searches below
    controls = _ASCII_CONTROLS if text.isascii() else _ASCII_CONTROLS + _LATIN_CONTROLS
    pieces = range(0, len(text), _PIECE)
    if any(
        text.find(control, start, start + _PIECE) >= 0 for start in pieces for control in controls
    ):
        return _CONTROL.sub(" ", text)  # takes ten times as long as the searches
    return text


def words_in(text: str, words: Collection[bytes]) -> set[bytes]:
    """Return those of ``words``, which must be in lower case, that occur in ``text``.

    The case of ``text`` is ignored. A word is also found as a part of a longer word.
    """
    length = _PIECE + max(map(len, words)) - 1
    found: set[bytes] = set()
    for start in range(0, len(text), _PIECE):  # twenty times as fast as a regex that ignores case
        piece = text[start : start + length].encode("utf-8", "surrogatepass").lower()
        found.update(word for word in words if word in piece)
    return found


def printable(name: str) -> str:
    """Return the file name ``name`` with unprintable characters escaped, as in ``a\\x1b[31m.bib``.

    Lone surrogates represent bytes that are not UTF-8. They are kept, so that the result can still
    open the file.
    """
    if name.isprintable():
        return name
    return "".join(
        sign if sign.isprintable() or _BYTE.match(sign) else sign.encode("unicode_escape").decode()
        for sign in name
    )
