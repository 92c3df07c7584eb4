"""Convert a reference string to a reference, with doubts where it was probably misread."""

import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from citeproof.model.reference import NOWHERE, Place, Reference
from citeproof.readers.strings import CLEAR, Reading, best_reading, read_reference
from citeproof.readers.strings.beginnings import SAME_AUTHORS, is_prose
from citeproof.text.identifiers import find_arxiv_id, find_doi

_NOBODY = re.compile(r"Anon(?:ymous)?\.?", re.IGNORECASE)  # the word that styles print for a work without an author


def reference_of_string(text: str, key: str = "", place: Place = NOWHERE) -> Reference:
    """Return the reference of the best reading of ``text``. It retains ``text`` for :func:`other_readings`."""
    best, is_clear = best_reading(text)
    doubts = tuple(_doubts(text, best, is_clear))
    return Reference(key, raw=text, from_text=True, doubts=doubts, string=text, place=place, **_fields(best))


def other_readings(reference: Reference) -> list[Reference]:
    """Return the other readings of the string of ``reference`` that have a title, likeliest first."""
    return [reading for reading in _others(reference) if reading.title]


def likely_readings(reference: Reference) -> list[Reference]:
    """Return the other readings of the string of ``reference`` whose score is close to that of the best one."""
    return _others(reference, within=CLEAR)


def _others(reference: Reference, within: int = sys.maxsize) -> list[Reference]:
    best, *others = read_reference(reference.string) if reference.string else [Reading()]
    read = Reference(reference.key, raw=reference.string, from_text=True, place=reference.place)
    return [with_reading(read, one) for one in others if best.score - one.score < within]


def with_repeated_authors(references: Iterable[Reference]) -> Iterator[Reference]:
    """Yield the references of a list with the authors of the one before in place of ``———`` or ``Ders.``"""
    before: Reference | None = None
    for reference in references:
        if reference.authors and SAME_AUTHORS.fullmatch(reference.authors[0]):
            repeated = before or Reference("")
            authors = *repeated.authors, *reference.authors[1:]
            others = reference.and_others or repeated.and_others
            reference = replace(reference, authors=authors, and_others=others)  # noqa: PLW2901 - kept as ``before``
        before = reference
        yield reference


def with_reading(reference: Reference, reading: Reading) -> Reference:
    """Return ``reference`` with its fields replaced by those of ``reading``."""
    return replace(reference, **_fields(reading))


def _fields(reading: Reading) -> dict[str, Any]:
    fields = reading._asdict()
    del fields["score"]
    if len(reading.authors) == 1 and _NOBODY.fullmatch(reading.authors[0]):
        fields["authors"] = ()
    return fields | {"doi": find_doi(reading.doi), "arxiv_id": find_arxiv_id(reading.arxiv_id) or reading.arxiv_id}


_LONGEST_TITLE = 300  # maximum number of characters of a title: of DBLP's 488,389 titles 0.02 % are longer
_LONGEST_NAME = 60
_SENTENCE = re.compile(r"\b(?:is|are|was|were|the|this|that|which|we|can|will|has|have|been)\b")
"""Regex of lower-case words that occur in sentences but not in names."""
_MOST_WORDS = 6  # maximum number of words in a person's name


def _doubts(text: str, best: Reading, is_clear: bool) -> Iterator[str]:
    """Yield short reasons why the best reading of ``text`` may be wrong."""
    if is_prose(text):
        yield "it is running text rather than a reference"
    if len(best.title) > _LONGEST_TITLE:
        yield f"the title has {len(best.title)} letters"
    elif not is_clear:
        yield "its title may begin or end elsewhere"
    long = [name for name in best.authors if len(name) > _LONGEST_NAME and len(name.split()) > _MOST_WORDS]
    if any(map(_SENTENCE.search, long)):
        yield "the list of authors is a sentence"
    several_pages = text.count("pp") + text.count("pages") > 1 and len(_PAGES.findall(text)) > 1
    if several_pages or (text.count("10.") > 1 and len(set(_DOI.findall(text))) > 1):
        yield "it may hold parts of two entries"
    if best.year is None and best.title and not _UNDATED.search(text):
        yield "there is no year"


_PAGES = re.compile(r"\b(?:pp|pages)\b\.?\s*\d+\s?[-–—]+\s?\d+")
_DOI = re.compile(r"(?:doi\.org/|\bdoi:\s*)(10\.\d{4,9}/\S+)", re.IGNORECASE)
_UNDATED = re.compile(
    r"\bn\.\s?d\.|no date|forthcoming|in press|to appear|submitted|in preparation|unpublished|https?:|www\.",
    re.IGNORECASE,
)
"""Regex of a substitute for the year; web pages often have no year."""
