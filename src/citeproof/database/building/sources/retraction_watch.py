"""Read the retractions and concerns listed by Retraction Watch:
https://gitlab.com/crossref/retraction-watch-data.
"""

import csv
from collections.abc import Iterator, Mapping
from datetime import date

from citeproof.database.building.source_file import SourceFile, text_lines
from citeproof.database.building.sources import Batch, Found, batched, plain, signed_by
from citeproof.text.identifiers import find_doi
from citeproof.text.normalize import normalize_title

NAME = "retraction-watch"
LICENCE: str | None = "CC0 1.0, Crossref and Retraction Watch, https://retractionwatch.com"
CHUNKS = None
# map from ``RetractionNature`` to kind
_KINDS = {"retraction": "retraction", "expression of concern": "concern"}
accepts = signed_by(rb"\A[^\n]*RetractionNature", rb"\A[^\n]*OriginalPaperDOI")


def records(file: SourceFile) -> Iterator[Batch]:
    """Yield the notices of retraction and concern in ``file``, in batches."""
    return batched(_found(row) for row in csv.DictReader(text_lines(file)))


def _found(row: Mapping[str, str | None]) -> Found:
    kind = _KINDS.get((row.get("RetractionNature") or "").strip().lower())
    day = _day(row.get("RetractionDate") or "")
    doi = find_doi(row.get("OriginalPaperDOI") or "") or None
    title = normalize_title(plain(row.get("Title") or "")) or None
    if not kind or not (doi or title):
        return Found(day=day)
    notice = find_doi(row.get("RetractionDOI") or "")
    url = f"https://doi.org/{notice}" if notice else "https://retractiondatabase.org"
    authors = row.get("Author") or None
    return Found(day=day, notices=((doi, title, authors, kind, url, day, NAME),))


def _day(stated: str) -> str | None:
    """Convert a date such as ``11/30/2021 0:00`` to ``2021-11-30``.

    Return None if ``stated`` is not a date.
    """
    try:
        month, day, year = map(int, stated.partition(" ")[0].split("/"))
        return date(year, month, day).isoformat()
    except ValueError:
        return None
