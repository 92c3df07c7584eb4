"""The year of a reference string, and the date between its authors and its title."""

from __future__ import annotations

import re

MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|"
    r"Nov(?:ember)?|Dec(?:ember)?|Spring|Summer|Fall|Autumn|Winter)"
)
YEAR = r"(?:1[5-9]|20)\d\d"
_UNDATED = r"(?:n\. ?d\.?|no date|in press|forthcoming|to appear|submitted|im Druck|s\. ?d\.)"

AFTER_AUTHORS = re.compile(
    rf"[ .,:;]*+(?=[(\[12jfmasondwit])(?:\( *(?:{YEAR}[a-z]?|{_UNDATED})[^()]{{0,40}}\)|\[ *{YEAR}[a-z]? *\]|"
    rf"(?:{MONTH}\.? +)?{YEAR}[a-z]?\b(?![-–]\d)|{_UNDATED}) *[.,:;]* *",
    re.IGNORECASE,
)
"""Regex of a date between authors and title: ``(2010, May).``, ``, 1981.``"""

_ANY = re.compile(r"[12](?<![\w/.–-].)(?:(?<=1)[5-9]|(?<=2)0)\d\d(?=[a-z]?(?![\w/]|\.\d{4}))")
_YEAR = re.compile(YEAR)
_GLUED = re.compile(rf"(?<!\d){YEAR}(?!\d)")
_IN_BRACKETS = re.compile(rf"[(\[] *(?:{MONTH}\.? *)?(?:\d{{1,2}},? *)?({YEAR})[a-z]? *(?:[,;] *[^()]{{0,30}})?[)\]]")
_VISITS = ("accessed", "retrieved", "cited", "visited", "viewed", "abgerufen", "consult")
_ACCESSED = re.compile(rf"\b(?:{'|'.join(_VISITS)})\b[^.;)\]]{{0,40}}", re.IGNORECASE)
_PAGES = re.compile(
    r"[PpSs:](?:(?<=:)|(?<!\w.)(?:(?<=[Pp])(?:[Pp]?\.?|[Aa][Gg][Ee][Ss]?)|(?<=[Ss])\.)) *\d++ *[-–—]++ *\d+"
)


def _without_visits(text: str) -> str:
    """Return ``text`` without access dates of web pages."""
    lowered = text.lower()
    return _ACCESSED.sub(" ", text) if any(map(lowered.__contains__, _VISITS)) else text


def year_of(text: str, dated: str) -> int | None:
    """Return the year of publication.

    A year after the authors is preferred, then one in brackets, then the last one. Access dates and page numbers do
    not count.
    """
    if dated and (match := _ANY.search(dated) or _YEAR.search(dated)):
        return int(match[0])
    rest = _PAGES.sub(" ", _without_visits(text))
    if bracketed := _IN_BRACKETS.findall(rest):
        return int(bracketed[-1])
    if found := _ANY.findall(rest):
        return int(found[-1])
    glued = _GLUED.findall(rest)
    return int(glued[-1]) if glued else None
