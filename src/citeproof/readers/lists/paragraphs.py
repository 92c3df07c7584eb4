"""Reference lists in documents made of paragraphs: word processor files, Markdown, HTML."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from citeproof.model.reference import Bibliography, Place
from citeproof.readers.lists.sections import is_heading, is_heading_behind

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


@dataclass(frozen=True, slots=True)
class Paragraph:
    """One paragraph, list item or heading."""

    text: str
    """Text with a line feed at each line break."""
    line: int
    """Number of its first line, or of the paragraph if the document has no lines."""
    heading: bool = False


def listed(paragraphs: Iterable[Paragraph]) -> list[Paragraph]:
    """Return the paragraphs of the reference lists, each on one line.

    A list begins after a heading such as ``References`` and ends at the next heading. A list of a single paragraph is
    split at its line breaks.
    """
    found: list[Paragraph] = []
    inside = False
    for paragraph in paragraphs:
        if is_heading(paragraph.text):
            inside = True
        elif paragraph.heading or is_heading_behind(paragraph.text):
            inside = False
        elif inside and paragraph.text.strip():
            found.append(paragraph)
    return on_lines(found)


def on_lines(paragraphs: Sequence[Paragraph]) -> list[Paragraph]:
    """Return ``paragraphs`` without line breaks; a single paragraph is split into its lines."""
    if len(paragraphs) == 1:
        (whole,) = paragraphs
        return [replace(whole, text=" ".join(line.split())) for line in whole.text.split("\n") if line.strip()]
    return [replace(paragraph, text=" ".join(paragraph.text.split())) for paragraph in paragraphs]


def as_text(paragraphs: Iterable[Paragraph]) -> str:
    """Return a list as plain text, one paragraph per line."""
    return "\n".join(paragraph.text for paragraph in paragraphs)


def placed(found: Bibliography, name: str, paragraphs: Sequence[Paragraph]) -> Bibliography:
    """Return the bibliography read from :func:`as_text` with places in the document ``name``."""
    entries = (replace(one, place=Place(name, paragraphs[one.place.line - 1].line)) for one in found.entries)
    return replace(found, entries=tuple(entries))
