"""Normalise titles, so that titles of records and of queries can be compared.

:data:`VERSION` is stored in every title index, because queries must be normalised like the titles
in the index. Increase the version with every change that can change a normalised title.
"""

import re
import unicodedata

from citeproof.text.encodings import resolve_entities
from citeproof.text.latex import latex_to_text

VERSION = 3
LONGEST_TITLE = 2_000
"""Maximum number of characters of a title without repeated spaces.

The longest of 488,389 titles in DBLP has 1,164.
"""
_MARKUP = re.compile(
    r"</?(?:i|b|em|strong|sub|sup|tt|u|sc|scp|italic|bold)(?:\s[^<>]{0,40})?/?>", re.IGNORECASE
)
# Letters that NFKD does not decompose, and the ASCII letters that people write instead.
_LETTERS = str.maketrans(
    {
        "ø": "o",
        "Ø": "O",
        "ł": "l",
        "Ł": "L",
        "đ": "d",
        "Đ": "D",
        "ð": "d",
        "Ð": "D",
        "ħ": "h",
        "Ħ": "H",
        "ı": "i",
        "ŀ": "l",
        "ß": "ss",
        "ẞ": "ss",
        "æ": "ae",
        "Æ": "AE",
        "œ": "oe",
        "Œ": "OE",
        "þ": "th",
        "Þ": "TH",
        "ſ": "s",
    }
)
_APOSTROPHES = frozenset("'’‘‛ʼ`´′＇")
# punctuation that is kept in titles, because C++ and C# differ from C
_KEPT_SIGNS = frozenset("+#")
# Unicode categories of combining marks and invisible characters
_INVISIBLE = frozenset({"Mn", "Mc", "Me", "Cf"})


def _folded(char: str) -> str:
    """Return the text that replaces the character ``char`` in a normalised title: ``a`` for ``Á``,
    a space for ``-``, an empty text for ``'``.
    """
    if char in _APOSTROPHES:
        return ""
    decomposed = (
        unicodedata.normalize("NFKD", char.translate(_LETTERS)).casefold().translate(_LETTERS)
    )
    parts = unicodedata.normalize("NFKD", decomposed)
    kept = [
        part
        for part in parts
        if part not in _APOSTROPHES and unicodedata.category(part) not in _INVISIBLE
    ]
    return "".join(part if part.isalnum() or part in _KEPT_SIGNS else " " for part in kept)


class _Folding(dict[int, str]):
    """Table for ``str.translate`` that computes the replacement of a character when it is first
    used.
    """

    def __missing__(self, code: int) -> str:
        self[code] = folded = _folded(chr(code))
        return folded


_TABLE = _Folding()
_ASCII = {code: _folded(chr(code)) for code in range(128)}
_ASCII_TABLE = "".join(_ASCII[code] or " " for code in range(128)).encode().ljust(256)
"""Replacements of ASCII characters for ``bytes.translate``, which is three times as fast as
``str.translate``.
"""
_ASCII_DROPPED = bytes(code for code, folded in _ASCII.items() if not folded)


def normalize_title(title: str) -> str:
    """Return ``title`` in the form in which titles are compared: lower-case words with single
    spaces between them.

    LaTeX and markup are replaced by text, and ligatures and compatibility characters are decomposed
    (NFKD). Combining marks, invisible characters and apostrophes are removed. Other punctuation
    except ``+`` and ``#`` becomes spaces. Letters of all scripts are kept. Normalising the result
    again does not change it.
    """
    if (
        "$" in title
        or "&" in title
        or "{" in title
        or "\\" in title
        or "}" in title
        or "<" in title
    ):
        title = plain_text(title)  # only titles with LaTeX, HTML or XML contain such characters
    if title.isascii():
        folded = title.encode().translate(_ASCII_TABLE, _ASCII_DROPPED).strip()
        while b"  " in folded:
            folded = folded.replace(b"  ", b" ")
        return folded.decode()
    return " ".join(title.translate(_TABLE).split())


def plain_text(title: str) -> str:
    """Return ``title`` as plain text: without LaTeX commands, HTML character references and tags
    such as ``<i>``.
    """
    title = resolve_entities(title)
    if "<" in title:
        title = _MARKUP.sub("", title)
    return latex_to_text(title)
