"""One normalisation of titles, used for records and for queries alike.

:data:`VERSION` is written into every index, because an index answers only queries that were
normalised as its titles were. Raise it whenever a title may come out differently.
"""

from __future__ import annotations

import re
import unicodedata

from citeproof.text.entities import resolve_entities
from citeproof.text.latex import latex_to_text

VERSION = 3

LONGEST_TITLE = 2_000
"""A text of more letters, white space collapsed, is no title: the longest of 488,389 in DBLP has 1,164 letters."""

_MARKUP = re.compile(r"</?(?:i|b|em|strong|sub|sup|tt|u|sc|scp|italic|bold)(?:\s[^<>]{0,40})?/?>", re.IGNORECASE)

# Letters that NFKD leaves whole though readers and databases write them in two ways.
_LETTERS = str.maketrans({
    "ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D", "ð": "d", "Ð": "D", "ħ": "h", "Ħ": "H",
    "ı": "i", "ŀ": "l", "ß": "ss", "ẞ": "ss", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE",
    "þ": "th", "Þ": "TH", "ſ": "s",
})  # fmt: skip

_APOSTROPHES = frozenset("'’‘‛ʼ`´′＇")
_KEPT_SIGNS = frozenset("+#")
"""Signs that tell names apart: C, C++, C#."""

_INVISIBLE = frozenset({"Mn", "Mc", "Me", "Cf"})
"""Marks, and characters that only steer the layout: soft hyphens, zero-width spaces, direction signs."""


def _folded(char: str) -> str:
    """Return what one character becomes: folded letters and digits, nothing, or a space."""
    if char in _APOSTROPHES:
        return ""
    kept = []
    decomposed = unicodedata.normalize("NFKD", char.translate(_LETTERS)).casefold().translate(_LETTERS)
    for part in unicodedata.normalize("NFKD", decomposed):
        if part in _APOSTROPHES or unicodedata.category(part) in _INVISIBLE:
            continue
        kept.append(part if part.isalnum() or part in _KEPT_SIGNS else " ")
    return "".join(kept)


class _Folding(dict[int, str]):
    """The table of :func:`_folded` for ``str.translate``, filled as characters are met."""

    def __missing__(self, code: int) -> str:
        self[code] = folded = _folded(chr(code))
        return folded


_TABLE = _Folding()
_ASCII = {code: _folded(chr(code)) for code in range(128)}
_ASCII_TABLE = "".join(_ASCII[code] or " " for code in range(128)).encode().ljust(256)
"""What each ASCII character becomes, as ``bytes.translate`` has it, which takes a third of the time of ``str``'s."""
_ASCII_DROPPED = bytes(code for code, folded in _ASCII.items() if not folded)


def normalize_title(title: str) -> str:
    """Return ``title`` in the form in which titles are compared.

    Lower case words of letters and digits, one space apart: LaTeX and markup resolved, ligatures
    and compatibility characters decomposed (NFKD), marks, invisible characters and apostrophes dropped, all other
    punctuation turned into spaces. Letters of every script stay. The result is empty exactly when
    the title has no letter, no digit and no sign of :data:`_KEPT_SIGNS`; normalising a result
    again changes nothing.
    """
    if "$" in title or "&" in title or "{" in title or "\\" in title or "}" in title or "<" in title:
        title = plain_text(title)  # only LaTeX, HTML and XML put such signs into a title
    if title.isascii():
        folded = title.encode().translate(_ASCII_TABLE, _ASCII_DROPPED).strip()
        while b"  " in folded:
            folded = folded.replace(b"  ", b" ")
        return folded.decode()
    return " ".join(title.translate(_TABLE).split())


def plain_text(title: str) -> str:
    """Return ``title`` without LaTeX commands, character entities and inline markup."""
    title = resolve_entities(title)
    if "<" in title:
        title = _MARKUP.sub("", title)
    return latex_to_text(title)
