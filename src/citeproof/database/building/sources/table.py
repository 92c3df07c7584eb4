"""Read a list of works from JSON lines, or from a table with a header and commas, semicolons or
tabs.

Usual column names such as ``title`` are recognised (:data:`COLUMNS`). A *mapping* names other
columns. It is a file ``NAME.mapping.toml`` in the folder of the table. Example, for a table with
the columns ``acl_id`` and ``people``::

    key = "acl_id"
    authors = "people"
    author_separator = " and "
"""

import csv
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from citeproof.database.building.source_file import SourceFile, objects, text_lines
from citeproof.database.building.sources import Batch, Found, batched, row_of_fields
from citeproof.model.errors import BuildError
from citeproof.online.works import publication_type
from citeproof.text.identifiers import find_arxiv_id, find_doi

NAME = "table"
LICENCE: str | None = None
CHUNKS = None

COLUMNS = {
    "key": ("key", "id", "acl_id"),
    "title": ("title",),
    "authors": ("authors", "author", "creators"),
    "year": ("year", "publication_year", "date"),
    "venue": ("venue", "journal", "booktitle", "container_title", "publisher"),
    "pub_type": ("type", "pub_type"),
    "doi": ("doi",),
    "arxiv_id": ("arxiv_id", "arxiv", "eprint"),
    "pages": ("pages", "page"),
    "volume": ("volume",),
    "number": ("number", "issue"),
    "url": ("url", "link"),
}
"""Map from a field of a record to accepted column names.

Case is ignored. The first column with a value is used.
"""
_SEPARATOR = "author_separator"
_OBJECT = re.compile(rb"(?:\xef\xbb\xbf)?\s*\{[^\n]*\"title\"\s*:", re.IGNORECASE)
_HEADER = re.compile(
    rb"(?:\xef\xbb\xbf)?(?:[^\n]*[,;\t])?\"?title\"?\s*(?:[,;\t][^\n]*)?\r?\n", re.IGNORECASE
)
_NAMES = re.compile(r"\s*;\s*|\s+and\s+|\s*\|\s*")
_YEAR = re.compile(r"\d{4}")


def accepts(beginning: bytes) -> int:
    """Return 1 if ``beginning`` is JSON lines with a title, or a table with a column ``title``;
    else 0.
    """
    return int(bool(_OBJECT.match(beginning) or _HEADER.match(beginning)))


def records(file: SourceFile) -> Iterator[Batch]:
    """Yield the works in ``file``, in batches. Works without a title are counted as skipped."""
    mapping = _mapping(file.path.with_name(file.path.name + ".mapping.toml"))
    return batched(_found(number, item, mapping, file.path.name) for number, item in _items(file))


def _items(file: SourceFile) -> Iterator[tuple[int, Mapping[str, Any] | None]]:
    beginning = file.peek(1 << 16)
    if _OBJECT.match(beginning):
        yield from objects(file)
        return
    header = beginning.partition(b"\n")[0]
    delimiter = max(",;\t", key=lambda sign: header.count(sign.encode()))
    yield from enumerate(csv.DictReader(text_lines(file), delimiter=delimiter), 2)


def _found(
    number: int, item: Mapping[str, Any] | None, mapping: Mapping[str, str], source: str
) -> Found:
    if item is None:
        return Found(fault=f"line {number}: is not a JSON object")
    lower = {str(name).strip().lower(): value for name, value in item.items()}
    fields = {
        field: lower.get(mapping[field].lower())
        if mapping.get(field)
        else next((lower[name] for name in names if lower.get(name)), None)
        for field, names in COLUMNS.items()
    }
    texts = {field: _text(value) for field, value in fields.items()}
    found = _YEAR.search(texts["year"])
    changed = {
        "key": texts["key"] or f"{number}",
        "authors": _author_names(fields["authors"], mapping.get(_SEPARATOR)),
        "year": int(found[0]) if found else None,
        "pub_type": publication_type(texts["pub_type"]),
        "doi": find_doi(texts["doi"]),
        "arxiv_id": find_arxiv_id(texts["arxiv_id"]),
    }
    return Found(row_of_fields(texts | changed, source))


def _author_names(value: Any, separator: str | None) -> Iterator[str]:
    """Yield the names of the authors in ``value``: a text such as ``Ada Lovelace; Alan Turing``, or
    a JSON list. ``separator`` is the text between two names; None if it is not known.
    """
    if isinstance(value, str):
        parts = value.split(separator) if separator else _NAMES.split(value)
        yield from (_in_order(part) for part in parts if part.strip())
        return
    for person in value or ():
        if isinstance(person, dict):
            whole = f"{_text(person.get('given'))} {_text(person.get('family'))}".strip()
            yield whole or _text(person.get("name"))
        elif isinstance(person, list):  # a list of given name and family name
            yield " ".join(map(_text, person)).strip()
        else:
            yield _in_order(_text(person))


def _in_order(name: str) -> str:
    family, _, given = name.partition(",")
    return f"{given.strip()} {family.strip()}".strip()


def _text(value: Any) -> str:
    return "" if value is None or isinstance(value, (dict, list)) else " ".join(str(value).split())


def _mapping(path: Path) -> dict[str, str]:
    """Return the map from fields to column names in ``path``. Empty if ``path`` is missing."""
    try:
        found = tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise BuildError(f"{path}: is not a mapping: {error}") from None
    if unknown := [name for name in found if name not in COLUMNS and name != _SEPARATOR]:
        raise BuildError(
            f"{path}: {unknown[0]!r} is not a field; use {', '.join(COLUMNS)} and {_SEPARATOR}"
        )
    return {name: str(value) for name, value in found.items()}
