"""Read tables of references with a header line. Commas, semicolons or tabs separate the columns."""

import csv
import re
from collections.abc import Iterator, Mapping
from itertools import accumulate, islice

from citeproof.model.reference import Bibliography, Diagnostic, Place, Reference, Span
from citeproof.readers.document import Document
from citeproof.readers.fields.bibtex import NAMES, PEOPLE, reference_of
from citeproof.readers.fields.document_entries import LONGEST_RAW, first_of, references_of

NAME = "csv"
SUFFIXES = (".csv", ".tsv")
CODES = {
    "csv.no_header": "the first line does not name the columns; one of them must be `title`",
    "csv.no_fields": "the row has no field of a reference",
    "csv.malformed": "the row cannot be split into columns",
}

_REFERENCE_COLUMNS = frozenset({*NAMES["year"], *NAMES["journal"], *NAMES["doi"], *PEOPLE})
"""Names of columns, such as ``year`` and ``doi``, that show that the titles in a table are those of
references.
"""
_BEFORE_HEADER = re.compile(
    r"\ufeff?(?:(?:\"?About the data\b[^\n]*|sep=.|#[^\n,;\t]*|[ \t]*)\r?\n)*+", re.IGNORECASE
)
"""Regex for lines that may precede the header: ``About the data`` (Dimensions), ``sep=;``
(spreadsheets), and comments.
"""
_Row = list[str] | csv.Error  # the values of a row, or an error message if the row cannot be split


def accepts(document: Document) -> int:
    """Return how likely it is that the document is a table of references: 2 (certain), 1 (possible)
    or 0 (no).
    """
    header, _, _ = _header(document.text)
    if not set(NAMES["title"]) & header.keys() or len(header) < 2:
        return 0
    return 2 if _REFERENCE_COLUMNS & header.keys() else 1


def read(document: Document) -> Bibliography:
    """Read each row below the header as a reference."""
    text = document.text
    header, begin, separator = _header(text)
    if not set(NAMES["title"]) & header.keys():
        place = Place(document.name, 1, span=Span(0, len(text.partition("\n")[0])))
        return Bibliography((Diagnostic(place, "csv.no_header", CODES["csv.no_header"]),))
    rows = (
        (place, (row, header)) for place, row in islice(_rows(document, begin, separator), 1, None)
    )
    message = CODES["csv.no_fields"]
    return Bibliography(tuple(references_of(text, rows, _reference, "csv.no_fields", message)))


def _reference(
    written: tuple[_Row, Mapping[str, int]], raw: str, place: Place
) -> Reference | Diagnostic:
    row, header = written
    if isinstance(row, csv.Error):
        message = f"this row {CODES['csv.malformed'].partition('the row ')[2]}: {row}"
        return Diagnostic(place, "csv.malformed", message, raw[:LONGEST_RAW])
    said = {name: row[column].strip() for name, column in header.items() if column < len(row)}
    fields = {field: first_of(said, names) for field, names in NAMES.items()}
    first = first_of(said, ("page_start", "start_page", "first_page", "bp"))
    last = first_of(said, ("page_end", "end_page", "last_page", "ep"))
    fields["pages"] = fields["pages"] or (f"{first}–{last}" if first and last else first)
    fields["author"] = first_of(said, PEOPLE).replace("|", " and ")
    key, kind = fields.pop("key"), fields.pop("type")
    return reference_of(key, kind, fields, raw=raw, place=place)


def _header(text: str) -> tuple[dict[str, int], int, str]:
    """Return a map from column name to column index, the offset of the header, and the separator of
    columns, such as ``;``.
    """
    before = _BEFORE_HEADER.match(text)
    begin = before.end() if before else 0
    first = text[begin : begin + 20_000].partition("\n")[0]
    separator = max("\t;,", key=first.count)
    try:
        (names,) = csv.reader([first], delimiter=separator)
    except (csv.Error, ValueError):
        names = []
    plain = [re.sub(r"[\W_]+", "_", name.lower()).strip("_") for name in names]
    # If two columns have the same name, the first column is used.
    return {name: column for column, name in reversed([*enumerate(plain)])}, begin, separator


def _rows(document: Document, begin: int, separator: str) -> Iterator[tuple[Place, _Row]]:
    """Yield a pair for the header, which begins at the offset ``begin``, and for each row below it:
    its place, and its values or an error. Blank rows are skipped. ``separator`` stands between the
    columns.
    """
    above = document.text.count("\n", 0, begin)
    lines = document.text[begin:].split("\n")
    starts = list(accumulate((len(line) + 1 for line in lines), initial=begin))
    reader = csv.reader((f"{line}\n" for line in lines), delimiter=separator, strict=False)
    done = 0
    while True:
        try:
            row: _Row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            row = error
        if isinstance(row, csv.Error) or any(value.strip() for value in row):
            span = Span(starts[done], starts[reader.line_num] - 1)
            yield Place(document.name, above + done + 1, span=span), row
        done = reader.line_num
