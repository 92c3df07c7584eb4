"""The tables of a screening as Parquet files; docs/screening.md says what each column means."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from citeproof.storage.replacement import replacing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from citeproof.screen.results import Results

ROWS = 20_000
"""Rows that are in memory at a time, and in one group of a file."""
_WORDS = pa.list_(pa.string())
_NUMBERS = pa.list_(pa.int64())
_ISSUE = ("code", "severity", "cited", "recorded", "explanation")
_STATUSES = ("valid", "suspicious", "invalid", "unverified", "error")

SCHEMAS: dict[str, dict[str, Any]] = {
    "papers": {
        "paper": pa.int64(), "name": pa.string(), "trouble": pa.string(), "seconds": pa.float64(),
        "entries": pa.int64(), **dict.fromkeys(_STATUSES, pa.int64()), "failing": pa.int64(),
    },
    "references": {
        "reference": pa.int64(), "title": pa.string(), "authors": _WORDS, "year": pa.int64(), "venue": pa.string(),
        "entry_type": pa.string(), "doi": pa.string(), "arxiv_id": pa.string(), "url": pa.string(),
        "papers": pa.int64(),
    },
    "verdicts": {
        "reference": pa.int64(), "status": pa.string(), "reason": pa.string(), "confidence": pa.float64(),
        "issues": pa.list_(pa.struct(dict.fromkeys(_ISSUE, pa.string()))),
        "flags": _WORDS, "held": pa.float64(), "match_key": pa.string(), "match_source": pa.string(),
        "match_title": pa.string(), "match_authors": _WORDS, "match_year": pa.int64(), "match_venue": pa.string(),
        "match_doi": pa.string(), "match_similarity": pa.float64(),
    },
    "places": {
        "paper": pa.int64(), "position": pa.int64(), "reference": pa.int64(), "key": pa.string(),
        "file": pa.string(), "line": pa.int64(), "page": pa.int64(), "trouble": pa.string(),
    },
    "signals": {
        "kind": pa.string(), "rank": pa.int64(), "weight": pa.float64(), "said": pa.string(),
        "papers": _NUMBERS, "references": _NUMBERS,
    },
}  # fmt: skip
"""Each table with its columns."""


def write_tables(results: Results, folder: Path) -> None:
    """Write each table into ``folder``, in place of the one before when it is complete.

    Raises :class:`BuildError` when the folder cannot be written to.
    """
    rows: dict[str, Callable[[Results], Iterable[tuple[Any, ...]]]] = {
        "papers": _papers, "references": _references, "verdicts": _verdicts, "places": _places, "signals": _signals,
    }  # fmt: skip
    for name, columns in SCHEMAS.items():
        with replacing(folder / f"{name}.parquet") as building:
            _write(building, pa.schema(columns), rows[name](results))


def _write(path: Path, schema: Any, rows: Iterable[tuple[Any, ...]]) -> None:
    with pq.ParquetWriter(path, schema) as writer:
        group: list[tuple[Any, ...]] = []
        for row in rows:
            group.append(row)
            if len(group) == ROWS:
                writer.write_table(_table(schema, group))
                group = []
        writer.write_table(_table(schema, group))


def _table(schema: Any, rows: list[tuple[Any, ...]]) -> Any:
    columns = list(zip(*rows, strict=True)) if rows else [()] * len(schema)
    return pa.table([pa.array(column, kind.type) for column, kind in zip(columns, schema, strict=True)], schema)


def _papers(results: Results) -> Iterator[tuple[Any, ...]]:
    for each in results.papers():
        statuses = tuple(each.by_status[status.upper()] for status in _STATUSES)
        yield each.number, _clean(each.name), _clean(each.trouble), each.seconds, each.entries, *statuses, each.failing


def _references(results: Results) -> Iterator[tuple[Any, ...]]:
    names = ("title", "authors", "year", "venue", "entry_type", "doi", "arxiv_id", "url")
    select = (
        "SELECT r.id, r.fields, (SELECT count(DISTINCT paper) FROM places p WHERE p.reference = r.id) AS papers "
        "FROM distinct_references r WHERE papers > 0 AND"
    )
    for page in results.store.pages(select, "r.id"):
        for number, fields, papers in page:
            said = json.loads(fields)
            yield number, *(_value(said, name) for name in names), papers


def _value(said: dict[str, Any], name: str) -> Any:
    default: Any = [] if name == "authors" else None if name == "year" else ""
    return _clean(said.get(name, default))


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
            record = (_clean(match.get(name)) for name in match_names)
            yield *verdict, _clean(found["issues"]), found["flags"], found["held"], *record


def _places(results: Results) -> Iterator[tuple[Any, ...]]:
    select = "SELECT paper, position, reference, key, file, line, page, trouble FROM places"
    for page in results.store.pages("SELECT id FROM papers WHERE", "id"):
        between = f"{select} WHERE paper BETWEEN ? AND ? ORDER BY paper, position"
        for row in results.store.rows(between, (page[0][0], page[-1][0])):
            yield tuple(map(_clean, row))


def _signals(results: Results) -> Iterator[tuple[Any, ...]]:
    for kind, found in results.signals:
        for rank, signal in enumerate(found, 1):
            yield kind.NAME, rank, signal.weight, _clean(signal.said), signal.papers, signal.references


def _clean(value: Any) -> Any:
    """Return ``value`` with nothing in it that UTF-8 cannot hold, such as half of a character pair."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, list):
        return [_clean(each) for each in value]
    if isinstance(value, dict):
        return {name: _clean(each) for name, each in value.items()}
    return value
