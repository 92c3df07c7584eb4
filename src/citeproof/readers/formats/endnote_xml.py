"""Read EndNote's XML, which EndNote, Zotero and Rayyan export. Entities declared in a document type
declaration (DTD) are not resolved.
"""

import re
from xml.etree.ElementTree import Element

from citeproof.model.reference import Bibliography, Reference
from citeproof.readers.document import Document
from citeproof.readers.fields import elements
from citeproof.readers.fields.authors import arrange_authors
from citeproof.readers.fields.bibtex import reference_of

NAME = "endnote-xml"
SUFFIXES = (".xml",)
CODES = {f"{NAME}.{code}": meaning for code, meaning in elements.CODES.items()}

_SURE = re.compile(r"\A\ufeff?\s*(?:<\?xml[^>]*>\s*)?<xml>\s*<records>")
_FIELDS = {
    "title": ("titles/title",),
    "journal": (
        "titles/secondary-title",
        "periodical/full-title",
        "periodical/abbr-1",
        "titles/tertiary-title",
    ),
    "year": ("dates/year", "dates/pub-dates/date"),
    "doi": ("electronic-resource-num",),
    "url": ("urls/related-urls/url", "urls/web-urls/url"),
    "number": ("number", "issue"),
    "note": ("notes",),
    "key": ("label", "rec-number"),
    **{name: (name,) for name in ("volume", "pages", "publisher")},
}
"""Map from a field of a reference to paths of XML elements in a record. The first path with a text
is used.
"""
_PEOPLE = ("contributors/authors/author", "contributors/secondary-authors/author")


def accepts(document: Document) -> int:
    """Return 2 if the document is certainly EndNote XML, else 0."""
    return 2 if _SURE.match(document.text) else 0


def read(document: Document) -> Bibliography:
    """Read each record as a reference."""
    return elements.read_elements(document, NAME, "records", "record", _reference)


def _reference(record: Element) -> Reference:
    fields = elements.fields_of(record, _FIELDS)
    names = next(filter(None, (elements.texts_of(record, path) for path in _PEOPLE)), [])
    if fields["journal"] == fields["title"]:
        fields["journal"] = ""
    kind = record.find("ref-type")
    return reference_of(
        fields.pop("key"),
        kind.get("name", "") if kind is not None else "",
        fields,
        authors=arrange_authors(names),
    )
