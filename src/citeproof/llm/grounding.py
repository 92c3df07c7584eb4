"""Whether a field that a model returns stands in the raw reference. What does not is dropped.

So a model cannot invent a title, and text inside an entry cannot make it do so: only words of the reference
itself come out, in their order.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from citeproof.text.identifiers import find_arxiv_id, find_doi
from citeproof.text.normalize import normalize_title

if TYPE_CHECKING:
    from citeproof.llm.reply import Fields

_BROKEN_WORD = re.compile(r"(?<=\w)[-\u00ad\u2010]\s*\n\s*(?=\w)")
_LONG = 20
"""Letters. A field of fewer must stand between spaces: "form" is in "platform" and says nothing."""


@dataclass(frozen=True, slots=True)
class Grounded:
    """The fields that stand in the raw text, and the names of those that did not."""

    title: str
    authors: tuple[str, ...]
    year: int | None
    venue: str
    doi: str
    arxiv_id: str
    dropped: tuple[str, ...]


def ground(fields: Fields, raw: str) -> Grounded:
    """Return those of ``fields`` that are found in ``raw``."""
    text = _Text(raw)
    authors = tuple(author for author in fields.authors if text.holds_name(author))
    kept = {
        "title": fields.title if text.holds(fields.title) else "",
        "venue": fields.venue if text.holds(fields.venue) else "",
        "doi": fields.doi if fields.doi and find_doi(fields.doi) == find_doi(raw) != "" else "",
        "arxiv_id": fields.arxiv_id if fields.arxiv_id and find_arxiv_id(fields.arxiv_id) == find_arxiv_id(raw) else "",
    }
    year = fields.year if text.holds_year(fields.year) else None
    dropped = [name for name, value in kept.items() if getattr(fields, name) and not value]
    dropped += ["authors"] if len(authors) < len(fields.authors) else []
    dropped += ["year"] if fields.year is not None and year is None else []
    return Grounded(
        title=kept["title"],
        authors=authors,
        year=year,
        venue=kept["venue"],
        doi=find_doi(kept["doi"]),
        arxiv_id=find_arxiv_id(kept["arxiv_id"]),
        dropped=tuple(dropped),
    )


class _Text:
    """A raw reference as words: those broken at a line end once joined and once as compounds."""

    def __init__(self, raw: str) -> None:
        self._raw = raw
        self._mended = normalize_title(_BROKEN_WORD.sub("", raw))
        self._kept = normalize_title(_BROKEN_WORD.sub("-", raw))
        self._words = {*self._mended.split(), *self._kept.split()}

    def holds(self, value: str) -> bool:
        """Whether ``value`` stands here as a run of whole words, line breaks aside."""
        wanted = normalize_title(value)
        if not wanted:
            return False
        if any(f" {wanted} " in f" {text} " for text in (self._mended, self._kept)):
            return True
        packed = wanted.replace(" ", "")
        return len(packed) >= _LONG and any(packed in text.replace(" ", "") for text in (self._mended, self._kept))

    def holds_year(self, year: int | None) -> bool:
        """Whether the digits of ``year`` stand here for themselves, as no part of a number or identifier."""
        return year is not None and re.search(rf"(?<![\d.]){year}(?!\d|\.\d)", self._raw) is not None

    def holds_name(self, name: str) -> bool:
        """Whether each word of a name stands here; initials may be written together and in any order."""
        words = normalize_title(name).split()
        return bool(words) and all(word in self._words for word in words)
