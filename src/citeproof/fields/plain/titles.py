"""Where the title of a reference string may be: every place where it may end, with the signs that speak for it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from citeproof.fields.plain import venues

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

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
    r"(?P<stop>[.?!]+[”’\")]*(?=\s|$|[^\W\d_a-z][a-z]))|(?P<comma_in>,(?=\s[Ii]n:\s))|(?P<comma>,(?=\s))|(?P<slashes>//)|(?P<semicolon>;(?=\s))|(?P<colon>:(?=\s))|(?P<bracket>\s(?=[(\[]))|(?P<mark>\[)|(?P<year>\s(?=(?:1[89]|20)\d\d[.,;:\s]))|(?P<number>\s(?=\d{1,5}[A-Za-z]?\s*[(,:/]))|(?P<in>\s(?=(?:In|in)[\s:]))|(?P<dash>\s[-–—](?=\s))"
)
_ABBREVIATED = re.compile(
    r"(?:\b(?:vs|e\.g|i\.e|cf|al|St|Dr|Mr|Mrs|Ms|No|Nos|Vol|vol|no|pp|ca|c|approx|etc|ed|eds|Jr|Sr|sp|spp|var|subsp|fig|Fig|[^\W\d_])|\b[A-Z]\.[A-Z])$"
)
_SEEN = 130
"""So many characters behind a title show what follows it."""
_WORDS = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Title:
    """A proposal: the title is this, and what follows begins at ``end``."""

    text: str
    end: int
    ending: str
    """The kind of sign that ends it."""
    signs: tuple[str, ...]
    """Names of what speaks for or against it; :mod:`citeproof.fields.plain.weights` says how much."""


@dataclass(frozen=True, slots=True)
class _End:
    """A place where a title may end."""

    kind: str
    """The kind of sign that ends it."""
    start: int
    """Where the sign begins, and the title ends."""
    behind: int
    """Where what follows begins."""
    following: tuple[str, ...]
    """The signs in what follows."""


class Ends:
    """Every place of a text where a title may end: found once, for all places where one may begin."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._ends = list(_ends(text))
        self._held = {name: list(pattern.finditer(text)) for name, pattern in _HOLDS.items()}
        self._numbers: dict[int, int] = {}

    def titles(self, start: int) -> Iterator[Title]:
        """Yield every title that may begin at ``start``."""
        text = self._text
        start += len(text[start:]) - len(text[start:].lstrip(" ,.:;"))
        if quoted := _quoted(text, start):
            yield quoted
            return
        held = self._first_held(start)
        begins = tuple(f"has:{name}" for name, pattern in _BEGINS.items() if pattern.match(text, start))
        passed: list[str] = []
        for end in self._ends:
            if end.start < start:
                continue
            written = text[start : end.start].strip(" ,;:")
            shape = _shape(written, end.start, held)
            yield Title(written, end.behind, end.kind, (*passed, f"ends:{end.kind}", *begins, *shape, *end.following))
            passed.append(f"passes:{end.kind}")
            if len(passed) > _MOST_PASSED:
                return
        written = text[start:].strip(" ,.;:")
        yield Title(written, len(text), "string", (*passed, "ends:string", *begins, *_shape(written, len(text), held)))

    def numbers_alone(self, end: int) -> int:
        """Return one more than how many numbers there are behind ``end``; 0 where there is anything else."""
        if end not in self._numbers:
            rest = self._text[end:]
            alone = venues.NOTHING_BUT_NUMBERS.match(rest)
            self._numbers[end] = 1 + len(_NUMBER.findall(rest)) if alone else 0
        return self._numbers[end]

    def _first_held(self, start: int) -> dict[str, int]:
        """Return where the first of each kind of thing that speaks against a title ends, behind ``start``."""
        firsts = (
            (name, next((one for one in found if one.start() >= start), None)) for name, found in self._held.items()
        )
        return {name: first.end() for name, first in firsts if first}


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
        yield _End(kind, start, behind, tuple(_following(text, behind, kind)))


_LONGEST_ABBREVIATION = 8
"""Letters."""


def _following(text: str, end: int, kind: str) -> Iterator[str]:
    """Yield the signs in what follows a title that ends at ``end``."""
    rest = text[end : end + _SEEN].lstrip(" ,.;:")
    if not rest:
        yield "follows:nothing"
    elif kind == "bracket":
        inside = rest[1 : 1 + max(rest.find(")"), rest.find("]"), 0)]
        named = [name for name, pattern in _IN_BRACKETS.items() if pattern.match(inside)]
        yield from (f"bracketed:{name}" for name in named or ["other"])
        behind = rest[len(inside) + 2 : len(inside) + 4].strip()[:1]
        yield f"bracketed_then:{behind if behind in '.,:;' else 'letter'}"
    else:
        strong = "stop" if kind in {"stop", "slashes", "mark"} else "weak"
        named = [name for name, pattern in _BEHIND.items() if pattern.match(rest)]
        yield from (f"{strong}:{name}" for name in named or ["other"])
        segment = _SEGMENT.match(rest)
        if segment:
            yield f"{strong}:then:{'digit' if segment[2].isdigit() else segment[2]}"
            yield f"{strong}:segment:{min(segment[1].count(' '), 9)}"
        if _ARTICLE.match(rest):
            yield f"{strong}:article"


_SEGMENT = re.compile(r"([^.,;:()\[\]\d]{1,90})([.,;:()\[\]\d])")
"""What comes next, up to the next sign or number."""
_ARTICLE = re.compile(r"(?:A|An|The|La|Le|Les|Der|Die|Das|El)\s")


_BEHIND = {
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
        r"[\s.][^\W\d_a-z]\.,?\s+(?:and|&)\s|\bet al\.|[^\W\d_a-z]\.,\s[^\W\d_a-z]|[^\W\d_]+,\s[^\W\d_a-z]\."
    ),
    "dated": re.compile(r"\b(?:1[89]|20)\d\d[a-z]?\)?[.,:]\s+[^\W\d_]"),
    "container": re.compile(
        r"\b(?:Proceedings of|Proc\. |Lecture Notes in|Journal of|Conference on|Transactions on|Advances in Neural)"
    ),
    "pages": re.compile(r"\b[Pp]p?\. ?\d|\bpages \d|\d\s?\(\d+\)|\d[:,]\s?\d+[-–]\d|\bvol\. ?\d"),
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
_NAME_ALONE = re.compile(r"[^\W\d_a-z][\w'’-]+(?:,?\s[^\W\d_a-z]\.?){0,3}$")
_ABBREVIATIONS = re.compile(r"(?:(?:[^\W\d_a-z][^\W\d_]{0,8}\.|&|of|and|[A-Z])\s?){1,8}")
_JOINING_LAST = re.compile(r"\b(?:of|the|and|for|in|on|an?|with|to|from|by|at|or|de|la|und|der)$", re.IGNORECASE)
_YEAR_LAST = re.compile(r"\b(?:1[89]|20)\d\d[a-z]?[)\]]?$")


def _shape(title: str, end: int, held: Mapping[str, int]) -> Iterator[str]:
    """Yield the signs in a stretch of text that ends at ``end``; ``held`` is where the first of each kind ends."""
    words = len(_WORDS.findall(title))
    yield f"words:{next(label for most, label in _LENGTHS if words <= most)}"
    yield from (f"has:{name}" for name, at in held.items() if at <= end)
    if title.count("(") > title.count(")") or title.count("[") > title.count("]"):
        yield "has:open_bracket"
    if _JOINING_LAST.search(title, max(0, len(title) - 8)):
        yield "has:ends_joining"
    if _YEAR_LAST.search(title, max(0, len(title) - 8)):
        yield "has:ends_in_year"
    if words < 8 and _ABBREVIATIONS.fullmatch(title + "."):
        yield "has:abbreviations_alone"
    if words < 5 and _NAME_ALONE.match(title):
        yield "has:name_alone"


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
_MOST_PASSED = 30


def _quoted(text: str, start: int) -> Title | None:
    """Return a title in quotation marks that begins at ``start``."""
    opening = next((sign for sign in _QUOTES if text.startswith(sign, start)), "")
    if not opening:
        return None
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
            return Title(inner.strip(" ,.;:"), found.end(), "quote", ("ends:quote",))
        at = found.end()
    return None
