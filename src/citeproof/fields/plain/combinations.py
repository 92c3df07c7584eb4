"""The ways to read a reference string: people and where they end, combined with a title and where that ends.

Sixty are proposed for one string and one to five are wanted, so most are never weighed in full: what each weighs at
most is a sum of what its people, the title's first letters and the title's ending weigh, which others share.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from heapq import heapify, heappop, heappush, heapreplace
from typing import TYPE_CHECKING, NamedTuple

from citeproof.fields.plain import dates, people, titles
from citeproof.fields.plain.signs import weight_of

if TYPE_CHECKING:
    from collections.abc import Iterator


_ALL = 10**9


@dataclass(slots=True)
class Beginning:
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
    joined: dict[str, int]
    """What each kind of sign that may end the title weighs behind such people."""


class Combination(NamedTuple):
    """People, and a title or the venue of a work without one."""

    weight: int
    """In hundredths."""
    beginning: Beginning
    title: titles.Title


class Combinations:
    """The combinations of one text, in the order in which they are proposed: by their people, then by their ends."""

    def __init__(self, body: str) -> None:
        self.titles = titles.Titles(body)
        self._beginnings = list(_beginnings(body))
        self._proposed: list[titles.Proposal] = []
        for number, beginning in enumerate(self._beginnings):
            self._proposed += self.titles.beginning_at(beginning.start, number, beginning.weight, beginning.joined)

    def heaviest_first(self, within: int = _ALL) -> Iterator[Combination]:
        """Yield the combinations, the heaviest first; of those that weigh the same, the one proposed first.

        They are weighed in the order of what they weigh at most, in two steps: what follows the title, then all. One
        that was weighed in full comes out before all those that weigh less at most. Those that are lighter than the
        heaviest by ``within`` or more may be left out.
        """
        waiting = self._proposed.copy()
        heapify(waiting)
        weighed: list[tuple[int, int, int, bool, Combination]] = []
        looked_at: set[tuple[int, int, bool]] = set()
        enough = _ALL
        while waiting and waiting[0][0] < enough:
            proposal = waiting[0]
            if weighed and weighed[0][:4] < proposal[:4]:
                yield heappop(weighed)[4]
            elif proposal[1:4] not in looked_at:
                looked_at.add(proposal[1:4])
                heapreplace(waiting, self.titles.looked_at(proposal))
            else:
                heappop(waiting)
                if combination := self._weighed(proposal):
                    heappush(weighed, (-combination.weight, *proposal[1:4], combination))
                    enough = min(enough, within - combination.weight)
        while weighed:
            yield heappop(weighed)[4]

    def __iter__(self) -> Iterator[Combination]:
        """Yield all of them, as they were proposed."""
        return filter(None, map(self._weighed, self._proposed))

    def signs_of(self, combination: Combination) -> tuple[str, ...]:
        """Return the names of all that was weighed."""
        _, beginning, title = combination
        return (*beginning.signs, f"{beginning.behind}>{title.ending}", *self.titles.signs_of(title))

    def _weighed(self, proposal: titles.Proposal) -> Combination | None:
        """Return a combination with all that it weighs; None where the title cannot be a venue and should be one."""
        title = self.titles.title(proposal)
        if title is None:
            return None
        beginning = self._beginnings[proposal[1]]
        return Combination(beginning.weight + beginning.joined[title.ending] + title.weight, beginning, title)


def _beginnings(body: str) -> Iterator[Beginning]:
    for group in people.proposals(body):
        match = dates.BEHIND_PEOPLE.match(body, group.end)
        start, dated = (match.end(), match[0]) if match else (group.end, "")
        behind = "dated" if match else behind_people(body, group)
        signs, weight = people_signs(group, behind)
        yield Beginning(group, start, dated, behind, signs, weight, _joined(behind))


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
    r"(?P<stop> *\. )|(?P<colon> *:)|(?P<quote>[.,]? *[“\"‘„«`])|(?P<comma> *,)|(?P<bracket> *[(\[])|(?P<nothing> *$)"
)
