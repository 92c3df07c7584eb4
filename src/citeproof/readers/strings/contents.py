"""Signs inside a stretch of a reference string for or against it being the title.

Most patterns begin with a literal string: finding it takes a tenth of the time of a character class.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeAlias

from citeproof.readers.strings.signs import weight_of

if TYPE_CHECKING:
    from collections.abc import Iterator

_UP = r"[^\W\d_a-z]"
_Found: TypeAlias = "tuple[str, str, int]"
"""A literal string, the regex to match if the text contains it, and the number of characters before the match."""


def _word(word: str) -> _Found:
    return word, rf"{re.escape(word)}(?<!\w{re.escape(word)})", 0


def _joined(sign: str) -> _Found:
    """Return the pattern of initials before a sign that joins two names: ``D. E. and``, ``D., &``"""
    return f" {sign} ", rf" {sign} (?:(?<=[ .]{_UP}\. {sign} )|(?<=[ .]{_UP}\., {sign} ))", 4


def _dated(century: str) -> _Found:
    return century, rf"{century}(?<!\w{century})\d\d[a-z]?\)?[.,:] [^\W\d_]", 0


def _placed(house: str) -> _Found:
    return house, rf"{_UP}\w+: (?:{_UP}[\w&-]+ ){{0,3}}{house}", 0


_ABBREVIATED = "|".join(rf"(?<={_UP}[a-z]{{{letters}}}\. .)" for letters in range(1, 6))
CONTENTS: dict[str, tuple[_Found, ...]] = {
    "has:people": (
        _joined("and"),
        _joined("&"),
        ("et al.", r"et al\.(?<!\wet al\.)", 0),
        (", ", rf", {_UP}(?:(?<={_UP}\., .)|(?<=[^\W\d_], .)\.)", 0),
    ),
    "has:dated": (_dated("19"), _dated("20"), _dated("18")),
    "has:container": tuple(
        map(
            _word,
            (
                "Proceedings of", "Proc. ", "Lecture Notes in", "Journal of", "Conference on", "Transactions on",
                "Advances in Neural", "arXiv:",
            ),
        )
    ),
    "has:pages": (
        (
            "",
            r"[Ppv0-9](?:(?=[ (:,])(?<=\d)(?: ?\(\d+\)|[:,] ?\d+[-–]\d)|"
            r"(?=[pao.])(?<!\w.)(?:(?<=[Pp])p?\. ?|(?<=p)ages |(?<=v)ol\. ?)\d)",
            0,
        ),
    ),
    "has:publisher": (
        *map(_word, ("Springer", "Elsevier", "Wiley", "Verlag", "McGraw", "Prentice", "Routledge", "Publishing")),
        ("Press", r"Press(?<=\w Press)\b|Press(?<=Univ\. Press)", 0),
    ),
    "has:volume": (
        *map(
            _word,
            (
                "Translated by", "Trans. ", "trans. ", "Trans.)", "Edited by", "Revised", "volume ", "Vol. ", "ed.)",
                "edition)", "dissertation)", "thesis", "Technical Report", "Tech Report", "Report No",
                "Paper presented", "Available", "Retrieved",
            ),
        ),
        (" vols", r" vols\b(?<=\d vols)", 0),
    ),
    "has:place": tuple(map(_placed, ("Press", "Verlag", "Publish"))),
    "has:colon": ((": ", ": ", 0),),
    "has:abbreviation": ((". ", rf"\. {_UP}(?<=[a-z]\. .)(?:{_ABBREVIATED})", 0),),
    "has:question": (("? ", r"\? ", 0),),
}  # fmt: skip
"""Patterns of each sign."""
_CONTENTS = [
    (sign, weight_of((sign,)), [(letters, re.compile(pattern).finditer, before) for letters, pattern, before in found])
    for sign, found in CONTENTS.items()
]


def contents(text: str) -> Iterator[tuple[str, int, list[tuple[int, int]]]]:
    """Yield each sign in ``text`` with its weight and the spans of its matches, in order."""
    for sign, weight, found in _CONTENTS:
        spans: list[tuple[int, int]] = []
        for letters, finditer, before in found:
            if letters in text:
                spans += [(match.start() - before, match.end()) for match in finditer(text)]
        if spans:
            spans.sort()
            yield sign, weight, spans
