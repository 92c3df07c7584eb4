"""Read EndNote's XML, which EndNote, Zotero and Rayyan export.

XML with a document type (DTD) is refused.
"""

import re
from xml.parsers import expat

from citeproof.model.reference import Bibliography, Diagnostic, Place, Reference, Span
from citeproof.readers.document import Document
from citeproof.readers.fields.authors import arrange_authors
from citeproof.readers.fields.bibtex import reference_of
from citeproof.readers.fields.document_entries import first_of
from citeproof.readers.fields.tagged import NO_FIELDS, TaggedRecord, read_records
from citeproof.readers.fields.xml import parse_xml

NAME = "endnote-xml"
SUFFIXES = (".xml",)
CODES = {
    "endnote-xml.malformed": (
        "from here on the file is not XML, or has a document type, which EndNote does not write"
    ),
    "endnote-xml.no_fields": NO_FIELDS,
}

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
    **{name: (name,) for name in ("volume", "pages", "publisher")},
}
"""Map from a field of a reference to paths of XML elements in a record.

The first path with a value counts.
"""
_PEOPLE = ("contributors/authors/author", "contributors/secondary-authors/author")
# path of the attribute with the type of a publication, such as ``Journal Article``
_KIND = "ref-type/@name"
_STYLE = "style"  # element that sets the font inside a value and is ignored
_DEEPEST = 6  # elements at this depth in a record, or deeper, are ignored


class _Reader:
    """Collects the records of an EndNote XML file while the parser expat reads it."""

    def __init__(self, data: bytes) -> None:
        self.records: list[TaggedRecord] = []
        # the current record; after an error, the unread rest of the text
        self.open: TaggedRecord | None = None
        self._path: list[str] = []
        self._data = data
        self._byte = self._letter = 0
        self._parser = expat.ParserCreate("utf-8")
        self.fault = parse_xml(data, self._parser, self._begin, self._finish, self._text)
        if self.fault and not self.open:
            at = max(self._parser.CurrentByteIndex, 0)
            self.open = TaggedRecord(self._offset(at), self._parser.CurrentLineNumber)

    def _begin(self, name: str, attributes: dict[str, str]) -> None:
        if name == "record" and self.open is None:
            self.open = TaggedRecord(
                self._offset(self._parser.CurrentByteIndex), self._parser.CurrentLineNumber
            )
            self._path.clear()
        elif self.open is not None and name != _STYLE:
            self._path.append(name)
            if name == "ref-type":
                self.open.values[_KIND] = [attributes.get("name", "")]
            if len(self._path) < _DEEPEST:
                self.open.values.setdefault("/".join(self._path), []).append("")

    def _finish(self, name: str) -> None:
        if self.open is None or name == _STYLE:
            return
        if name == "record" and not self._path:
            # The index is that of the end tag. For ``<record/>`` it is that of the text after it.
            at = self._parser.CurrentByteIndex
            closing = re.compile(rb"</record\s*>").match(self._data, at)
            self.open.end = self._offset(closing.end() if closing else at)
            self.records.append(self.open)
            self.open = None
        elif self._path:
            self._path.pop()

    def _offset(self, byte: int) -> int:
        """Convert an offset in bytes to an offset in characters.

        ``byte`` must not decrease between calls.
        """
        self._letter += len(self._data[self._byte : byte].decode("utf-8", "ignore"))
        self._byte = byte
        return self._letter

    def _text(self, text: str) -> None:
        if self.open is not None and 0 < len(self._path) < _DEEPEST:
            self.open.values["/".join(self._path)][-1] += text


def accepts(document: Document) -> int:
    """Return how likely the document is EndNote XML: 2 if certainly, else 0."""
    return 2 if _SURE.match(document.text) else 0


def read(document: Document) -> Bibliography:
    """Read each record as a reference."""
    reader = _Reader(document.text.encode("utf-8", "replace"))
    entries = read_records(document, NAME, reader.records, _reference)
    if reader.fault and (rest := reader.open):
        place = Place(document.name, rest.line, span=Span(rest.start, len(document.text)))
        message = f"{reader.fault}; from here on nothing was read"
        raw = document.text[rest.start : rest.start + 2000]
        entries.append(Diagnostic(place, "endnote-xml.malformed", message, raw))
    return Bibliography(tuple(entries))


def _reference(record: TaggedRecord, raw: str, place: Place) -> Reference | None:
    said = {
        path: [" ".join(value.split()) for value in values]
        for path, values in record.values.items()
    }
    texts = {path: next(filter(None, values), "") for path, values in said.items()}
    fields = {name: first_of(texts, paths) for name, paths in _FIELDS.items()}
    names = next((found for path in _PEOPLE if (found := [*filter(None, said.get(path, ()))])), [])
    people = arrange_authors(names)
    if not any(fields.values()) and not people[0]:
        return None
    if fields["journal"] == fields["title"]:
        fields["journal"] = ""
    key = first_of(texts, ("label", "rec-number"))
    return reference_of(
        key, record.values.get(_KIND, [""])[0].lower(), fields, authors=people, raw=raw, place=place
    )
