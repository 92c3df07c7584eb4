"""What follows a place where the title of a reference string may end: the signs in it, and what they weigh at most.

Most of a dozen endings are too bad for what follows to matter. What it weighs at most is told by its first two letters,
in a tenth of the time of looking at it.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

from citeproof.fields.plain import venues
from citeproof.fields.plain.signs import weight_of, weight_together

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from citeproof.fields.plain.words import Words

_SEEN = 130
"""So many characters show what follows."""
_BETWEEN = frozenset(" ,.;:")
_STRONG = frozenset(("stop", "slashes", "mark"))
"""The kinds of sign that end most titles; the same words behind another sign weigh otherwise."""
_GROUPS = ("stop", "weak")


class Following:
    """What follows each place of one text, whose words are parted by single spaces."""

    def __init__(self, text: str, words: Words) -> None:
        self._text, self._last_colon = text, text.rfind(":")
        soon = {
            "container_soon": words.places_of(venues.CONTAINER_WORDS),
            "numbered": venues.before_numbers(text),
            "publisher": words.places_of(venues.PUBLISHER_WORDS),
        }
        self._soon = [(name, venues.SOON[name], places) for name, places in soon.items() if places]
        self._most_soon = {group: sum(_MOST_SOON[group][name] for name, _, _ in self._soon) for group in _GROUPS}

    def most(self, end: int, kind: str, numbers: int) -> int:
        """Return what the signs behind ``end``, where a sign of a ``kind`` ends, weigh at most, in hundredths."""
        text, begin = self._text, end
        while text[begin : begin + 1] in _BETWEEN:
            begin += 1
        first = text[begin : begin + 2]
        if not first or kind == "bracket" or begin - end >= _SEEN - 1:
            return weight_together(self.signs(end, kind, numbers))
        group = "stop" if kind in _STRONG else "weak"
        most = _most(group, first, begin <= self._last_colon) + self._most_soon[group]
        return most + _ONLY_NUMBERS[group] if numbers else most

    def signs(self, end: int, kind: str, numbers: int) -> tuple[str, ...]:
        """Return the signs in what follows a title that ends at ``end``; so many ``numbers`` follow alone, if any."""
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
            possible, then = _behind_words(group, sign, words.count(" "))
            signs += [sign for sign, matches in possible if matches(rest)]
        if ": " in rest and _may_be_place(rest) and BEHIND["place"].match(rest):
            signs.append(f"{group}:place")
        if numbers:
            signs.append(f"{group}:only_numbers")
        begin = end + len(seen) - len(rest)
        signs += [f"{group}:{name}" for name, soon, places in self._soon if self._follows(begin, soon, places)]
        signs = signs or [f"{group}:other"]
        if rest[:2] in _ARTICLES and _ARTICLE.match(rest):
            return (*signs, *then, f"{group}:article")
        return (*signs, *then)

    def _follows(self, begin: int, soon: venues.Reach, places: Sequence[int]) -> bool:
        """Whether one of ``places`` is near behind ``begin``, and nothing between parts them."""
        at = bisect_left(places, begin + soon.nearest)
        if at == len(places) or places[at] - begin > soon.farthest or (soon.named and not self._text[begin].isalpha()):
            return False
        return soon.parts.search(self._text, begin, places[at]) is None


def _at_most(sign: str) -> int:
    """Return what a sign weighs at most, which may be there or not."""
    return max(0, weight_of((sign,)))


_ONLY_NUMBERS = {group: weight_of((f"{group}:only_numbers",)) for group in _GROUPS}
_MOST_SOON = {group: {name: _at_most(f"{group}:{name}") for name in venues.SOON} for group in _GROUPS}


@lru_cache(maxsize=4096)
def _most(group: str, first: str, colon: bool) -> int:
    """Return what all behind a title weighs at most that begins with the letters ``first``, but for what comes soon."""
    possible = _possible(group, first)
    at_once = sum(_at_most(sign) if matches else weight_of((sign,)) for sign, matches in possible)
    return at_once + _most_of_words(group, colon) + sum(_at_most(f"{group}:{name}") for name in _BESIDE)


_BESIDE = ("other", "article")
"""Signs that any letters may bring, and that weigh nothing at most."""


@lru_cache(maxsize=4)
def _most_of_words(group: str, colon: bool) -> int:
    """Return what the first words behind a title weigh at most; ``colon``: one is seen there."""
    most = 0
    for sign in ".,;()[]1:" if colon else ".,;()[]1":
        for spaces in range(_MOST_SPACES + 1):
            possible, then = _behind_words(group, sign, spaces)
            most = max(most, sum(_at_most(sign) for sign, _ in possible) + weight_of(then))
    return most + (_at_most(f"{group}:place") if colon else 0)


def _in_brackets(rest: str) -> tuple[str, ...]:
    """Return the signs in the brackets that ``rest`` begins with, and behind them."""
    inside = rest[1 : 1 + max(rest.find(")"), rest.find("]"), 0)]
    behind = rest[len(inside) + 2 : len(inside) + 4].strip()[:1]
    return (*_bracketed(inside), f"bracketed_then:{behind if behind in '.,:;' else 'letter'}")


@lru_cache(maxsize=4096)
def _bracketed(inside: str) -> tuple[str, ...]:
    """Return the signs in what stands in brackets: years and numbers of issues come again and again."""
    return tuple(sign for sign, matches in _BRACKETED_SIGNS if matches(inside)) or ("bracketed:other",)


_SEGMENT = re.compile(r"([^.,;:()\[\]\d]{1,90})([.,;:()\[\]\d])")
"""What comes next, up to the next sign or number."""
_ARTICLE = re.compile(r"(?:A|An|The|La|Le|Les|Der|Die|Das|El) ")
_ARTICLES = frozenset(("A ", "An", "Th", "La", "Le", "De", "Di", "Da", "El"))
"""How they begin."""


def _may_be_place(rest: str) -> bool:
    """Whether a space stands behind the first colon, and few enough before it: told in a fraction of a match's time."""
    colon = rest.find(":")
    return rest[colon + 1 : colon + 2] == " " and rest.count(" ", 0, colon) <= _PLACE_SPACES


_PLACE_SPACES = 11
"""Six words, and ``and`` before five of them."""


BEHIND = {
    "in_colon": venues.IN_COLON,
    "in_container": re.compile(rf"{venues.IN.pattern} *(?:{venues.CONTAINER.pattern})"),
    "in_edited": re.compile(rf"{venues.IN.pattern}{venues.EDITORS_SOON.pattern}"),
    "in": venues.IN,
    "container": venues.CONTAINER,
    "thesis": venues.THESIS,
    "place": venues.PLACE,
    "edition": venues.EDITION,
    "edited": venues.EDITED,
    "numbers": venues.NUMBERS,
    "lower": re.compile(r"(?!(?:in|ed|eds|pp|vol|no)\b)[^\W\d_A-Z]"),
    "capital": re.compile(r"[^\W\d_a-zß-öø-ÿ]"),
    "abbreviations": re.compile(r"(?:[^\W\d_]{1,9}+\. ?+){2}|[^\W\d_a-z][^\W\d_]{0,8}+\.,? \d"),
    "short_then_number": re.compile(r"(?:[^\W\d_]++[ .,]++){1,4}+\d"),
    "year_first": re.compile(r"\(?(?:1[89]|20)\d\d"),
}
"""What may stand behind a title."""
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
    "edited": re.compile(r"\(|ed|tr|h[re]|üb", re.IGNORECASE),
    "numbers": re.compile(r"[(\[\d]|[vn]o|p[ap. (\[]|is|ch|ar|bd|nr|s[. (\[]", re.IGNORECASE),
    "lower": re.compile(r"[^\W\d_A-Z]"),
    "capital": re.compile(r"[^\W\d_a-z]"),
    "year_first": re.compile(r"[(12]"),
}
"""The first letters, one or two, with which that may begin, so that it is not looked for elsewhere."""
_IN_BRACKETS = {
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
"""What may stand in brackets behind a title."""
_Matches: TypeAlias = "tuple[tuple[str, Callable[..., re.Match[str] | None]], ...]"


def _signs(before: str, patterns: Mapping[str, re.Pattern[str]]) -> _Matches:
    """Return the sign of each pattern with its ``match``: looked up once, asked a hundred times a string."""
    return tuple((f"{before}:{name}", pattern.match) for name, pattern in patterns.items())


@lru_cache(maxsize=4096)
def _possible(group: str, first: str) -> tuple[tuple[str, Callable[..., re.Match[str] | None] | None], ...]:
    """Return the signs of what may stand behind a title and may begin with the letters ``first``, with their ``match``.

    Where these letters are enough there is none.
    """
    names = (name for name in BEHIND if name not in _BY_SEGMENT and (name not in FIRST or FIRST[name].match(first)))
    certain = {name for name, enough in _ENOUGH.items() if enough.match(first)}
    return tuple((f"{group}:{name}", None if name in certain else BEHIND[name].match) for name in names)


@lru_cache(maxsize=1024)
def _behind_words(group: str, sign: str, spaces: int) -> tuple[_Matches, tuple[str, str]]:
    """Return what may stand behind a title where ``sign`` ends the first words, and what those words say."""
    names = []
    if sign == "." and not spaces:
        names.append("abbreviations")
    if (sign in ".," or sign.isdigit()) and spaces <= _SHORT_WORDS:
        names.append("short_then_number")
    then = f"{group}:then:{'digit' if sign.isdigit() else sign}", f"{group}:segment:{min(spaces, _MOST_SPACES)}"
    return _signs(group, {name: BEHIND[name] for name in names}), then


_SHORT_WORDS = 4
"""``short_then_number`` has no more words."""
_MOST_SPACES = 9
"""More count as these."""
_BY_SEGMENT = frozenset(("place", "abbreviations", "short_then_number"))
"""What is looked for by its first sign instead."""
_ENOUGH = {"capital": BEHIND["capital"], "numbers": re.compile(r"\d")}
"""First letters that are enough."""
_BRACKETED_SIGNS = _signs("bracketed", _IN_BRACKETS)
