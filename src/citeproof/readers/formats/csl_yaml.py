"""Read CSL items in YAML, in the notation of pandoc and Zotero: a list ``references:`` in a file or
in the header of a Markdown file.

Each item is parsed separately, so a malformed item does not affect other items. All values stay
text, even ``no`` and ``2019-05-01``. YAML aliases are refused, because ten lines of aliases can
expand to a billion values.
"""

import re
from typing import Any

from citeproof.model.reference import Bibliography, Reference
from citeproof.readers.document import Document
from citeproof.readers.fields.json_items import reference_of_item
from citeproof.readers.fields.yaml import CODES as ITEM_CODES
from citeproof.readers.fields.yaml import list_items, read_items

NAME = "csl-yaml"
SUFFIXES = (".yaml", ".yml")
CODES = {f"{NAME}.{code}": meaning for code, meaning in ITEM_CODES.items()}

_KEY = re.compile(r"^references:[ \t]*(#.*)?", re.MULTILINE)
_START = re.compile(r"\ufeff?(?:[ \t]*(?:#.*)?\n)*(?:---[ \t]*(?=\n))?")
_HEADER_END = re.compile(r"\A\ufeff?---[ \t]*\n.*?^(?:---|\.\.\.)[ \t]*$", re.DOTALL | re.MULTILINE)
_VARIABLE = re.compile(
    r"^[ \t-]*(?:issued|container-title|author|title|URL|DOI)\s*:|[{,]\s*(?:issued|title)\s*:",
    re.MULTILINE,
)
_EMPHASIS = re.compile(r"(?<![\\\w])([*_]{1,3})(?=\S)([^*_\n]+)(?<=\S)\1(?!\w)")
"""Regex for emphasis in Markdown, which pandoc allows in titles: ``*E. coli*``."""
# regex for pandoc's markup to protect capitals: [DNA]{.nocase}
_SPAN = re.compile(r"\[([^\[\]]*)\]\{[.#][^{}]*\}")


def accepts(document: Document) -> int:
    """Return how likely it is that the document is CSL in YAML: 2 (certain), 1 (possible) or 0
    (no).
    """
    beginning = document.text[:100_000]
    header = _HEADER_END.match(beginning)
    is_citation_file = re.search(r"(?m)^cff-version:", beginning)  # CITATION.cff, which is not CSL
    if (
        not _VARIABLE.search(beginning)
        or is_citation_file
        or (header and beginning[header.end() :].strip())
    ):
        return 0
    if _KEY.search(beginning):
        return 2
    start = _START.match(beginning)
    return int(bool(start and beginning[start.end() :].lstrip()[:2] in {"- ", "-\n"}))


def read(document: Document) -> Bibliography:
    """Read each item of the list as a reference."""
    return read_items(document, NAME, list_items(document.text, _KEY, _START), _reference)


def _reference(value: dict[str, Any]) -> Reference | None:
    for name, title in value.items():
        if name.endswith(("title", "title-short")) and isinstance(title, str):
            value[name] = _SPAN.sub(r"\1", _EMPHASIS.sub(r"\2", title))
    return reference_of_item(value)
