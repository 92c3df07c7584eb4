"""The places of a reference string where its title may end, each with the signs in what follows it."""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from citeproof.fields.plain import venues
from citeproof.fields.plain.signs import weight_of, weight_together

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from citeproof.fields.plain.words import Words

_DELIMITER = re.compile(
    r"[.?!,/;: \[](?:"
    r"(?=[(\[\diI–—-])(?<= )(?:(?P<bracket>(?=[(\[]))|(?P<year>(?=(?:1[89]|20)\d\d[.,;: ]))|"
    r"(?P<number>(?=\d{1,5}[A-Za-z]? *[(,:/]))|(?P<in>(?=(?:In|in)[ :]))|(?P<dash>[-–—](?= )))|"
    r"(?<! )(?:(?<=[.?!])(?P<stop>[.?!]*[”’\")]*(?= |$|[^\W\d_a-z][a-z]))|"
    r"(?<=,)(?:(?P<comma_in>(?= [Ii]n: ))|(?P<comma>(?= )))|(?<=/)(?P<slashes>/)|"
    r"(?<=;)(?P<semicolon>(?= ))|(?<=:)(?P<colon>(?= ))|(?<=\[)(?P<mark>)))"
)
"""It begins with one letter of a few, so that the others are passed over at once."""
ENDINGS = (*_DELIMITER.groupindex, "abbreviation", "string")
"""The kinds of sign that may end a title outside of quotation marks."""
_ABBREVIATED = frozenset(
    (
        "vs", "cf", "al", "St", "Dr", "Mr", "Mrs", "Ms", "No", "Nos", "Vol", "vol", "no", "pp", "ca", "approx", "etc",
        "ed", "eds", "Jr", "Sr", "sp", "spp", "var", "subsp", "fig", "Fig",
    )
)  # fmt: skip
"""Words that are written so in front of a full stop, as are letters: ``e.g``."""
_SEEN = 130
"""So many characters behind a title show what follows it."""
_LONGEST_BEGUN = 40
"""Letters."""


class Ending(NamedTuple):
    """A place where a title may end. A dozen are made of one string, hence a tuple."""

    kind: str
    """The kind of sign that ends the title."""
    start: int
    """Where the sign begins."""
    last: int
    """Where the title ends: before that sign, and others right before it."""
    words: int
    """How many words of the text begin before it."""
    numbers: int
    """One more than how many numbers follow; 0 where anything else does."""
    weight: int
    """What ``signs`` weigh together."""
    closing_weight: int
    """What ``closing`` weighs."""
    passes_weight: int
    """What ``passes`` weighs."""
    inside_venue: bool
    """An abbreviated word of a venue stands before it: ``A theory of the learnable. Commun``."""
    behind: int
    """Where what follows begins."""
    closing: str
    """The name of the sign in the title's last word; empty where there is none."""
    signs: tuple[str, ...]
    """The name of that kind, and of the signs in what follows."""
    passes: str
    """The name of the sign of a title that does not end here."""


class Endings:
    """Finds the endings of one text, whose words are parted by single spaces."""

    def __init__(self, text: str, words: Words) -> None:
        self._text, self._words = text, words
        soon = {
            "container_soon": words.places_of(venues.CONTAINER_WORDS),
            "numbered": [place for match in venues.NUMBERED.finditer(text) for place in range(*match.span())],
            "publisher": words.places_of(venues.PUBLISHER_WORDS),
        }
        self._soon = [(name, venues.SOON[name], places) for name, places in soon.items() if places]
        self._odd_numbers = "[" in text or "rXiv:" in text

        self._places = list(self._found())
        self._known: dict[int, Ending] = {}
        self.starts = [start for _, start, _, _ in self._places]
        """Where the signs begin, in order; the last one is the end of the text."""

    def __getitem__(self, place: int) -> Ending:
        """Return the ending at one of ``starts``: in a long text only those near a beginning are asked for."""
        if place not in self._known:
            self._known[place] = self._ending(*self._places[place])
        return self._known[place]

    def _found(self) -> Iterator[tuple[str, int, int, bool]]:
        """Yield the kind of each sign, where it begins, where what follows begins, and whether it is inside a venue."""
        text, words = self._text, self._words
        for match in _DELIMITER.finditer(text):
            kind, (start, behind) = str(match.lastgroup), match.span()
            inside_venue = False
            if kind == "stop":
                if text[start] == ".":
                    word = words.ending_at.get(start, "")
                    if word in _ABBREVIATED or (len(word) == 1 and not word.isdecimal() and word != "_"):
                        kind = "abbreviation"
                    if word in venues.ABBREVIATED_WORDS:
                        inside_venue = venues.BEGUN.search(text, max(0, start - _LONGEST_BEGUN), start) is not None
                else:
                    start += len(match[0].rstrip("."))
            elif kind == "mark":
                mark = venues.BRACKET_MARK.match(text, start)
                if not mark:
                    continue
                behind = mark.end()
            yield kind, start, behind, inside_venue
        yield "string", len(text), len(text), False

    def _ending(self, kind: str, start: int, behind: int, inside_venue: bool) -> Ending:
        """Return the ending at ``start``; the title ends before signs that stand there."""
        words, text = self._words, self._text
        signs = " ,.;:" if kind == "string" else " ,;:"
        last = start
        while last and text[last - 1] in signs:
            last -= 1
        numbers = 0
        if behind >= words.numbers_from or self._odd_numbers:
            numbers = self._numbers_alone(behind)
        following = (_ENDS[kind], *self._following(behind, kind, numbers))
        closing = "has:ends_joining" if words.joins_at(last) else ""
        if words.year_at(last - 1 if text[last - 1 : last] in _CLOSING else last):
            closing = "has:ends_in_year"
        passes, passes_weight = _PASSES[kind]
        return Ending(
            kind,
            start,
            last,
            bisect_left(words.starts, start),
            numbers,
            weight_together(following),
            _WEIGHT[closing],
            passes_weight,
            inside_venue,
            behind,
            closing,
            following,
            passes,
        )

    def _numbers_alone(self, end: int) -> int:
        """Return one more than how many numbers there are behind ``end``; 0 where there is anything else."""
        return 1 + len(_NUMBER.findall(self._text, end)) if venues.NOTHING_BUT_NUMBERS.match(self._text[end:]) else 0

    def _following(self, end: int, kind: str, numbers: int) -> Sequence[str]:
        """Return the signs in what follows a title that ends at ``end``."""
        seen = self._text[end : end + _SEEN]
        rest = seen.lstrip(" ,.;:")
        if not rest:
            return () if kind == "string" else ("follows:nothing",)
        if kind == "bracket":
            return _in_brackets(rest)
        strong = "stop" if kind in _STRONG else "weak"
        signs = [sign for sign, matches in _possible(strong, rest[:2]) if not matches or matches(rest)]
        then: tuple[str, ...] = ()
        if segment := _SEGMENT.match(rest):
            words, sign = segment.groups()
            possible, then = _behind_words(strong, sign, words.count(" "))
            signs += [sign for sign, matches in possible if matches(rest)]
        if ": " in rest and _may_be_place(rest) and BEHIND["place"].match(rest):
            signs.append(f"{strong}:place")
        if numbers:
            signs.append(f"{strong}:only_numbers")
        begin = end + len(seen) - len(rest)
        signs += [f"{strong}:{name}" for name, soon, places in self._soon if self._follows(begin, soon, places)]
        signs = signs or [f"{strong}:other"]
        signs += then
        if rest[:2] in _ARTICLES and _ARTICLE.match(rest):
            signs.append(f"{strong}:article")
        return signs

    def _follows(self, begin: int, soon: venues.Reach, places: Sequence[int]) -> bool:
        """Whether one of ``places`` is near behind ``begin``, and nothing between parts them."""
        at = bisect_left(places, begin + soon.nearest)
        if at == len(places) or places[at] - begin > soon.farthest or (soon.named and not self._text[begin].isalpha()):
            return False
        return soon.parts.search(self._text, begin, places[at]) is None


_CLOSING = frozenset(")]")
_WEIGHT = {sign: weight_of((sign,)) for sign in ("", "has:ends_joining", "has:ends_in_year")}
_ENDS = {kind: f"ends:{kind}" for kind in ENDINGS}
_PASSES = {kind: (f"passes:{kind}", weight_of((f"passes:{kind}",))) for kind in ENDINGS}
_STRONG = frozenset(("stop", "slashes", "mark"))
_NUMBER = re.compile(r"\d+")


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
def _possible(strong: str, first: str) -> tuple[tuple[str, Callable[..., re.Match[str] | None] | None], ...]:
    """Return the signs of what may stand behind a title and may begin with the letters ``first``, with their ``match``.

    Where these letters are enough there is none.
    """
    names = (name for name in BEHIND if name not in _BY_SEGMENT and (name not in FIRST or FIRST[name].match(first)))
    certain = {name for name, enough in _ENOUGH.items() if enough.match(first)}
    return tuple((f"{strong}:{name}", None if name in certain else BEHIND[name].match) for name in names)


@lru_cache(maxsize=1024)
def _behind_words(strong: str, sign: str, spaces: int) -> tuple[_Matches, tuple[str, str]]:
    """Return what may stand behind a title where ``sign`` ends the first words, and what those words say."""
    names = []
    if sign == "." and not spaces:
        names.append("abbreviations")
    if (sign in ".," or sign.isdigit()) and spaces <= _SHORT_WORDS:
        names.append("short_then_number")
    then = f"{strong}:then:{'digit' if sign.isdigit() else sign}", f"{strong}:segment:{min(spaces, 9)}"
    return _signs(strong, {name: BEHIND[name] for name in names}), then


_SHORT_WORDS = 4
"""``short_then_number`` has no more words."""
_BY_SEGMENT = frozenset(("place", "abbreviations", "short_then_number"))
"""What is looked for by its first sign instead."""
_ENOUGH = {"capital": BEHIND["capital"], "numbers": re.compile(r"\d")}
"""First letters that are enough."""
_BRACKETED_SIGNS = _signs("bracketed", _IN_BRACKETS)
