"""Read references in JSON arrays, objects or JSON lines whose fields have common names.

An item is a title, an object with fields (``title``, ``authors``, ``year``), or an object with
BibTeX's fields in ``fields``. Authors are a text as in BibTeX, or an array of texts, of arrays
``["Ann", "Lee"]`` or of objects.
"""

from typing import Any

from citeproof.model.reference import Bibliography, Reference
from citeproof.readers.document import Document
from citeproof.readers.fields.authors import arrange_authors, name_of_parts
from citeproof.readers.fields.bibtex import NAMES, PEOPLE, reference_of
from citeproof.readers.fields.document_entries import Reading, described, first_of
from citeproof.readers.fields.json_items import CODES as ITEM_CODES
from citeproof.readers.fields.json_items import begins_json, references_in, text_of

NAME = "json-list"
SUFFIXES = (".json", ".jsonl", ".ndjson")
_PARTS = {
    "family": ("family", "last", "last_name", "lastname"),
    "given": ("given", "first", "first_name", "firstname"),
}
CODES = {f"{NAME}.{code}": f"the item {meaning}" for code, meaning in ITEM_CODES.items()}


def accepts(document: Document) -> int:
    """Return 1 if the document may be a JSON list of references, else 0."""
    return int(begins_json(document.text))


def read(document: Document) -> Bibliography:
    """Read each item of a JSON list as a reference."""
    return begin(document).bibliography()


def begin(document: Document) -> Reading:
    """Return a :class:`Reading` of a JSON list. It parses each item only when the item is
    requested.
    """
    return Reading(references_in(document.text, document.name, NAME, _reference))


def _reference(item: Any) -> Reference | None:
    if isinstance(item, str):
        return described(reference_of("", "", {"title": text_of(item)}))
    said = {str(name).lower(): value for name, value in item.items()}
    texts = {name: text_of(value) for name, value in said.items()}
    fields = {name: first_of(texts, names) for name, names in NAMES.items()}
    key, kind = fields.pop("key"), fields.pop("type")
    authors = None
    if isinstance(said.get("fields"), dict):
        fields = {str(name).lower(): text_of(value) for name, value in said["fields"].items()}
    else:
        people = next((said[name] for name in PEOPLE if said.get(name)), "")
        if isinstance(people, list):
            names, others = arrange_authors([_name(person) for person in people])
            authors = names, others or said.get("and_others") is True
        else:
            fields["author"] = text_of(people)
    return described(reference_of(key, kind, fields, authors=authors))


def _name(person: object) -> str:
    """Return the name of ``person``, which is a text, a list such as ``["Ann", "Lee"]``, or an
    object such as ``{"family": "Lee"}``.
    """
    if isinstance(person, list):
        return " ".join(filter(None, map(text_of, person)))
    if not isinstance(person, dict):
        return text_of(person)
    texts = {str(name).lower(): text_of(value) for name, value in person.items()}
    parts = {part: first_of(texts, names) for part, names in _PARTS.items()}
    return first_of(
        texts, ("name", "literal", "full_name", "fullname", "display_name")
    ) or name_of_parts(parts)
