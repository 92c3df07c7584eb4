"""Read reference lists in plain text.

Lists are split at numbers, labels, blank lines or indents, else at line ends.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from citeproof.model.reference import Bibliography, Place, Reference, Span
from citeproof.readers.document import Document
from citeproof.readers.fields.reading import references_of
from citeproof.readers.lists.checks import checked
from citeproof.readers.lists.entries import counting
from citeproof.readers.lists.sections import is_heading
from citeproof.readers.strings import is_reference_string, is_too_long
from citeproof.readers.strings.reference import reference_of_string
from citeproof.text.lines import numbered_lines

NAME = "text"
SUFFIXES = (".txt", ".text")
CODES = {
    "text.too_long": (
        "more than 3,000 characters after the authors and no beginning of a next reference"
    )
}

_NUMBER = re.compile(r"\s*(?:\[(\d{1,4})\]|\((\d{1,4})\)|(\d{1,4})[.)])\s+\S")
_LABEL = re.compile(r"\s*\[[^\[\]\n]{2,40}\d{2,4}[a-z]?\]\s*\S")
MOST_REFERENCES = 100_000
"""Maximum number of references in a list.

Reading a reference takes about 0.2 ms and 1.3 KB of memory.
"""
_Line = tuple[int, int, str]  # line number (from 1), offset, text


def accepts(document: Document) -> int:
    """Return 1 if the document may be a reference list in plain text, else 0."""
    lines = list(numbered_lines(document.text[:20_000]))
    if not lines:
        return 0
    if is_heading(lines[0][2]) or (len(_numbered(lines)) > 1 and _NUMBER.match(lines[0][2])):
        return 1
    known = [
        is_reference_string(" ".join(line[2].strip() for line in part)) for part in _parts(lines)
    ]
    return int(2 * sum(known) > len(known))


def read(document: Document) -> Bibliography:
    """Read the references in a plain-text reference list."""
    lines = list(numbered_lines(document.text))
    heading = next((place for place, line in enumerate(lines) if is_heading(line[2])), -1)
    message = (
        "this is too long for one reference; begin each with its number, or separate them by blank"
        " lines"
    )
    placed = _placed(document.name, lines[heading + 1 :])
    entries = list(
        references_of(document.text, placed, _reference, "text.too_long", message, MOST_REFERENCES)
    )
    references = [entry for entry in entries if isinstance(entry, Reference)]
    labels = [
        match[match.lastindex or 0] if (match := _NUMBER.match(entry.raw)) else ""
        for entry in references
    ]
    checked_ones, extraction = checked(document.name, references, labels)
    following = iter(checked_ones)
    read_ones = tuple(
        next(following) if isinstance(entry, Reference) else entry for entry in entries
    )
    return Bibliography(read_ones, extraction=extraction)


def _placed(name: str, lines: Sequence[_Line]) -> Iterator[tuple[Place, int]]:
    for number, part in enumerate(_parts(lines), start=1):
        (line, begin, first), (_, end, last) = part[0], part[-1]
        span = Span(begin + len(first) - len(first.lstrip()), end + len(last.rstrip()))
        yield Place(name, line, span=span), number


def _reference(number: int, raw: str, place: Place) -> Reference | None:
    return None if is_too_long(raw) else reference_of_string(raw, str(number), place)


def _parts(lines: Sequence[_Line]) -> list[Sequence[_Line]]:
    return [lines[begin:end] for begin, end in pairwise(sorted({0, *_starts(lines), len(lines)}))]


def _starts(lines: Sequence[_Line]) -> set[int]:
    """Return the indexes of the lines that begin a reference, judged by labels, blank lines or
    indents.
    """
    if not lines:
        return set()
    if len(numbered := _numbered(lines)) > 1 and numbered[0] == 0:
        return set(numbered)
    if _LABEL.match(lines[0][2]):
        return {place for place, line in enumerate(lines) if _LABEL.match(line[2])}
    paragraphs = {
        place for place, line in enumerate(lines) if place == 0 or line[0] > lines[place - 1][0] + 1
    }
    if len(paragraphs) > 1:
        return paragraphs
    indented = {place for place, line in enumerate(lines) if line[2][:1].isspace()}
    return set(range(len(lines))) - (set() if 0 in indented else indented)


def _numbered(lines: Sequence[_Line]) -> list[int]:
    """Return the indexes of the lines that begin with ``[1]``, ``[2]`` and so on.

    A few numbers may be missing.
    """
    found = ((place, _NUMBER.match(line[2])) for place, line in enumerate(lines))
    return counting([(place, int(match[match.lastindex or 0])) for place, match in found if match])
