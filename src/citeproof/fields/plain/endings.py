"""The places of a reference string where its title may end, each with what speaks for it."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from citeproof.fields.plain import venues
from citeproof.fields.plain.following import Following
from citeproof.fields.plain.signs import weight_of, weight_together

if TYPE_CHECKING:
    from collections.abc import Iterator

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
_LONGEST_BEGUN = 40
"""Letters."""


Ending: TypeAlias = "tuple[str, int, int, int, int, int, bool, int, int]"
"""A place where a title may end:

* the kind of sign that ends the title
* where the sign begins
* where the title ends: before that sign, and others right before it
* where what follows begins
* how many words of the text begin before the sign
* one more than how many numbers follow; 0 where anything else does
* whether an abbreviated word of a venue stands before it: ``A theory of the learnable. Commun``
* what weighs a title that does not end here
* what the sign and all that follows weigh at most

A dozen are made of one string and each is taken apart four times, hence no class of its own.
"""


class Weighed(NamedTuple):
    """An ending with all that follows it."""

    signs: tuple[str, ...]
    """The name of its kind, and of the signs in what follows."""
    weight: int
    """What they weigh together."""
    closing: str
    """The name of the sign in the title's last word; empty where there is none."""
    closing_weight: int


class Endings:
    """Finds the endings of one text, whose words are parted by single spaces.

    They are found when they are asked for: of a long text only those near a beginning are.
    """

    def __init__(self, text: str, words: Words) -> None:
        self._text, self._words, self._following = text, words, Following(text, words)
        lowered = text.lower()
        self._odd_numbers = "[" in text or "rXiv:" in text
        self._numbers_stay_alone = "[" not in text and "rxiv:" not in lowered and "press" not in lowered
        """Nothing but numbers follows any ending behind one that nothing but numbers follows."""
        self._only_numbers_from = len(text) + 1
        self._numbers: list[int] = []
        """Where the numbers behind it begin."""
        self._all = self._found()
        self._known: list[Ending] = []
        self._starts: list[int] = []
        self._weighed: dict[int, Weighed] = {}

    def behind(self, start: int, most: int) -> tuple[int, list[Ending]]:
        """Return the endings at or behind ``start``, so many at ``most``, and the place of the first, counted from 0.

        The last one is the end of the text.
        """
        starts = self._starts
        while not (starts and starts[-1] >= start):
            self._find(1)
        first = bisect_left(starts, start)
        if len(starts) < first + most:
            self._find(first + most - len(starts))
        return first, self._known[first : first + most]

    def __getitem__(self, place: int) -> Ending:
        """Return the ending at a place that was asked for before."""
        return self._known[place]

    def weighed(self, place: int) -> Weighed:
        """Return what speaks for and against the ending at such a place: few are worth it."""
        if place not in self._weighed:
            self._weighed[place] = self._weigh(self._known[place])
        return self._weighed[place]

    def _find(self, count: int) -> None:
        for ending in islice(self._all, count):
            self._known.append(ending)
            self._starts.append(ending[1])

    def _found(self) -> Iterator[Ending]:
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
            yield self._ending(kind, start, behind, inside_venue)
        yield self._ending("string", len(text), len(text), False)

    def _ending(self, kind: str, start: int, behind: int, inside_venue: bool) -> Ending:
        """Return the ending at ``start``; the title ends before signs that stand there."""
        words, text = self._words, self._text
        signs = " ,.;:" if kind == "string" else " ,;:"
        last = start
        while last and text[last - 1] in signs:
            last -= 1
        number_of_words = bisect_right(words.ends, start)
        numbers = self._numbers_alone(behind) if behind >= words.numbers_from or self._odd_numbers else 0
        most = _ENDS[kind] + self._following.most(behind, kind, numbers)
        return kind, start, last, behind, number_of_words, numbers, inside_venue, _PASSES[kind], most

    def _weigh(self, ending: Ending) -> Weighed:
        words, text = self._words, self._text
        kind, _, last, behind, _, numbers, _, _, _ = ending
        signs = (f"ends:{kind}", *self._following.signs(behind, kind, numbers))
        closing = "has:ends_joining" if words.joins_at(last) else ""
        if words.year_at(last - 1 if text[last - 1 : last] in _CLOSING else last):
            closing = "has:ends_in_year"
        return Weighed(signs, weight_together(signs), closing, _WEIGHT[closing])

    def _numbers_alone(self, end: int) -> int:
        """Return one more than how many numbers there are behind ``end``; 0 where there is anything else."""
        if end < self._only_numbers_from:
            if not venues.NOTHING_BUT_NUMBERS.match(self._text[end:]):
                return 0
            self._numbers = [match.start() for match in _NUMBER.finditer(self._text, end)]
            if self._numbers_stay_alone:
                self._only_numbers_from = end
        return 1 + len(self._numbers) - bisect_left(self._numbers, end)


_CLOSING = frozenset(")]")
_WEIGHT = {sign: weight_of((sign,)) for sign in ("", "has:ends_joining", "has:ends_in_year")}
_ENDS = {kind: weight_of((f"ends:{kind}",)) for kind in ENDINGS}
_PASSES = {kind: weight_of((f"passes:{kind}",)) for kind in ENDINGS}
_NUMBER = re.compile(r"\d+")
