"""The positions of the words in a reference string, found once."""

import re
from collections.abc import Set

_WORD = re.compile(r"\w+")
_PLAIN_WORD = re.compile(r"[0-9A-Za-z_]+")
"""Regex of a word in an ASCII text. It has the same matches as ``_WORD``, in a third of the time."""
_YEAR = re.compile(r"(?:1[89]|20)\d\d[a-z]?")
JOINING = frozenset(
    ("of", "the", "and", "for", "in", "on", "a", "an", "with", "to", "from", "by", "at", "or", "de", "la", "und", "der")
)
"""Lower-case connectives and articles, with which no title ends."""
_AMONG_NUMBERS = frozenset(
    ("vol", "volume", "no", "nr", "p", "pp", "page", "pages", "issue", "art", "article", "suppl", "supp", "pt", "part",
     "in", "press", "s", "e", "arxiv")
)  # fmt: skip
_NUMERAL_OR_MONTH = re.compile(r"[ivx]+|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*", re.IGNORECASE)


class Words:
    """The words of one text, in order."""

    def __init__(self, text: str) -> None:
        self._text = text
        self.ending_at: dict[int, str] = {}  # words by the position of their end
        end = 0
        for word in (_PLAIN_WORD if text.isascii() else _WORD).findall(text):
            end = text.find(word, end) + len(word)  # only punctuation and spaces come before it
            self.ending_at[end] = word
        self.ends = list(self.ending_at)
        self._written = frozenset(self.ending_at.values())

    def numbers_from(self) -> int:
        """Return the end of the last word before the final numbers, such as ``vol. 3, pp. 1-9, May 2001``."""
        for end, word in reversed(self.ending_at.items()):
            if word.isalpha() and word.lower() not in _AMONG_NUMBERS and not _NUMERAL_OR_MONTH.fullmatch(word):
                return end
        return 0

    def year_at(self, end: int) -> bool:
        """Return whether a year ends at ``end``."""
        word = self.ending_at.get(end, "")
        return "1" < word < "3" and _YEAR.fullmatch(word) is not None

    def year_from(self, start: int) -> bool:
        """Return whether a year begins at ``start``."""
        return _YEAR.match(self._text, start) is not None and not self._text[start + 4 : start + 5].isdecimal()

    def places_of(self, wanted: Set[str]) -> list[int]:
        """Return the start of each occurrence of the words ``wanted``, in order."""
        places = []
        for word in self._written & wanted:
            begin = self._text.find(word)
            while begin >= 0:
                end = begin + len(word)
                if self.ending_at.get(end) == word:
                    places.append(begin)
                begin = self._text.find(word, end)
        return sorted(places)
