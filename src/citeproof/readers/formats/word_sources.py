"""Read the sources of Word's citation manager (``Sources.xml``).

The elements are those of ECMA-376, Part 1, section 22.6.
"""

import re
from collections.abc import Iterator
from itertools import pairwise
from xml.etree.ElementTree import Element, ParseError, fromstring

from citeproof.model.reference import Bibliography, Diagnostic, Place, Reference, Span
from citeproof.readers.document import Document
from citeproof.readers.fields.authors import arrange_authors, name_of_parts
from citeproof.readers.fields.bibtex import reference_of
from citeproof.readers.fields.document_entries import LONGEST_RAW, references_of
from citeproof.readers.fields.tagged import NO_FIELDS
from citeproof.text.lines import LineCounter

NAME = "word-sources"
SUFFIXES = (".xml",)
CODES = {
    "word-sources.malformed": "the source is not XML",
    "word-sources.no_fields": NO_FIELDS,
}

_SURE = re.compile(r"officeDocument/(?:2006/)?bibliography")
_START, _END = re.compile(r"<(?:\w+:)?Source[\s/>]"), re.compile(r"</(?:\w+:)?Source>")
_PREFIX = re.compile(r"(</?)\w+:")
_FIELDS = {
    "title": ("Title",),
    "journal": (
        "JournalName",
        "ConferenceName",
        "BookTitle",
        "PeriodicalTitle",
        "PublicationTitle",
        "InternetSiteTitle",
    ),
    "publisher": ("Publisher", "Institution", "Department"),
    "number": ("Issue", "StandardNumber"),
    **{name: (name.capitalize(),) for name in ("year", "volume", "pages")},
    "url": ("URL",),
    "doi": ("DOI",),
    "note": ("Comments",),
}
"""Map from fields of a reference to elements. The first element with a text counts."""
_PEOPLE = ("Author/Author", "Author/Inventor", "Author/Editor", "Author/BookAuthor")


def accepts(document: Document) -> int:
    """Return how likely the document has sources of Word: 2 if certainly, else 0."""
    return 2 if _SURE.search(document.text, 0, 5_000) else 0


def read(document: Document) -> Bibliography:
    """Read each source as a reference."""
    message = f"this source has {NO_FIELDS}"
    return Bibliography(
        tuple(
            references_of(
                document.text, _sources(document), _reference, "word-sources.no_fields", message
            )
        )
    )


def _sources(document: Document) -> Iterator[tuple[Place, str]]:
    text, lines = document.text, LineCounter(document.text)
    starts = [match.start() for match in _START.finditer(text)]
    for start, following in pairwise([*starts, len(text)]):
        closing = _END.search(text, start, following)
        end = closing.end() if closing else following
        yield Place(document.name, lines.of(start), span=Span(start, end)), text[start:end]


def _reference(written: str, raw: str, place: Place) -> Reference | Diagnostic | None:
    try:
        source = fromstring(_PREFIX.sub(r"\1", written))  # noqa: S314 - it declares no entities
    except ParseError as error:
        message = f"this source is not XML: {error}; let Word save it again"
        return Diagnostic(place, "word-sources.malformed", message, raw[:LONGEST_RAW])
    fields = {
        name: next(filter(None, (_text(source, path) for path in paths)), "")
        for name, paths in _FIELDS.items()
    }
    people = next(filter(None, (list(_people(source, path)) for path in _PEOPLE)), [])
    if not any(fields.values()) and not people:
        return None
    key, kind = _text(source, "Tag"), _text(source, "SourceType")
    return reference_of(key, kind, fields, authors=arrange_authors(people), raw=raw, place=place)


def _text(element: Element, path: str) -> str:
    return " ".join((element.findtext(path) or "").split())


def _people(source: Element, path: str) -> Iterator[str]:
    for person in source.iterfind(f"{path}/NameList/Person"):
        given = f"{_text(person, 'First')} {_text(person, 'Middle')}".strip()
        yield name_of_parts({"family": _text(person, "Last"), "given": given})
    yield from filter(
        None, (f"{{{name.text or ''}}}" for name in source.iterfind(f"{path}/Corporate"))
    )
