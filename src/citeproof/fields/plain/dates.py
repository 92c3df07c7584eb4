"""The year of a reference string, and a date's extent between the people and the title."""

from __future__ import annotations

import re

MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|"
    r"Nov(?:ember)?|Dec(?:ember)?|Spring|Summer|Fall|Autumn|Winter)"
)
YEAR = r"(?:1[5-9]|20)\d\d"
_UNDATED = r"(?:n\.\s?d\.?|no date|in press|forthcoming|to appear|submitted|im Druck|s\.\s?d\.)"

BEHIND_PEOPLE = re.compile(
    rf"[\s.,:;]*(?:\(\s*(?:{YEAR}[a-z]?|{_UNDATED})[^()]{{0,40}}\)|\[\s*{YEAR}[a-z]?\s*\]|"
    rf"(?:{MONTH}\.?\s+)?{YEAR}[a-z]?\b(?![-–]\d)|{_UNDATED})\s*[.,:;]*\s*",
    re.IGNORECASE,
)
"""A date that stands between people and title: ``(2010, May).``, ``, 1981.``"""

_ANY = re.compile(rf"(?=[12])(?<![\d\w/.–-])({YEAR})(?=[a-z]?(?![\d\w/]))")
_IN_BRACKETS = re.compile(
    rf"[(\[]\s*(?:{MONTH}\.?\s*)?(?:\d{{1,2}},?\s*)?({YEAR})[a-z]?\s*(?:[,;]\s*[^()]{{0,30}})?[)\]]"
)
_VISITS = ("accessed", "retrieved", "cited", "visited", "viewed", "abgerufen", "consult")
_ACCESSED = re.compile(rf"\b(?:{'|'.join(_VISITS)})\b[^.;)\]]{{0,40}}", re.IGNORECASE)
_PAGES = re.compile(r"(?=[ps:])(?:\b(?:pp?\.?|pages?|S\.)|:)\s*\d+\s*[-–—]+\s*\d+", re.IGNORECASE)


def _without_visits(text: str) -> str:
    """Return ``text`` without the days on which a page was looked at."""
    lowered = text.lower()
    return _ACCESSED.sub(" ", text) if any(map(lowered.__contains__, _VISITS)) else text


def year_of(text: str, behind_people: str) -> int | None:
    """Return the year of publication.

    A year behind the people counts first, then one in brackets, then the last one; a day on which a page was looked
    at, and page numbers, are no years of publication.
    """
    if match := _ANY.search(behind_people) or re.search(rf"({YEAR})", behind_people):
        return int(match[1])
    rest = _PAGES.sub(" ", _without_visits(text))
    if bracketed := _IN_BRACKETS.findall(rest):
        return int(bracketed[-1])
    if found := _ANY.findall(rest):
        return int(found[-1])
    glued = re.findall(rf"(?<!\d)({YEAR})(?!\d)", rest)
    return int(glued[-1]) if glued else None
