r"""Read ``.bbl`` files. They contain a ``thebibliography`` environment, which BibTeX writes, or
commands ``\entry`` and ``\field``, which biber writes.
"""

import re
from collections.abc import Iterator

from citeproof.model.reference import Bibliography, Place, Reference, Span
from citeproof.readers.document import Document
from citeproof.readers.fields.authors import arrange_authors, name_of_parts
from citeproof.readers.fields.bibtex import reference_of
from citeproof.readers.fields.document_entries import references_of
from citeproof.readers.lists.bibitems import read_bibitems
from citeproof.text.lines import LineCounter
from citeproof.text.tex_syntax import closing_braces, group, without_comments

NAME = "bbl"
SUFFIXES = (".bbl",)
CODES: dict[str, str] = {}

_LIST = re.compile(r"^[^\n%\\]*\\begin\s*\{thebibliography\}", re.MULTILINE)
_ENTRY = re.compile(r"\\entry\s*\{([^{}]*)\}\s*\{([^{}]*)\}")
_END = re.compile(r"\\endentry\b")
_VALUE = re.compile(r"\\(field|strng|name|list)\s*\{(\w+)\}|\\verb\s*\{(\w+)\}\s*\\verb ([^\n]*)")
_PART = re.compile(r"\b(family|given|prefix|suffix)\s*=\s*")
# map from field names of biblatex to field names of BibTeX
_NAMES = {"journaltitle": "journal", "eprinttype": "archiveprefix"}


def accepts(document: Document) -> int:
    """Return 2 if the document is certainly a ``.bbl`` file, else 0."""
    text = document.text
    if re.search(r"\\documentclass|\\begin\s*\{document\}", text):
        return 0
    return 2 if _LIST.search(text) or (_ENTRY.search(text) and _END.search(text)) else 0


def read(document: Document) -> Bibliography:
    """Read a ``.bbl`` file."""
    if _ENTRY.search(document.text) and not _LIST.search(document.text):
        return Bibliography(tuple(references_of(document.text, _entries(document), _reference)))
    return Bibliography(tuple(read_bibitems(document.text, document.name)))


def _entries(document: Document) -> Iterator[tuple[Place, tuple[str, str, str]]]:
    r"""Yield a pair for each biblatex ``\entry``: its place, and a tuple of body, key and type.
    Repeated entries are skipped.
    """
    tex = without_comments(document.text)
    lines = LineCounter(tex)
    seen: set[str] = set()
    found = list(_ENTRY.finditer(tex))
    limits = [*(match.start() for match in found[1:]), len(tex)]
    for match, following in zip(found, limits, strict=True):
        stop = _END.search(tex, match.end(), following)
        end = stop.end() if stop else following
        raw = document.text[match.start() : end]
        if raw not in seen:
            seen.add(raw)
            place = Place(document.name, lines.of(match.start()), span=Span(match.start(), end))
            yield place, (tex[match.end() : end], match[1], match[2])


def _reference(written: tuple[str, str, str], raw: str, place: Place) -> Reference:
    body, key, kind = written
    fields: dict[str, str] = {}
    authors: list[str] = []
    closing = closing_braces(body)
    for match in _VALUE.finditer(body):
        if match[3]:
            fields.setdefault(match[3], match[4].strip())
            continue
        content = group(body, match.end(), closing)
        if match[1] in {"name", "list"}:  # \name{author}{2}{}{...} and \list{publisher}{1}{...}
            while content and (following := group(body, content[1] + 1, closing)):
                content = following
        if not content:
            continue
        value = body[content[0] : content[1]]
        if match[1] == "name":
            authors += _people(value) if match[2] == "author" else []
        else:
            fields.setdefault(
                _NAMES.get(match[2], match[2]), value.strip().removeprefix("{").removesuffix("}")
            )
    names, others = arrange_authors(authors)
    people = names, others or "\\true{moreauthor}" in body
    return reference_of(key, kind, fields, authors=people, raw=raw, place=place)


def _people(value: str) -> list[str]:
    """Return the names in a value in biber's notation: ``["Lee, Ann"]`` for
    ``{{hash=...}{family={Lee},given={Ann}}}``.
    """
    people: list[dict[str, str]] = []
    closing = closing_braces(value)
    for match in _PART.finditer(value):
        if content := group(value, match.end(), closing):
            if match[1] == "family" or not people:
                people.append({})
            people[-1][match[1]] = value[content[0] : content[1]].strip()
    return list(map(name_of_parts, people))
