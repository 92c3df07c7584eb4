"""Read tables of references with a header, separated by commas, semicolons or tabs."""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

from citeproof.model.reference import Bibliography, Diagnostic, Place, Reference, Span
from citeproof.readers.fields.bibtex import NAMES, PEOPLE, reference_of
from citeproof.readers.fields.reading import LONGEST_RAW, too_many, too_many_entries

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from citeproof.readers.document import Document

NAME = "csv"
SUFFIXES = (".csv", ".tsv")
CODES = {
    "csv.no_header": "the first line does not name the columns; one of them must be `title`",
    "csv.no_fields": "nothing in the row that a reference is made of",
    "csv.malformed": "the row cannot be parted into columns",
}
"""Every diagnostic of this format, and what it means."""

_SEPARATORS = ("\t", ";", ",")
_TELLING = frozenset({*NAMES["year"], *NAMES["journal"], *NAMES["doi"], *PEOPLE})
"""Columns of which a table of references has at least one besides the title."""
_FIRST_PAGE = ("page_start", "start_page", "first_page", "bp")
_LAST_PAGE = ("page_end", "end_page", "last_page", "ep")
_BEFORE_HEADER = re.compile(r"\ufeff?(?:(?:\"?About the data\b[^\n]*|sep=.|#[^\n,;\t]*|[ \t]*)\r?\n)*+", re.IGNORECASE)
"""Regex of lines above the header: the origin of the table (Dimensions), ``sep=;`` (spreadsheets), comments."""
_LONGEST_HEADER = 20_000


@dataclass(frozen=True, slots=True)
class _Row:
    values: tuple[str, ...]
    line: int
    start: int
    end: int
    error: str = ""


def accepts(document: Document) -> int:
    """Return 2 if the header has a title and another column of references, 1 if only a title, else 0."""
    header = _header(document.text)
    if not set(NAMES["title"]) & header.keys() or len(header) < 2:
        return 0
    return 2 if _TELLING & header.keys() else 1


def read(document: Document) -> Bibliography:
    """Read the rows below the header."""
    text = document.text
    header = _header(text)
    if not set(NAMES["title"]) & header.keys():
        place = Place(document.name, 1, span=Span(0, len(text.partition("\n")[0])))
        return Bibliography((Diagnostic(place, "csv.no_header", CODES["csv.no_header"]),))
    entries: list[Reference | Diagnostic] = []
    rows = _rows(text)
    next(rows)
    for row in rows:
        raw = text[row.start : row.end]
        place = Place(document.name, row.line, span=Span(row.start, row.end))
        if too_many(len(entries), row.start):
            entries.append(too_many_entries(place))
            break
        if row.error:
            message = f"this row {CODES['csv.malformed'].partition('the row ')[2]}: {row.error}"
            entries.append(Diagnostic(place, "csv.malformed", message, raw[:LONGEST_RAW]))
        elif any(value.strip() for value in row.values):
            said = {name: row.values[column].strip() for name, column in header.items() if column < len(row.values)}
            entries.append(_reference(said, raw, place) or _empty(place, raw))
    return Bibliography(tuple(entries))


def _reference(said: Mapping[str, str], raw: str, place: Place) -> Reference | None:
    fields = {field: _first(said, names) for field, names in NAMES.items()}
    first, last = _first(said, _FIRST_PAGE), _first(said, _LAST_PAGE)
    fields["pages"] = fields["pages"] or (f"{first}--{last}" if first and last else first)
    fields["author"] = _first(said, PEOPLE).replace("|", " and ")
    key, kind = fields.pop("key"), fields.pop("type")
    return reference_of(key, kind, fields, raw=raw, place=place) if any(fields.values()) else None


def _empty(place: Place, raw: str) -> Diagnostic:
    return Diagnostic(place, "csv.no_fields", f"this row has {CODES['csv.no_fields']}", raw[:LONGEST_RAW])


def _first(said: Mapping[str, str], names: Sequence[str]) -> str:
    return next((said[name] for name in names if said.get(name)), "")


def _header(text: str) -> dict[str, int]:
    """Return the names of the columns with their indices. Of two columns with the same name the first counts."""
    first = _first_line(text)
    try:
        (names,) = csv.reader([first], delimiter=_separator(first))
    except (csv.Error, ValueError):
        return {}
    columns: dict[str, int] = {}
    for column, name in enumerate(names):
        columns.setdefault(re.sub(r"[\W_]+", "_", name.lower()).strip("_"), column)
    return columns


def _begin(text: str) -> int:
    """Return the offset of the header."""
    before = _BEFORE_HEADER.match(text)
    return before.end() if before else 0


def _first_line(text: str) -> str:
    begin = _begin(text)
    return text[begin : begin + _LONGEST_HEADER].partition("\n")[0]


def _separator(first: str) -> str:
    """Return the separator that occurs most often in the header."""
    return max(_SEPARATORS, key=first.count)


def _rows(text: str) -> Iterator[_Row]:
    """Yield the rows with their places, the header first. A malformed row does not end the table."""
    begin = _begin(text)
    above = text.count("\n", 0, begin)
    lines = text[begin:].split("\n")
    starts = list(accumulate((len(line) + 1 for line in lines), initial=begin))
    feed = (f"{line}\n" for line in lines)
    reader = csv.reader(feed, delimiter=_separator(lines[0]), strict=False)
    done = 0
    while True:
        values: tuple[str, ...] = ()
        error = ""
        try:
            values = tuple(next(reader))
        except StopIteration:
            return
        except csv.Error as failed:
            error = str(failed)
        last = reader.line_num
        if values or error:
            yield _Row(values, above + done + 1, starts[done], starts[last] - 1, error)
        done = last
