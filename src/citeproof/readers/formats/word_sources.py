"""Read the sources of Word's citation manager (``Sources.xml``).

The elements are those of ECMA-376, Part 1, section 22.6.
"""

import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element

from citeproof.model.reference import Bibliography, Reference
from citeproof.readers.document import Document
from citeproof.readers.fields import elements
from citeproof.readers.fields.authors import arrange_authors, name_of_parts
from citeproof.readers.fields.bibtex import reference_of

NAME = "word-sources"
SUFFIXES = (".xml",)
CODES = {f"{NAME}.{code}": meaning for code, meaning in elements.CODES.items()}

_SURE = re.compile(r"officeDocument/(?:2006/)?bibliography")
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
    "key": ("Tag",),
    "type": ("SourceType",),
}
"""Map from a field of a reference to XML elements. The first element with a text is used."""
_PEOPLE = ("Author/Author", "Author/Inventor", "Author/Editor", "Author/BookAuthor")


def accepts(document: Document) -> int:
    """Return 2 if the document is certainly a file of Word's sources, else 0."""
    return 2 if _SURE.search(document.text, 0, 5_000) else 0


def read(document: Document) -> Bibliography:
    """Read each source as a reference."""
    return elements.read_elements(document, NAME, "Sources", "Source", _reference)


def _reference(source: Element) -> Reference:
    fields = elements.fields_of(source, _FIELDS)
    people = next(filter(None, (list(_people(source, path)) for path in _PEOPLE)), [])
    key, kind = fields.pop("key"), fields.pop("type")
    return reference_of(key, kind, fields, authors=arrange_authors(people))


def _people(source: Element, path: str) -> Iterator[str]:
    for person in source.iterfind(f"{path}/NameList/Person"):
        said = {part.tag: " ".join((part.text or "").split()) for part in person}
        given = f"{said.get('First', '')} {said.get('Middle', '')}".strip()
        yield name_of_parts({"family": said.get("Last", ""), "given": given})
    yield from filter(
        None, (f"{{{name.text or ''}}}" for name in source.iterfind(f"{path}/Corporate"))
    )
