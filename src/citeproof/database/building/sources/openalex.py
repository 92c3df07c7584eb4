"""Read OpenAlex's snapshot of works, which is gzipped JSON lines in one folder for every day.

Works that OpenAlex has merged into other works are left out. Files in ``merged_ids/works`` list the
merged works (https://developers.openalex.org/download/snapshot-format).
"""

import gzip
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from citeproof.database.building.source_file import SourceFile, json_chunks
from citeproof.database.building.sources import (
    Batch,
    Found,
    json_works,
    notices_of,
    row_of_fields,
    signed_by,
)
from citeproof.model.errors import BuildError
from citeproof.model.stored import JsonObject
from citeproof.online.works import openalex_fields

NAME = "openalex"
LICENCE: str | None = "CC0 1.0, OpenAlex, https://openalex.org"
CHUNKS = json_chunks
accepts = signed_by(rb"\A\s*\{", rb'"id"\s*:\s*"https://openalex\.org/W\d', rb'"publication_year"')
# regex for the merged work, W123, in the line ``2024-01-15,W123,W456``
_MERGED = re.compile(rb"W(\d+),")


def records(file: SourceFile) -> Iterator[Batch]:
    """Yield the works in ``file``, in batches, without merged works and front matter."""
    # The folder ``merged_ids`` is at most four folders above a file such as
    # ``data/works/updated_date=2024-01-15/part_000.gz``.
    folders = (above / "merged_ids" / "works" for above in list(file.path.parents)[:4])
    merged = next(
        (_merged_in(folder) for folder in folders if folder.is_dir()), np.empty(0, np.int64)
    )
    return json_works(file, lambda work: _found(work, merged), "work as OpenAlex describes them")


def _found(work: JsonObject, merged: np.ndarray[Any, Any]) -> Found:
    fields = openalex_fields(work)
    day = str(work.get("updated_date") or "")[:10] or None
    number = int(fields["key"][1:])
    place = int(merged.searchsorted(number)) if len(merged) else 0
    if work.get("is_paratext") or (place < len(merged) and merged[place] == number):
        return Found(day=day)
    notices = notices_of(fields, NAME, day) if fields["retraction"] else ()
    venue = (work.get("primary_location") or {}).get("source") or {}
    issns = " ".join(map(str, venue.get("issn") or ()))
    return Found(row_of_fields(fields, NAME), day, "", notices, issns=issns)


@lru_cache(1)
def _merged_in(folder: Path) -> np.ndarray[Any, Any]:
    """Return the sorted numbers (123 for ``W123``) of merged works.

    The files in ``folder`` list these works.
    """
    found = [np.empty(0, np.int64)]
    for path in sorted(folder.glob("*.csv.gz")):
        try:
            with gzip.open(path) as file:
                found.append(
                    np.array([int(number) for number in _MERGED.findall(file.read())], np.int64)
                )
        except (OSError, EOFError) as error:
            raise BuildError(f"{path}: cannot be read ({error}); fetch it again") from None
    return np.unique(np.concatenate(found))
