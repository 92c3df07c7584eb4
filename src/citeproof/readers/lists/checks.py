"""Check whether a reference list was read completely, by the list itself and by the text of the
paper.

1. Numeric labels count from 1 without gaps. At a gap, an entry was lost or the previous entry
   contains two entries.
2. The text cites entries by number (``[3, 7-9]``), by label (``[Knu84]``), or by name and year
   (``Knuth et al., 1984``). A citation without an entry shows that an entry was lost. An entry
   without a citation is weak evidence of an error.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TypeAlias

from citeproof.model.reference import Extraction, Reference
from citeproof.readers.strings.reference import with_repeated_authors
from citeproof.text.names import fold_words

_NUMBERS = re.compile(r"\[\s*(\d{1,3}(?:\s*[,;–—-]\s*\d{1,3})*)\s*\]")
"""Regex for a citation by number, ``[3]`` or ``[3, 7-9]``. Group 1 is the numbers."""
_OWN_NUMBER = re.compile(r"\[\s*(\d{1,4})\s*\]")
_RANGE = re.compile(r"(\d+)(?:\s*[–—-]\s*(\d+))?")
_LABEL = re.compile(r"\[\s*([^\[\]\n]{2,60}?)\s*\]")
_NAME = r"[^\W\d_a-zß-öø-ÿ][\w'’-]{1,30}"
_YEAR = r"'?s?,?\s+[(\[]?((?:1[89]|20)\d\d)[a-z]?\b"
_MARKER = re.compile(
    rf"({_NAME})(?:\s+et\s+al\.?|(?:,\s+{_NAME})?,?\s+(?:and|&)\s+{_NAME})?{_YEAR}"
)
"""Regex for a citation by name and year: ``Knuth et al. (1984``, ``Knuth, 1984``. The groups are
the first author and the year.
"""
# regex for ``Knuth et al. (1984``, a form that occurs only in citations
_ET_AL = re.compile(rf"({_NAME})\s+et\s+al\.?{_YEAR}")
# minimum share of the entries that the text must cite; with a smaller share, citations are ignored
_KNOWN = 0.5
# maximum share of missing entries; with a larger share, the whole list is reported as misread
_MAX_MISSING = 0.1
# number of characters at the beginning of an entry in which authors are searched for if the title
# is unknown
_BEGINNING = 200
# maximum number of missing entries, or of doubtful entries, that is tolerated in every list
_FEW = 2
_Citations: TypeAlias = "tuple[set[int], int]"
"""A pair: the indexes of the entries that the text cites, and the number of different citations
without an entry.
"""


def checked(
    file: str, references: Sequence[Reference], labels: Sequence[str], text: str = ""
) -> tuple[tuple[Reference, ...], Extraction]:
    """Return ``references`` with probable errors added to their ``doubts``, and a summary of how
    well the list was read.

    ``labels`` has the label of each entry, or an empty text. ``text`` is the text of the paper
    without the list. If an entry has no label but begins with a number in brackets, this number is
    used as its label.
    """
    references = list(with_repeated_authors(references))
    own_numbers = [_OWN_NUMBER.match(reference.raw) for reference in references]
    labels = [
        label or (str(int(own[1])) if own else "")
        for label, own in zip(labels, own_numbers, strict=True)
    ]
    for place, message in dict(_gaps(labels)).items():
        references[place] = replace(references[place], doubts=(*references[place].doubts, message))
    doubtful, found = sum(bool(reference.doubts) for reference in references), len(references)
    forms = (
        (_by_number(labels, text), _by_label(labels, text), _by_name(references, text))
        if text
        else ()
    )
    cited, missing = max(forms, key=lambda form: len(form[0]), default=(set[int](), 0))
    is_checked = len(cited) >= max(1, found * _KNOWN)
    expected = max(found + (missing if is_checked else 0), _counted(labels, whole=bool(text)))
    uncited = found - len(cited) if is_checked else None
    fault = ""
    if expected - found > max(_FEW, expected * _MAX_MISSING):
        fault = (
            f"{expected - found} of its {expected} entries were not found; look at the list itself"
        )
    elif (untitled := sum(not one.title for one in references)) > max(_FEW, found // 2):
        fault = (
            f"{untitled} of its {found} entries have no title, so they are not looked up by title"
        )
    elif doubtful > max(_FEW, found // 2):
        fault = f"{doubtful} of its {found} entries may be read wrongly; look at the list itself"
    return tuple(references), Extraction(file, found, expected, doubtful, uncited, fault)


def _gaps(labels: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yield the gaps in numeric labels, such as ``1``, ``2``, ``4``. Each gap is a pair: the index
    of the entry before it, and a message.
    """
    numbers = [int(label) if label.isdecimal() else 0 for label in labels]
    if numbers and numbers[0] > 1:
        yield 0, f"the list begins with number {numbers[0]}"
    for place, (number, following) in enumerate(pairwise(numbers)):
        if number and following > number + 1:
            missing = (
                f"{number + 1}" if following == number + 2 else f"{number + 1} to {following - 1}"
            )
            yield place, f"number {missing} is missing after it"


def _counted(labels: Sequence[str], *, whole: bool) -> int:
    """Return the number of entries that the labels imply: 4 for ``1``, ``2``, ``4``.

    A label that is not higher than the previous label begins another list. If ``whole`` is true,
    each list must begin with 1. Otherwise a list may begin with a higher number, and entries
    missing at its beginning are ignored if they outnumber its entries.
    """
    numbers = [int(label) for label in labels if label.isdecimal()]
    ends = [
        place
        for place, (number, following) in enumerate(pairwise([*numbers, 0]), 1)
        if following <= number
    ]
    count = len(labels) - len(numbers)
    for start, end in pairwise([0, *ends]):
        first, last = numbers[start], numbers[end - 1]
        is_excerpt = not whole and first > 1
        implied = last - first + 1 if is_excerpt else last
        count += end - start if is_excerpt and implied > 2 * (end - start) else implied
    return count


def _by_number(labels: Sequence[str], text: str) -> _Citations:
    places = {int(label): place for place, label in enumerate(labels) if label.isdecimal()}
    numbers: set[int] = set()
    for found in _NUMBERS.finditer(text):
        for part in _RANGE.finditer(found[1]):
            first = int(part[1])
            numbers.update(range(first, min(int(part[2] or first), first + len(labels)) + 1))
    highest = max(places, default=0)
    beyond = [
        number for number in numbers if highest < number <= highest + max(_FEW, len(places) // 2)
    ]
    return {places[number] for number in numbers if number in places}, len(beyond)


def _by_label(labels: Sequence[str], text: str) -> _Citations:
    places = {label: place for place, label in enumerate(labels) if label and not label.isdecimal()}
    found = {
        part.strip() for match in _LABEL.finditer(text) for part in re.split(r"[,;]", match[1])
    }
    return {places[label] for label in found if label in places}, 0


def _by_name(references: Sequence[Reference], text: str) -> _Citations:
    found = [
        [(re.sub("['’]s$", "", name), year) for name, year in form.findall(text)]
        for form in (_MARKER, _ET_AL)
    ]
    markers, certain = (
        {("".join(fold_words(name)), year) for name, year in pairs} for pairs in found
    )
    names = [_names(reference) for reference in references]
    cited = {place for place, found in enumerate(names) if not found.isdisjoint(markers)}
    return cited, len(certain.difference(*names))


def _names(reference: Reference) -> set[tuple[str, str]]:
    """Return pairs of a word and a year, such as ``("lee", "1984")``, by which the text of a paper
    may cite ``reference``.
    """
    years = re.findall(r"(?<!\d)(?:1[89]|20)\d\d(?!\d)", reference.raw)
    start = reference.raw.find(reference.title) if reference.title else -1
    before = reference.raw[: start if start > 0 else _BEGINNING]
    # The text is in lower case, because a short name in capitals, such as ``LEE``, looks like
    # initials.
    return {(word, year) for word in fold_words(before.lower()) for year in years}
