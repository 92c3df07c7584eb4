"""The words of a reference string: found once, for all that asks where one begins or ends."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection

_WORD = re.compile(r"\w+")
_YEAR = re.compile(r"(?:1[89]|20)\d\d[a-z]?")
_JOINING = frozenset(
    ("of", "the", "and", "for", "in", "on", "a", "an", "with", "to", "from", "by", "at", "or", "de", "la", "und", "der")
)
"""Words behind which a title goes on."""
_LONGEST_JOINING = 4
_AMONG_NUMBERS = frozenset(
    ("vol", "volume", "no", "nr", "p", "pp", "page", "pages", "issue", "art", "article", "suppl", "supp", "pt", "part",
     "in", "press", "s", "e", "arxiv")
)  # fmt: skip
_AMONG = re.compile(r"[ivx]+|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*", re.IGNORECASE)
"""Words that stand in runs of numbers."""


class Words:
    """The words of one text, in order."""

    def __init__(self, text: str) -> None:
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.ending_at: dict[int, str] = {}
        """Each word, by where it ends."""
        self.joining_ends: set[int] = set()
        """Where words such as ``of`` end."""
        self.year_ends: set[int] = set()
        """Where years end."""
        for match in _WORD.finditer(text):
            start, end = match.span()
            word = match[0]
            self.starts.append(start)
            self.ends.append(end)
            self.ending_at[end] = word
            if end - start <= _LONGEST_JOINING and word.lower() in _JOINING:
                self.joining_ends.add(end)
            if "1" < word < "3" and _YEAR.fullmatch(word):
                self.year_ends.add(end)
        self._written = frozenset(self.ending_at.values())
        self.numbers_from = next((end for end in reversed(self.ends) if not self._numbers_hold(end)), 0)
        """Where the last word ends that stands in no run of numbers, such as ``vol. 3, pp. 1-9, May 2001``."""

    def _numbers_hold(self, end: int) -> bool:
        word = self.ending_at[end]
        return not word.isalpha() or word.lower() in _AMONG_NUMBERS or _AMONG.fullmatch(word) is not None

    def places_of(self, wanted: Collection[str]) -> list[int]:
        """Return where each of the words ``wanted`` begins."""
        if self._written.isdisjoint(wanted):
            return []
        return [start for start, word in zip(self.starts, self.ending_at.values(), strict=True) if word in wanted]
