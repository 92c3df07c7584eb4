"""Recognise references whose fields have labels, as in ``Authors: A. Lee``, or are the cells of a
table with a header.
"""

import re
from collections.abc import Sequence

from citeproof.readers.lists.markup import without_markup

_NAMES = {
    "title": "title paper article work",
    "authors": "authors author by people writers",
    "year": "year date published",
    "venue": "venue journal conference publication proceedings source booktitle in",
    "link": "doi url link arxiv",
    "pages": "pages volume number issue publisher",
}
_FIELD_OF = {word: field for field, words in _NAMES.items() for word in words.split()}
FIELD = re.compile(
    rf"\W{{0,6}}({'|'.join(sorted(_FIELD_OF))})s?(?:\(s\))?(?: (?:in|id|name))?(?:\*\*|__)?\s*:"
    r"(?:\*\*|__)?\s*(?=\S)",
    re.IGNORECASE,
)
"""Regex for the label of a field at the beginning of a line: ``- **Authors:**``."""


def is_field(line: str) -> bool:
    """Return whether ``line`` begins with the label of a field."""
    return FIELD.match(line) is not None


def table_row(line: str) -> list[str]:
    """Return the cells of a row of a Markdown table: ``["1", "A title"]`` for
    ``| 1 | A title |``.
    """
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def described(cells: Sequence[str], columns: Sequence[str] = ()) -> str:
    """Return a reference string made from fields with labels, or from the cells of a table row.

    ``columns`` has the names of the columns of the table. Without ``columns``, ``cells`` are lines
    that may have labels. The result is then empty if no line has the label of authors or of a
    title. The title is put in quotation marks to mark its end.

    >>> described(["1. **A title**", "- Authors: A. Lee", "- Year: 2019"])
    'A. Lee. “A title.” 2019'
    """
    if not columns and not any(map(FIELD.match, cells)):
        return ""
    found: dict[str, list[str]] = {}
    plain = [" ".join(without_markup(cell).split()) for cell in cells]
    if columns:
        names = [_FIELD_OF.get(re.sub(r"\W|s$", "", name.lower()), "") for name in columns]
        names = [
            name or _FIELD_OF.get(own.lower(), "") for name, own in zip(names, columns, strict=True)
        ]
        pairs = list(zip(names, plain, strict=False))
        if not {"title", "authors"} & {name for name, _ in pairs}:
            return ". ".join(cell for cell in plain if cell and not cell.isdecimal())
    else:
        labels = [FIELD.match(cell) for cell in cells]
        pairs = [
            (_FIELD_OF[label[1].lower()], plain[place][len(_label(plain[place])) :])
            for place, label in enumerate(labels)
            if label
        ]
        if not {"title", "authors"} & {name for name, _ in pairs}:
            return ""
        rest = " ".join(cell for cell, label in zip(plain, labels, strict=True) if not label)
        pairs.append(("title" if all(name != "title" for name, _ in pairs) else "venue", rest))
    for name, value in pairs:
        if name and value:
            found.setdefault(name, []).append(value)
    title = " ".join(found.get("title", ())).strip(' ."“”')
    title = re.sub(r"^\W{0,2}(?:\[?\d{1,4}[\].)]|[-*•])\s+", "", title)
    venue = ", ".join(value for name in ("venue", "pages", "year") for value in found.get(name, ()))
    authors = " ".join(found.get("authors", ())).rstrip(".")
    parts = (f"{authors}." if authors else "", f"“{title}.”" if title else "", venue)
    return " ".join(filter(None, (*parts, *found.get("link", ()))))


def _label(line: str) -> str:
    match = FIELD.match(line)
    return match[0] if match else ""
