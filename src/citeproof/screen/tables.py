"""Write the tables of a screening as CSV and Parquet files, and as a workbook for people.

docs/screening.md describes the columns.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from citeproof.report.formats.csv import safe_cell
from citeproof.screen.results import Results
from citeproof.store.files import replacing

ROWS = 20_000
"""Rows of a row group, which are in memory at a time."""
_ISSUE = ("code", "severity", "cited", "recorded", "explanation")
_INVENTED = ("expected", "one", "three")
_STATUSES = ("valid", "suspicious", "invalid", "unverified", "error")

SCHEMAS: dict[str, dict[str, str]] = {
    "papers": {
        "paper": "int64", "name": "string", "trouble": "string", "seconds": "float64",
        "entries": "int64", **dict.fromkeys(_STATUSES, "int64"), "failing": "int64",
        **dict.fromkeys(_INVENTED, "float64"), "carried_by": "strings",
    },
    "references": {
        "reference": "int64", "title": "string", "authors": "strings", "year": "int64", "venue": "string",
        "entry_type": "string", "doi": "string", "arxiv_id": "string", "url": "string", "papers": "int64",
    },
    "verdicts": {
        "reference": "int64", "status": "string", "reason": "string", "confidence": "float64", "issues": "issues",
        "flags": "strings", "held": "float64", "match_key": "string", "match_source": "string",
        "match_title": "string", "match_authors": "strings", "match_year": "int64", "match_venue": "string",
        "match_doi": "string", "match_similarity": "float64",
    },
    "places": {
        "paper": "int64", "position": "int64", "reference": "int64", "key": "string",
        "file": "string", "line": "int64", "page": "int64", "trouble": "string",
    },
    "signals": {
        "kind": "string", "rank": "int64", "weight": "float64", "said": "string",
        "papers": "int64s", "references": "int64s",
    },
}  # fmt: skip
"""Columns of each table with their types: a type of Arrow, ``s`` after it for a list, or ``issues``."""


def write_tables(results: Results, folder: Path) -> None:
    """Write each table as CSV into ``folder``; it replaces the old one when it is complete.

    Raises :class:`BuildError` if the folder cannot be written to.
    """
    for name, columns in SCHEMAS.items():
        with (
            replacing(folder / f"{name}.csv") as building,
            building.open("w", encoding="utf-8", newline="") as file,
        ):
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(columns)
            writer.writerows([safe_cell(_cell(value)) for value in row] for row in _rows()[name](results))


def write_parquet(results: Results, folder: Path) -> None:
    """Write each table as Parquet into ``folder``, as :func:`write_tables` does.

    Raises :class:`ImportError` where pyarrow is not installed.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    kinds = {
        "strings": pa.list_(pa.string()),
        "int64s": pa.list_(pa.int64()),
        "issues": pa.list_(pa.struct(dict.fromkeys(_ISSUE, pa.string()))),
    }
    for name, columns in SCHEMAS.items():
        schema = pa.schema({column: kinds.get(kind) or getattr(pa, kind)() for column, kind in columns.items()})
        rows = iter(_rows()[name](results))
        with replacing(folder / f"{name}.parquet") as building, pq.ParquetWriter(building, schema) as writer:
            group = list(islice(rows, ROWS))
            while True:
                values = list(zip(*group, strict=True)) if group else [()] * len(schema)
                arrays = [pa.array(column, kind.type) for column, kind in zip(values, schema, strict=True)]
                writer.write_table(pa.table(arrays, schema))
                if not (group := list(islice(rows, ROWS))):
                    break


def _rows() -> dict[str, Callable[[Results], Iterable[tuple[Any, ...]]]]:
    return {
        "papers": _papers, "references": _references, "verdicts": _verdicts, "places": _places, "signals": _signals,
    }  # fmt: skip


def _cell(value: Any) -> Any:
    """Return a list as one cell: values separated by semicolons, or JSON for issues."""
    if not isinstance(value, list | tuple):
        return value
    if any(isinstance(each, dict) for each in value):
        return json.dumps(value, ensure_ascii=False)
    return "; ".join(map(str, value))


def _papers(results: Results) -> Iterator[tuple[Any, ...]]:
    for each in results.papers():
        statuses = tuple(each.by_status[status.upper()] for status in _STATUSES)
        invented = tuple(getattr(each.invented, name) for name in _INVENTED)
        begin = each.number, clean(each.name), clean(each.trouble), each.seconds, each.entries
        yield *begin, *statuses, each.failing, *invented, [clean(key) for key in each.carried_by]


def _references(results: Results) -> Iterator[tuple[Any, ...]]:
    names = ("title", "authors", "year", "venue", "entry_type", "doi", "arxiv_id", "url")
    select = (
        "SELECT r.id, r.fields, (SELECT count(DISTINCT paper) FROM places p WHERE p.reference = r.id) AS papers "
        "FROM distinct_references r WHERE papers > 0 AND"
    )
    for page in results.store.pages(select, "r.id"):
        for number, fields, papers in page:
            said = {"authors": [], "year": None} | json.loads(fields)
            yield number, *(clean(said.get(name, "")) for name in names), papers


def _verdicts(results: Results) -> Iterator[tuple[Any, ...]]:
    match_names = ("key", "source", "title", "authors", "year", "venue", "doi", "similarity")
    select = (
        "SELECT v.reference, v.status, v.reason, v.confidence, v.details FROM verdicts v "
        "WHERE EXISTS (SELECT 1 FROM places p WHERE p.reference = v.reference) AND"
    )
    for page in results.store.pages(select, "v.reference"):
        for *verdict, details in page:
            found = json.loads(details)
            match = found["match"] or {}
            record = (clean(match.get(name)) for name in match_names)
            yield *verdict, clean(found["issues"]), found["flags"], found["held"], *record


def _places(results: Results) -> Iterator[tuple[Any, ...]]:
    select = "SELECT paper, position, reference, key, file, line, page, trouble FROM places"
    for page in results.store.pages("SELECT id FROM papers WHERE", "id"):
        between = f"{select} WHERE paper BETWEEN ? AND ? ORDER BY paper, position"
        for row in results.store.rows(between, (page[0][0], page[-1][0])):
            yield tuple(map(clean, row))


def _signals(results: Results) -> Iterator[tuple[Any, ...]]:
    for kind, found in results.signals:
        for rank, signal in enumerate(found, 1):
            yield kind.name, rank, signal.weight, clean(signal.said), signal.papers, signal.references


def clean(value: Any) -> Any:
    """Return ``value`` with characters that UTF-8 cannot encode, such as lone surrogates, replaced."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, list):
        return [clean(each) for each in value]
    if isinstance(value, dict):
        return {name: clean(each) for name, each in value.items()}
    return value


WORKBOOK = "screening.xlsx"
MOST_ROWS = 1_048_575
"""Maximum rows of a sheet of Excel, without the header."""
MOST_LETTERS = 32_767
"""Maximum characters of a cell of Excel."""
_WORST_FIRST = ("INVALID", "SUSPICIOUS", "ERROR", "UNVERIFIED", "VALID")


def write_workbook(results: Results, folder: Path) -> None:
    """Write the workbook into ``folder``; it replaces the old one when it is complete.

    Text is never a formula or a link. Raises :class:`BuildError` if the folder cannot be written to.
    """
    from xlsxwriter import Workbook

    sheets = {
        "papers": (("Paper", 50), ("References", 10), *((each.title(), 11) for each in _WORST_FIRST), ("Not read", 40)),
        "findings": (
            ("Paper", 40), ("Entry", 16), ("Line", 6), ("Page", 6), ("Status", 12), ("Title", 60), ("Finding", 60),
            ("Record", 60), ("Year", 6), ("Link", 40),
        ),
        "signals": (("Signal", 20), ("Seen", 80), ("Papers", 60), ("Works", 80)),
    }  # fmt: skip
    rows = {"papers": _paper_rows(results), "findings": _finding_rows(results), "signals": _signal_rows(results)}
    options = {"constant_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
    with replacing(folder / WORKBOOK) as building, Workbook(str(building), options) as book:
        bold = book.add_format({"bold": True})
        for name, columns in sheets.items():
            sheet = book.add_worksheet(name)
            sheet.freeze_panes(1, 1)
            for number, (title, width) in enumerate(columns):
                sheet.set_column(number, number, width)
                sheet.write_string(0, number, title, bold)
            last = 0
            for last, row in zip(range(1, MOST_ROWS + 1), rows[name], strict=False):
                for number, value in enumerate(row):
                    if isinstance(value, int):
                        sheet.write_number(last, number, value)
                    elif value:
                        sheet.write_string(last, number, clean(str(value))[:MOST_LETTERS])
            sheet.autofilter(0, 0, last, len(columns) - 1)


def _paper_rows(results: Results) -> Iterator[tuple[Any, ...]]:
    for paper in sorted(results.papers(), key=lambda paper: paper.rank):
        yield paper.name, paper.entries, *(paper.by_status[status] for status in _WORST_FIRST), paper.trouble


def _finding_rows(results: Results) -> Iterator[tuple[Any, ...]]:
    for one in results.open_entries():
        match = one.match
        link = f"https://doi.org/{match['doi']}" if match.get("doi") else ""
        year = match.get("year") or ""
        yield (
            one.paper, one.key, one.line or "", one.page or "", one.status, one.title, one.said,
            match.get("title", ""), year, link,
        )  # fmt: skip


def _signal_rows(results: Results) -> Iterator[tuple[Any, ...]]:
    for kind, found in results.signals:
        for signal in found:
            papers = map(results.paper_name, signal.papers)
            titles = results.titles(signal.references)
            yield kind.name.replace("_", " "), signal.said, "; ".join(papers), "; ".join(titles)
