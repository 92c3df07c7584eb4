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
    r"(?P<stop>[.?!]+[”’\")]*(?=\s|$|[^\W\d_a-z][a-z]))|(?P<comma>,(?=\s))|(?P<slashes>//)|(?P<semicolon>;(?=\s))|(?P<colon>:(?=\s))|(?P<bracket>\s(?=[(\[]))|(?P<mark>\[)|(?P<year>\s(?=(?:1[89]|20)\d\d[.,;:\s]))|(?P<number>\s(?=\d{1,5}[A-Za-z]?\s*[(,:/]))|(?P<in>\s(?=(?:In|in)[\s:]))|(?P<dash>\s[-–—](?=\s))"
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


def proposals(text: str, start: int) -> Iterator[Title]:
    """Yield every title that may begin at ``start`` of ``text``."""
    start += len(text[start:]) - len(text[start:].lstrip(" ,.:;"))
    if quoted := _quoted(text, start):
        yield quoted
        return
    held = {name: found.end() for name, pattern in _HOLDS.items() if (found := pattern.search(text, start))}
    begins = tuple(f"has:{name}" for name, pattern in _BEGINS.items() if pattern.match(text, start))
    passed: list[str] = []
    for match in _DELIMITER.finditer(text, start):
        kind = str(match.lastgroup)
        sign = match[0]
        if kind == "stop" and sign[0] == "." and _ABBREVIATED.search(text, start, match.start()):
            kind = "abbreviation"
        end = match.start() + (len(sign.rstrip(".")) if kind == "stop" and sign[0] in "?!" else 0)
        if kind == "mark" and not venues.BRACKET_MARK.match(text, match.start()):
            continue
        written = text[start:end].strip(" ,;:")
        yield Title(
            written,
            match.end(),
            kind,
            (*passed, f"ends:{kind}", *begins, *_shape(written, end, held), *_following(text, match.end(), kind)),
        )
        passed.append(f"passes:{kind}")
        if len(passed) > _MOST_PASSED:
            return
    written = text[start:].strip(" ,.;:")
    yield Title(written, len(text), "string", (*passed, "ends:string", *begins, *_shape(written, len(text), held)))


def _following(text: str, end: int, kind: str) -> Iterator[str]:
    """Yield the signs in what follows a title that ends at ``end``."""
    rest = text[end : end + _SEEN].lstrip(" ,.;:")
    if not rest:
        yield "follows:nothing"
    elif kind == "bracket":
        inside = rest[1 : 1 + max(rest.find(")"), rest.find("]"), 0)]
        named = [name for name, pattern in _IN_BRACKETS.items() if pattern.match(inside)]
        yield from (f"bracketed:{name}" for name in named or ["other"])
    else:
        strong = "stop" if kind in {"stop", "slashes", "mark"} else "weak"
        named = [name for name, pattern in _BEHIND.items() if pattern.match(rest)]
        yield from (f"{strong}:{name}" for name in named or ["other"])


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
_YEAR_LAST = re.compile(r"\b(?:1[89]|20)\d\d[a-z]?[)\]]?$")


def _shape(title: str, end: int, held: Mapping[str, int]) -> Iterator[str]:
    """Yield the signs in a stretch of text that ends at ``end``; ``held`` is where the first of each kind ends."""
    words = len(_WORDS.findall(title))
    yield f"words:{next(label for most, label in _LENGTHS if words <= most)}"
    yield from (f"has:{name}" for name, at in held.items() if at <= end)
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
    (1000, "31-"),
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
