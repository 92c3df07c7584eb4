"""Decode text in bitmap fonts of TeX, which most papers before 2000 and some later ones have.

Such a font (Type 3) names no characters. pdfium returns the codes of TeX's encodings, in which control characters are
ligatures, quotation marks, dashes and ``ß``: ``e\\x0ecient`` is ``efficient`` in OT1, and ``e\\x1ecient`` in T1.
"""

import re

_LIGATURES = "ﬀﬁﬂﬃﬄ"
_OT1 = {
    **dict(enumerate(f"{_LIGATURES}ıȷ`´ˇ˘¯˚¸ßæœøÆŒØ", 0x0B)),
    ord('"'): "”",
    ord("\\"): "“",
    ord("{"): "–",
    ord("|"): "—",
    0x7F: "¨",
}
_T1 = {
    **dict(enumerate(f"‚‹›“”„«»–—\u200b0ıȷ{_LIGATURES}", 0x0D)),
    **dict(enumerate("ĂĄĆČĎĚĘĞĹĽŁŃŇŊŐŔŘŚŠŞŤŢŰŮŸŹŽŻĲİđ§ăąćčďěęğĺľłńňŋőŕřśšşťţűůÿźžżĳ¡¿£", 0x80)),
    0xD7: "Œ",
    0xF7: "œ",
    0xFF: "ß",
}
"""Characters by code, for the codes in both encodings that differ from Latin-1. One character each keeps positions."""
_SIGN = re.compile(r"[\x0b\x0c\x0e-\x1f]|\r(?!\n)")
_OF_OT1 = re.compile(r"[\x0b\x0c\x0e\x19]|\r(?!\n)")
_OF_T1 = re.compile(r"[\x10\x11\x15\x1b-\x1e]")
"""Regexes of the most frequent codes in OT1 (``ff``, ``fi``, ``ffi``, ``ß``, ``fl``) and T1 (quotes, ligatures)."""


def first_sign(text: str) -> int | None:
    """Return the index of the first character of ``text`` that occurs only in a bitmap font; None if there is none."""
    match = _SIGN.search(text)
    return match.start() if match else None


def decoded(text: str) -> str:
    """Return the text of a page in TeX's bitmap fonts as Unicode; the line ends of pdfium (CR LF) stay."""
    table = _OT1 if len(_OF_OT1.findall(text)) >= len(_OF_T1.findall(text)) else _T1
    return "\r\n".join(line.translate(table) for line in text.split("\r\n"))
