"""A reference string, such as a style prints it, read into fields.

A string may allow several readings. Each place where the people may end is combined with each place where the title may
end; what speaks for and against a combination are named signs, and :mod:`~citeproof.fields.plain.weights` says how much
each weighs. The readings come best first, and a record may confirm another one than the first.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from citeproof.fields.plain import dates, venues
from citeproof.fields.plain.beginnings import is_prose
from citeproof.fields.plain.combinations import Combination, Combinations
from citeproof.fields.plain.links import Links, take_links

if TYPE_CHECKING:
    from collections.abc import Iterator

_LABEL = re.compile(r"\s*(?:\[\s*[^\]\s][^\]]{0,30}\]|\(\d{1,4}\)|\d{1,4}(?:[.)]\s?|\s(?=[^\W\d_]))|[•*–-]\s)\s*")
_HYPHENATED = re.compile(r"(?<=[^\W\d_])[-‐\u00ad]\s*\n\s*(?=[^\W\d_A-Z])")
_BROKEN_DOI = re.compile(r"(10\.\d{4,9}/[^\s]*[./(-])[^\S\n]*\n\s*(?=[^\s]*\d)")
_BROKEN_ADDRESS = re.compile(r"(?<=/)\s*\n\s*(?=\S)|(?<=http:)\s*\n\s*(?=/)")
_MOST_READINGS = 5
_CLEAR = 100
"""Score by which the best reading leads the best one of another title. Below it the title is right in 51 % of the
labelled strings, above it in 95 %: see ``docs/accuracy.md``."""
_LONGEST = 20_000
"""Letters of a string that are read: a collaboration of 1,000 authors has so many; more is no single reference."""


class Reading(NamedTuple):
    """One way to read a string. Several are made of each, hence a tuple, which takes a tenth of a dataclass's time."""

    title: str = ""
    authors: tuple[str, ...] = ()
    and_others: bool = False
    year: int | None = None
    venue: str = ""
    doi: str = ""
    arxiv_id: str = ""
    url: str = ""
    score: int = 0
    """How well it fits, in hundredths of a weight; to be compared only with other readings of the same string."""


def best_reading(text: str) -> tuple[Reading, bool]:
    """Return the first reading of a reference string, and whether it is clear: it leads all of another title by far."""
    body, links = body_of(text)
    if is_prose(text):
        return _nothing(links), True
    best: Combination | None = None
    for combination in Combinations(body).heaviest_first(within=_CLEAR):
        if best is None:
            best = combination
        elif best.weight - combination.weight >= _CLEAR:
            break
        elif _title(combination) != _title(best):
            return _reading(best, _Rest(body), links), False
    return _reading(best, _Rest(body), links) if best else _nothing(links), True


def read_reference(text: str) -> list[Reading]:
    """Return the readings of a reference string, best first; at least one, at most five."""
    body, links = body_of(text)
    if is_prose(text):
        return [_nothing(links)]
    rest = _Rest(body)
    return [_reading(combination, rest, links) for combination in _chosen(body)] or [_nothing(links)]


def _chosen(body: str) -> Iterator[Combination]:
    """Yield the heaviest combination of each title with each first person, the heaviest first."""
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


def candidates(text: str) -> list[tuple[Reading, tuple[str, ...]]]:
    """Return every reading of ``text`` with the signs by which it was weighed."""
    body, links = body_of(text)
    rest, combinations = _Rest(body), Combinations(body)
    return [(_reading(each, rest, links), combinations.signs_of(each)) for each in combinations] or [
        (_nothing(links), ())
    ]


def body_of(text: str) -> tuple[str, Links]:
    """Return a string without its label, its line ends and what leads elsewhere; and that."""
    whole = text[:_LONGEST]
    if "\n" in whole:
        whole = _HYPHENATED.sub("", _BROKEN_ADDRESS.sub("", _BROKEN_DOI.sub(r"\1", whole)))
    links = take_links(" ".join(whole.split()))
    label = _LABEL.match(links.text)
    return links.text[label.end() if label else 0 :].strip(), links


def _nothing(links: Links) -> Reading:
    return Reading(doi=links.doi, arxiv_id=links.arxiv_id, url=links.url)


class _Rest:
    """What stands behind people and titles: readings that begin or end in one place share it."""

    def __init__(self, body: str) -> None:
        self._body = body
        self._years: dict[tuple[int, str], int | None] = {}
        self._venues: dict[int, str] = {}

    def year(self, start: int, dated: str) -> int | None:
        """Return the year of a work whose title begins at ``start``, behind the date ``dated``."""
        if (start, dated) not in self._years:
            self._years[start, dated] = dates.year_of(self._body[start:], dated)
        return self._years[start, dated]

    def venue(self, end: int) -> str:
        """Return the venue of a work whose title ends at ``end``."""
        if end not in self._venues:
            self._venues[end] = venue_of(self._body[end:])
        return self._venues[end]


def _reading(combination: Combination, rest: _Rest, links: Links) -> Reading:
    weight, beginning, title = combination
    return Reading(
        title=_title(combination),
        authors=beginning.group.names,
        and_others=beginning.group.others,
        year=rest.year(beginning.start, beginning.dated),
        venue=rest.venue(title.end) if title.is_title else title.text,
        doi=links.doi,
        arxiv_id=links.arxiv_id,
        url=links.url,
        score=weight,
    )


_VENUE_END = re.compile(r"(?=[,.;:(\s]|$)(?:[,.;:(]\s*(?:vol|no|pp?|pages?)?\b\.?\s*\d|\s\d+\s*[(:,]|\.\s|$|\(|;)")


def venue_of(rest: str) -> str:
    """Return the name of the venue that ``rest`` begins with; a full stop behind an abbreviation does not end it."""
    rest = rest.lstrip(" ,.;:)")
    if mark := venues.BRACKET_MARK.match(rest):
        rest = rest[mark.end() :].lstrip(" ,.;:/")
    if match := venues.IN.match(rest):
        rest = rest[match.end() :].lstrip(" ,.;:")
    for end in _VENUE_END.finditer(rest):
        if end[0].strip() != "." or not venues.is_abbreviated(rest, end.start()):
            return rest[: end.start()].strip(" ,.;:")
    return ""
