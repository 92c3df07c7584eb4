"""Sources written for a test, and what is read from them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from citeproof.database.building.source import open_source
from citeproof.database.schema import COLUMNS

if TYPE_CHECKING:
    from pathlib import Path


class Read(NamedTuple):
    """All that a source holds."""

    rows: list[dict[str, Any]]
    date: str | None
    skipped: int
    faults: list[str]
    notices: list[tuple[Any, ...]]
    label: str


def read(path: Path) -> Read:
    source = open_source(path)
    try:
        batches = list(source.batches)
    finally:
        source.close()
    return Read(
        [dict(zip(COLUMNS, row, strict=True)) for batch in batches for row in batch.rows],
        max(filter(None, (batch.date for batch in batches)), default=None),
        sum(batch.skipped for batch in batches),
        [fault for batch in batches for fault in batch.faults],
        [notice for batch in batches for notice in batch.notices],
        source.label,
    )


def json_lines(path: Path, *works: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        "".join(work if isinstance(work, str) else json.dumps(work) + "\n" for work in works)
    )
    return path
