"""Reference lists in documents that are made of paragraphs: word processors, Markdown, HTML."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from citeproof.fields.lists.sections import is_heading, is_heading_behind
from citeproof.frozen import changed, frozen
from citeproof.models import Bibliography, Place

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


@frozen
class Paragraph:
    """One paragraph, item of a list or heading."""

    text: str
    """With a line feed at each break inside it."""
    line: int
    """Where it begins: its line, or its number where the document has no lines."""
    heading: bool = False


def listed(paragraphs: Iterable[Paragraph]) -> list[Paragraph]:
    """Return the paragraphs of the reference lists, each on one line.

    A list begins behind a heading such as ``References`` and ends at the next heading. One whose entries are the lines
    of a single paragraph is parted into these.
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
    """Return ``paragraphs`` without breaks; of a single one, its lines."""
    if len(paragraphs) == 1:
        (whole,) = paragraphs
        return [changed(whole, text=" ".join(line.split())) for line in whole.text.split("\n") if line.strip()]
    return [changed(paragraph, text=" ".join(paragraph.text.split())) for paragraph in paragraphs]


def as_text(paragraphs: Iterable[Paragraph]) -> str:
    """Return a list as plain text, a paragraph a line."""
    return "\n".join(paragraph.text for paragraph in paragraphs)


def placed(found: Bibliography, name: str, paragraphs: Sequence[Paragraph]) -> Bibliography:
    """Return what was read from :func:`as_text` of ``paragraphs``, at their lines in the document ``name``."""
    entries = (changed(one, place=Place(name, paragraphs[one.place.line - 1].line)) for one in found.entries)
    return replace(found, entries=tuple(entries))
