"""Find the possible titles of a reference string, and score how plausible they are."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TypeAlias

from citeproof.readers.strings import venues
from citeproof.readers.strings.endings import ENDINGS, MOST_PASSED, Endings
from citeproof.readers.strings.features import (
    A_YEAR,
    Words,
    beginning_features,
    contents,
    features_in,
    weight_of,
)

_QUOTES = {"„": "“”", "``": "''"} | dict(zip("“«‘\"'`”‟″『「", "”»’\"''””″』」", strict=True))
"""Map from an opening quotation mark to the marks that may close the quotation."""
_IN_QUOTES = -1  # value of ``Title.place`` for a title in quotation marks
Proposal: TypeAlias = "tuple[int, int, int, bool, int, int, int]"
"""A possible list of authors with a possible title of a reference string, as a tuple:

* negative upper bound of the score, in hundredths, so that the best proposal sorts first
* index of the list of authors
* index of the position at which the title ends; ``_IN_QUOTES`` for a title in quotation marks
* whether the text is not a title, but the venue of a work without a title
* start of the title
* score of the title's first letters, contents and length, in hundredths
* upper bound of the score of the text after the title, in hundredths, as in the first number

This is a plain tuple for speed, because about sixty are made per string. Proposals with equal
bounds are sorted in the order of the text.
"""
_IN = re.compile(r"[.?!] +[Ii]n:? ")  # regex for the end of a sentence and the word ``In``
_LENGTHS = ("0", "1", "2", "3", *["4-5"] * 2, *["6-12"] * 7, *["13-20"] * 8, *["21-30"] * 10, "31-")
_LONGEST = len(_LENGTHS) - 1
_LENGTH_FEATURES = [f"words:{length}" for length in _LENGTHS]
"""Name of the feature for each number of words in a title: ``words:4-5`` for 4 words. The last
feature is for 31 words or more.
"""
_LENGTH_WEIGHTS = [weight_of((feature,)) for feature in _LENGTH_FEATURES]
_GOES_ON = re.compile(r"(?<![,.].)(?<![.,]..) [^\W\d_]")
"""Regex for a word after a quotation that continues the title: ``in`` in ``"To be" in Hamlet``."""
# larger values of ``Title.numbers``, except ``A_YEAR``, are replaced by this value
_MOST_NUMBERS = A_YEAR - 1
_NEVER = 10**9
_INSIDE_VENUE = ("title:inside_venue",)
_INSIDE_VENUE_WEIGHT = weight_of(_INSIDE_VENUE)
UNTITLED = "untitled"  # value of ``Title.joint`` for the venue of a work without a title
# map from a kind of ending to its name if only a year follows: ``stop`` to ``stop_year``
_BEFORE_YEAR = {kind: f"{kind}_year" for kind in ENDINGS}
JOINTS = (*ENDINGS, "quote", *_BEFORE_YEAR.values(), UNTITLED)
"""Names of the possible endings of a title, such as ``stop`` for a full stop."""
_ENDS_QUOTE = ("ends:quote",)
_SHORT = 4  # maximum number of letters of an abbreviation that is never a title
_NO_TITLE = re.compile(
    r"in |(?i:personal|private) +communication|[^\W\d_]{1,4}$|[\W\d_]*$|\d{1,2} [^\W\d_]+"
    r" (?:1[89]|20)\d\d$"
)
"""Regex for texts that are never titles: ``in`` and a venue, a personal communication, a short
abbreviation, a date.

Every match has at most ``_SHORT`` characters, or begins with ``i``, ``p`` or a character that is
not a letter.
"""
_NO_TITLE_FEATURES = (UNTITLED, "untitled:no_title")
_LOOKS = ("container", "abbreviated", "plain")
_PART_END = re.compile(r"(?<!\d), (?=[^\W\d_])|(?<=[a-z]{4})\. (?=[^\W\d_])")
"""Regex for a comma between words, or a full stop after a word that is not abbreviated."""
_LONG_PART = 4  # minimum number of words of a title before a comma and a venue
_LONG_NAME = 7  # number of words that few names of journals have
_IS_LONG, _HAS_TITLE_WORDS = "untitled:long", "untitled:title_words"


@dataclass(slots=True)
class Title:
    """A possible title in a reference string, or the venue in its place if the work has no
    title.
    """

    text: str
    start: int
    end: int  # position at which the text after the title begins
    ending: str  # kind of punctuation that ends the title, such as ``stop``
    weight: int  # score of the text as a title or as a venue, in hundredths
    # whether the text is a title; False if it is the venue of a work without a title
    is_title: bool = True
    written: tuple[str, ...] = ()  # features of the whole text, such as ``has:open_bracket``
    place: int = _IN_QUOTES  # index in ``Endings.known`` of the position at which the title ends
    numbers: int = 0
    """If only numbers follow the title, how many they are, plus one. If a single year follows,
    ``A_YEAR``. Otherwise 0.
    """

    @property
    def joint(self) -> str:
        """The ending of the title, one of :data:`JOINTS`: for example ``stop``, or ``stop_year`` if
        only a year follows.
        """
        kind = _BEFORE_YEAR.get(self.ending, self.ending) if self.numbers == A_YEAR else self.ending
        return kind if self.is_title else UNTITLED


class Titles:
    """The possible titles of one reference string. What several of them share is computed once."""

    def __init__(self, text: str, first: int = 0, last: int = 0) -> None:
        """``first`` and ``last`` are the first and the last position in ``text`` at which a title
        may begin.
        """
        words = Words(text)
        self._text, self._word_ends = text, words.ends
        self._endings = Endings(text, words, first, last)
        self._contents = list(contents(text, first))
        self._words = words

    def beginning_at(
        self, start: int, number: int, base: int, joined: Mapping[str, int]
    ) -> list[Proposal]:
        """Return a :data:`Proposal` for every possible title that begins at ``start``, after any
        punctuation.

        ``number`` is the index of the list of authors before the title, and ``base`` is the score
        of this list. ``joined`` maps an ending of a title, such as ``stop``, to the score of this
        ending together with the end of the authors. Features of the whole title, such as
        ``has:open_bracket``, are not tested, because they only lower the score.
        """
        while start < len(self._text) and self._text[start] in " ,.:;":
            start += 1
        found: list[Proposal] = []
        if quoted := quoted_title(self._text, start):
            found.append(
                (-base - joined["quote"] - quoted.weight, number, _IN_QUOTES, False, start, 0, 0)
            )
            if not _GOES_ON.match(self._text, quoted.end):
                return found
        untitled = joined[UNTITLED]
        inside = self._contents_from(start)
        next_end = inside[-1][0] if inside else _NEVER
        weight = weight_of(self._begins(start))
        odd = _may_be_no_title(self._text[start : start + 1], _LONGEST)
        first_word = bisect_right(self._word_ends, start)
        place = self._endings.behind(start)
        near = self._endings.known[place : place + MOST_PASSED + 1]
        # Names are unpacked because attributes would cost a tenth of the loop's time.
        for kind, begin, title_end, _, words, numbers, inside_venue, passed, most in near:
            while next_end <= begin:
                weight += inside.pop()[1]
                next_end = inside[-1][0] if inside else _NEVER
            certain = weight + _LENGTH_WEIGHTS[min(words - first_word, _LONGEST)]
            joint = _BEFORE_YEAR[kind] if numbers == A_YEAR else kind
            highest = base + certain + most
            title = highest + joined[joint] + (_INSIDE_VENUE_WEIGHT if inside_venue else 0)
            found.append((-title, number, place, False, start, certain, most))
            may_be_none = odd or title_end - start <= _SHORT
            if numbers or may_be_none:
                count = numbers if numbers <= A_YEAR else _MOST_NUMBERS
                venue = highest + untitled + _MOST_AS_VENUE[count][may_be_none]
                found.append((-venue, number, place, True, start, certain, most))
            weight += passed
            place += 1
        return found

    def with_closer_bound(self, proposal: Proposal) -> Proposal:
        """Return ``proposal`` with the score of the text after the title instead of a bound."""
        bound, number, place, is_venue, start, certain, most = proposal
        if place == _IN_QUOTES:
            return proposal
        following, _ = self._endings.following(place)
        return bound + most - following, number, place, is_venue, start, certain, following

    def title(self, proposal: Proposal) -> Title | None:
        """Return the title or venue of ``proposal`` with its score. None if the text is not a title
        and cannot be a venue.
        """
        _, _, place, is_venue, start, weight, following = proposal
        if place == _IN_QUOTES:
            return quoted_title(self._text, start)
        ending = self._endings.known[place]
        text = self._text[start : ending.title_end]
        written = features_in(text, ending.words - bisect_right(self._word_ends, start))
        weight += following + weight_of(written)
        if text:
            weight += weight_of(self._endings.closing(ending))
        if ending.inside_venue and not is_venue:
            weight += _INSIDE_VENUE_WEIGHT
        made = Title(
            text,
            start,
            ending.behind,
            ending.kind,
            weight,
            not is_venue,
            written,
            place,
            ending.numbers,
        )
        if not is_venue:
            return made
        features = self._venue_features(made)
        made.weight += weight_of(features)
        return made if features else None

    def features_of(self, title: Title) -> tuple[str, ...]:
        """Return the features of ``title`` that determine its score, such as ``has:colon``: the
        title contains a colon.
        """
        if title.place == _IN_QUOTES:
            return _ENDS_QUOTE
        ending = self._endings.known[title.place]
        inside = self._endings.known[self._endings.behind(title.start) : title.place]
        words = ending.words - bisect_right(self._word_ends, title.start)
        features = [f"passes:{passed.kind}" for passed in inside]
        features += [*self._begins(title.start), _LENGTH_FEATURES[min(words, _LONGEST)]]
        features += [
            feature for end, _, feature in self._contents_from(title.start) if end <= ending.start
        ]
        if title.text:
            features += self._endings.closing(ending)
        features += [*title.written, *self._endings.following(title.place)[1]]
        if not title.is_title:
            features += self._venue_features(title)
        elif ending.inside_venue:
            features += _INSIDE_VENUE
        return tuple(features)

    def _venue_features(self, title: Title) -> tuple[str, ...]:
        """Return the features of the text of ``title`` as the venue of a work without a title. The
        result is empty if the text cannot be a venue.
        """
        if title.ending == "quote" or _IN.search(title.text):
            return ()
        if _may_be_no_title(title.text[:1], len(title.text)) and _NO_TITLE.match(title.text):
            return _NO_TITLE_FEATURES
        # numbers may follow a journal: ``Willems, E. P. Environment and Behavior 1990, 22``
        if not title.numbers:
            return ()
        looks = "abbreviated" if "has:abbreviations_alone" in title.written else "plain"
        begins_as_venue = venues.CONTAINER.match(title.text)
        if begins_as_venue or self.names_venue(title.start, title.start + len(title.text)):
            looks = "container"
        features = [*_as_venue(looks, title.numbers)]
        if not begins_as_venue and self._has_title_before(title):
            features.append("untitled:parts")
        if title.text.count(" ") >= _LONG_NAME - 1:
            features.append(_IS_LONG)
        if _is_between(self._title_words, title.start, title.start + len(title.text)):
            features.append(_HAS_TITLE_WORDS)
        return tuple(features)

    def _has_title_before(self, venue: Title) -> bool:
        """Return whether ``venue`` begins with a title: with words that do not name a venue, and
        then a comma or a full stop.
        """
        for mark in _PART_END.finditer(venue.text):
            end = mark.start()
            words, parts = venue.text.count(" ", 0, end) + 1, venue.text.count(",", 0, end) + 1
            least = _LONG_PART if mark[0][0] == "," else _LONG_PART - 1
            if words >= max(least, 2 * parts) and not self.names_venue(
                venue.start, venue.start + end
            ):
                return True
        return False

    def names_venue(self, first: int, last: int) -> bool:
        """Return whether the text from ``first`` to ``last`` contains a word such as ``Journal``,
        or two abbreviated words.

        The last full stop of the abbreviated words, such as ``Phys. Rev.``, may be just after this
        text.
        """
        return _is_between(self._venue_words, first, last) or any(
            first <= start and (end == last or end < stop <= last)
            for start, end, stop in self._abbreviated
        )

    @cached_property
    def _venue_words(self) -> list[int]:
        return self._words.places_of(venues.VENUE_WORDS)

    @cached_property
    def _title_words(self) -> list[int]:
        return self._words.places_of(venues.TITLE_WORDS)

    @cached_property
    def _abbreviated(self) -> list[tuple[int, int, int]]:
        """Position of each pair of abbreviated words, as a tuple: start, end without the last full
        stop, end with the last full stop.
        """
        return [
            (match.start(), match.end(1), match.end(2))
            for match in venues.ABBREVIATED.finditer(self._text)
        ]

    def _begins(self, start: int) -> tuple[str, ...]:
        """Return the features of the beginning of a title at ``start``, such as
        ``has:starts_digit`` for ``3D Models``.
        """
        text = self._text
        return tuple(
            feature
            for feature, matches in beginning_features(text[start : start + 1])
            if matches(text, start)
        )

    def _contents_from(self, start: int) -> list[tuple[int, int, str]]:
        """Return a tuple (end, weight, name) for the first occurrence of each feature after
        ``start``, sorted from right to left.
        """
        found = []
        for feature, weight, spans in self._contents:
            # Most features occur only once, either before or after ``start``.
            if spans[-1][0] >= start:
                at = 0 if spans[0][0] >= start else bisect_left(spans, (start, 0))
                found.append((spans[at][1], weight, feature))
        return sorted(found, reverse=True)


def _is_between(places: Sequence[int], first: int, last: int) -> bool:
    """Return whether the sorted list ``places`` has a number that is at least ``first`` and less
    than ``last``.
    """
    at = bisect_left(places, first)
    return at < len(places) and places[at] < last


def quoted_title(text: str, start: int) -> Title | None:
    """Return the title in quotation marks that begins at ``start``. None if there is no quotation
    mark at ``start``.
    """
    if text[start : start + 1] not in _QUOTES:
        return None
    opening = "``" if text.startswith("``", start) else text[start]
    closing = _QUOTES[opening]
    begin = start + len(opening)
    for found in re.finditer(
        "|".join(map(re.escape, [closing] if opening == "``" else closing)), text[begin:]
    ):
        inner, behind = text[begin : begin + found.start()], text[begin + found.end() :]
        is_genitive = inner[-1:] == "s" and behind[:1] == " " and closing[0] in behind
        apostrophe = closing in {"’", "'"} and (behind[:1].isalpha() or is_genitive)
        nested = opening != closing and (
            inner.count(opening) > inner.count(closing) or _closed_again(behind, opening, closing)
        )
        if not apostrophe and not nested and len(inner) > 2:
            return Title(
                inner.strip(" ,.;:"), start, begin + found.end(), "quote", weight_of(_ENDS_QUOTE)
            )
    return None


def _closed_again(text: str, opening: str, closing: str) -> bool:
    """Return whether ``text``, which follows a quotation, continues the title: it begins with a
    colon, and has another closing mark without an opening mark.

    Example: ``: Knowledge and the Body” In Theory`` after ``“Getting to Know You...”``.
    """
    at = text.find(closing[0])
    return text[:2] == ": " and at >= 0 and opening not in text[:at]


def _may_be_no_title(first: str, length: int) -> bool:
    """Return whether a text with the first letter ``first`` and ``length`` characters can match the
    regex ``_NO_TITLE``.
    """
    return length <= _SHORT or first in "iIpP" or not first.isalpha()


@cache
def _as_venue(looks: str, numbers: int) -> tuple[str, ...]:
    count = "year" if numbers == A_YEAR else f"{min(numbers, _MOST_NUMBERS) - 1}"
    return UNTITLED, f"untitled:{count}", f"untitled:{looks}", f"untitled:{looks}:{count}"


def _upper_bound(numbers: int, odd: bool) -> int:
    named = [_as_venue(looks, numbers) for looks in _LOOKS] if numbers else []
    if odd:
        named.append(_NO_TITLE_FEATURES)
    more = sum(max(0, weight_of((feature,))) for feature in (_IS_LONG, _HAS_TITLE_WORDS))
    return more + max(map(weight_of, named), default=0)


_MOST_AS_VENUE = [
    [_upper_bound(numbers, odd) for odd in (False, True)] for numbers in range(A_YEAR + 1)
]
"""Maximum score of a text as a venue. The first index is a value of :attr:`Title.numbers`, and the
second is the result of :func:`_may_be_no_title`.
"""
