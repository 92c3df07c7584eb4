"""Read RIS, which Zotero, EndNote, Scopus, PubMed and publishers export, and the tagged format of
Web of Science.

The tags are those of the RIS specification (Reference Manager, 2001) and some variants. A record
ends at the tag ``ER``, or before the next record.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from citeproof.model.reference import Bibliography, Diagnostic, Place, Reference, Severity, Span
from citeproof.readers.document import Document
from citeproof.readers.fields.authors import arrange_authors, separated
from citeproof.readers.fields.bibtex import reference_of
from citeproof.readers.fields.tagged import NO_FIELDS, TaggedRecord, read_records

NAME = "ris"
SUFFIXES = (".ris",)
CODES = {
    "ris.no_fields": NO_FIELDS,
    "ris.no_end": "a note, not a fault: the record has no `ER`; it ends where the next one begins",
}

_RIS = re.compile(
    r"\ufeff?(ER(?=[ \t]*$)|[A-Z][A-Z0-9](?=  -| -\s| -$)|[a-z][a-z0-9](?=  - ))(?:  ?- ?|)"
    r"(?:(.*\S)|).*\n?|.*\n?",
    re.MULTILINE,
)
"""Regex for a line in RIS. ``AU -Lee``, ``AU - Lee`` and ``au - Lee`` have the tag ``AU``, but
``IV -based`` has no tag.
"""
_WEB_OF_SCIENCE = re.compile(r"\ufeff?([A-Z][A-Z0-9])(?: (?:(.*\S)|).*|$)\n?|.*\n?", re.MULTILINE)
_SURE = re.compile(r"^\ufeff?(?:TY(?:  - *| - +)|ty  - )\w", re.MULTILINE)
_SURE_WEB_OF_SCIENCE = re.compile(r"\A\ufeff?\s*(?:FN .*\n(?:VR .*\n)?)?PT [A-Z]\n")
_RECORD_START = re.compile(r"^\ufeff?TY(?:  -| -(?=\s|$))", re.MULTILINE)
"""Regex for the tag ``TY``, which begins a record. The type of the reference after the tag may be
missing.
"""
_FIRST = {_RIS: frozenset({"TY"}), _WEB_OF_SCIENCE: frozenset({"TY", "PT"})}
"""Map from the regex for a line to the tags that begin a record: ``TY`` in RIS, ``TY`` or ``PT`` in
the format of Web of Science.
"""
_FIELDS = {
    "title": ("TI", "T1", "CT", "BT", "ST"),
    "journal": ("T2", "JF", "JO", "JA", "J2", "JP", "SO", "BT", "C3", "T3"),
    "year": ("PY", "Y1", "DA", "YR"),
    "doi": ("DO", "DI"),
    "url": ("UR", "L2", "LK"),
    "note": ("N1",),
    "volume": ("VL", "VO"),
    "number": ("IS",),
    "publisher": ("PB", "PU"),
    "pages": ("SP", "BP"),
}
"""Map from a field of a reference to RIS tags. The first tag with a value is used."""
# tags for full names of authors, for authors, and for editors
_PEOPLE = (("AF",), ("A1", "AU"), ("A2", "ED", "A3"))


def accepts(document: Document) -> int:
    """Return 2 if the document is certainly RIS or Web of Science's format, else 0."""
    return 2 if _SURE.search(document.text) or _SURE_WEB_OF_SCIENCE.match(document.text) else 0


def read(document: Document) -> Bibliography:
    """Read each record as a reference."""
    notes: list[Diagnostic] = []
    records = _noted(document, notes)
    entries = read_records(document, NAME, records, _reference, " (TI)")
    return Bibliography(tuple(entries), tuple(notes))


def _noted(document: Document, notes: list[Diagnostic]) -> Iterator[TaggedRecord]:
    """Yield each record, and add a diagnostic to ``notes`` for each record without its final tag
    ``ER``.
    """
    for record in _records(document.text):
        yield record
        if not record.closed and len(notes) < 1000:
            message = "this record has no ER; it was read up to the next one"
            place = record.place(document.name)
            notes.append(Diagnostic(place, "ris.no_end", message, severity=Severity.NOTE))


def _records(text: str) -> Iterator[TaggedRecord]:
    tagged = _SURE.search(text) or (
        _RECORD_START.search(text) and not _SURE_WEB_OF_SCIENCE.match(text)
    )
    pattern = _RIS if tagged else _WEB_OF_SCIENCE
    first = _FIRST[pattern]
    record: TaggedRecord | None = None
    last, empty = "", False
    span_of = tuple.__new__  # faster than calling Span
    for number, match in enumerate(pattern.finditer(text), start=1):
        tag, value = (match[1] or "").upper(), match[2]
        if tag in first:
            if record and record.values.keys() - first:
                yield record
            record = TaggedRecord(match.start(1), number)
            values, fields = record.values, record.fields
        if not record:
            continue
        if value and tag != "ER":
            last, empty, span = tag, False, match.span(2)
            values.setdefault(tag, []).append(value.lstrip())
            fields.append((tag.lower(), span_of(Span, span)))
            record.end = span[1]
        elif tag:
            last, empty = tag, True
            record.end = match.start() + len(match[0].rstrip())
            if tag == "ER":
                record.closed = True
                yield record
                record = None
        elif (empty or last in values) and (written := match[0].strip()):
            # A long value continues in the next lines. In the format of Web of Science, each of
            # these lines has one author. If no value follows a tag, the next line is the value.
            record.end = match.start() + len(match[0].rstrip())
            if empty:
                fields.append((last.lower(), Span(record.end - len(written), record.end)))
            if empty or (pattern is _WEB_OF_SCIENCE and any(last in tags for tags in _PEOPLE)):
                values.setdefault(last, []).append(written)
                empty = False
            else:
                values[last].append(f"\n{written}")
                record.continued = True
    if record:
        yield record


def _reference(record: TaggedRecord, raw: str, place: Place) -> Reference:
    said = record.joined()
    fields = {name: said[tag][0] for name, tag in _sources(tuple(said)).items()}
    if "EP" in said and "pages" in fields:
        fields["pages"] += f"–{said['EP'][0]}"
    authors = arrange_authors(_people(said), _name)
    if fields.get("journal") == fields.get("title"):
        fields["journal"] = ""
    # In Web of Science, the tag ``ID`` has keywords.
    key, kind = (said.get(tag, ("",))[0] for tag in ("ID" if "TY" in said else "UT", "TY"))
    return reference_of(key, kind, fields, authors=authors, raw=raw, place=place)


@lru_cache
def _sources(tags: tuple[str, ...]) -> dict[str, str]:
    """Return a map from each field of a reference to the tag among ``tags`` that has it:
    ``{"title": "TI"}`` for ``("TI", "KW")``.
    """
    return {name: tag for name, own in _FIELDS.items() for tag in reversed(own) if tag in tags}


def _people(said: dict[str, list[str]]) -> list[str]:
    """Return the names of the authors. If the record has no authors, return the names of the
    editors.
    """
    if "AF" in said:
        return said["AF"]
    for tags in _PEOPLE[1:]:
        if names := [names for tag in tags if tag in said for names in said[tag]]:
            return [one for name in ";".join(names).split(";") for one in separated(name)]
    return []


def _name(written: str) -> str:
    """Return ``Family, Given Suffix`` for the RIS name ``Family,Given,Suffix``."""
    family, _, rest = written.partition(",")
    given = " ".join(rest.replace(",", " ").split())
    return f"{family.strip()}, {given}" if given else family.strip()
