"""Detect what a text is that a person typed or pasted: an identifier, a title, several titles, or
references.

The web page, ``verify --text`` and the tools for agents all use this module, so that they give the
same results.
"""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from citeproof.model.record import MatchKind
from citeproof.model.reference import Bibliography, Diagnostic, Place, Reference
from citeproof.readers import formats
from citeproof.readers.document import Document
from citeproof.readers.lists.text_lines import is_dated, is_like_reference
from citeproof.readers.strings import begins_with_authors, body_of, is_reference_string
from citeproof.readers.strings.reference import title_of_string
from citeproof.text.identifiers import identifier_in
from citeproof.text.normalize import LONGEST_TITLE

_ASKED = 3  # maximum number of lines of a list whose titles are looked up in the database
_WITH_OTHERS = re.compile(r"\bet\.? +al\b|& +al\b|\band others\b")
Holds = Callable[[str], bool]
"""Function that returns whether a database has a work with a given title, or a nearly equal one."""


class Pasted(NamedTuple):
    """A pasted text, and what kind of text it was taken for."""

    taken_for: str  # ``doi``, ``arxiv_id``, ``title``, ``titles``, ``reference``, or a format
    bibliography: Bibliography | None = None  # the entries; None if the format is to be read


def begin_pasted(document: Document, holds: Holds = lambda _: False) -> Pasted:
    """Detect what kind of text ``document`` is.

    The kinds are tried in this order: DOI or arXiv id, a format other than text, title, references,
    titles. A line without a year and an identifier is a title, unless it begins with people. In
    doubt, the database decides: a line is a title if ``holds`` returns True for it. Otherwise it is
    a reference if it has people or a venue.
    """
    text = document.text.strip()
    if identifier := identifier_in(text):
        names_doi = identifier.kind is MatchKind.DOI
        doi, arxiv_id = (identifier.value, "") if names_doi else ("", identifier.value)
        place = Place(document.name, 1)
        reference = Reference("1", doi=doi, arxiv_id=arxiv_id, raw=text, place=place)
        return Pasted("doi" if names_doi else "arxiv_id", Bibliography((reference,)))
    found = formats.detect(document)
    if found and found.NAME not in {"text", "titles"}:
        return Pasted(found.NAME)
    document = replace(document, text=text)
    whole = " ".join(text.split())
    alone = "\n" not in text
    if alone and is_one_title(whole, holds):
        return _title(document, whole)
    listed = formats.read(document, "text")
    if len(listed.entries) == 1:
        if listed.account and listed.account.unread:
            return _alone(listed, holds)
        if not alone and is_one_title(whole, holds):
            return _title(document, whole)
        return Pasted("reference", listed)
    strings = [reference.string for reference in listed.references]
    likely = [text for text in strings if is_like_reference(text)]
    if 2 * len(likely) > len(strings) and not all(map(holds, likely[:_ASKED])):
        return Pasted("text", listed)
    if (listed.account and listed.account.unread) or all(
        body_of(text)[0] != text for text in strings
    ):
        entries = tuple(map(_as_title, listed.entries))
        return Pasted("titles", replace(listed, entries=entries))
    return Pasted("titles", formats.read(document, "titles"))


def _alone(listed: Bibliography, holds: Holds) -> Pasted:
    """Detect whether the only entry of ``listed`` is a title or a reference. All other lines of the
    text belong to no entry.
    """
    (entry,) = listed.entries
    if isinstance(entry, Reference) and is_one_title(entry.string, holds):
        return Pasted("title", replace(listed, entries=(_as_title(entry),)))
    return Pasted("reference", listed)


def _title(document: Document, text: str) -> Pasted:
    one_line = replace(document, text=text, format="titles")
    return Pasted("title", formats.read(one_line, "titles"))


def _as_title(entry: Reference | Diagnostic) -> Reference | Diagnostic:
    """Return ``entry`` with its whole text as the title. Diagnostics and reference strings are
    returned unchanged.
    """
    if isinstance(entry, Diagnostic) or is_reference_string(entry.string):
        return entry
    return title_of_string(entry.string, entry.key, entry.place, entry.raw)


def is_one_title(text: str, holds: Holds) -> bool:
    """Return whether the line ``text`` is a title, and not a reference. In doubt, ``holds``
    decides, which says whether the database has a work with this title.
    """
    if not text or len(text) > LONGEST_TITLE:
        return False
    if not (is_dated(text) or begins_with_authors(text) or _WITH_OTHERS.search(text)):
        return True
    return holds(text) or not is_like_reference(text)
