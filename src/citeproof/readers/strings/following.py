"""Signs in the text after a possible end of the title, and an upper bound of their weight.

Most endings are too light for the text after them to matter. An upper bound follows from its first two letters, in a
tenth of the time of a full look.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

from citeproof.readers.strings import venues
from citeproof.readers.strings.contents import A_YEAR
from citeproof.readers.strings.signs import weight_of, weight_together

if TYPE_CHECKING:
    from citeproof.readers.strings.words import Words

_SEEN = 130
"""Number of characters after an ending that are examined."""
_BETWEEN = frozenset(" ,.;:")
_STRONG = frozenset(("stop", "question", "slashes", "mark"))
"""Kinds of sign that end most titles. After other kinds the same words have other weights."""
_GROUPS = ("stop", "weak")


class Following:
    """Weighs the text after each position of one text, whose words are separated by single spaces."""

    def __init__(self, text: str, words: Words) -> None:
        self._text, self._last_colon, self._last_edition = text, text.rfind(": "), text.rfind(" edition, ")
        soon = {
            "container_soon": words.places_of(venues.CONTAINER_WORDS),
            "numbered": venues.before_numbers(text),
            "publisher": words.places_of(venues.PUBLISHER_WORDS),
            "title_words": words.places_of(venues.TITLE_WORDS),
        }
        self._last_city = max(words.places_of(venues.CITIES), default=-1)
        self._soon = [(name, venues.SOON[name], places) for name, places in soon.items() if places]
        self._bounds_soon = {group: sum(_MOST_SOON[group][name] for name, _, _ in self._soon) for group in _GROUPS}

    def upper_bound(self, end: int, kind: str, numbers: int) -> int:
        """Return an upper bound, in hundredths, of the weight of the signs after an ending of ``kind`` at ``end``."""
        text, begin = self._text, end
        while text[begin : begin + 1] in _BETWEEN:
            begin += 1
        first = text[begin : begin + 2]
        if not first or kind == "bracket" or begin - end >= _SEEN - 1:
            return weight_together(self.signs(end, kind, numbers))
        group = "stop" if kind in _STRONG else "weak"
        most = _upper_bound(group, first, begin < self._last_city) + self._bounds_soon[group]
        if segment := _SEGMENT.match(text, begin, end + _SEEN):
            words, sign = segment.groups()
            most += _bound_of_words(group, sign, words.count(" "), _case(words))
        if kind == "in" and text.find(" (", begin, end + _SEEN) >= 0:
            most += weight_of((_PRINTED,))
        if begin < self._last_edition:
            most += _EDITION[group]
        if begin <= self._last_colon and _may_be_place(text[begin : end + _SEEN]):
            most += _PLACE[group]
        return most + _ONLY_NUMBERS[group, _alone(numbers)] if numbers else most

    def signs(self, end: int, kind: str, numbers: int) -> tuple[str, ...]:
        """Return the signs after a title that ends at ``end``; ``numbers`` as in :attr:`Title.numbers`."""
        seen = self._text[end : end + _SEEN]
        rest = seen.lstrip(" ,.;:")
        if not rest:
            return () if kind == "string" else ("follows:nothing",)
        if kind == "bracket":
            return _in_brackets(rest)
        group = "stop" if kind in _STRONG else "weak"
        signs = [sign for sign, matches in _possible(group, rest[:2]) if not matches or matches(rest)]
        then: tuple[str, ...] = ()
        if segment := _SEGMENT.match(rest):
            words, sign = segment.groups()
            possible, then = _behind_words(group, sign, words.count(" "), _case(words))
            signs += [sign for sign, matches in possible if matches(rest)]
        if ": " in rest and _may_be_place(rest) and BEHIND["place"].match(rest):
            signs.append(f"{group}:place")
            if BEHIND["place_house"].match(rest) and not _SENTENCE.search(self._text, 0, end):
                signs.append(f"{group}:place_house")
        if kind == "in" and BEHIND["in_printed"].match(rest):
            signs.append(_PRINTED)
        begin = end + len(seen) - len(rest)
        if begin < self._last_edition and BEHIND["house_edition"].match(rest):
            signs.append(f"{group}:house_edition")
        if self._last_city > begin and BEHIND["then_city"].match(rest):
            signs.append(f"{group}:then_city")
        if numbers:
            signs.append(f"{group}:{_alone(numbers)}")
        signs += [f"{group}:{name}" for name, soon, places in self._soon if self._follows(begin, soon, places)]
        signs = signs or [f"{group}:other"]
        if rest[:2] in _ARTICLES and _ARTICLE.match(rest):
            return (*signs, *then, f"{group}:article")
        return (*signs, *then)

    def _follows(self, begin: int, soon: venues.Reach, places: Sequence[int]) -> bool:
        """Return whether one of ``places`` is within reach after ``begin``, without a separator between them."""
        at = bisect_left(places, begin + soon.nearest)
        if at == len(places) or places[at] - begin > soon.farthest or (soon.named and not self._text[begin].isalpha()):
            return False
        return soon.parts.search(self._text, begin, places[at]) is None


def _at_most(sign: str) -> int:
    """Return the upper bound of the weight of an optional sign."""
    return max(0, weight_of((sign,)))


def _alone(numbers: int) -> str:
    return "only_year" if numbers == A_YEAR else "only_numbers"


_ONLY_NUMBERS = {
    (group, alone): weight_of((f"{group}:{alone}",)) for group in _GROUPS for alone in ("only_year", "only_numbers")
}
_PLACE = {group: _at_most(f"{group}:place") + _at_most(f"{group}:place_house") for group in _GROUPS}
_EDITION = {group: _at_most(f"{group}:house_edition") for group in _GROUPS}
_PRINTED = "weak:in_printed"
"""Sign of proceedings after a bare ``in``; after a comma or a full stop, the sign alone ends the title."""
_MOST_SOON = {group: {name: _at_most(f"{group}:{name}") for name in venues.SOON} for group in _GROUPS}


@lru_cache(maxsize=4096)
def _upper_bound(group: str, first: str, city: bool) -> int:
    """Return an upper bound of the weight of a text that begins with ``first``, apart from its first words.

    Signs in ``venues.SOON`` are left out too. ``city``: a city may follow.
    """
    possible = _possible(group, first)
    most = sum(_at_most(sign) if matches else weight_of((sign,)) for sign, matches in possible)
    beside = ("other", *["article"] * (first in _ARTICLES), *["then_city"] * city)
    return most + sum(_at_most(f"{group}:{name}") for name in beside)


@lru_cache(maxsize=1024)
def _bound_of_words(group: str, sign: str, spaces: int, case: str) -> int:
    """Return an upper bound of the weight of the first words after a title; ``sign`` ends them."""
    possible, then = _behind_words(group, sign, spaces, case)
    return sum(_at_most(sign) for sign, _ in possible) + weight_of(then)


def _in_brackets(rest: str) -> tuple[str, ...]:
    """Return the signs in the brackets at the start of ``rest``, each with the sign after the brackets."""
    inside, _, behind = rest[1:].partition(")" if rest[0] == "(" else "]")
    behind = behind[:2].strip()[:1]
    then = behind if behind in ".,:;" else "letter"
    return tuple(f"{sign}>{then}" for sign in _bracketed(inside))


@lru_cache(maxsize=4096)
def _bracketed(inside: str) -> tuple[str, ...]:
    """Return the signs in a bracketed text; cached because years and issue numbers recur."""
    return tuple(sign for sign, matches in _BRACKETED_SIGNS if matches(inside)) or ("bracketed:other",)


_SEGMENT = re.compile(r"([^.,;:()\[\]\d]{1,90})([.,;:()\[\]\d])")
"""Regex of the words up to the next sign or digit, and of that sign."""
_SENTENCE = re.compile(r"(?:[^\W\d_]{2}|\d)[.?!] ")
"""Regex of the end of a sentence before a title's end: a series or an edition may stand before a place, too."""
_ARTICLE = re.compile(r"(?:A|An|The|La|Le|Les|Der|Die|Das|El) ")
_ARTICLES = frozenset(("A ", "An", "Th", "La", "Le", "De", "Di", "Da", "El"))
"""First two letters of articles."""


def _may_be_place(rest: str) -> bool:
    """Return whether the spaces around the first colon allow a place; a fast check before the regex."""
    colon = rest.find(":")
    return rest[colon + 1 : colon + 2] == " " and rest.count(" ", 0, colon) <= _PLACE_SPACES


_PLACE_SPACES = 11
"""Maximum number of spaces before the colon: six words, five of them after ``and``."""


BEHIND = {
    "in_colon": venues.IN_COLON,
    "in_container": re.compile(rf"{venues.IN.pattern} *(?:{venues.CONTAINER.pattern})"),
    "in_edited": re.compile(rf"{venues.IN.pattern}{venues.EDITORS_SOON.pattern}"),
    "in": venues.IN,
    "container": venues.CONTAINER,
    "thesis": venues.THESIS,
    "place": venues.PLACE,
    "edition": venues.EDITION,
    "ordinal": venues.ORDINAL_ALONE,
    "house_edition": venues.HOUSE_EDITION,
    "place_house": venues.PLACE_HOUSE,
    "in_printed": venues.IN_PRINTED,
    "edited": venues.EDITED,
    "numbers": venues.NUMBERS,
    "joined": re.compile(r"(?:and|or|und|et|&|y|ou|oder) "),
    "lower": re.compile(r"(?!(?:in|ed|eds|pp|vol|no)\b)[^\W\d_A-Z]"),
    "capital": re.compile(r"[^\W\d_a-zß-öø-ÿ]"),
    "abbreviations": re.compile(r"(?:[^\W\d_]{1,9}+\. ?+){2}|[^\W\d_a-z][^\W\d_]{0,8}+\.,? \d"),
    "short_then_number": re.compile(r"(?:[^\W\d_]++[ .,]++){1,4}+\d"),
    "year_first": re.compile(r"\(?(?:1[89]|20)\d\d"),
    "city": venues.CITY,
    "then_city": re.compile(rf"[^.,;:()\d]{{3,90}}[.,] {venues.CITY.pattern}"),
    "list": re.compile(r"(?:[^\W\d_][\w’'-]* ){0,4}(?:[^\W\d_][\w’'-]*,? )(?:and|or|und|et) "),
}
"""Regexes of texts that may follow a title."""
FIRST = {
    "in_colon": re.compile(r"[Ii]n"),
    **dict.fromkeys(("in_container", "in_edited", "in"), re.compile(r"[Ii]n|IN|[Ee][mn]|[Dd]a")),
    "container": re.compile(
        r"[Tt]h|Pr|Tr|Jo|J\.|A[cdmnpr]|Le|LN|Co|S[py]|Wo|Bu|Re|Z[e.]|Qu|Ma|N[ae]|E[lnu]|Ha|I[EFn]|AC|AA|S[IS]|US|Wi|ar|bi|"
        r"me|P[Llh]|\d"
    ),
    "thesis": re.compile(
        r"[(\[]|ph|m[. aist]|[dsw]o|ba|te|[rd]e|i?n|[fd]i|p[ra]|a[nvc]|tr|t[ho]|u[n.s]|dr|[cf]o|su|re", re.IGNORECASE
    ),
    "edition": re.compile(r"[(\[\d]|[snr]e|th|fo", re.IGNORECASE),
    "ordinal": re.compile(r"[1-9][snrt]|1[0-7]|Fi|Se|Th|Fo|Si|Ei|Ni|Te"),
    "edited": re.compile(r"\(|ed|tr|h[re]|üb", re.IGNORECASE),
    "numbers": re.compile(r"[(\[\d]|[vn]o|p[ap. (\[]|is|ch|ar|bd|nr|s[. (\[]", re.IGNORECASE),
    "joined": re.compile(r"an|or|un|et|& |y |ou|od"),
    "lower": re.compile(r"[^\W\d_A-Z]"),
    "capital": re.compile(r"[^\W\d_a-z]"),
    "year_first": re.compile(r"[(12]"),
    "city": re.compile(
        r"Fr|Be|M[üua]|Ha|K[öo]|St|Le|Wi|Op|T[üo]|G[öre]|B[oareril]|Vi|Z|Pa|We|Da|Re|N[eua]|He|W[ü]|D[üro]|Es|J|Ly|B|Gr|M|Ro|V|Fi|L|O|C|P|A|М|С|К|北|上|广|南|武"
    ),
}
"""Regexes of the first one or two letters of those texts; if they do not match, the full regex is skipped."""
_IN_BRACKETS = {
    "ordinal": re.compile(rf"{venues.ORDINALS}$"),
    "edition": venues.EDITION,
    "edited": venues.EDITED,
    "thesis": venues.THESIS,
    "publisher": venues.PUBLISHER,
    "place": venues.PLACE,
    "numbers": re.compile(r"(?:vol|pp?\b|pages|no\b)", re.IGNORECASE),
    "year": re.compile(r"(?:[\w.,]+ ){0,3}(?:1[5-9]|20)\d\d[a-z]?$"),
    "in": re.compile(r"[Ii]n "),
    "acronym": re.compile(r"[A-Z][A-Za-z0-9-]{1,9}$"),
}
"""Regexes of bracketed texts that may follow a title."""
_Matches: TypeAlias = "tuple[tuple[str, Callable[..., re.Match[str] | None]], ...]"


def _signs(before: str, patterns: Mapping[str, re.Pattern[str]]) -> _Matches:
    """Return the sign of each pattern with its bound ``match``, which is called a hundred times per string."""
    return tuple((f"{before}:{name}", pattern.match) for name, pattern in patterns.items())


@lru_cache(maxsize=4096)
def _possible(group: str, first: str) -> tuple[tuple[str, Callable[..., re.Match[str] | None] | None], ...]:
    """Return the signs of texts that may begin with the letters ``first``, each with its ``match``.

    ``match`` is None if the letters alone prove the sign.
    """
    names = (name for name in BEHIND if name not in _BY_SEGMENT and (name not in FIRST or FIRST[name].match(first)))
    certain = {name for name, enough in _ENOUGH.items() if enough.match(first)}
    return tuple((f"{group}:{name}", None if name in certain else BEHIND[name].match) for name in names)


@lru_cache(maxsize=1024)
def _behind_words(group: str, sign: str, spaces: int, case: str) -> tuple[_Matches, tuple[str, ...]]:
    """Return the signs that are possible if ``sign`` ends the first words, and the signs of these words."""
    names = []
    if sign == "." and not spaces:
        names.append("abbreviations")
    if (sign in ".," or sign.isdigit()) and spaces <= _SHORT_WORDS:
        names.append("short_then_number")
    mark = "digit" if sign.isdigit() else sign
    then = f"{group}:then:{mark}", f"{group}:segment:{min(spaces, _MOST_SPACES)}", f"{group}:{case}>{mark}"
    return _signs(group, {name: BEHIND[name] for name in names}), then


def _case(words: str) -> str:
    """Return how words are written: names of venues have few words in lower case, and none at the end."""
    lower = len(_LOWER_WORD.findall(words))
    return f"lower:{min(lower, 2)}{'_last' if lower and words[words.rfind(' ') + 1 :][:1].islower() else ''}"


_LOWER_WORD = re.compile(r" (?!(?:of|and|the|for|in|on|de|la|et|und|der|für|des|du|to|an?|at)(?![^\W_]))[^\W\d_A-Z]")
"""Regex of the beginning of a lower-case word that does not join others."""
_SHORT_WORDS = 4
"""Maximum number of words in ``short_then_number``."""
_MOST_SPACES = 9
"""Maximum number of spaces that is counted."""
_BY_SEGMENT = frozenset(
    ("place", "place_house", "house_edition", "in_printed", "abbreviations", "short_then_number", "then_city")
)
"""Signs that are not found by first letters, but by the sign before or behind the first words, or by a later word."""
_ENOUGH = {"capital": BEHIND["capital"], "numbers": re.compile(r"\d")}
"""Regexes of first letters that prove a sign."""
_BRACKETED_SIGNS = _signs("bracketed", _IN_BRACKETS)
