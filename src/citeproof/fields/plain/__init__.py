"""A reference string, such as a style prints it, read into fields.

A string may allow several readings. Each place where the people may end is combined with each place where the title may
end; what speaks for and against a combination are named signs, and :mod:`~citeproof.fields.plain.weights` says how much
each weighs. The readings come best first, and a record may confirm another one than the first.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from citeproof.fields.plain import dates, people, titles, venues
from citeproof.fields.plain.links import take_links
from citeproof.fields.plain.weights import WEIGHTS

if TYPE_CHECKING:
    from collections.abc import Iterator

_LABEL = re.compile(r"\s*(?:\[\s*[^\]\s][^\]]{0,30}\]|\(\d{1,4}\)|\d{1,4}(?:[.)]\s?|\s(?=[^\W\d_]))|[•*–-]\s)\s*")
_HYPHENATED = re.compile(r"(?<=[^\W\d_])[-‐\u00ad]\s*\n\s*(?=[^\W\d_A-Z])")
_BROKEN_DOI = re.compile(r"(10\.\d{4,9}/[^\s]*[./(-])[^\S\n]*\n\s*(?=[^\s]*\d)")
_BROKEN_ADDRESS = re.compile(r"(?<=/)\s*\n\s*(?=\S)|(?<=http:)\s*\n\s*(?=/)")
_MOST_READINGS = 5


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


def read_reference(text: str) -> list[Reading]:
    """Return the readings of a reference string, best first; at least one, at most five."""
    readings = sorted((reading for reading, _ in candidates(text)), key=lambda reading: reading.score)
    distinct = {(reading.title, reading.authors[:1]): reading for reading in readings}
    return sorted(distinct.values(), key=lambda reading: -reading.score)[:_MOST_READINGS]


def candidates(text: str) -> list[tuple[Reading, tuple[str, ...]]]:
    """Return every reading of ``text`` with the signs by which it was weighed."""
    whole = _HYPHENATED.sub("", _BROKEN_ADDRESS.sub("", _BROKEN_DOI.sub(r"\1", text)))
    links = take_links(" ".join(whole.split()))
    label = _LABEL.match(links.text)
    body = links.text[label.end() if label else 0 :].strip()
    found = []
    by_start: dict[int, list[titles.Title]] = {}
    for group in people.proposals(body):
        dated = dates.BEHIND_PEOPLE.match(body, group.end)
        start = dated.end() if dated else group.end
        behind = "dated" if dated else _behind_people(body, group)
        group_signs = tuple(_people_signs(group, behind))
        year = dates.year_of(body[start:], dated[0] if dated else "")
        if start not in by_start:
            by_start[start] = list(titles.proposals(body, start))
        for title in by_start[start]:
            for written, venue, role in _roles(title, body):
                signs = (*group_signs, f"{behind}>{title.ending}", *title.signs, *role)
                reading = Reading(
                    title=written,
                    authors=group.names,
                    and_others=group.others,
                    year=year,
                    venue=venue,
                    doi=links.doi,
                    arxiv_id=links.arxiv_id,
                    url=links.url,
                    score=sum(WEIGHTS.get(sign, 0.0) for sign in signs),
                )
                found.append((reading, signs))
    return found or [(Reading(doi=links.doi, arxiv_id=links.arxiv_id, url=links.url), ())]


def _people_signs(group: people.People, behind: str) -> Iterator[str]:
    """Yield what speaks for or against a list of people: its form, its length, and what stands behind it."""
    form = group.form or "none"
    yield f"people:{form}"
    yield f"people:{form}>{behind}"
    yield f"people:{min(len(group.names), 6)}"
    if group.left_out:
        yield f"people:left_out:{group.left_out}"
    if group.others or group.editors:
        yield "people:marked_end"


def _behind_people(body: str, group: people.People) -> str:
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


def _roles(title: titles.Title, body: str) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Yield title, venue and signs: the stretch is the title, or it is the venue of a work whose title is not given.

    ``Willems, E. P. Environment and Behavior 1990, 22, 468`` has numbers right behind it, and a journal must be named.
    """
    rest = body[title.end :]
    yield title.text, _venue(rest), ()
    if title.ending != "quote" and venues.NOTHING_BUT_NUMBERS.match(rest):
        numbers = min(len(re.findall(r"\d+", rest)), 4)
        looks = "abbreviated" if "has:abbreviations_alone" in title.signs else "plain"
        looks = (
            "container" if venues.CONTAINER.match(title.text) or venues.ABBREVIATED.search(title.text + ".") else looks
        )
        yield "", title.text, ("untitled", f"untitled:{numbers}", f"untitled:{looks}", f"untitled:{looks}:{numbers}")


_VENUE_END = re.compile(r"[,.;:(]\s*(?:vol|no|pp?|pages?)?\b\.?\s*\d|\s\d+\s*[(:,]|\.\s|$|\(|;")


def _venue(rest: str) -> str:
    """Return the name of the venue that ``rest`` begins with."""
    rest = rest.lstrip(" ,.;:")
    if match := venues.IN.match(rest):
        rest = rest[match.end() :].lstrip(" ,.;:")
    end = _VENUE_END.search(rest)
    return rest[: end.start()].strip(" ,.;:") if end else ""
