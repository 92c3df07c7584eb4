"""Features of the text after a possible end of the title, and an upper bound of their total weight.

Most endings weigh so little that the text after them cannot matter. The first two letters of this text give an upper
bound of its weight, in a tenth of the time of matching all regexes.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from typing import NamedTuple, TypeAlias

from citeproof.readers.strings import venues
from citeproof.readers.strings.features import A_YEAR, Words, weight_of

_SEEN = 130  # number of characters after an ending that are examined
_STRONG = frozenset(("stop", "question", "slashes", "mark"))
"""Kinds of punctuation that end most titles. The words that follow have other weights after other punctuation."""
_GROUPS = ("stop", "weak")  # names of the kinds in ``_STRONG``, and of all other kinds
_Match: TypeAlias = "Callable[[str], re.Match[str] | None]"
_SEGMENT = re.compile(r"([^.,;:()\[\]\d]{1,90})([.,;:()\[\]\d])")
"""Regex of the words up to the next punctuation mark or digit, and of that character."""
_SENTENCE = re.compile(r"(?:[^\W\d_]{2}|\d)[.?!] ")
"""Regex of the end of a sentence. If a title contains one, a series or an edition may precede the publisher's place."""
_ARTICLE = re.compile(r"(?:A|An|The|La|Le|Les|Der|Die|Das|El) ")
_ARTICLES = frozenset(("A ", "An", "Th", "La", "Le", "De", "Di", "Da", "El"))  # first two letters of articles
_PLACE_SPACES = 11  # maximum number of spaces before the colon of a place: six words, five of them after ``and``
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
"""Map from feature to the regex of a text that may follow a title."""
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
    "city": re.compile("|".join(sorted({city[:2] for city in {*venues.CITIES, "New"} - {"York"}}))),
}
"""Map from feature to the regex of a text's first letters. The regex in :data:`BEHIND` is tried only if it matches."""
_BRACKETED = {
    "bracketed:ordinal": re.compile(rf"{venues.ORDINALS}$"),
    "bracketed:edition": venues.EDITION,
    "bracketed:edited": venues.EDITED,
    "bracketed:thesis": venues.THESIS,
    "bracketed:publisher": venues.PUBLISHER,
    "bracketed:place": venues.PLACE,
    "bracketed:numbers": re.compile(r"(?:vol|pp?\b|pages|no\b)", re.IGNORECASE),
    "bracketed:year": re.compile(r"(?:[\w.,]+ ){0,3}(?:1[5-9]|20)\d\d[a-z]?$"),
    "bracketed:in": re.compile(r"[Ii]n "),
    "bracketed:acronym": re.compile(r"[A-Z][A-Za-z0-9-]{1,9}$"),
}
"""Map from feature to the regex of a text in brackets that may follow a title."""
_LOWER_WORD = re.compile(r" (?!(?:of|and|the|for|in|on|de|la|et|und|der|für|des|du|to|an?|at)(?![^\W_]))[^\W\d_A-Z]")
"""Regex of a space and the first letter of a lower-case word that is not a connective."""
_SHORT_WORDS = 4  # maximum number of spaces for the feature ``short_then_number``
_MOST_SPACES = 9  # number of spaces above which they are not counted exactly
_BY_SEGMENT = frozenset(
    ("place", "place_house", "house_edition", "in_printed", "abbreviations", "short_then_number", "then_city")
)
"""Features that depend on the punctuation after the first words, or on a later word, and not on the first letters."""
_PROOFS = {"capital": BEHIND["capital"], "numbers": re.compile(r"\d")}
"""Map from feature to the regex of first letters that prove it without a match of its full regex."""


class _Features(NamedTuple):
    """Features that a text certainly has, and possible features with the functions that test them."""

    certain: tuple[str, ...]
    possible: tuple[tuple[str, _Match], ...]
    most: int  # upper bound of the total weight, in hundredths


class Following:
    """Finds the features of what follows any position of one text, whose words are separated by single spaces."""

    def __init__(self, text: str, words: Words) -> None:
        self._text, self._last_edition = text, text.rfind(" edition, ")
        self._last_city = max(words.places_of(venues.CITIES), default=-1)
        soon = {
            "container_soon": words.places_of(venues.CONTAINER_WORDS),
            "numbered": venues.before_numbers(text),
            "publisher": words.places_of(venues.PUBLISHER_WORDS),
            "title_words": words.places_of(venues.TITLE_WORDS),
        }
        self._soon = [(name, venues.SOON[name], places) for name, places in soon.items() if places]
        self._most_soon = {group: sum(_MOST_SOON[group, name] for name, _, _ in self._soon) for group in _GROUPS}

    def upper_bound(self, end: int, kind: str, numbers: int) -> int:
        """Return an upper bound, in hundredths, of the weight of the text after an ending of ``kind`` at ``end``."""
        seen = self._text[end : end + _SEEN]
        rest = seen.lstrip(" ,.;:")
        if not rest or kind == "bracket":
            return weight_of(self.features(end, kind, numbers))
        group = "stop" if kind in _STRONG else "weak"
        words, letters, later = self._looked_for(group, rest, end + len(seen) - len(rest), kind, numbers)
        return words.most + letters.most + later.most + self._most_soon[group]

    def features(self, end: int, kind: str, numbers: int) -> tuple[str, ...]:
        """Return the features of the text after a title that ends at ``end``. ``numbers`` is :attr:`Title.numbers`."""
        seen = self._text[end : end + _SEEN]
        rest = seen.lstrip(" ,.;:")
        if not rest:
            return () if kind == "string" else ("follows:nothing",)
        if kind == "bracket":
            return _in_brackets(rest)
        group, begin = "stop" if kind in _STRONG else "weak", end + len(seen) - len(rest)
        words, letters, later = looked_for = self._looked_for(group, rest, begin, kind, numbers)
        features = [*letters.certain, *later.certain]
        features += [feature for one in looked_for for feature, matches in one.possible if matches(rest)]
        features += [f"{group}:{name}" for name, soon, places in self._soon if self._follows(begin, soon, places)]
        if f"{group}:place_house" in features and _SENTENCE.search(self._text, 0, end):
            features.remove(f"{group}:place_house")
        article = [f"{group}:article"] if rest[:2] in _ARTICLES and _ARTICLE.match(rest) else []
        return (*(features or [f"{group}:other"]), *words.certain, *article)

    def _looked_for(
        self, group: str, rest: str, begin: int, kind: str, numbers: int
    ) -> tuple[_Features, _Features, _Features]:
        """Return the possible features of ``rest`` by its first words, by its first letters, and by its later words."""
        segment = _SEGMENT.match(rest)
        colon = rest.find(":")
        return (
            _of_words(group, segment[2], segment[1].count(" "), _case(segment[1])) if segment else _NO_FEATURES,
            _of_letters(group, rest[:2]),
            _of_later_words(
                group,
                rest[colon + 1 : colon + 2] == " " and rest.count(" ", 0, colon) <= _PLACE_SPACES,
                begin < self._last_edition,
                begin < self._last_city,
                kind == "in" and " (" in rest,
                numbers and ("only_year" if numbers == A_YEAR else "only_numbers"),
            ),
        )

    def _follows(self, begin: int, soon: venues.Reach, places: Sequence[int]) -> bool:
        """Return whether one of ``places`` is within the reach ``soon`` of ``begin``, without separators in between."""
        at = bisect_left(places, begin + soon.nearest)
        if at == len(places) or places[at] - begin > soon.farthest or (soon.named and not self._text[begin].isalpha()):
            return False
        return soon.parts.search(self._text, begin, places[at]) is None


def _at_most(feature: str) -> int:
    """Return the maximum that a feature can add to a score: its weight, or 0 if this is negative (it may be absent)."""
    return max(0, weight_of((feature,)))


_MOST_SOON = {(group, name): _at_most(f"{group}:{name}") for group in _GROUPS for name in venues.SOON}


def _possible(certain: Sequence[str], possible: Mapping[str, re.Pattern[str]]) -> _Features:
    """Return features with the bound ``match`` methods of their regexes, called a hundred times per string."""
    most = weight_of(certain) + sum(map(_at_most, possible))
    return _Features(tuple(certain), tuple((feature, pattern.match) for feature, pattern in possible.items()), most)


_NO_FEATURES = _possible((), {})


@lru_cache(maxsize=4096)
def _of_letters(group: str, first: str) -> _Features:
    """Return the features that a text may have if it begins with the letters ``first``."""
    names = [name for name in BEHIND if name not in _BY_SEGMENT and (name not in FIRST or FIRST[name].match(first))]
    certain = [name for name in names if name in _PROOFS and _PROOFS[name].match(first)]
    features = _possible(
        [f"{group}:{name}" for name in certain],
        {f"{group}:{name}": BEHIND[name] for name in names if name not in certain},
    )
    beside = ("other", "article") if first in _ARTICLES else ("other",)
    return features._replace(most=features.most + sum(_at_most(f"{group}:{name}") for name in beside))


@lru_cache(maxsize=1024)
def _of_words(group: str, punctuation: str, spaces: int, case: str) -> _Features:
    """Return the features of the first words of a text, which have ``spaces`` spaces and end at ``punctuation``."""
    names = ["abbreviations"] * (punctuation == "." and not spaces)
    names += ["short_then_number"] * ((punctuation in ".," or punctuation.isdigit()) and spaces <= _SHORT_WORDS)
    mark = "digit" if punctuation.isdigit() else punctuation
    then = f"{group}:then:{mark}", f"{group}:segment:{min(spaces, _MOST_SPACES)}", f"{group}:{case}>{mark}"
    return _possible(then, {f"{group}:{name}": BEHIND[name] for name in names})


@cache
def _of_later_words(group: str, place: bool, edition: bool, city: bool, printed: bool, alone: str | int) -> _Features:
    """Return the features that need a later word: a place, an edition, a city, or ``in`` with a bracket.

    ``alone`` is the feature of a text of only numbers; false for other texts.
    """
    names = ["place", "place_house"] * place + ["house_edition"] * edition + ["then_city"] * city
    names += ["in_printed"] * printed
    return _possible([f"{group}:{alone}"] if alone else [], {f"{group}:{name}": BEHIND[name] for name in names})


def _in_brackets(rest: str) -> tuple[str, ...]:
    """Return the features of the brackets with which ``rest`` begins, each combined with the character after them."""
    inside, _, behind = rest[1:].partition(")" if rest[0] == "(" else "]")
    behind = behind[:2].strip()[:1]
    return _bracketed(inside, behind if behind in ".,:;" else "letter")


@lru_cache(maxsize=4096)  # years and issue numbers recur
def _bracketed(inside: str, then: str) -> tuple[str, ...]:
    features = [feature for feature, pattern in _BRACKETED.items() if pattern.match(inside)] or ["bracketed:other"]
    return tuple(f"{feature}>{then}" for feature in features)


def _case(words: str) -> str:
    """Return how many words, and whether the last word, are in lower case. Names of venues have few, and none last."""
    lower = len(_LOWER_WORD.findall(words))
    return f"lower:{min(lower, 2)}{'_last' if lower and words[words.rfind(' ') + 1 :][:1].islower() else ''}"
