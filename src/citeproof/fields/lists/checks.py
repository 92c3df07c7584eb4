"""Whether a reference list was read whole, by what the list and the paper's text say themselves.

1. Numbers of a list run from 1 without gaps. Behind a gap an entry was lost, or the entry before it holds two.
2. The text cites the entries, by number (``[3, 7-9]``), by label (``[Knu84]``), or by name and year (``Knuth et al.,
   1984``). A citation without an entry is an entry that was lost; an entry without a citation says little.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from citeproof.models import Extraction
from citeproof.text.names import fold_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from citeproof.models import Reference

_NUMBERS = re.compile(r"\[\s*(\d{1,3}(?:\s*[,;–—-]\s*\d{1,3})*)\s*\]")
"""``[3]``, ``[3, 7-9]``: what stands between the brackets."""
_OWN_NUMBER = re.compile(r"\[\s*(\d{1,4})\s*\]")
_RANGE = re.compile(r"(\d+)(?:\s*[–—-]\s*(\d+))?")
_LABEL = re.compile(r"\[\s*([^\[\]\n]{2,60}?)\s*\]")
_NAME = r"[^\W\d_a-zß-öø-ÿ][\w'’-]{1,30}"
_YEAR = r"'?s?,?\s+[(\[]?((?:1[89]|20)\d\d)[a-z]?\b"
_MARKER = re.compile(rf"({_NAME})(?:\s+et\s+al\.?|(?:,\s+{_NAME})?,?\s+(?:and|&)\s+{_NAME})?{_YEAR}")
"""``Knuth et al. (1984``, ``Knuth and Bendix, 1970``, ``Knuth, 1984``: the first name, and the year."""
_ET_AL = re.compile(rf"({_NAME})\s+et\s+al\.?{_YEAR}")
"""A form that nothing but a citation has."""
_KNOWN = 0.5
"""Where this share of the entries is cited in a form, it is the form in which the paper cites."""
_LOST = 0.1
"""A list that lacks a larger share of its entries looks wrong as a whole, and so does one of which half is doubtful."""
_FEW = 2
"""So many entries may be missing or doubtful in any list."""


@dataclass(frozen=True, slots=True)
class _Citations:
    """What the text of a paper cites."""

    cited: frozenset[int]
    """Places of the entries that it cites."""
    missing: int
    """Citations of entries that are not there, each once."""


def checked(
    file: str, references: Sequence[Reference], labels: Sequence[str], text: str = ""
) -> tuple[tuple[Reference, ...], Extraction]:
    """Return the ``references`` of one paper with the doubts that their list raises, and how well it was read.

    ``labels`` are what the list calls them, empty where it has none; ``text`` is what the paper says before its list. A
    number that an entry begins with itself counts as its label: a list with large gaps may be parted by its indents.
    """
    labels = [label or _own_number(reference) for label, reference in zip(labels, references, strict=True)]
    gaps = dict(_gaps(labels))
    entries = tuple(
        replace(reference, doubts=(*reference.doubts, gaps[place])) if place in gaps else reference
        for place, reference in enumerate(references)
    )
    doubtful = sum(bool(reference.doubts) for reference in entries)
    citations = _citations(entries, labels, text)
    expected = max(len(entries) + (citations.missing if citations else 0), _counted(labels, whole=bool(text)))
    extraction = Extraction(
        file,
        found=len(entries),
        expected=expected,
        doubtful=doubtful,
        uncited=len(entries) - len(citations.cited) if citations else None,
    )
    return entries, replace(extraction, fault=_fault(extraction))


def _own_number(reference: Reference) -> str:
    match = _OWN_NUMBER.match(reference.raw)
    return str(int(match[1])) if match else ""


def _gaps(labels: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yield the places of the entries behind which numbers are missing, and what to say of each."""
    numbers = [int(label) if label.isdecimal() else 0 for label in labels]
    if numbers and numbers[0] > 1:
        yield 0, f"the list begins with number {numbers[0]}"
    for place, (number, following) in enumerate(pairwise(numbers)):
        if number and following > number + 1:
            missing = f"{number + 1}" if following == number + 2 else f"{number + 1} to {following - 1}"
            yield place, f"number {missing} is missing behind it"


def _counted(labels: Sequence[str], *, whole: bool) -> int:
    """Return how many entries there should be by the numbers of the lists; a list begins where numbers fall.

    Of a paper the ``whole`` list is expected, from 1. A text of references alone that begins with another number is an
    excerpt: it is counted from there, and where more numbers are missing than there, they were left out on purpose.
    """
    numbers = [int(label) for label in labels if label.isdecimal()]
    ends = [place for place, (number, following) in enumerate(pairwise([*numbers, 0]), 1) if following <= number]
    lists = [numbers[start:end] for start, end in pairwise([0, *ends])]
    return sum(_length(each, whole=whole) for each in lists) + sum(not label.isdecimal() for label in labels)


def _length(numbers: Sequence[int], *, whole: bool) -> int:
    if whole or numbers[0] <= 1:
        return numbers[-1]
    reach = numbers[-1] - numbers[0] + 1
    return reach if reach <= 2 * len(numbers) else len(numbers)


def _citations(references: Sequence[Reference], labels: Sequence[str], text: str) -> _Citations | None:
    """Return what the text cites, in the form that meets most entries; None where no form meets enough of them."""
    if not text:
        return None
    forms = (_by_number(labels, text), _by_label(labels, text), _by_name(references, text))
    best = max(forms, key=lambda form: len(form.cited))
    return best if len(best.cited) >= max(1, len(references) * _KNOWN) else None


def _by_number(labels: Sequence[str], text: str) -> _Citations:
    places = {int(label): place for place, label in enumerate(labels) if label.isdecimal()}
    if not places:
        return _Citations(frozenset(), 0)
    numbers: set[int] = set()
    for found in _NUMBERS.finditer(text):
        for part in _RANGE.finditer(found[1]):
            first = int(part[1])
            numbers.update(range(first, min(int(part[2] or first), first + len(labels)) + 1))
    cited = frozenset(places[number] for number in numbers if number in places)
    highest = max(places, default=0)
    beyond = [number for number in numbers if highest < number <= highest + max(_FEW, len(places) // 2)]
    return _Citations(cited, len(beyond))


def _by_label(labels: Sequence[str], text: str) -> _Citations:
    places = {label: place for place, label in enumerate(labels) if label and not label.isdecimal()}
    if not places:
        return _Citations(frozenset(), 0)
    found = {part.strip() for match in _LABEL.finditer(text) for part in re.split(r"[,;]", match[1])}
    return _Citations(frozenset(places[label] for label in found if label in places), 0)


def _by_name(references: Sequence[Reference], text: str) -> _Citations:
    markers = {(_folded(match[1]), match[2]) for match in _MARKER.finditer(text)}
    names = [_names(reference) for reference in references]
    cited = frozenset(
        place for place, found in enumerate(names) if any((name, year) in markers for name, year in found)
    )
    known = {pair for found in names for pair in found}
    certain = {(_folded(match[1]), match[2]) for match in _ET_AL.finditer(text)}
    return _Citations(cited, len(certain - known))


def _names(reference: Reference) -> set[tuple[str, str]]:
    """Return the words that stand before the title, each with the years of the entry."""
    years = re.findall(r"(?<!\d)(?:1[89]|20)\d\d(?!\d)", reference.raw)
    start = reference.raw.find(reference.title) if reference.title else -1
    before = reference.raw[:start] if start > 0 else reference.raw[:_BEGINNING]
    return {(word, year) for word in fold_words(before) for year in years}


_BEGINNING = 200
"""Letters of an entry among which its people are, where no title was found."""


def _folded(name: str) -> str:
    return "".join(fold_words(name.removesuffix("’s").removesuffix("'s")))


def _fault(extraction: Extraction) -> str:
    """Return what is wrong with a list as a whole; empty where it looks right."""
    missing = extraction.expected - extraction.found
    if missing > max(_FEW, extraction.expected * _LOST):
        return f"{missing} of its {extraction.expected} entries were not found; look at the list itself"
    if extraction.doubtful > max(_FEW, extraction.found // 2):
        return f"{extraction.doubtful} of its {extraction.found} entries may be read wrongly; look at the list itself"
    return ""
