"""A reference string, such as a style prints it, read into fields.

A string may allow several readings. Each place where the people may end is combined with each place where the title may
end; what speaks for and against a combination are named signs, and :mod:`~citeproof.fields.plain.weights` says how much
each weighs. The readings come best first, and a record may confirm another one than the first.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from citeproof.fields.plain import dates, people, titles, venues
from citeproof.fields.plain.beginnings import is_prose
from citeproof.fields.plain.links import Links, take_links
from citeproof.fields.plain.signs import weight_of, weight_together

if TYPE_CHECKING:
    from collections.abc import Iterator

_LABEL = re.compile(r"\s*(?:\[\s*[^\]\s][^\]]{0,30}\]|\(\d{1,4}\)|\d{1,4}(?:[.)]\s?|\s(?=[^\W\d_]))|[•*–-]\s)\s*")
_HYPHENATED = re.compile(r"(?<=[^\W\d_])[-‐\u00ad]\s*\n\s*(?=[^\W\d_A-Z])")
_BROKEN_DOI = re.compile(r"(10\.\d{4,9}/[^\s]*[./(-])[^\S\n]*\n\s*(?=[^\s]*\d)")
_BROKEN_ADDRESS = re.compile(r"(?<=/)\s*\n\s*(?=\S)|(?<=http:)\s*\n\s*(?=/)")
_MOST_READINGS = 5
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


@dataclass(slots=True)
class _Beginning:
    """A list of people, and where the title may begin behind it."""

    group: people.People
    start: int
    dated: str
    """What stands between people and title, where it is a date."""
    behind: str
    """The name of what stands behind the people."""
    signs: tuple[str, ...]
    """Names of what speaks for or against the people."""
    weight: int
    """What they weigh together, in hundredths."""


_Combination: TypeAlias = "tuple[int, _Beginning, titles.Title, bool]"
"""What a combination weighs; its people; its title; whether that is the title, or the venue of a work without one.

Fifty are made of one string, hence no class of their own.
"""
_WEIGHT = itemgetter(0)


def read_reference(text: str) -> list[Reading]:
    """Return the readings of a reference string, best first; at least one, at most five."""
    body, links = body_of(text)
    if is_prose(text):
        return [_nothing(links)]
    _, combinations = _combinations(body)
    chosen: dict[tuple[str, tuple[str, ...]], _Combination] = {}
    for combination in sorted(combinations, key=_WEIGHT, reverse=True):
        _, beginning, title, is_title = combination
        chosen.setdefault((title.text if is_title else "", beginning.group.names[:1]), combination)
        if len(chosen) == _MOST_READINGS:
            break
    rest = _Rest(body)
    return [_reading(combination, rest, links) for combination in chosen.values()] or [_nothing(links)]


def candidates(text: str) -> list[tuple[Reading, tuple[str, ...]]]:
    """Return every reading of ``text`` with the signs by which it was weighed."""
    body, links = body_of(text)
    rest = _Rest(body)
    known, combinations = _combinations(body)
    found = [(_reading(combination, rest, links), _all_signs(combination, known)) for combination in combinations]
    return found or [(_nothing(links), ())]


def _all_signs(combination: _Combination, known: titles.Titles) -> tuple[str, ...]:
    """Return the names of all that was weighed."""
    _, beginning, title, is_title = combination
    role = _INSIDE_VENUE if is_title and title.inside_venue else () if is_title else _untitled(title, known)
    return (*beginning.signs, f"{beginning.behind}>{title.ending}", *known.signs_of(title), *role)


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


def _reading(combination: _Combination, rest: _Rest, links: Links) -> Reading:
    weight, beginning, title, is_title = combination
    return Reading(
        title=title.text if is_title else "",
        authors=beginning.group.names,
        and_others=beginning.group.others,
        year=rest.year(beginning.start, beginning.dated),
        venue=rest.venue(title.end) if is_title else title.text,
        doi=links.doi,
        arxiv_id=links.arxiv_id,
        url=links.url,
        score=weight,
    )


def _combinations(body: str) -> tuple[titles.Titles, list[_Combination]]:
    """Return every combination of people and title, the untitled ones among them; and where titles may be."""
    known = titles.Titles(body)
    by_start: dict[int, list[tuple[titles.Title, int, int | None]]] = {}
    found: list[_Combination] = []
    for beginning in _beginnings(body):
        if beginning.start not in by_start:
            by_start[beginning.start] = [_weighed(title, known) for title in known.beginning_at(beginning.start)]
        joined = _joined(beginning.behind)
        for title, titled, untitled in by_start[beginning.start]:
            weight = beginning.weight + joined[title.ending]
            found.append((weight + titled, beginning, title, True))
            if untitled is not None:
                found.append((weight + untitled, beginning, title, False))
    return known, found


def _weighed(title: titles.Title, known: titles.Titles) -> tuple[titles.Title, int, int | None]:
    """Return ``title`` with its weight as a title, and as the venue of a work without one, if it can be that."""
    untitled = _untitled(title, known) if title.numbers or _is_odd(title.text) else ()
    titled = title.weight + (_INSIDE_VENUE_WEIGHT if title.inside_venue else 0)
    return title, titled, title.weight + weight_together(untitled) if untitled else None


def _beginnings(body: str) -> Iterator[_Beginning]:
    for group in people.proposals(body):
        match = dates.BEHIND_PEOPLE.match(body, group.end)
        start, dated = (match.end(), match[0]) if match else (group.end, "")
        behind = "dated" if match else behind_people(body, group)
        signs, weight = people_signs(group, behind)
        yield _Beginning(group, start, dated, behind, signs, weight)


@cache
def _joined(behind: str) -> dict[str, int]:
    """Return what each kind of ending of a title weighs, given what stands behind the people."""
    return {kind: weight_of((f"{behind}>{kind}",)) for kind in titles.KINDS}


def people_signs(group: people.People, behind: str) -> tuple[tuple[str, ...], int]:
    """Return what speaks for or against a list of people: its form, its length, what is behind it; and the weight."""
    ended = group.others or group.editors
    return _people_signs(group.form, behind, min(len(group.names), 6), group.left_out, ended, group.has_sentence)


@lru_cache(maxsize=4096)
def _people_signs(
    form: str, behind: str, count: int, left_out: int, marked_end: bool, has_sentence: bool
) -> tuple[tuple[str, ...], int]:
    named = form or "none"
    signs = [f"people:{named}", f"people:{named}>{behind}", f"people:{count}"]
    if left_out:
        signs.append(f"people:left_out:{left_out}")
    if marked_end:
        signs.append("people:marked_end")
    if has_sentence:
        signs.append("people:has_sentence")
    return tuple(signs), weight_of(signs)


def behind_people(body: str, group: people.People) -> str:
    """Return the name of what stands behind a list of people."""
    if not group.end:
        return "beginning"
    behind = body[group.end : group.end + 4]
    if match := _BEHIND_PEOPLE.match(behind):
        return str(match.lastgroup)
    return "initial" if body[group.end - 1] == "." and behind[:1] == " " else "other"


_BEHIND_PEOPLE = re.compile(
    r"(?P<stop>\s*\.\s)|(?P<colon>\s*:)|(?P<quote>[.,]?\s*[“\"‘„«`])|(?P<comma>\s*,)|(?P<bracket>\s*[(\[])|(?P<nothing>\s*$)"
)


_INSIDE_VENUE = ("title:inside_venue",)
_INSIDE_VENUE_WEIGHT = weight_of(_INSIDE_VENUE)


def _untitled(title: titles.Title, known: titles.Titles) -> tuple[str, ...]:
    """Return what speaks for a stretch being the venue of a work whose title is not given; empty where it cannot be.

    ``Willems, E. P. Environment and Behavior 1990, 22, 468`` has numbers right behind it, and a journal must be named.
    """
    if title.ending == "quote":
        return ()
    no_title = _NO_TITLE.match(title.text) if _is_odd(title.text) else None
    if not (no_title or title.numbers) or known.holds_in(title):
        return ()
    if no_title:
        return ("untitled", "untitled:no_title")
    looks = "abbreviated" if "has:abbreviations_alone" in title.shape else "plain"
    if known.begins_as_venue(title) or known.names_venue(title):
        looks = "container"
    return _as_venue(looks, min(title.numbers - 1, 4))


@cache
def _as_venue(looks: str, numbers: int) -> tuple[str, ...]:
    return "untitled", f"untitled:{numbers}", f"untitled:{looks}", f"untitled:{looks}:{numbers}"


def _is_odd(title: str) -> bool:
    """Whether ``_NO_TITLE`` may match: that is told in a fraction of its time."""
    return len(title) <= _SHORT or title[0] in _NO_TITLE_BEGINS or not title[0].isalpha()


_SHORT = 4
_NO_TITLE_BEGINS = frozenset("iIpP")
_NO_TITLE = re.compile(
    r"in\s|(?i:personal|private)\s+communication|[^\W\d_]{1,4}$|[\W\d_]*$|\d{1,2}\s[^\W\d_]+\s(?:1[89]|20)\d\d$"
)
"""What is never a title: a venue behind ``in``, a talk between two, a short abbreviation, numbers, a date.

Each begins with a letter of ``_NO_TITLE_BEGINS`` or with none, or has at most ``_SHORT`` letters.
"""
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
