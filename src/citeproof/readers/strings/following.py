"""Find the features of the text after a possible title, such as ``stop:capital``: a full stop, then
a capital letter.

The first two letters, the first words and the punctuation after them exclude most features, so that
only a few have to be tested.
"""

import re
from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from typing import NamedTuple

from citeproof.readers.strings import venues
from citeproof.readers.strings.features import A_YEAR, Words

SEEN = 130  # maximum number of characters after the title that are examined
STRONG = frozenset(("stop", "question", "slashes", "mark"))
"""Kinds of punctuation that usually end a title. The same words have other weights if other
punctuation stands before them.
"""
_SEGMENT = re.compile(r"([^.,;:()\[\]\d]{1,90})([.,;:()\[\]\d])")
"""Regex with two groups: the words before the next punctuation mark or digit, and this mark or
digit.
"""
_SENTENCE = re.compile(r"(?:[^\W\d_]{2}|\d)[.?!] ")
"""Regex for the end of a sentence: two letters or a digit, followed by a full stop, question mark
or exclamation mark.
"""
_NUMBER = re.compile(r"\d")
_ARTICLE = re.compile(r"(?:A|An|The|La|Le|Les|Der|Die|Das|El) ")
# first two letters of articles
_ARTICLES = frozenset(("A ", "An", "Th", "La", "Le", "De", "Di", "Da", "El"))
# maximum number of spaces before the colon after a publisher's place: ``New York: ``
_PLACE_SPACES = 11
_LOWER_WORD = re.compile(
    r" (?!(?:of|and|the|for|in|on|de|la|et|und|der|für|des|du|to|an?|at)(?![^\W_]))[^\W\d_A-Z]"
)
"""Regex for a space and the first letter of a lower-case word. Words such as ``of`` and ``the`` do
not match.
"""
_JOINTS = (" and ", " or ", " und ", " et ")  # words between the last two names of a list
# maximum number of spaces in the words before a number for the feature ``short_then_number``
_SHORT_WORDS = 4
_MOST_SPACES = 9  # larger numbers of spaces are replaced by this number
_BY_SEGMENT_LIST = (
    "place place_house house_edition in_printed abbreviations short_then_number then_city list"
)
_BY_SEGMENT = frozenset(_BY_SEGMENT_LIST.split())
"""Features that do not depend on the first two letters of the text, but on later words or
punctuation, such as ``then_city``.
"""


class _Features(NamedTuple):
    """Features of a text: names of those that it certainly has, and pairs of name and test function
    for those that it may have.
    """

    certain: tuple[str, ...]
    possible: tuple[tuple[str, Callable[[str], re.Match[str] | None]], ...]


class Following:
    """Finds the features of the text after a title, such as ``stop:capital``: a full stop, then a
    capital letter.
    """

    def __init__(self, text: str, words: Words) -> None:
        """``text`` is the whole reference string, and ``words`` are its words."""
        self._text, self._last_edition = text, text.rfind(" edition, ")
        self._last_joint = max(map(text.rfind, _JOINTS))
        self._last_city = max(words.places_of(venues.CITIES), default=-1)
        self._soon = {
            "container_soon": words.places_of(venues.CONTAINER_WORDS),
            "numbered": venues.before_numbers(text),
            "publisher": words.places_of(venues.PUBLISHER_WORDS),
            "title_words": words.places_of(venues.TITLE_WORDS),
        }

    def features(self, end: int, kind: str, numbers: int) -> tuple[str, ...]:
        """Return the features of the text after the position ``end``, such as ``stop:capital``.

        ``kind`` is the kind of punctuation that ends the title, and ``numbers`` is the value of
        ``Ending.numbers``.
        """
        seen = self._text[end : end + SEEN]
        rest = seen.lstrip(" ,.;:")
        if not rest:
            return () if kind == "string" else ("follows:nothing",)
        if kind == "bracket":
            inside, _, behind = rest[1:].partition(")" if rest[0] == "(" else "]")
            then = behind[:2].strip()[:1]
            is_last = not behind.strip(" .,;")
            return _bracketed(inside, then if then in ".,:;" else "letter", is_last)
        group, begin = "stop" if kind in STRONG else "weak", end + len(seen) - len(rest)
        words, letters, later = self._looked_for(group, rest, begin, kind, numbers)
        features = [*letters.certain, *later.certain]
        for feature, matches in (*words.possible, *letters.possible, *later.possible):
            if matches(rest):
                features.append(feature)
        features += [
            f"{group}:{name}"
            for name, places in self._soon.items()
            if places and venues.SOON[name].includes_any(places, self._text, begin)
        ]
        if f"{group}:place_house" in features and _SENTENCE.search(self._text, 0, end):
            features.remove(f"{group}:place_house")
        article = [f"{group}:article"] if rest[:2] in _ARTICLES and _ARTICLE.match(rest) else []
        return (*(features or [f"{group}:other"]), *words.certain, *article)

    def _looked_for(
        self, group: str, rest: str, begin: int, kind: str, numbers: int
    ) -> tuple[_Features, _Features, _Features]:
        """Return three sets of features of ``rest``, the text after a title: those of its first
        words, those of its first two letters, and those of later words. ``begin`` is the position
        of ``rest``, and ``group`` the beginning of the features' names. ``kind`` and ``numbers``
        are those of :meth:`features`.
        """
        of_words = _NO_FEATURES
        if segment := _SEGMENT.match(rest):
            words, punctuation = segment.groups()
            of_words = _of_words(group, punctuation, words.count(" "), _case(words))
        colon = rest.find(":")
        alone = ""
        if numbers:
            alone = "only_year" if numbers == A_YEAR else "only_numbers"
        of_later_words = _of_later_words(
            group,
            rest[colon + 1 : colon + 2] == " " and rest.count(" ", 0, colon) <= _PLACE_SPACES,
            begin < self._last_edition,
            begin < self._last_city,
            begin < self._last_joint,
            kind == "in" and " (" in rest,
            alone,
        )
        return of_words, _of_letters(group, rest[:2]), of_later_words


def _features(group: str, certain: Iterable[str], possible: Iterable[str]) -> _Features:
    """Return the features ``certain`` and ``possible`` with ``group`` before their names:
    ``stop:capital``.
    """
    return _Features(
        tuple(f"{group}:{name}" for name in certain),
        tuple((f"{group}:{name}", venues.BEHIND[name].match) for name in possible),
    )


_NO_FEATURES = _features("", (), ())


@lru_cache(maxsize=4096)
def _of_letters(group: str, first: str) -> _Features:
    """Return the features that a text may have if ``first`` are its first two letters. Their names
    begin with ``group``: ``stop`` or ``weak``.
    """
    by_letters = (name for name in venues.BEHIND if name not in _BY_SEGMENT)
    names = [
        name for name in by_letters if name not in venues.FIRST or venues.FIRST[name].match(first)
    ]
    return _features(group, (), names)


@lru_cache(maxsize=1024)
def _of_words(group: str, punctuation: str, spaces: int, case: str) -> _Features:
    """Return the features of a text by its first words, with names that begin with ``group``.
    ``spaces`` is the number of spaces between the words, ``punctuation`` the mark after them, and
    ``case`` a value of :func:`_case`.
    """
    names = []
    if punctuation == "." and not spaces:
        names.append("abbreviations")
    if (punctuation in ".," or punctuation.isdigit()) and spaces <= _SHORT_WORDS:
        names.append("short_then_number")
    mark = "digit" if punctuation.isdigit() else punctuation
    return _features(
        group, (f"then:{mark}", f"segment:{min(spaces, _MOST_SPACES)}", f"{case}>{mark}"), names
    )


@cache
def _of_later_words(
    group: str, place: bool, edition: bool, city: bool, joint: bool, printed: bool, alone: str
) -> _Features:
    """Return the features that depend on later words of a text, with names that begin with
    ``group``. Each flag that is true, such as ``city``, adds features that the text may have.
    ``alone``, if not empty, is a feature that it certainly has.
    """
    named = {
        "place": place,
        "place_house": place,
        "house_edition": edition,
        "then_city": city,
        "in_printed": printed,
        "list": joint,
    }
    possible = [name for name, is_possible in named.items() if is_possible]
    return _features(group, [alone] if alone else [], possible)


@lru_cache(maxsize=4096)  # years and issue numbers occur often
def _bracketed(inside: str, then: str, is_last: bool) -> tuple[str, ...]:
    """Return the features of a text in brackets, such as ``bracketed:year>.``. ``inside`` is this
    text, and ``then`` the character after the brackets. ``is_last`` says whether nothing else
    follows.

    The feature ``bracketed:last`` means that nothing follows and that the text may belong to the
    title.
    """
    features = [feature for feature, pattern in venues.BRACKETED.items() if pattern.match(inside)]
    named = tuple(f"{feature}>{then}" for feature in features or ["bracketed:other"])
    is_title = is_last and not _NUMBER.search(inside) and set(features) <= {"bracketed:acronym"}
    return (*named, "bracketed:last") if is_title else named


def _case(words: str) -> str:
    """Return a feature for the number of lower-case words in ``words``: ``lower:1``, or
    ``lower:1_last`` if the last word is in lower case.
    """
    lower = len(_LOWER_WORD.findall(words))
    last_is_lower = lower and words[words.rfind(" ") + 1 :][:1].islower()
    return f"lower:{min(lower, 2)}{'_last' if last_is_lower else ''}"
