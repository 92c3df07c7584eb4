"""Find the positions in a reference string at which the title may end, called endings, and score
them.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from heapq import merge
from typing import NamedTuple

from citeproof.readers.strings import venues
from citeproof.readers.strings.features import A_YEAR, Words, weight_of
from citeproof.readers.strings.following import SEEN, STRONG, Following

_DELIMITER = re.compile(
    r"[.?!,/;: \[](?:"
    r"(?=[(\[\diI–—-])(?<= )(?:(?P<bracket>(?=[(\[]))|(?P<year>(?=(?:1[89]|20)\d\d[a-z]?(?:[.,;:"
    r" ]|$)))|"
    r"(?P<number>(?=\d{1,5}[A-Za-z]? *[(,:/]))|(?P<in>(?=(?:In|in)[ :]))|(?P<dash>[-–—](?= )))|"
    r"(?<! )(?:(?<=\.)(?P<stop>[.?!]*[”’\")]*(?= |$|[^\W\d_a-z][a-z]))|"
    r"(?<=[?!])(?P<question>[.?!]*[”’\")]*(?= |$|[^\W\d_a-z][a-z]))|"
    r"(?<=,)(?:(?P<comma_in>(?= [Ii]n: ))|(?P<comma>(?= )))|(?<=/)(?P<slashes>/)|"
    r"(?<=;)(?P<semicolon>(?= ))|(?<=:)(?P<colon>(?= ))|(?<=\[)(?P<mark>)))"
)
"""Regex for punctuation that may end a title. The named groups are the kinds of punctuation, such
as ``stop`` for a full stop.
"""
_EDITOR = r"(?:[^\W\d_a-z]\. ?){1,4}[^\W\d_a-z][\w’'-]+"
_ABBREVIATIONS = (
    r"(?:[A-Z][\w-]*[A-Z][\w-]*(?: [A-Z]\w+)?|(?:[A-Z][a-z]{0,7}\. ?){2,}(?:[A-Z][\w.]*)?)"
)
_PAGES = r" (?:pp? \d|\d+ \w?\d)[\w–-]*\.?$"
_PAGES_LAST = re.compile(_PAGES)  # volume and pages without punctuation, such as ``5 1–9``
_LONGEST_PAGES = 30  # maximum number of their characters
_UNPUNCTUATED = re.compile(
    r" (?<=[\w?!)] )(?:"
    r"(?P<thesis>(?=(?:Ph\.? ?D\.?|M\.? ?Sc\.?|[Mm]aster(?:[’']?s)?|[Dd]octoral)"
    r" (?:[Tt]hesis|[Dd]issertation)))|"
    rf"(?P<editor>(?={_EDITOR}(?: (?:&|and) {_EDITOR}| et al\.)?, eds?\.))|"
    rf"(?P<abbreviated>(?<=[\w?!)] )(?={_ABBREVIATIONS}{_PAGES})))"
)
"""Regex for the space between a title and an editor, ``PhD thesis``, or an abbreviated venue with
pages. Examples: ``In Vivo E. S. Abdelhay, ed.`` and ``On winter ICML pp 1–9``.
"""
# ``_UNPUNCTUATED`` matches only in texts that contain one of these strings or end in pages
_LITERALS = ("hesis", "issertation", ", ed")
ENDINGS = (*_DELIMITER.groupindex, *_UNPUNCTUATED.groupindex, "abbreviation", "string")
"""Kinds of punctuation that may end a title without quotation marks, such as ``stop`` for a full
stop.
"""
_ABBREVIATION_LIST = """
vs cf al St Dr Mr Mrs Ms No Nos Vol vol no pp ca approx etc ed eds Jr Sr sp spp var subsp fig Fig
Univ Dept tr trans Trad Ed Jan Feb Aug Sep Sept Oct Nov Dec
"""
_ABBREVIATED = frozenset(_ABBREVIATION_LIST.split())
"""Abbreviations, such as ``vs``. The full stop after them does not end a sentence."""
_JOINING_LIST = "of the and for in on a an with to from by at or de la und der"
# lower-case words that are never the last word of a title
_JOINING = frozenset(_JOINING_LIST.split())
_ORDINAL = re.compile(r"\b(?:d(?:er|ie|as|es|em|en)|zu[mr]|am|vom|im|beim) \d{1,3}$")
"""Regex for an ordinal number in German after an article or preposition: ``zur 1`` in
``zur 1. Konferenz``.
"""
# number of characters before a full stop in which the beginning of a venue is searched for
_BEFORE_STOP = 40
_NUMERAL_ALONE = re.compile(r"\. [IVX]{1,5}$")
"""Regex for a Roman numeral between full stops: ``. VIII`` in ``Graph minors. VIII. A theorem``."""
_AFTER_COMMA = re.compile(r", (?:1[89]|20)\d\d[a-z]?$")
_YEAR = re.compile(r"(?<![\w.–-])(?:1[89]|20)\d\d[a-z]?(?![\w–-]|\.\d)")
"""Regex for a year. Parts of dates, page ranges and arXiv ids do not match."""
_ENDS = {kind: f"ends:{kind}" for kind in ENDINGS}
_PASSES = {kind: weight_of((f"passes:{kind}",)) for kind in ENDINGS}
_NUMBER = re.compile(r"\d+")
_YEAR_ALONE = re.compile(r"(?<!\d)(?:1[89]|20)\d\d(?!\d)")
MOST_PASSED = 30  # maximum number of endings inside a title
_MOST_NUMBERED = 4  # maximum number of endings before the numbers of volume, pages and year


_LOOKS = ("numbers", "digit", "upper", "lower", "other", "nothing")
_STRONGEST = (500, 900, 1250, 1200, 600, 0)
_WEAKEST = (250, 800, 700, 750, 500, 0)
_HIGHEST = {"bracket": (400, 800, 700, 750, 850, 0), "in": (250, 800, 750, 1700, 500, 0)}
_MOST = {
    (kind, looks): weight_of((ends,)) + most
    for kind, ends in _ENDS.items()
    for looks, most in zip(
        _LOOKS, _HIGHEST.get(kind, _STRONGEST if kind in STRONG else _WEAKEST), strict=True
    )
}
"""Maximum score of an ending and the text after it, by the kind of punctuation and by what follows:
only numbers, or a first character.

It is at least 0.79 higher than for any of 11,505 reference strings.
"""


class Ending(NamedTuple):
    """A position in a reference string at which the title may end."""

    kind: str  # kind of punctuation at the position, such as ``stop``: a full stop
    start: int  # position of the punctuation
    title_end: int  # end of the title, before all punctuation
    behind: int  # start of the text after the punctuation
    words: int  # number of words in the string before the punctuation
    numbers: int
    """If only numbers follow the punctuation, how many they are, plus one. If a single year
    follows, ``A_YEAR``. Otherwise 0.
    """
    inside_venue: bool
    """Whether an abbreviated venue begins before the punctuation, as in
    ``A theory of the learnable. Commun``.
    """
    passed: int  # score of a title that continues after the punctuation, in hundredths
    most: int  # upper bound of the score of the punctuation and the text after it, in hundredths


class Endings:
    """The endings in one reference string, which must not have double spaces. They are the
    positions at which the title may end.
    """

    def __init__(self, text: str, words: Words, first: int = 0, last: int = 0) -> None:
        """``first`` and ``last`` are the first and the last position at which a title may begin.
        The search for endings begins at ``first`` and stops soon after ``last``. ``words`` are the
        words of ``text``.
        """
        self._text, self._words, self._after = text, words, Following(text, words)
        self._following: dict[int, tuple[int, tuple[str, ...]]] = {}
        others = (
            end
            for end, word in reversed(words.ending_at.items())
            if not venues.AMONG_NUMBERS.fullmatch(word)
        )
        # an arXiv id in brackets has other words: ``[hep-th/0011193]``
        self._numbers_from = 0 if "[" in text else next(others, 0)
        self.known: list[Ending] = []  # the endings found, from left to right
        behind_last = 0
        for ending in self._found(first):
            self.known.append(ending)
            behind_last += ending.start >= last
            if behind_last > MOST_PASSED:
                break
        self._starts = [ending.start for ending in self.known]

    def behind(self, start: int) -> int:
        """Return the index in :attr:`known` of the first ending at or after the position
        ``start``.
        """
        return bisect_left(self._starts, start)

    def _found(self, first: int) -> Iterator[Ending]:
        text = self._text
        delimiters = _DELIMITER.finditer(text, first)
        has_pages = _PAGES_LAST.search(text, max(0, len(text) - _LONGEST_PAGES))
        if has_pages or any(map(text.__contains__, _LITERALS)):
            delimiters = merge(delimiters, _UNPUNCTUATED.finditer(text, first), key=re.Match.start)
        numbered = 0
        for match in delimiters:
            kind, inside_venue = str(match.lastgroup), False
            start, behind = match.span()
            if kind == "stop":
                word = self._words.ending_at.get(start, "")
                if word.isdecimal():
                    before = text[max(0, start - _BEFORE_STOP) : start]
                    if venues.ORDINAL.match(text, behind) or _ORDINAL.search(before):
                        kind = "abbreviation"
                elif word in _ABBREVIATED or (len(word) == 1 and word != "_"):
                    kind = "abbreviation"
                if word in venues.ABBREVIATED_WORDS:
                    inside_venue = (
                        venues.BEGUN.search(text, max(0, start - _BEFORE_STOP), start) is not None
                    )
            elif kind == "question":
                start += len(match[0].rstrip("."))
            elif kind == "mark":
                mark = venues.BRACKET_MARK.match(text, start)
                if not mark:
                    continue
                behind = mark.end()
            ending = self._ending(kind, start, behind, inside_venue)
            yield ending
            numbered += ending.numbers > 0
            if numbered == _MOST_NUMBERED:
                break
        yield self._ending("string", len(text), len(text), False)

    def _ending(self, kind: str, start: int, behind: int, inside_venue: bool) -> Ending:
        """Return the :class:`Ending` for the punctuation from ``start`` to ``behind``, which is of
        the kind ``kind``. ``inside_venue`` is the value of its field of this name.
        """
        title_end = start
        while title_end and self._text[title_end - 1] in (" ,.;:" if kind == "string" else " ,;:"):
            title_end -= 1
        numbers = self._numbers_alone(behind)
        words = bisect_right(self._words.ends, start)
        looks = "numbers" if numbers else _look(self._text[behind : behind + SEEN])
        return Ending(
            kind,
            start,
            title_end,
            behind,
            words,
            numbers,
            inside_venue,
            _PASSES[kind],
            _MOST[kind, looks],
        )

    def following(self, place: int) -> tuple[int, tuple[str, ...]]:
        """Return the score, in hundredths, of the ending with the index ``place`` and of the text
        after it, and the features that determine the score.
        """
        if place not in self._following:
            kind, _, _, behind, _, numbers, *_ = self.known[place]
            clues = _ENDS[kind], *self._after.features(behind, kind, numbers)
            self._following[place] = weight_of(clues), clues
        return self._following[place]

    def closing(self, ending: Ending) -> tuple[str, ...]:
        """Return the features of the last word of a title that ends at ``ending``. These features
        only lower the score.
        """
        text, last = self._text, ending.title_end
        word = self._words.ending_at.get(last, "")
        if self._words.year_at(last - 1 if text[last - 1 : last] in (")", "]") else last):
            is_only_year = _AFTER_COMMA.search(text, 0, last) and len(_YEAR.findall(text)) == 1
            return ("has:ends_in_date" if is_only_year else "has:ends_in_year",)
        if ending.kind == "stop" and word in venues.ABBREVIATED_WORDS:
            return ("has:ends_abbreviated",)
        if word.lower() in _JOINING:
            return ("has:ends_joining",)
        if ending.kind == "stop" and _NUMERAL_ALONE.search(text, 0, last):
            return ("has:ends_in_numeral",)
        return ()

    def _numbers_alone(self, end: int) -> int:
        """Return the value of ``Ending.numbers`` for the text after ``end``. If only numbers
        follow, it is their count plus one, or ``A_YEAR`` for a single year. Otherwise it is 0.
        """
        if end < self._numbers_from:
            return 0
        rest = self._text[end:]
        if not venues.NOTHING_BUT_NUMBERS.match(rest):
            return 0
        numbers = _NUMBER.findall(rest)
        is_year = len(numbers) == 1 and _YEAR_ALONE.search(rest)
        return A_YEAR if is_year else len(numbers) + bool(numbers)


def _look(text: str) -> str:
    """Return what the first character of ``text`` after punctuation is, such as ``digit``."""
    letter = text.lstrip(" ,.;:")[:1]
    if letter.isdigit():
        return "digit"
    if letter.isalpha():
        return "upper" if letter.isupper() else "lower"
    return "other" if letter else "nothing"
