"""Read tables of references with a header, separated by commas, semicolons or tabs."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import accumulate, islice

from citeproof.model.reference import Bibliography, Diagnostic, Place, Reference, Span
from citeproof.readers.document import Document
from citeproof.readers.fields.bibtex import NAMES, PEOPLE, reference_of
from citeproof.readers.fields.reading import LONGEST_RAW, first_of, references_of

NAME = "csv"
SUFFIXES = (".csv", ".tsv")
CODES = {
    "csv.no_header": "the first line does not name the columns; one of them must be `title`",
    "csv.no_fields": "nothing in the row that a reference is made of",
    "csv.malformed": "the row cannot be split into columns",
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
    rows = (
        (Place(document.name, row.line, span=Span(row.start, row.end)), (row, header))
        for row in islice(_rows(text), 1, None)
        if row.error or any(value.strip() for value in row.values)
    )
    message = f"this row has {CODES['csv.no_fields']}"
    return Bibliography(tuple(references_of(text, rows, _reference, "csv.no_fields", message)))


def _reference(written: tuple[_Row, Mapping[str, int]], raw: str, place: Place) -> Reference | Diagnostic | None:
    row, header = written
    if row.error:
        message = f"this row {CODES['csv.malformed'].partition('the row ')[2]}: {row.error}"
        return Diagnostic(place, "csv.malformed", message, raw[:LONGEST_RAW])
    said = {name: [row.values[column].strip()] for name, column in header.items() if column < len(row.values)}
    fields = {field: first_of(said, names) for field, names in NAMES.items()}
    first, last = first_of(said, _FIRST_PAGE), first_of(said, _LAST_PAGE)
    fields["pages"] = fields["pages"] or (f"{first}--{last}" if first and last else first)
    fields["author"] = first_of(said, PEOPLE).replace("|", " and ")
    key, kind = fields.pop("key"), fields.pop("type")
    return reference_of(key, kind, fields, raw=raw, place=place) if any(fields.values()) else None


def _header(text: str) -> dict[str, int]:
    """Return the names of the columns with their indices. Of two columns with the same name the first counts."""
    _, first = _first_line(text)
    try:
        (names,) = csv.reader([first], delimiter=_separator(first))
    except (csv.Error, ValueError):
        return {}
    columns: dict[str, int] = {}
    for column, name in enumerate(names):
        columns.setdefault(re.sub(r"[\W_]+", "_", name.lower()).strip("_"), column)
    return columns


def _first_line(text: str) -> tuple[int, str]:
    """Return the offset and the text of the header."""
    before = _BEFORE_HEADER.match(text)
    begin = before.end() if before else 0
    return begin, text[begin : begin + _LONGEST_HEADER].partition("\n")[0]


def _separator(first: str) -> str:
    """Return the separator that occurs most often in the header."""
    return max(_SEPARATORS, key=first.count)


def _rows(text: str) -> Iterator[_Row]:
    """Yield the rows with their places, the header first. A malformed row does not end the table."""
    begin, first = _first_line(text)
    above = text.count("\n", 0, begin)
    lines = text[begin:].split("\n")
    starts = list(accumulate((len(line) + 1 for line in lines), initial=begin))
    feed = (f"{line}\n" for line in lines)
    reader = csv.reader(feed, delimiter=_separator(first), strict=False)
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
