"""Records as rows of a database, and rows gathered into batches."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING, NamedTuple

from citeproof.bibdb.schema import AUTHOR_SEPARATOR
from citeproof.bibdb.sources import Batch

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from citeproof.bibdb.schema import NoticeRow, Row
    from citeproof.models import Record

BATCH_ROWS = 500
_ASIDE = re.compile(r"<(?:mml:)?annotation\b[^<>]*>[^<>]*</(?:mml:)?annotation>", re.IGNORECASE)
"""TeX beside a formula in MathML, which says the same twice."""
_TAG = re.compile(r"</?[a-z][\w:.-]*(?:\s[^<>]*)?/?>", re.IGNORECASE)


class Found(NamedTuple):
    """What one line or element of a source holds."""

    row: Row | None = None
    """None for what is no publication."""
    day: str | None = None
    """When it was last changed, ``YYYY-MM-DD``."""
    fault: str = ""
    """What is broken, with its place: ``line 17: is no JSON object``."""
    notices: tuple[NoticeRow, ...] = ()


def batched(found: Iterable[Found]) -> Iterator[Batch]:
    """Yield what was found in batches; the last one may hold nothing but faults, notices or a day."""
    rows: list[Row] = []
    faults: list[str] = []
    notices: list[NoticeRow] = []
    newest = ""
    for row, day, fault, said in found:
        if row:
            rows.append(row)
        if day and day > newest:
            newest = day
        if fault:
            faults.append(fault)
        notices += said
        if len(rows) >= BATCH_ROWS or len(faults) + len(notices) >= BATCH_ROWS:
            yield Batch(rows, newest or None, 0, tuple(faults), tuple(notices))
            rows, faults, notices = [], [], []
    yield Batch(rows, newest or None, 0, tuple(faults), tuple(notices))


def row_of(record: Record, source: str) -> Row:
    """Return ``record`` as a row of the source ``source``; its title without markup, empty fields as None."""
    names = [name.replace(";", ",") for name in record.authors if name]
    values = (
        record.venue if "<" not in record.venue and "&" not in record.venue else plain(record.venue),
        record.pub_type, AUTHOR_SEPARATOR.join(names), record.doi, record.arxiv_id, record.pages, record.volume,
        record.number, record.url, record.crossref, record.publtype,
    )  # fmt: skip
    return (record.key, source, plain(record.title), record.year, *(value or None for value in values))


def notices_of(record: Record, source: str, day: str | None = None) -> tuple[NoticeRow, ...]:
    """Return the notices that ``record`` carries about its own work, by its DOI."""
    said = (("retraction", record.retraction), ("concern", record.concern))
    return tuple((record.doi, None, None, kind, url, day, source) for kind, url in said if url and record.doi)


def plain(text: str) -> str:
    """Return ``text`` without tags of HTML, JATS and MathML and without character entities, on one line.

    Example: ``Pt<sub>3</sub>Ni &amp; <i>C. elegans</i>`` becomes ``Pt3Ni & C. elegans``.
    """
    if "<" in text:
        text = _TAG.sub("", _ASIDE.sub("", text))
    if "&" in text:
        text = unescape(text)
    return " ".join(text.split())
