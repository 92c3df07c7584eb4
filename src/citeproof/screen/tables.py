"""Write the tables of a screening, as CSV and as Parquet."""

import csv
import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from citeproof.report.formats.csv import safe_cell
from citeproof.screen.results import Results
from citeproof.store.files import replacing
from citeproof.store.sql import Row

_ROWS = 20_000  # number of rows that are collected in memory for a row group of a Parquet file
_INVENTED = ("expected", "one", "three")
_STATUSES = ("valid", "suspicious", "invalid", "unverified", "error")

SCHEMAS: dict[str, dict[str, str]] = {
    "papers": {
        "paper": "int64",
        "name": "string",
        "trouble": "string",
        "seconds": "float64",
        "entries": "int64",
        **dict.fromkeys(_STATUSES, "int64"),
        "failing": "int64",
        **dict.fromkeys(_INVENTED, "float64"),
        "carried_by": "strings",
    },
    "references": {
        "reference": "int64",
        "title": "string",
        "authors": "strings",
        "year": "int64",
        "venue": "string",
        "entry_type": "string",
        "doi": "string",
        "arxiv_id": "string",
        "url": "string",
        "papers": "int64",
    },
    "verdicts": {
        "reference": "int64",
        "status": "string",
        "reason": "string",
        "confidence": "float64",
        "issues": "issues",
        "flags": "strings",
        "held": "float64",
        "match_key": "string",
        "match_source": "string",
        "match_title": "string",
        "match_authors": "strings",
        "match_year": "int64",
        "match_venue": "string",
        "match_doi": "string",
        "match_similarity": "float64",
    },
    "places": {
        "paper": "int64",
        "position": "int64",
        "reference": "int64",
        "key": "string",
        "file": "string",
        "line": "int64",
        "page": "int64",
        "trouble": "string",
    },
    "signals": {
        "kind": "string",
        "rank": "int64",
        "weight": "float64",
        "said": "string",
        "papers": "int64s",
        "references": "int64s",
    },
}
"""Map from the name of a table to its columns with their types. The types are Arrow types, or types
of lists: ``strings``, ``int64s``, ``issues``.
"""


def write_tables(results: Results, folder: Path) -> None:
    """Write the tables of :data:`SCHEMAS` as CSV files into ``folder``.

    Raises :class:`BuildError` if a file cannot be written.
    """
    for name, columns in SCHEMAS.items():
        with (
            replacing(folder / f"{name}.csv") as building,
            building.open("w", encoding="utf-8", newline="") as file,
        ):
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(columns)
            writer.writerows(
                [safe_cell(_cell(value)) for value in row]
                for row in map(clean, _TABLES[name](results))
            )


def write_parquet(results: Results, folder: Path) -> None:
    """Write the tables of :data:`SCHEMAS` as Parquet files into ``folder``.

    Raises :class:`ImportError` if pyarrow is not installed.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    issue = ("code", "severity", "cited", "recorded", "explanation")
    kinds = {
        "strings": pa.list_(pa.string()),
        "int64s": pa.list_(pa.int64()),
        "issues": pa.list_(pa.struct(dict.fromkeys(issue, pa.string()))),
    }
    for name, columns in SCHEMAS.items():
        schema = pa.schema(
            {column: kinds.get(kind) or getattr(pa, kind)() for column, kind in columns.items()}
        )
        rows = map(clean, _TABLES[name](results))
        with (
            replacing(folder / f"{name}.parquet") as building,
            pq.ParquetWriter(building, schema) as writer,
        ):
            while group := list(islice(rows, _ROWS)):
                writer.write_table(
                    pa.table(list(map(pa.array, zip(*group, strict=True), schema.types)), schema)
                )


def _cell(value: Any) -> Any:
    """Return ``value`` in the form of a CSV cell. A list becomes text such as ``a; b``, and a list
    of dictionaries becomes JSON.
    """
    if not isinstance(value, list | tuple):
        return value
    if any(isinstance(each, dict) for each in value):
        return json.dumps(value, ensure_ascii=False)
    return "; ".join(map(str, value))


def _papers(results: Results) -> Iterator[Row]:
    for one in results.papers:
        statuses = (one.by_status[status.upper()] for status in _STATUSES)
        invented = (getattr(one.invented, name) for name in _INVENTED)
        paper = one.number, one.name, one.trouble, one.seconds, one.entries
        yield *paper, *statuses, one.failing, *invented, one.carried_by


def _references(results: Results) -> Iterator[Row]:
    select = (
        "SELECT r.id, r.fields, count(DISTINCT p.paper) FROM distinct_references r "
        "JOIN places p ON p.reference = r.id GROUP BY r.id"
    )
    for number, fields, papers in results.store.each(select):
        said = {"authors": [], "year": None} | json.loads(fields)
        yield number, *(said.get(name, "") for name in list(SCHEMAS["references"])[1:-1]), papers


def _verdicts(results: Results) -> Iterator[Row]:
    select = (
        "SELECT reference, status, reason, confidence, details FROM verdicts v "
        "WHERE EXISTS (SELECT 1 FROM places p WHERE p.reference = v.reference) ORDER BY reference"
    )
    recorded = [
        name.removeprefix("match_") for name in SCHEMAS["verdicts"] if name.startswith("match_")
    ]
    for *verdict, details in results.store.each(select):
        found = json.loads(details)
        yield (
            *verdict,
            found["issues"],
            found["flags"],
            found["held"],
            *map((found["match"] or {}).get, recorded),
        )


def _places(results: Results) -> Iterator[Row]:
    return results.store.each(
        f"SELECT {', '.join(SCHEMAS['places'])} FROM places ORDER BY paper, position"  # noqa: S608
    )


def _signals(results: Results) -> Iterator[Row]:
    for kind, found in results.signals.items():
        for rank, signal in enumerate(found, 1):
            yield kind, rank, signal.weight, signal.said, signal.papers, signal.references


_TABLES = {
    "papers": _papers,
    "references": _references,
    "verdicts": _verdicts,
    "places": _places,
    "signals": _signals,
}


def clean(value: Any) -> Any:
    """Return ``value`` with each character that UTF-8 cannot encode replaced by a question mark."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, list | tuple):
        return [clean(each) for each in value]
    if isinstance(value, dict):
        return {name: clean(each) for name, each in value.items()}
    return value
