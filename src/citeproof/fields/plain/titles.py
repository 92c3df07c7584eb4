"""Where the title of a reference string may be: every place where it may end, with the signs that speak for it."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, TypeAlias

from citeproof.fields.plain import venues
from citeproof.fields.plain.contents import contents
from citeproof.fields.plain.endings import ENDINGS, Endings
from citeproof.fields.plain.signs import weight_of, weight_together
from citeproof.fields.plain.untitled import MOST_AS_VENUE, SHORT, may_be_odd, signs_of_venue
from citeproof.fields.plain.words import Words

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_QUOTES = {
    "“": "”",
    "„": "“”",
    "«": "»",
    "‘": "’",
    '"': '"',
    "``": "''",
    "'": "'",
    "`": "'",
    "”": "”",
    "‟": "”",
    "″": "″",
    "『": "』",
    "「": "」",
}


_IN_QUOTES = -1
"""The place of the end of a title that stands in quotation marks."""


@dataclass(slots=True)
class Title:
    """The title is this, and what follows begins at ``end``.

    Ten are made of one string, so it is not frozen: that would take three times as long.
    """

    text: str
    start: int
    end: int
    ending: str
    """The kind of sign that ends it."""
    weight: int
    """What speaks for and against it, as a title or as a venue, weighs so much, in hundredths."""
    is_title: bool = True
    """Whether it is the title, or the venue of a work without one."""
    written: tuple[str, ...] = ()
    """Names of the signs in what it says."""
    place: int = _IN_QUOTES
    """Of its ending among those of its string."""
    numbers: int = 0
    """One more than how many numbers follow; 0 where anything else does."""

    @property
    def is_abbreviated(self) -> bool:
        """Whether it is nothing but abbreviations: ``Phys. Rev. Lett``"""
        return _ABBREVIATED_ALONE in self.written


Proposal: TypeAlias = "tuple[int, int, int, bool, int, int]"
"""A title that may begin behind some people:

* what both weigh at most, as a number below zero: the heaviest come first
* the number of these people among those of the text
* the place of its ending, ``_IN_QUOTES`` for a quotation mark
* whether it is the venue of a work without a title
* where it begins
* what it weighs without people, ending and text

Sixty are made of one string, hence no class of their own. Those that weigh the same are in the order of the text.
"""


class Titles:
    """The titles that one text may have: what they share is found once, for all places where one may begin."""

    def __init__(self, text: str) -> None:
        words = Words(text)
        self._text, self._word_ends = text, words.ends
        self._endings = Endings(text, words)
        self._held = list(contents(text))
        self._venue_words = words.places_of(venues.VENUE_WORDS)
        self._brackets = "(" in text or "[" in text
        self._containers: dict[int, bool] = {}

    def beginning_at(self, start: int, number: int, people: int, joined: Mapping[str, int]) -> list[Proposal]:
        """Return every title that may begin at ``start``, or behind the signs there.

        The ``people`` before it have a ``number`` and weigh so much, and each kind of ending behind them as ``joined``
        says. All is weighed but what follows the title, which is told by its beginning, and what its own text says,
        which only counts against it.
        """
        start = self._begin(start)
        if quoted := _quoted(self._text, start):
            return [(-people - joined["quote"] - quoted.weight, number, _IN_QUOTES, False, start, 0)]
        found: list[Proposal] = []
        held = self._held_from(start)
        next_held = held[-1][0] if held else _NEVER
        weight = weight_of(self._begins(start))
        odd = may_be_odd(self._text[start : start + 1], _LONGEST)
        first_word = bisect_right(self._word_ends, start)
        place, near = self._endings.behind(start, _MOST_PASSED + 1)
        for kind, begin, last, _, words, numbers, inside_venue, passes, following in near:
            while next_held <= begin:
                weight += held.pop()[1]
                next_held = held[-1][0] if held else _NEVER
            words -= first_word  # noqa: PLW2901 - a name more is a tenth of the loop
            certain = weight + _LENGTH_WEIGHTS[words if words < _LONGEST else _LONGEST]
            least = -people - certain - joined[kind] - following
            title = least - _INSIDE_VENUE_WEIGHT if inside_venue else least
            found.append((title, number, place, False, start, certain))
            may_be_none = odd or last - start <= SHORT
            if numbers or may_be_none:
                as_venue = MOST_AS_VENUE[numbers if numbers < _MOST_NUMBERS else _MOST_NUMBERS][may_be_none]
                found.append((least - as_venue, number, place, True, start, certain))
            weight += passes
            place += 1
        return found

    def looked_at(self, proposal: Proposal) -> Proposal:
        """Return ``proposal`` with what it weighs at most once what follows the title was looked at."""
        least, number, place, is_venue, start, certain = proposal
        if place == _IN_QUOTES:
            return proposal
        ending, weighed = self._endings[place], self._endings.weighed(place)
        least += ending[-1] - weighed.weight
        if weighed.closing and ending[2] > start:
            least -= weighed.closing_weight
        return least, number, place, is_venue, start, certain

    def title(self, proposal: Proposal) -> Title | None:
        """Return a title that :meth:`beginning_at` proposes, weighed in full; None for a venue that cannot be one."""
        _, _, place, is_venue, start, weight = proposal
        return _quoted(self._text, start) if place == _IN_QUOTES else self._made(start, place, weight, not is_venue)

    def _made(self, start: int, place: int, weight: int, is_title: bool) -> Title | None:
        """Return the title from ``start`` to an ending, weighed in full; ``weight`` is what it weighs without these."""
        kind, _, last, behind, words, numbers, inside_venue, _, _ = self._endings[place]
        weighed = self._endings.weighed(place)
        text = self._text[start:last]
        written = self._written(text, words - bisect_right(self._word_ends, start))
        weight += weighed.weight
        if weighed.closing and text:
            weight += weighed.closing_weight
        if written:
            weight += weight_together(written)
        if is_title and inside_venue:
            weight += _INSIDE_VENUE_WEIGHT
        made = Title(text, start, behind, kind, weight, is_title, written, place, numbers)
        if is_title:
            return made
        signs = signs_of_venue(made, self)
        made.weight += weight_together(signs)
        return made if signs else None

    def signs_of(self, title: Title) -> tuple[str, ...]:
        """Return the names of all that is weighed for and against ``title``."""
        if title.place == _IN_QUOTES:
            return _ENDS_QUOTE
        weighed = self._endings.weighed(title.place)
        _, begin, _, _, words, _, inside_venue, _, _ = self._endings[title.place]
        first, behind = self._endings.behind(title.start, title.place + 1)
        passed = (f"passes:{ending[0]}" for ending in behind[: title.place - first])
        held = (sign for end, _, sign in self._held_from(title.start) if end <= begin)
        words -= bisect_right(self._word_ends, title.start)
        length = _LENGTH_SIGNS[min(words, _LONGEST)]
        closing = (weighed.closing,) if title.text and weighed.closing else ()
        role = (_INSIDE_VENUE if inside_venue else ()) if title.is_title else signs_of_venue(title, self)
        return (*passed, *self._begins(title.start), length, *held, *closing, *title.written, *weighed.signs, *role)

    def holds_in(self, title: Title) -> bool:
        """Whether a sentence of ``title`` ends and ``In`` follows: it is a title, and the venue behind it."""
        last = title.start + len(title.text)
        return any(title.start <= start and end <= last for start, end in self._sentences_in)

    def names_venue(self, title: Title) -> bool:
        """Whether ``title`` holds a word such as ``Journal``, or two abbreviated ones: ``Phys. Rev.``

        A full stop is thought behind it: the sign that ended it may have been one.
        """
        first, last = title.start, title.start + len(title.text)
        if self._venue_words:
            at = bisect_left(self._venue_words, first)
            if at < len(self._venue_words) and self._venue_words[at] < last:
                return True
        return any(first <= start and (end == last or end < stop <= last) for start, end, stop in self._abbreviated)

    def begins_as_venue(self, title: Title) -> bool:
        """Whether ``title`` begins as the names of venues do; most beginnings are looked at once for all titles."""
        if title.start not in self._containers:
            self._containers[title.start] = venues.CONTAINER.match(self._text, title.start) is not None
        return self._containers[title.start] and venues.CONTAINER.match(title.text) is not None

    @cached_property
    def _sentences_in(self) -> list[tuple[int, int]]:
        """Where a sentence ends and ``In`` follows."""
        return [match.span() for match in _IN.finditer(self._text)]

    @cached_property
    def _abbreviated(self) -> list[tuple[int, int, int]]:
        """Where two abbreviated words begin and end, without the last full stop and with it."""
        return [(match.start(), match.end(1), match.end(2)) for match in venues.ABBREVIATED.finditer(self._text)]

    def _begin(self, start: int) -> int:
        """Return where a title begins at or behind ``start``: signs do not begin it."""
        text, end = self._text, len(self._text)
        while start < end and text[start] in " ,.:;":
            start += 1
        return start

    def _begins(self, start: int) -> list[str]:
        """Return the names of the signs in the first letters of a title that begins at ``start``."""
        text = self._text
        return [sign for sign, matches in _begin_signs(text[start : start + 1]) if matches(text, start)]

    def _held_from(self, start: int) -> list[tuple[int, int, str]]:
        """Return where the first of each thing that a title may hold ends, its weight and its sign: last first."""
        found = []
        for sign, weight, spans in self._held:
            if spans[-1][0] >= start:  # most things stand in one place, behind most beginnings or before them
                at = 0 if spans[0][0] >= start else bisect_left(spans, (start, 0))
                found.append((spans[at][1], weight, sign))
        return sorted(found, reverse=True)

    def _written(self, title: str, words: int) -> tuple[str, ...]:
        """Return the signs in what ``title`` says, which has so many words."""
        signs: tuple[str, ...] = ()
        if self._brackets and (title.count("(") > title.count(")") or title.count("[") > title.count("]")):
            signs = ("has:open_bracket",)
        if words < _FEW and _ABBREVIATIONS.fullmatch(title + "."):
            signs = (*signs, _ABBREVIATED_ALONE)
        if words < _FEW_NAMES and _NAME_ALONE.match(title):
            signs = (*signs, "has:name_alone")
        return signs


_BEGINS = {
    "has:starts_as_venue": re.compile(r"(?:In|in|Proceedings|Proc\.|J\.|Journal of|IEEE Trans|ACM Trans|vol|pp)\b"),
    "has:starts_joined": re.compile(r"(?:and|&|et al)\b"),
    "has:starts_odd": re.compile(r"[^\w\"'“‘(\[<¿¡$\\]"),
    "has:starts_lower": re.compile(r"[^\W\d_A-Z]"),
    "has:starts_digit": re.compile(r"\d"),
    "has:starts_initial": re.compile(r"[^\W\d_a-z]\."),
    "has:starts_named": re.compile(r"[^\W\d_a-z][\w'’-]+, [^\W\d_a-z]"),
}
"""What it may begin with."""
_FIRST = {
    "has:starts_as_venue": re.compile(r"[IiPJAvp]"),
    "has:starts_joined": re.compile(r"[a&e]"),
    "has:starts_initial": re.compile(r"[^\W\d_a-z]"),
    "has:starts_named": re.compile(r"[^\W\d_a-z]"),
}
"""The first letter of those that are longer."""


@lru_cache(maxsize=1024)
def _begin_signs(first: str) -> tuple[tuple[str, Callable[[str, int], re.Match[str] | None]], ...]:
    """Return what a title may begin with whose first letter is ``first``, each with its ``match``."""
    possible = (sign for sign, pattern in _BEGINS.items() if _FIRST.get(sign, pattern).match(first))
    return tuple((sign, _BEGINS[sign].match) for sign in possible)


_NAME_ALONE = re.compile(r"[^\W\d_a-z][\w'’-]+(?:,? [^\W\d_a-z]\.?){0,3}$")
_SHORT = 4
_ABBREVIATION = r"(?:[^\W\d_a-z][^\W\d_]{0,8}\.|&|of|and|[A-Z]) ?"
_ABBREVIATIONS = re.compile(rf"(?:{_ABBREVIATION}){{1,8}}")
_ABBREVIATED_ALONE = "has:abbreviations_alone"
_FEW, _FEW_NAMES = 8, 5
"""A title of fewer words may be abbreviations alone, or a name alone."""
_IN = re.compile(r"[.?!] +[Ii]n:? ")


_LENGTHS = (
    (0, "0"),
    (1, "1"),
    (2, "2"),
    (3, "3"),
    (5, "4-5"),
    (12, "6-12"),
    (20, "13-20"),
    (30, "21-30"),
    (10**9, "31-"),
)
_LONGEST = 31
_LENGTH_SIGNS = [f"words:{next(label for most, label in _LENGTHS if words <= most)}" for words in range(_LONGEST + 1)]
"""The sign of each number of words; the last one is that of any larger number."""
_LENGTH_WEIGHTS = [weight_of((sign,)) for sign in _LENGTH_SIGNS]
_MOST_PASSED = 30
_MOST_NUMBERS = len(MOST_AS_VENUE) - 1
_NEVER = 10**9
_INSIDE_VENUE = ("title:inside_venue",)
_INSIDE_VENUE_WEIGHT = weight_of(_INSIDE_VENUE)


KINDS = (*ENDINGS, "quote")
"""The kinds of sign that may end a title."""
_ENDS_QUOTE = ("ends:quote",)


def _quoted(text: str, start: int) -> Title | None:
    """Return a title in quotation marks that begins at ``start``."""
    if text[start : start + 1] not in _QUOTES:
        return None
    opening = "``" if text.startswith("``", start) else text[start]
    closing = _QUOTES[opening]
    at = start + len(opening)
    while at < len(text):
        found = re.compile("|".join(map(re.escape, [closing] if opening == "``" else closing))).search(text, at)
        if not found:
            return None
        inner, after = text[start + len(opening) : found.start()], text[found.end() : found.end() + 1]
        apostrophe = closing in {"’", "'"} and (
            after.isalpha()
            or (text[found.start() - 1 : found.start()] == "s" and after == " " and closing[0] in text[found.end() :])
        )
        nested = inner.count(opening) > inner.count(closing) if opening != closing else False
        if not apostrophe and not nested and len(inner) > 2:
            return Title(inner.strip(" ,.;:"), start, found.end(), "quote", weight_of(_ENDS_QUOTE))
        at = found.end()
    return None
