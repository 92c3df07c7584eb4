"""Read a printed reference string into fields.

A string may allow several readings. Each place where the authors may end is combined with each place where the title
may end. Named signs count for or against a combination; :mod:`~citeproof.readers.strings.signs` adds their weights.
Readings are sorted best first; a record may confirm a reading other than the first.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple
from unicodedata import normalize

from citeproof.readers.strings import authors, dates, venues
from citeproof.readers.strings.beginnings import is_prose
from citeproof.readers.strings.combinations import Combination, Combinations
from citeproof.readers.strings.links import Links, take_links

_WIDE = str.maketrans({
    "．": ". ", "。": ". ", "，": ", ", "：": ": ", "；": "; ", "（": " (", "）": ") ", "［": "[", "］": "]",
    "\u200b": "", "\ufeff": "", "\uf02d": " ",
})  # fmt: skip
"""Full-width punctuation, mapped to half-width characters with a space where needed, and invisible characters."""
_HAS_WIDE = re.compile("[\uff01-\uff5e。\u200b\ufeff\uf02d]")
_SEE = re.compile(
    r"(?:[Vv]gl|[Ss]iehe(?: auch)?|[Cc]f|[Vv]oir|[Ss]ee(?: also)?|[Zz]it(?:iert)?\. nach|[Hh]ierzu|[Dd]azu)\b[.:]? +"
    r"(?=[^\W\d_a-z])"
)
"""Regex of words before a reference in a footnote, such as ``See``."""
_LABEL = re.compile(r"\s*(?:\[\s*[^\]\s][^\]]{0,30}\]|\(\d{1,4}\)|\d{1,4}(?:[.)]\s?|\s(?=[^\W\d_]))|[•*–-]\s)\s*")
_SHORT_FORM = re.compile(r"([^\W\d_][\w’-]++)[^.():\d]{0,60}+(?:1[5-9]|20)\d\d[a-z]?:? +(?=\1\b)")
"""Regex of a short form that repeats author and year before a reference: ``Lee 2010: Lee, A. (2010)``"""
_HYPHENATED = re.compile(r"(?<=[^\W\d_])[-‐\u00ad]\s*\n\s*(?=[^\W\d_A-Z])")
_BROKEN_DOI = re.compile(r"(10\.\d{4,9}/[^\s]*[./(-])[^\S\n]*\n\s*(?=[^\s]*\d)")
_BROKEN_ADDRESS = re.compile(r"(?<=/)\s*\n\s*(?=\S)|(?<=http:)\s*\n\s*(?=/)")
_MOST_READINGS = 5
CLEAR = 150
"""Minimum difference in score between the best reading and readings with another title for the title to count as clear.
Below it the title is right in 66 % of the labelled strings, above it in 97 %: see ``docs/accuracy.md``.
"""
LONGEST = 3000
"""Maximum characters after the authors in a text that is a single reference."""
_MOST_LETTERS = 60_000
"""Maximum characters of a string that are read: enough for a collaboration of 3,000 authors."""


class Reading(NamedTuple):
    """One way to read a string. It is a tuple because many are made: a dataclass takes ten times as long."""

    title: str = ""
    authors: tuple[str, ...] = ()
    and_others: bool = False
    year: int | None = None
    venue: str = ""
    doi: str = ""
    arxiv_id: str = ""
    url: str = ""
    score: int = 0
    """Sum of the weights in hundredths. It can be compared only with readings of the same string."""


def best_reading(text: str) -> tuple[Reading, bool]:
    """Return the best reading of a reference string, and whether its score is clearly above that of other titles."""
    body, links = body_of(text)
    if is_prose(text):
        return _nothing(links), True
    best: Combination | None = None
    for combination in Combinations(body).heaviest_first(within=CLEAR):
        if best is None:
            best = combination
        elif best.weight - combination.weight >= CLEAR:
            break
        elif _title(combination) != _title(best):
            return _reading(best, body, links), False
    return _reading(best, body, links) if best else _nothing(links), True


def read_reference(text: str) -> list[Reading]:
    """Return one to five readings of a reference string, best first."""
    body, links = body_of(text)
    if is_prose(text):
        return [_nothing(links)]
    return [_reading(combination, body, links) for combination in _chosen(body)] or [_nothing(links)]


def _chosen(body: str) -> Iterator[Combination]:
    """Yield the combination with the highest weight for each pair of title and first author, highest first."""
    seen: set[tuple[str, tuple[str, ...]]] = set()
    for combination in Combinations(body).heaviest_first():
        told = _title(combination), combination.beginning.group.names[:1]
        if told not in seen:
            seen.add(told)
            yield combination
        if len(seen) == _MOST_READINGS:
            return


def _title(combination: Combination) -> str:
    title = combination.title
    return title.text if title.is_title else ""


def is_too_long(text: str) -> bool:
    """Return whether more than :data:`LONGEST` characters follow the authors: too many for a single reference."""
    if len(text) <= LONGEST:
        return False
    body = body_of(text)[0]
    return len(text) - max(group.end for group in authors.proposals(body)) > LONGEST


def candidates(text: str) -> list[tuple[Reading, tuple[str, ...]]]:
    """Return every reading of ``text`` with the signs that make up its weight."""
    body, links = body_of(text)
    combinations = Combinations(body)
    found = [(_reading(each, body, links), combinations.signs_of(each)) for each in combinations]
    return found or [(_nothing(links), ())]


def body_of(text: str) -> tuple[str, Links]:
    """Return the text of a reference string without label, line ends and links, and its links."""
    whole = text[:_MOST_LETTERS]
    if "\n" in whole:
        whole = _HYPHENATED.sub("", _BROKEN_ADDRESS.sub("", _BROKEN_DOI.sub(r"\1", whole)))
    if not whole.isascii():
        whole = normalize("NFKC", whole.translate(_WIDE)) if _HAS_WIDE.search(whole) else normalize("NFC", whole)
    links = take_links(" ".join(whole.split()))
    label = _LABEL.match(links.text)
    body = links.text[label.end() if label else 0 :].strip()
    before = _SEE.match(body) or _SHORT_FORM.match(body)
    return (body[before.end() :] if before else body), links


def _nothing(links: Links) -> Reading:
    return Reading(doi=links.doi, arxiv_id=links.arxiv_id, url=links.url)


def _reading(combination: Combination, body: str, links: Links) -> Reading:
    weight, beginning, title = combination
    return Reading(
        title=_title(combination),
        authors=beginning.group.names,
        and_others=beginning.group.others,
        year=dates.year_of(body[beginning.start :], beginning.dated),
        venue=venue_of(body[title.end :]) if title.is_title else title.text,
        doi=links.doi,
        arxiv_id=links.arxiv_id,
        url=links.url,
        score=weight,
    )


_VENUE_END = re.compile(
    r"(?=[,.;:(\s]|$)(?:[,.;:(]\s*(?i:vol(?:ume)?|no|number|pp?|pages?|article)?\b\.?\s*\d|\s\d+\s*[(:,]|\.\s|$|\(|;)"
)
_DATE = re.compile(rf"(?:{dates.MONTH}\.? )?{dates.YEAR}[a-z]?(?:[.,;:]\s*|$)")


@lru_cache(maxsize=16)  # several readings of a string end their title at one place
def venue_of(rest: str) -> str:
    """Return the venue at the start of ``rest``. A full stop after an abbreviation does not end it.

    Digits alone are not a venue. The number of an edition may begin one: ``3. Aufl., Berlin``.
    """
    rest = rest.lstrip(" ,.;:)")
    if date := _DATE.match(rest):
        rest = rest[date.end() :]
    if mark := venues.BRACKET_MARK.match(rest):
        rest = rest[mark.end() :].lstrip(" ,.;:/")
    while match := venues.IN.match(rest):
        rest = rest[match.end() :].lstrip(" ,.;:")
    if editors := venues.EDITORS.match(rest):
        rest = rest[editors.end() :]
    for end in _VENUE_END.finditer(rest):
        if end[0].strip() != "." or not venues.is_abbreviated(rest, end.start()):
            venue = rest[: end.start()].strip(" ,.;:")
            return "" if venue.isdigit() else venue
    return ""
