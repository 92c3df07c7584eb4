"""Read CSL-JSON, which Zotero, Mendeley, pandoc and Crossref write: an array, an object, or JSON
lines.
"""

import re

from citeproof.model.reference import Bibliography
from citeproof.readers.document import Document
from citeproof.readers.fields.json_items import CODES as ITEM_CODES
from citeproof.readers.fields.json_items import begins_json, reference_of_item, references_in

NAME = "csl-json"
SUFFIXES = (".json", ".csljson", ".jsonl")
CODES = {f"{NAME}.{code}": f"the item {meaning}" for code, meaning in ITEM_CODES.items()}

_SIGNS = re.compile(
    r'"(?:issued|container-title|date-parts|citation-key)"\s*:|"(?:article-journal|'
    r'paper-conference)"'
)


def accepts(document: Document) -> int:
    """Return 2 if the document is certainly CSL-JSON, else 0."""
    return 2 if begins_json(document.text) and _SIGNS.search(document.text, 0, 100_000) else 0


def read(document: Document) -> Bibliography:
    """Read each item of a CSL-JSON document as a reference."""
    return Bibliography(tuple(references_in(document.text, document.name, NAME, reference_of_item)))
