"""A reference string, such as a style prints it, read into fields.

A string may allow several readings. Each place where the people may end is combined with each place where the title may
end; what speaks for and against a combination are named signs, and :mod:`~citeproof.fields.plain.weights` says how much
each weighs. The readings come best first, and a record may confirm another one than the first.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from citeproof.fields.plain import dates, people, titles, venues
from citeproof.fields.plain.links import Links, take_links
from citeproof.fields.plain.signs import weight_of
from citeproof.fields.plain.weights import WEIGHTS

if TYPE_CHECKING:
    from collections.abc import Iterator

_LABEL = re.compile(r"\s*(?:\[\s*[^\]\s][^\]]{0,30}\]|\(\d{1,4}\)|\d{1,4}(?:[.)]\s?|\s(?=[^\W\d_]))|[•*–-]\s)\s*")
_HYPHENATED = re.compile(r"(?<=[^\W\d_])[-‐\u00ad]\s*\n\s*(?=[^\W\d_A-Z])")
_BROKEN_DOI = re.compile(r"(10\.\d{4,9}/[^\s]*[./(-])[^\S\n]*\n\s*(?=[^\s]*\d)")
_BROKEN_ADDRESS = re.compile(r"(?<=/)\s*\n\s*(?=\S)|(?<=http:)\s*\n\s*(?=/)")
_SCORE = attrgetter("score")
_MOST_READINGS = 5
_LONGEST = 20_000
"""Letters of a string that are read: a collaboration of 1,000 authors has so many; more is no single reference."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a string."""

    title: str = ""
    authors: tuple[str, ...] = ()
    and_others: bool = False
    year: int | None = None
    venue: str = ""
    doi: str = ""
    arxiv_id: str = ""
    url: str = ""
    score: float = 0.0
    """How well it fits; to be compared only with other readings of the same string."""


class _Proposal(NamedTuple):
    """A combination: these people, this title, or the title's stretch as the venue of a work without one.

    A hundred are made of one string, hence a tuple: a dataclass takes three times as long.
    """

    group: people.People
    title: titles.Title
    start: int
    """Where the title may begin."""
    dated: str
    """What stands between people and title, where it is a date."""
    group_signs: tuple[str, ...]
    """Names of what speaks for or against the people."""
    joint: str
    """The name of how people and title stand together."""
    role: tuple[str, ...]
    """Names of what speaks for or against the stretch being the title, or else a venue."""
    is_title: bool
    score: float

    @property
    def written(self) -> str:
        """The title."""
        return self.title.text if self.is_title else ""

    def all_signs(self) -> tuple[str, ...]:
        """Return the names of all that was weighed."""
        return tuple(chain(self.group_signs, (self.joint,), *self.title.signs, self.role))


def read_reference(text: str) -> list[Reading]:
    """Return the readings of a reference string, best first; at least one, at most five."""
    body, links = body_of(text)
    best: dict[tuple[str, tuple[str, ...]], _Proposal] = {}
    for proposal in _proposals(body):
        identity = (proposal.written, proposal.group.names[:1])
        known = best.get(identity)
        if known is None or known.score < proposal.score:
            best[identity] = proposal
    chosen = sorted(best.values(), key=_SCORE, reverse=True)[:_MOST_READINGS]
    rest = _Rest(body)
    return [_reading(proposal, rest, links) for proposal in chosen] or [_nothing(links)]


def candidates(text: str) -> list[tuple[Reading, tuple[str, ...]]]:
    """Return every reading of ``text`` with the signs by which it was weighed."""
    body, links = body_of(text)
    rest = _Rest(body)
    found = [(_reading(proposal, rest, links), proposal.all_signs()) for proposal in _proposals(body)]
    return found or [(_nothing(links), ())]


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


def _reading(proposal: _Proposal, rest: _Rest, links: Links) -> Reading:
    return Reading(
        title=proposal.written,
        authors=proposal.group.names,
        and_others=proposal.group.others,
        year=rest.year(proposal.start, proposal.dated),
        venue=rest.venue(proposal.title.end) if proposal.is_title else proposal.title.text,
        doi=links.doi,
        arxiv_id=links.arxiv_id,
        url=links.url,
        score=proposal.score,
    )


def _proposals(body: str) -> Iterator[_Proposal]:
    """Yield every combination of people and title, the untitled ones among them."""
    ends = titles.Ends(body)
    by_start: dict[int, list[tuple[titles.Title, tuple[str, ...], float]]] = {}
    for group in people.proposals(body):
        match = dates.BEHIND_PEOPLE.match(body, group.end)
        start, dated = (match.end(), match[0]) if match else (group.end, "")
        behind = "dated" if match else behind_people(body, group)
        group_signs = tuple(people_signs(group, behind))
        group_weight = weight_of(group_signs)
        if start not in by_start:
            with_untitled = ((title, _untitled(title, ends)) for title in ends.titles(start))
            by_start[start] = [(title, untitled, weight_of(untitled)) for title, untitled in with_untitled]
        for title, untitled, untitled_weight in by_start[start]:
            joint, joint_weight = _joint(behind, title.ending)
            score = group_weight + title.weight + joint_weight
            role = _INSIDE_VENUE if title.inside_venue else ()
            titled = score + _INSIDE_VENUE_WEIGHT if title.inside_venue else score
            yield _Proposal(group, title, start, dated, group_signs, joint, role, is_title=True, score=titled)
            if untitled:
                score += untitled_weight
                yield _Proposal(group, title, start, dated, group_signs, joint, untitled, is_title=False, score=score)


@lru_cache(maxsize=1024)
def _joint(behind: str, ending: str) -> tuple[str, float]:
    """Return the sign of what stands behind the people and of what ends the title, and its weight."""
    sign = f"{behind}>{ending}"
    return sign, WEIGHTS.get(sign, 0.0)


def people_signs(group: people.People, behind: str) -> Iterator[str]:
    """Yield what speaks for or against a list of people: its form, its length, and what stands behind it."""
    form = group.form or "none"
    yield f"people:{form}"
    yield f"people:{form}>{behind}"
    yield f"people:{min(len(group.names), 6)}"
    if group.left_out:
        yield f"people:left_out:{group.left_out}"
    if group.others or group.editors:
        yield "people:marked_end"
    if group.has_sentence:
        yield "people:has_sentence"


def behind_people(body: str, group: people.People) -> str:
    """Return the name of what stands behind a list of people."""
    if not group.end:
        return "beginning"
    behind = body[group.end : group.end + 4]
    named = next((name for name, pattern in _BEHIND_PEOPLE.items() if pattern.match(behind)), "")
    initial = body[group.end - 1 : group.end] == "." and behind[:1] == " "
    return named or ("initial" if initial else "other")


_BEHIND_PEOPLE = {
    "stop": re.compile(r"\s*\.\s"),
    "colon": re.compile(r"\s*:"),
    "quote": re.compile(r"[.,]?\s*[“\"‘„«`]"),
    "comma": re.compile(r"\s*,"),
    "bracket": re.compile(r"\s*[(\[]"),
    "nothing": re.compile(r"\s*$"),
}


_INSIDE_VENUE = ("title:inside_venue",)
_INSIDE_VENUE_WEIGHT = weight_of(_INSIDE_VENUE)


def _untitled(title: titles.Title, ends: titles.Ends) -> tuple[str, ...]:
    """Return what speaks for a stretch being the venue of a work whose title is not given; empty where it cannot be.

    ``Willems, E. P. Environment and Behavior 1990, 22, 468`` has numbers right behind it, and a journal must be named.
    """
    if title.ending == "quote":
        return ()
    no_title = _NO_TITLE.match(title.text)
    numbers = ends.numbers_alone(title.end)
    if not (no_title or numbers) or ends.holds_in(title):
        return ()
    if no_title:
        return ("untitled", "untitled:no_title")
    looks = "abbreviated" if any("has:abbreviations_alone" in part for part in title.signs) else "plain"
    if venues.CONTAINER.match(title.text) or ends.names_venue(title):
        looks = "container"
    numbers = min(numbers - 1, 4)
    return "untitled", f"untitled:{numbers}", f"untitled:{looks}", f"untitled:{looks}:{numbers}"


_NO_TITLE = re.compile(
    r"in\s|(?i:personal|private)\s+communication|[^\W\d_]{1,4}$|[\W\d_]*$|\d{1,2}\s[^\W\d_]+\s(?:1[89]|20)\d\d$"
)
"""What is never a title: a venue behind ``in``, a talk between two, a short abbreviation, numbers, a date."""
_VENUE_END = re.compile(r"(?=[,.;:(\s]|$)(?:[,.;:(]\s*(?:vol|no|pp?|pages?)?\b\.?\s*\d|\s\d+\s*[(:,]|\.\s|$|\(|;)")


def venue_of(rest: str) -> str:
    """Return the name of the venue that ``rest`` begins with; a full stop behind an abbreviation does not end it."""
    rest = rest.lstrip(" ,.;:)")
    if mark := venues.BRACKET_MARK.match(rest):
        rest = rest[mark.end() :].lstrip(" ,.;:/")
    if match := venues.IN.match(rest):
        rest = rest[match.end() :].lstrip(" ,.;:")
    for end in _VENUE_END.finditer(rest):
        if end[0].strip() != "." or not venues.ABBREVIATED_WORD.search(rest, max(0, end.start() - 12), end.start()):
            return rest[: end.start()].strip(" ,.;:")
    return ""
