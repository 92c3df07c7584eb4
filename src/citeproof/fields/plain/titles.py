"""Where the title of a reference string may be: every place where it may end, with the signs that speak for it."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

from citeproof.fields.plain import venues
from citeproof.fields.plain.signs import weight_of
from citeproof.fields.plain.weights import WEIGHTS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

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
_DELIMITER = re.compile(
    r"(?=[.?!,/;:\s\[])(?:(?P<stop>[.?!]+[”’\")]*(?=\s|$|[^\W\d_a-z][a-z]))|(?P<comma_in>,(?=\s[Ii]n:\s))|(?P<comma>,(?=\s))|(?P<slashes>//)|(?P<semicolon>;(?=\s))|(?P<colon>:(?=\s))|(?P<bracket>\s(?=[(\[]))|(?P<mark>\[)|(?P<year>\s(?=(?:1[89]|20)\d\d[.,;:\s]))|(?P<number>\s(?=\d{1,5}[A-Za-z]?\s*[(,:/]))|(?P<in>\s(?=(?:In|in)[\s:]))|(?P<dash>\s[-–—](?=\s)))"
)
"""It looks at one letter first: most are no sign."""
_ABBREVIATED = re.compile(
    r"(?:\b(?:vs|e\.g|i\.e|cf|al|St|Dr|Mr|Mrs|Ms|No|Nos|Vol|vol|no|pp|ca|c|approx|etc|ed|eds|Jr|Sr|sp|spp|var|subsp|fig|Fig|[^\W\d_])|\b[A-Z]\.[A-Z])$"
)
_SEEN = 130
"""So many characters behind a title show what follows it."""
_WORDS = re.compile(r"\w+")


@dataclass(slots=True)
class Title:
    """A proposal: the title is this, and what follows begins at ``end``.

    Sixty are made of one string, so it is not frozen: that would take three times as long.
    """

    text: str
    start: int
    end: int
    ending: str
    """The kind of sign that ends it."""
    signs: tuple[tuple[str, ...], ...]
    """Names of what speaks for or against it, in parts that titles share."""
    weight: float
    """What they weigh together."""
    inside_venue: bool = False
    """It ends behind an abbreviated word of a venue: ``A theory of the learnable. Commun``."""


@dataclass(slots=True)
class _End:
    """A place where a title may end; not frozen either."""

    kind: str
    """The kind of sign that ends it."""
    start: int
    """Where the sign begins, and the title ends."""
    behind: int
    """Where what follows begins."""
    inside_venue: bool
    """An abbreviated word of a venue stands before it."""
    signs: tuple[str, ...]
    """That kind, and the signs in what follows."""
    weight: float
    passes: str
    """The sign of a title that does not end here."""
    passes_weight: float


class Ends:
    """Every place of a text where a title may end: found once, for all places where one may begin."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._ends = list(_ends(text))
        self._held = {name: [match.span() for match in pattern.finditer(text)] for name, pattern in _HOLDS.items()}
        words = [match.span() for match in _WORDS.finditer(text)]
        self._word_starts, self._word_ends = [start for start, _ in words], [end for _, end in words]
        self._joining_ends = {end for start, end in words if end - start < 5 and text[start:end].lower() in _JOINING}
        years = [match.end() for match in _YEAR.finditer(text)]
        self._year_ends = {*years, *(end + 1 for end in years if text[end : end + 1] in _CLOSING)}
        self._in = [match.span() for match in _IN.finditer(text)]
        self._venue_words = [match.span() for match in venues.VENUE_WORD.finditer(text)]
        self._abbreviated = [(match.start(), match.end(1), match.end(2)) for match in venues.ABBREVIATED.finditer(text)]
        self._brackets = "(" in text or "[" in text
        self._numbers: dict[int, int] = {}

    def titles(self, start: int) -> Iterator[Title]:
        """Yield every title that may begin at ``start``."""
        text = self._text
        start += len(text[start:]) - len(text[start:].lstrip(" ,.:;"))
        if quoted := _quoted(text, start):
            yield quoted
            return
        held = self._first_held(start)
        begins = tuple([sign for sign, matches in _BEGIN_SIGNS if matches(text, start)])
        weight = weight_of(begins)
        passed: tuple[str, ...] = ()
        for end in self._ends:
            if end.start < start:
                continue
            written = text[start : end.start].strip(" ,;:")
            shape = self._shape(written, start, end.start, held)
            signs = (passed, begins, shape, end.signs)
            together = weight + weight_of(shape) + end.weight
            yield Title(written, start, end.behind, end.kind, signs, together, end.inside_venue)
            passed = (*passed, end.passes)
            weight += end.passes_weight
            if len(passed) > _MOST_PASSED:
                return
        written = text[start:].strip(" ,.;:")
        shape = ("ends:string", *self._shape(written, start, len(text), held))
        yield Title(written, start, len(text), "string", (passed, begins, shape), weight + weight_of(shape))

    def numbers_alone(self, end: int) -> int:
        """Return one more than how many numbers there are behind ``end``; 0 where there is anything else."""
        if end not in self._numbers:
            alone = venues.NOTHING_BUT_NUMBERS.match(self._text[end:])
            self._numbers[end] = 1 + len(_NUMBER.findall(self._text, end)) if alone else 0
        return self._numbers[end]

    def holds_in(self, title: Title) -> bool:
        """Whether a sentence of ``title`` ends and ``In`` follows: it is a title, and the venue behind it."""
        last = title.start + len(title.text)
        return any(title.start <= start and end <= last for start, end in self._in)

    def names_venue(self, title: Title) -> bool:
        """Whether ``title`` holds a word such as ``Journal``, or two abbreviated ones: ``Phys. Rev.``

        A full stop is thought behind it: the sign that ended it may have been one.
        """
        first, last = title.start, title.start + len(title.text)
        return any(first <= start and end <= last for start, end in self._venue_words) or any(
            first <= start and (end == last or end < stop <= last) for start, end, stop in self._abbreviated
        )

    def _first_held(self, start: int) -> list[tuple[str, int]]:
        """Return the sign of each kind of thing that speaks against a title, and where its first one ends."""
        firsts = [
            (f"has:{name}", next((end for begin, end in found if begin >= start), -1))
            for name, found in self._held.items()
            if found
        ]
        return [(sign, end) for sign, end in firsts if end >= 0]

    def _shape(self, title: str, start: int, end: int, held: Sequence[tuple[str, int]]) -> tuple[str, ...]:
        """Return the signs in ``title``, which stands from ``start`` to ``end``; ``held`` is what may stand in it."""
        words = bisect_left(self._word_starts, end) - bisect_right(self._word_ends, start)
        signs = [_LENGTH_SIGNS[min(words, len(_LENGTH_SIGNS) - 1)]]
        signs += [sign for sign, at in held if at <= end]
        if self._brackets and (title.count("(") > title.count(")") or title.count("[") > title.count("]")):
            signs.append("has:open_bracket")
        last = start + len(title) if title else -1
        if last in self._joining_ends:
            signs.append("has:ends_joining")
        if last in self._year_ends:
            signs.append("has:ends_in_year")
        if words < 8 and _ABBREVIATIONS.fullmatch(title + "."):
            signs.append("has:abbreviations_alone")
        if words < 5 and _NAME_ALONE.match(title):
            signs.append("has:name_alone")
        return tuple(signs)


_NUMBER = re.compile(r"\d+")


def _ends(text: str) -> Iterator[_End]:
    for match in _DELIMITER.finditer(text):
        kind, start, behind = str(match.lastgroup), match.start(), match.end()
        if kind == "stop":
            if match[0][0] == "." and _ABBREVIATED.search(text, max(0, start - _LONGEST_ABBREVIATION), start):
                kind = "abbreviation"
            else:
                start += len(match[0].rstrip(".")) if match[0][0] in "?!" else 0
        elif kind == "mark":
            mark = venues.BRACKET_MARK.match(text, start)
            if not mark:
                continue
            behind = mark.end()
        signs = (f"ends:{kind}", *_following(text, behind, kind))
        inside = kind in {"stop", "abbreviation"} and venues.BEGUN.search(text, max(0, start - _LONGEST_BEGUN), start)
        passes = f"passes:{kind}"
        yield _End(kind, start, behind, bool(inside), signs, weight_of(signs), passes, WEIGHTS.get(passes, 0.0))


_LONGEST_ABBREVIATION = 8
_LONGEST_BEGUN = 40
"""Letters."""


def _following(text: str, end: int, kind: str) -> list[str]:
    """Return the signs in what follows a title that ends at ``end``."""
    rest = text[end : end + _SEEN].lstrip(" ,.;:")
    if not rest:
        return ["follows:nothing"]
    if kind == "bracket":
        inside = rest[1 : 1 + max(rest.find(")"), rest.find("]"), 0)]
        behind = rest[len(inside) + 2 : len(inside) + 4].strip()[:1]
        signs = [sign for sign, matches in _BRACKETED_SIGNS if matches(inside)] or ["bracketed:other"]
        return [*signs, f"bracketed_then:{behind if behind in '.,:;' else 'letter'}"]
    strong = "stop" if kind in {"stop", "slashes", "mark"} else "weak"
    signs = [sign for sign, matches in _possible(strong, rest[0]) if matches(rest)] or [f"{strong}:other"]
    if segment := _SEGMENT.match(rest):
        words, sign = segment.groups()
        signs += (
            f"{strong}:then:{'digit' if sign.isdigit() else sign}",
            f"{strong}:segment:{min(words.count(' '), 9)}",
        )
    if _ARTICLE.match(rest):
        signs.append(f"{strong}:article")
    return signs


_SEGMENT = re.compile(r"([^.,;:()\[\]\d]{1,90})([.,;:()\[\]\d])")
"""What comes next, up to the next sign or number."""
_ARTICLE = re.compile(r"(?:A|An|The|La|Le|Les|Der|Die|Das|El)\s")


BEHIND = {
    "in_colon": venues.IN_COLON,
    "in_container": re.compile(rf"{venues.IN.pattern}\s*(?:{venues.CONTAINER.pattern})"),
    "in_edited": re.compile(rf"{venues.IN.pattern}{venues.EDITORS_SOON.pattern}"),
    "in": venues.IN,
    "container": venues.CONTAINER,
    "container_soon": venues.CONTAINER_SOON,
    "thesis": venues.THESIS,
    "place": venues.PLACE,
    "edition": venues.EDITION,
    "edited": venues.EDITED,
    "numbered": venues.NUMBERED,
    "publisher": venues.PUBLISHER,
    "numbers": venues.NUMBERS,
    "only_numbers": venues.NOTHING_BUT_NUMBERS,
    "lower": re.compile(r"(?!(?:in|ed|eds|pp|vol|no)\b)[^\W\d_A-Z]"),
    "capital": re.compile(r"[^\W\d_a-zß-öø-ÿ]"),
    "abbreviations": re.compile(r"(?:[^\W\d_]{1,9}\.\s?){2}|[^\W\d_a-z][^\W\d_]{0,8}\.,?\s\d"),
    "short_then_number": re.compile(r"(?:[^\W\d_]+[\s.,]+){1,4}\d"),
    "year_first": re.compile(r"\(?(?:1[89]|20)\d\d"),
}
"""What may stand behind a title."""
FIRST = {
    **dict.fromkeys(("in_colon", "in_container", "in_edited", "in"), re.compile(r"[IiEeDd]")),
    "thesis": re.compile(r"[(\[acdfimprstuwb]", re.IGNORECASE),
    "place": re.compile(r"[^\W\d_a-z]"),
    "edition": re.compile(r"[(\[\dfnrst]", re.IGNORECASE),
    "edited": re.compile(r"[(ehtü]", re.IGNORECASE),
    "numbered": re.compile(r"[^\W\d_]"),
    "numbers": re.compile(r"[(\[\dabcinpsv]", re.IGNORECASE),
    "abbreviations": re.compile(r"[^\W\d_]"),
    "short_then_number": re.compile(r"[^\W\d_]"),
    "lower": re.compile(r"[^\W\d_A-Z]"),
    "capital": re.compile(r"[^\W\d_a-z]"),
    "year_first": re.compile(r"[(12]"),
}
"""Letters with which some of that may begin, so that the rest of them is not looked for elsewhere."""
_IN_BRACKETS = {
    "edition": venues.EDITION,
    "edited": venues.EDITED,
    "thesis": venues.THESIS,
    "publisher": venues.PUBLISHER,
    "place": venues.PLACE,
    "numbers": re.compile(r"(?:vol|pp?\b|pages|no\b)", re.IGNORECASE),
    "year": re.compile(r"(?:[\w.,]+\s){0,3}(?:1[5-9]|20)\d\d[a-z]?$"),
    "in": re.compile(r"[Ii]n\s"),
    "acronym": re.compile(r"[A-Z][A-Za-z0-9-]{1,9}$"),
}
"""What may stand in brackets behind a title."""
_HOLDS = {
    "people": re.compile(
        r"(?=[\s.,e])(?:[\s.][^\W\d_a-z]\.,?\s+(?:and|&)\s|\bet al\.|"
        r"(?<=[^\W\d_a-z]\.),\s[^\W\d_a-z]|(?<=[^\W\d_]),\s[^\W\d_a-z]\.)"
    ),
    "dated": re.compile(r"\b(?:1[89]|20)\d\d[a-z]?\)?[.,:]\s+[^\W\d_]"),
    "container": re.compile(
        r"\b(?:Proceedings of|Proc\. |Lecture Notes in|Journal of|Conference on|Transactions on|Advances in Neural)"
    ),
    "pages": re.compile(r"(?=[Pp\dv])(?:\b(?:[Pp]p?\. ?|pages |vol\. ?)\d|\d\s?\(\d+\)|\d[:,]\s?\d+[-–]\d)"),
    "publisher": re.compile(r"\b(?:University Press|Springer|Elsevier|Wiley|Press,)"),
    "place": re.compile(r"[^\W\d_a-z]\w+:\s(?:[^\W\d_a-z][\w&-]+\s){0,3}(?:Press|Verlag|Publish)"),
    "colon": re.compile(r":\s"),
    "abbreviation": re.compile(r"[^\W\d_a-z][a-z]{1,5}\.\s[^\W\d_a-z]"),
    "question": re.compile(r"\?\s"),
}
"""What a stretch of text may hold; most of it speaks against a title."""
_BEGINS = {
    "starts_as_venue": re.compile(r"(?:In|in|Proceedings|Proc\.|J\.|Journal of|IEEE Trans|ACM Trans|vol|pp)\b"),
    "starts_joined": re.compile(r"(?:and|&|et al)\b"),
    "starts_odd": re.compile(r"[^\w\"'“‘(\[<¿¡$\\]"),
    "starts_lower": re.compile(r"[^\W\d_A-Z]"),
    "starts_digit": re.compile(r"\d"),
    "starts_initial": re.compile(r"[^\W\d_a-z]\."),
    "starts_named": re.compile(r"[^\W\d_a-z][\w'’-]+,\s[^\W\d_a-z]"),
}
"""What it may begin with."""
_Matches: TypeAlias = "tuple[tuple[str, Callable[..., re.Match[str] | None]], ...]"


def _signs(before: str, patterns: Mapping[str, re.Pattern[str]]) -> _Matches:
    """Return the sign of each pattern with its ``match``: looked up once, asked a hundred times a string."""
    return tuple((f"{before}:{name}", pattern.match) for name, pattern in patterns.items())


@lru_cache(maxsize=1024)
def _possible(strong: str, first: str) -> _Matches:
    """Return the signs of what may stand behind a title and may begin with the letter ``first``."""
    return _signs(strong, {name: BEHIND[name] for name in BEHIND if name not in FIRST or FIRST[name].match(first)})


_BRACKETED_SIGNS = _signs("bracketed", _IN_BRACKETS)
_BEGIN_SIGNS = _signs("has", _BEGINS)
_NAME_ALONE = re.compile(r"[^\W\d_a-z][\w'’-]+(?:,?\s[^\W\d_a-z]\.?){0,3}$")
_ABBREVIATIONS = re.compile(r"(?:(?:[^\W\d_a-z][^\W\d_]{0,8}\.|&|of|and|[A-Z])\s?){1,8}")
_JOINING = frozenset(
    ("of", "the", "and", "for", "in", "on", "a", "an", "with", "to", "from", "by", "at", "or", "de", "la", "und", "der")
)
"""Words behind which a title goes on."""
_YEAR = re.compile(r"(?=[12])\b(?:1[89]|20)\d\d[a-z]?\b")
_CLOSING = frozenset(")]")
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
_LENGTH_SIGNS = [f"words:{next(label for most, label in _LENGTHS if words <= most)}" for words in range(32)]
"""The sign of each number of words; the last one is that of any larger number."""
_MOST_PASSED = 30


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
            return Title(inner.strip(" ,.;:"), start, found.end(), "quote", (_ENDS_QUOTE,), weight_of(_ENDS_QUOTE))
        at = found.end()
    return None
