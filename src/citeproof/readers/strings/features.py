"""Find the features of a reference string: its words and properties, such as ``has:colon``, which
means that the title contains a colon.

``weights.json`` has the weights of features.
``python -m tests.accuracy.reading_weights DATABASE --write`` fits the weights to references whose
fields are known. Weights are added as integers in hundredths: the sum of floats depends on the
order of addition, so equal scores could differ.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Set
from functools import lru_cache
from itertools import repeat
from pathlib import Path
from typing import TypeAlias

_FITTED: dict[str, float] = json.loads(Path(__file__).with_name("weights.json").read_text("utf-8"))
_RULES = {
    "stop:ordinal": 6.0,
    "weak:ordinal": 5.0,
    "bracketed:ordinal>.": 4.0,
    "bracketed:ordinal>,": 4.0,
}
_RULES |= {
    "stop:house_edition": 6.0,
    "stop:place_house": 3.0,
    "weak:in_printed": 10.0,
    "people:inverted_full>initial": -1.5,
    "ends:abbreviated": 3.0,
    "passes:abbreviated": -1.0,
    "has:starts_joined_name": -6.0,
    "has:starts_in_capitals": -6.0,
    "has:ends_in_date": -5.0,
    "has:ends_in_numeral": -4.0,
    "has:quoted_behind": -6.0,
    "stop:part": -6.0,
    "weak:volume_of": 3.0,
    "bracketed:last": -4.0,
    "untitled:parts": -6.0,
    "bracketed:series>,": 3.0,
    "bracketed:series>.": 1.5,
}
"""Weights of features that are too rare in the labelled references to be fitted."""
_WEIGHT = {feature: round(100 * weight) for feature, weight in (_FITTED | _RULES).items()}.get
_NOTHING = repeat(0)
_UP = r"[^\W\d_a-z]"
_Found: TypeAlias = "tuple[str, str, int]"
"""A way to find a feature, as a tuple: a string, a regex for texts that contain this string, and
the number of characters before a match that also belong to the feature.

The string is searched for first, because this takes a tenth of the time of a search for a character
class.
"""
_ABBREVIATED = "|".join(rf"(?<={_UP}[a-z]{{{letters}}}\. .)" for letters in range(1, 6))
_PAGES = (
    r"[Ppv0-9](?:(?=[ (:,])(?<=\d)(?: ?\(\d+\)|[:,] ?\d+[-–]\d)|"
    r"(?=[pao.])(?<!\w.)(?:(?<=[Pp])p?\. ?|(?<=p)ages |(?<=v)ol\. ?)\d)"
)
_BEGINS = {
    "has:starts_as_venue": (
        r"[IiPJAvp]",
        r"(?:In|in|Proceedings|Proc\.|J\.|Journal of|IEEE Trans|ACM Trans|vol|pp)\b",
    ),
    "has:starts_joined": (r"[a&e]", r"(?:and|&|et al)\b"),
    "has:starts_joined_name": (r"[a&]", rf"(?:and|&) {_UP}[\w'’-]+, {_UP}"),
    "has:starts_odd": (r"[^\w\"'“‘(\[<¿¡$\\]", ""),
    "has:starts_lower": (r"[^\W\d_A-Z]", ""),
    "has:starts_digit": (r"\d", ""),
    "has:starts_initial": (_UP, rf"{_UP}\."),
    "has:starts_named": (_UP, rf"{_UP}[\w'’-]+, {_UP}"),
    "has:starts_in_capitals": (_UP, rf"{_UP}{{2}}[^\W\d_a-zß-öø-ÿ’' -]*, {_UP}[^\W\d_A-Z]"),
}
"""Map from a feature of a title, such as ``has:starts_digit``, to two regexes: one for the first
letter of the title, and one for its first words.
"""
_NAME_ALONE = re.compile(r"[^\W\d_a-z][\w'’-]+(?:,? [^\W\d_a-z]\.?){0,3}$")
_NAME = (
    r"(?:(?:[^\W\d_a-z]\.[ -]?)+|(?:and |& )?[^\W\d_a-z][\w'’-]+ )"
    r"(?:(?:v[ao]n|de[rnl]?|d[aiu]|[^\W\d_a-z](?:\.|[\w'’-]+)|\(\w+\)) ?){1,4}"
)
_NAMES_ALONE = re.compile(rf"{_NAME}(?:, ?(?:and |& )?{_NAME})*(?:,? ?and {_NAME})\.?")
"""Regex for a text that consists only of names of people:
``Christophe Ladroue, and Sara Kalvala``.
"""
_QUOTED_BEHIND = re.compile(r"[.,:] ?[“„«\"`][^“„«\"`]+[”“»\"'][.,]?$")
"""Regex for a quotation at the end of a text, after people: ``“Belief.”`` in
``and T. Lee, “Belief.”``.
"""
_ABBREVIATION = r"(?:[^\W\d_a-z][^\W\d_]{0,8}\.|&|of|and|[A-Z]) ?"
_ABBREVIATIONS = re.compile(rf"(?:{_ABBREVIATION}){{1,8}}")
# minimum number of words from which a title is certainly not an abbreviation, and not a name
_FEW, _FEW_NAMES = 8, 5
A_YEAR = 6  # value of ``Title.numbers`` if only a year follows the title
_WORD = re.compile(r"\w+")
_PLAIN_WORD = re.compile(r"[0-9A-Za-z_]+")
"""Regex for a word in an ASCII text. The regex ``_WORD`` has the same matches there, but takes
three times as long.
"""
_YEAR = re.compile(r"(?:1[89]|20)\d\d[a-z]?")


class Words:
    """The words of one text and their positions."""

    def __init__(self, text: str) -> None:
        self._text = text
        self.ending_at: dict[int, str] = {}  # map from the position where a word ends to the word
        end = 0
        for word in (_PLAIN_WORD if text.isascii() else _WORD).findall(text):
            # only punctuation and spaces are before the word
            end = text.find(word, end) + len(word)
            self.ending_at[end] = word
        self.ends = list(self.ending_at)
        self._written = frozenset(self.ending_at.values())

    def year_at(self, end: int) -> bool:
        """Return whether a year ends at the position ``end`` of the text."""
        word = self.ending_at.get(end, "")
        return "1" < word < "3" and _YEAR.fullmatch(word) is not None

    def places_of(self, wanted: Set[str]) -> list[int]:
        """Return the start positions of all occurrences of any of the words ``wanted``, sorted."""
        places = []
        for word in self._written & wanted:
            begin = self._text.find(word)
            while begin >= 0:
                end = begin + len(word)
                if self.ending_at.get(end) == word:
                    places.append(begin)
                begin = self._text.find(word, end)
        return sorted(places)


def weight_of(features: Iterable[str]) -> int:
    """Return the total weight, in hundredths, of the features with these names, such as
    ``has:colon``. Unknown names have the weight 0.
    """
    return sum(map(_WEIGHT, features, _NOTHING))


def _word(word: str) -> _Found:
    return word, rf"{re.escape(word)}(?<!\w{re.escape(word)})", 0


CONTENTS: dict[str, tuple[_Found, ...]] = {
    "has:people": (
        *(
            (f" {sign} ", rf" {sign} (?:(?<=[ .]{_UP}\. {sign} )|(?<=[ .]{_UP}\., {sign} ))", 4)
            # initials before a sign or word that joins two names: ``D. E. and``, ``D., &``
            for sign in ("and", "&")
        ),
        ("et al.", r"et al\.(?<!\wet al\.)", 0),
        (", ", rf", {_UP}(?:(?<={_UP}\., .)|(?<=[^\W\d_], .)\.)", 0),
    ),
    "has:dated": tuple(
        (century, rf"{century}(?<!\w{century})\d\d[a-z]?\)?[.,:] [^\W\d_]", 0)
        for century in ("19", "20", "18")
    ),
    "has:container": (
        *map(
            _word, ("Proceedings of", "Proc. ", "Lecture Notes in", "Journal of", "Conference on")
        ),
        *map(_word, ("Transactions on", "Advances in Neural", "arXiv:")),
    ),
    "has:pages": (("", _PAGES, 0),),
    "has:publisher": (
        *map(
            _word,
            (
                "Springer",
                "Elsevier",
                "Wiley",
                "Verlag",
                "McGraw",
                "Prentice",
                "Routledge",
                "Publishing",
            ),
        ),
        ("Press", r"Press(?<=\w Press)\b|Press(?<=Univ\. Press)", 0),
    ),
    "has:volume": (
        *map(
            _word,
            (
                "Translated by",
                "Trans. ",
                "trans. ",
                "Trans.)",
                "Edited by",
                "Revised",
                "volume ",
                "Vol. ",
            ),
        ),
        *map(
            _word,
            (
                "ed.)",
                "edition)",
                "dissertation)",
                "thesis",
                "Technical Report",
                "Tech Report",
                "Report No",
            ),
        ),
        *map(_word, ("Paper presented", "Available", "Retrieved")),
        (" vols", r" vols\b(?<=\d vols)", 0),
        (" Bde", r" Bde\b(?<=\d Bde)", 0),
    ),
    "has:place": tuple(
        (house, rf"{_UP}\w+: (?:{_UP}[\w&-]+ ){{0,3}}{house}", 0)
        for house in ("Press", "Verlag", "Publish")
    ),
    "has:colon": ((": ", ": ", 0),),
    "has:abbreviation": ((". ", rf"\. {_UP}(?<=[a-z]\. .)(?:{_ABBREVIATED})", 0),),
    "has:question": (("? ", r"\? ", 0),),
}
"""Map from a feature of a title, such as ``has:colon``, to ways to find it. A title has the feature
if any of its regexes matches.
"""
_CONTENTS = [
    (feature, letters, re.compile(pattern).finditer, before)
    for feature, found in CONTENTS.items()
    for letters, pattern, before in found
]


def contents(text: str, first: int = 0) -> Iterator[tuple[str, int, list[tuple[int, int]]]]:
    """Yield the features of ``text`` from the position ``first`` on, such as ``has:colon``. Each is
    a tuple of name, weight, and a sorted list of the spans (start, end) at which it was found.
    """
    found: dict[str, list[tuple[int, int]]] = {}
    for feature, letters, finditer, before in _CONTENTS:
        if letters in text:
            for match in finditer(text, first):
                span = match.start() - before, match.end()
                found.setdefault(feature, []).append(span)
    for feature, spans in found.items():
        yield feature, weight_of((feature,)), sorted(spans)


@lru_cache(maxsize=1024)
def beginning_features(
    first: str,
) -> tuple[tuple[str, Callable[[str, int], re.Match[str] | None]], ...]:
    """Return the features that a title with the first letter ``first`` may have, each as a pair of
    its name and a function that tests whether a title has it.
    """
    return tuple(
        (feature, re.compile(regex).match)
        for feature, (letter, regex) in _BEGINS.items()
        if re.match(letter, first)
    )


def features_in(title: str, words: int) -> tuple[str, ...]:
    """Return the features of a whole title of ``words`` words, such as ``has:open_bracket``: a
    bracket is not closed.
    """
    features = []
    if title.count("(") > title.count(")") or title.count("[") > title.count("]"):
        features.append("has:open_bracket")
    if title[-1:] in "”“»\"'.," and _QUOTED_BEHIND.search(title):
        features.append("has:quoted_behind")
    if words < _FEW and _ABBREVIATIONS.fullmatch(title + "."):
        features.append("has:abbreviations_alone")
    if words < _FEW_NAMES and _NAME_ALONE.match(title):
        features.append("has:name_alone")
    if " and " in title and _NAMES_ALONE.fullmatch(title):
        features.append("has:names_alone")
    return tuple(features)
