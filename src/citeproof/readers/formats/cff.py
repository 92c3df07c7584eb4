"""Read ``CITATION.cff``: the works that a program cites, and the work by which its users should
cite the program.

The fields are those of the Citation File Format 1.2.0 (https://citation-file-format.github.io).
"""

import re
from collections.abc import Iterator
from typing import Any

from citeproof.model.reference import Bibliography, Reference
from citeproof.readers.document import Document
from citeproof.readers.fields.authors import arrange_authors, name_of_parts
from citeproof.readers.fields.bibtex import reference_of
from citeproof.readers.fields.document_entries import first_of, without_entries
from citeproof.readers.fields.yaml import CODES as ITEM_CODES
from citeproof.readers.fields.yaml import list_items, read_items

NAME = "cff"
SUFFIXES = (".cff",)
CODES = {f"{NAME}.{code}": meaning for code, meaning in ITEM_CODES.items()} | {
    "cff.no_references": "the file cites nothing: no `references`, no `preferred-citation`"
}

_VERSION = re.compile(r"^cff-version:", re.MULTILINE)
_REFERENCES = re.compile(r"^references:[ \t]*(#.*)?", re.MULTILINE)
_PREFERRED = re.compile(r"^preferred-citation:[ \t]*\n((?:[ \t][^\n]*\n?|\n)*+)", re.MULTILINE)
_NOWHERE = re.compile(r"\Z")
_FIELDS = {
    "title": ("title", "translated-title"),
    "journal": ("journal", "collection-title", "conference"),
    "year": ("year", "date-published", "date-released", "issue-date"),
    "number": ("issue", "number"),
    "url": ("url", "repository-code"),
    "publisher": ("publisher", "institution"),
    "note": ("notes",),
    **{name: (name,) for name in ("doi", "volume")},
}
"""Map from a field of a reference to keys of the Citation File Format. The first key with a value
is used.
"""


def accepts(document: Document) -> int:
    """Return 2 if the document is certainly a citation file, else 0."""
    return 2 if _VERSION.search(document.text, 0, 100_000) else 0


def read(document: Document) -> Bibliography:
    """Read each item of ``references``, and the ``preferred-citation``, as a reference."""
    found = read_items(document, NAME, _spans(document.text), _reference)
    message = "cites nothing: it has neither 'references' nor a 'preferred-citation'"
    return found if found.entries else without_entries(document, "cff.no_references", message)


def _spans(text: str) -> Iterator[tuple[int, int]]:
    preferred = [match.span(1) for match in _PREFERRED.finditer(text)]
    listed = list_items(text, _REFERENCES, _NOWHERE) if _REFERENCES.search(text) else ()
    yield from sorted([*preferred, *listed])


def _reference(said: dict[str, Any]) -> Reference:
    texts = {name: _text(value) for name, value in said.items()}
    fields = {name: first_of(texts, keys) for name, keys in _FIELDS.items()}
    pages = texts.get("start", ""), texts.get("end", "")
    fields["doi"] = fields["doi"] or _identifier(said.get("identifiers"), "doi")
    fields["pages"] = "–".join(filter(None, pages)) or texts.get("pages", "")
    people = said.get("authors")
    authors = arrange_authors(map(_name, people if isinstance(people, list) else ()))
    return reference_of("", texts.get("type", ""), fields, authors=authors)


def _identifier(values: Any, kind: str) -> str:
    """Return the value of the first identifier in ``values`` whose type is ``kind``. ``values`` is
    a list such as ``[{type: doi, value: 10.1000/1}]``.
    """
    said = (one for one in (values if isinstance(values, list) else ()) if isinstance(one, dict))
    return next((_text(one.get("value")) for one in said if one.get("type") == kind), "")


def _text(value: Any) -> str:
    """Return ``value`` if it is a text. If it is a mapping such as
    ``{name: Springer, country: DE}``, return its name.
    """
    return value if isinstance(value, str) else _name(value) if isinstance(value, dict) else ""


def _name(person: Any) -> str:
    texts = person if isinstance(person, dict) else {"name": person}
    said = {name: value for name, value in texts.items() if isinstance(value, str)}
    parts = {
        "prefix": said.get("name-particle", ""),
        "family": said.get("family-names", ""),
        "given": said.get("given-names", ""),
        "suffix": said.get("name-suffix", ""),
    }
    return said.get("name", "") or name_of_parts(parts) or said.get("alias", "")
