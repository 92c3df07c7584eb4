"""What shows that a reference string was read wrongly: fields that no work has, and strings that read in many ways."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from citeproof.fields.plain.beginnings import is_prose

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from citeproof.fields.plain import Reading

_LONGEST_TITLE = 300
"""Letters; of DBLP's 488,389 titles 0.02 % are longer."""
_LONGEST_NAME = 60
_SENTENCE = re.compile(r"\b(?:is|are|was|were|the|this|that|which|we|can|will|has|have|been)\b")
"""Words in lower case that stand in sentences and in no name."""
_MOST_WORDS = 6
"""Words of a person's name."""
_CLEAR = 100
"""Score by which the best reading leads the best one of another title. Below it the title is right in 51 % of the
labelled strings, above it in 95 %: see ``docs/accuracy.md``."""


def doubts(text: str, readings: Sequence[Reading]) -> tuple[str, ...]:
    """Return why the first of ``readings`` of ``text`` may be wrong, each in a few words; empty: nothing shows it."""
    return tuple(_doubts(text, readings))


def _doubts(text: str, readings: Sequence[Reading]) -> Iterator[str]:
    best = readings[0]
    if is_prose(text):
        yield "it is running text rather than a reference"
    if len(best.title) > _LONGEST_TITLE:
        yield f"the title has {len(best.title)} letters"
    elif not is_clear(readings):
        yield "its title may begin or end elsewhere"
    if any(map(_is_sentence, best.authors)):
        yield "the list of authors is a sentence"
    if len(_PAGES.findall(text)) > 1 or (text.count("10.") > 1 and len(set(_DOI.findall(text))) > 1):
        yield "it may hold parts of two entries"
    if best.year is None and best.title and not _UNDATED.search(text):
        yield "there is no year"


_PAGES = re.compile(r"\b(?:pp|pages)\b\.?\s*\d+\s?[-–—]+\s?\d+")
_DOI = re.compile(r"(?:doi\.org/|\bdoi:\s*)(10\.\d{4,9}/\S+)", re.IGNORECASE)
_UNDATED = re.compile(
    r"\bn\.\s?d\.|no date|forthcoming|in press|to appear|submitted|in preparation|unpublished|https?:|www\.",
    re.IGNORECASE,
)
"""What stands in place of a year; a web page often has none."""


def is_clear(readings: Sequence[Reading]) -> bool:
    """Whether the first reading leads every one of another title by far."""
    best = readings[0]
    return all(best.score - other.score >= _CLEAR for other in readings[1:] if other.title != best.title)


def _is_sentence(name: str) -> bool:
    return len(name) > _LONGEST_NAME and len(name.split()) > _MOST_WORDS and _SENTENCE.search(name) is not None
