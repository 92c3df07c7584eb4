"""Where the title of a reference string may be: every place where it may end, with the signs that speak for it."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from functools import cached_property

from citeproof.fields.plain import venues
from citeproof.fields.plain.endings import ENDINGS, Ending, Endings
from citeproof.fields.plain.signs import weight_of, weight_together
from citeproof.fields.plain.words import Words

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


@dataclass(slots=True)
class Title:
    """A proposal: the title is this, and what follows begins at ``end``.

    Thirty are made of one string, so it is not frozen: that would take three times as long.
    """

    text: str
    start: int
    end: int
    ending: str
    """The kind of sign that ends it."""
    weight: int
    """What speaks for and against it weighs so much, in hundredths."""
    shape: tuple[str, ...] = ()
    """Names of the signs in the title itself."""
    place: int = -1
    """Of its ending among those of its string; -1 where quotation marks end it."""
    numbers: int = 0
    """One more than how many numbers follow; 0 where anything else does."""
    inside_venue: bool = False
    """It ends behind an abbreviated word of a venue: ``A theory of the learnable. Commun``."""


class Titles:
    """The titles that one text may have: what they share is found once, for all places where one may begin."""

    def __init__(self, text: str) -> None:
        words = Words(text)
        self._text, self._word_ends = text, words.ends
        self._endings: list[Ending] = list(Endings(text, words))
        self._ending_starts = [ending.start for ending in self._endings]
        self._held = [
            (sign, [match.span() for match in pattern.finditer(text)])
            for sign, (pattern, needed) in _HOLDS.items()
            if any(map(text.__contains__, needed))
        ]
        self._venue_words = words.places_of(venues.VENUE_WORDS)
        self._in = [match.span() for match in _IN.finditer(text)]
        self._containers: dict[int, bool] = {}
        self._brackets = "(" in text or "[" in text

    def beginning_at(self, start: int) -> list[Title]:
        """Return every title that may begin at ``start``, or behind the signs there."""
        text = self._text
        start = self._begin(start)
        if quoted := _quoted(text, start):
            return [quoted]
        found: list[Title] = []
        held = self._held_from(start)
        weight = weight_of(self._begins(start))
        shape: tuple[str, ...] = ()
        abbreviated = _ABBREVIATED.match(text, start)
        reach = (abbreviated.end() - start if abbreviated else 0) + _LAST
        first_word = bisect_right(self._word_ends, start)
        first = bisect_left(self._ending_starts, start)
        for place, ending in enumerate(self._endings[first : first + _MOST_PASSED + 1], start=first):
            while held and held[-1][0] <= ending.start:
                shape = (*shape, held.pop()[1])
            words = ending.words - first_word
            whole = (_LENGTH_SIGNS[words if words < _LONGEST else _LONGEST], *shape)
            written = text[start : ending.last]
            if written:
                whole += ending.closing
            if words < _FEW or self._brackets:
                whole += self._written(written, words, reach)
            together = weight + weight_together(whole) + ending.weight
            found.append(
                Title(
                    written,
                    start,
                    ending.behind,
                    ending.kind,
                    together,
                    whole,
                    place,
                    ending.numbers,
                    ending.inside_venue,
                )
            )
            weight += ending.passes_weight
        return found

    def signs_of(self, title: Title) -> tuple[str, ...]:
        """Return the names of all that was weighed for and against ``title``."""
        if title.place < 0:
            return _ENDS_QUOTE
        first = bisect_left(self._ending_starts, title.start)
        passed = (ending.passes for ending in self._endings[first : title.place])
        return (*passed, *self._begins(title.start), *title.shape, *self._endings[title.place].signs)

    def holds_in(self, title: Title) -> bool:
        """Whether a sentence of ``title`` ends and ``In`` follows: it is a title, and the venue behind it."""
        last = title.start + len(title.text)
        return bool(self._in) and any(title.start <= start and end <= last for start, end in self._in)

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
    def _abbreviated(self) -> list[tuple[int, int, int]]:
        """Where two abbreviated words begin and end, without the last full stop and with it."""
        return [(match.start(), match.end(1), match.end(2)) for match in venues.ABBREVIATED.finditer(self._text)]

    def _begin(self, start: int) -> int:
        """Return where a title begins at or behind ``start``: signs do not begin it."""
        text, end = self._text, len(self._text)
        while start < end and text[start] in " ,.:;":
            start += 1
        return start

    def _begins(self, start: int) -> tuple[str, ...]:
        """Return the names of the signs in the first letters of a title that begins at ``start``."""
        return tuple([sign for sign, matches in _BEGIN_SIGNS if matches(self._text, start)])

    def _held_from(self, start: int) -> list[tuple[int, str]]:
        """Return where the first of each kind of thing that a title may hold ends, and its sign; the last one first."""
        firsts = [
            (next((end for begin, end in spans if begin >= start), -1), sign) for sign, spans in self._held if spans
        ]
        return sorted((first for first in firsts if first[0] >= 0), reverse=True)

    def _written(self, title: str, words: int, reach: int) -> tuple[str, ...]:
        """Return the signs in what ``title`` says; it has so many words, and abbreviations may be its first letters."""
        signs: tuple[str, ...] = ()
        if self._brackets and (title.count("(") > title.count(")") or title.count("[") > title.count("]")):
            signs = ("has:open_bracket",)
        if words < _FEW and len(title) <= reach and _ABBREVIATIONS.fullmatch(title + "."):
            signs = (*signs, "has:abbreviations_alone")
        if words < _FEW_NAMES and _NAME_ALONE.match(title):
            signs = (*signs, "has:name_alone")
        return signs


_HOLDS = {
    "has:people": (
        re.compile(
            r"[\s.,e](?:(?<=[\s.])[^\W\d_a-z]\.,?\s+(?:and|&)\s|(?<=e)(?<!\we)t al\.|"
            r"(?<=[^\W\d_a-z]\.,)\s[^\W\d_a-z]|(?<=[^\W\d_],)\s[^\W\d_a-z]\.)"
        ),
        (".",),
    ),
    "has:dated": (re.compile(r"[12](?<!\w.)(?:(?<=1)[89]|(?<=2)0)\d\d[a-z]?\)?[.,:]\s+[^\W\d_]"), ("1", "2")),
    "has:container": (
        re.compile(
            r"\b(?:Proceedings of|Proc\. |Lecture Notes in|Journal of|Conference on|Transactions on|Advances in Neural)"
        ),
        ("Proc", "Lecture Notes in", "Journal of", "Conference on", "Transactions on", "Advances in Neural"),
    ),
    "has:pages": (
        re.compile(
            r"[Ppv\d](?:(?<!\w.)(?:(?<=[Pp])p?\. ?|(?<=p)ages |(?<=v)ol\. ?)\d|"
            r"(?<=\d)(?:\s?\(\d+\)|[:,]\s?\d+[-–]\d))"
        ),
        (".", "(", "-", "–", "ages "),
    ),
    "has:publisher": (
        re.compile(r"\b(?:University Press|Springer|Elsevier|Wiley|Press,)"),
        ("University Press", "Springer", "Elsevier", "Wiley", "Press,"),
    ),
    "has:place": (
        re.compile(r"[^\W\d_a-z]\w+:\s(?:[^\W\d_a-z][\w&-]+\s){0,3}(?:Press|Verlag|Publish)"),
        ("Press", "Verlag", "Publish"),
    ),
    "has:colon": (re.compile(r":\s"), (":",)),
    "has:abbreviation": (re.compile(r"[^\W\d_a-z][a-z]{1,5}\.\s[^\W\d_a-z]"), (".",)),
    "has:question": (re.compile(r"\?\s"), ("?",)),
}
"""What a stretch of text may hold, most of which speaks against a title; and what must stand in it for that."""
_BEGINS = {
    "has:starts_as_venue": re.compile(r"(?:In|in|Proceedings|Proc\.|J\.|Journal of|IEEE Trans|ACM Trans|vol|pp)\b"),
    "has:starts_joined": re.compile(r"(?:and|&|et al)\b"),
    "has:starts_odd": re.compile(r"[^\w\"'“‘(\[<¿¡$\\]"),
    "has:starts_lower": re.compile(r"[^\W\d_A-Z]"),
    "has:starts_digit": re.compile(r"\d"),
    "has:starts_initial": re.compile(r"[^\W\d_a-z]\."),
    "has:starts_named": re.compile(r"[^\W\d_a-z][\w'’-]+,\s[^\W\d_a-z]"),
}
"""What it may begin with."""
_BEGIN_SIGNS = tuple((sign, pattern.match) for sign, pattern in _BEGINS.items())
_NAME_ALONE = re.compile(r"[^\W\d_a-z][\w'’-]+(?:,?\s[^\W\d_a-z]\.?){0,3}$")
_ABBREVIATION = r"(?:[^\W\d_a-z][^\W\d_]{0,8}\.|&|of|and|[A-Z])\s?"
_ABBREVIATIONS = re.compile(rf"(?:{_ABBREVIATION}){{1,8}}")
_ABBREVIATED = re.compile(rf"(?:{_ABBREVIATION})*")
_LAST = 9
"""Letters of an abbreviation, whose full stop may stand behind the title."""
_FEW, _FEW_NAMES = 8, 5
"""A title of fewer words may be abbreviations alone, or a name alone."""
_IN = re.compile(r"[.?!]\s+[Ii]n:?\s")


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
_MOST_PASSED = 30


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
