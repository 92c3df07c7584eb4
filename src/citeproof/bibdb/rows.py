"""Records as rows of a database, and rows gathered into batches."""

from __future__ import annotations

import re
from html import unescape
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from citeproof.bibdb.schema import AUTHOR_SEPARATOR
from citeproof.bibdb.sources import Batch
from citeproof.errors import BuildError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from citeproof.bibdb.schema import NoticeRow, Row
    from citeproof.models import Record

BATCH_ROWS = 500
_OF_RECORD = (
    "key", "title", "year", "venue", "pub_type", "authors", "doi", "arxiv_id", "pages", "volume", "number", "url",
    "crossref", "publtype",
)  # fmt: skip
"""The fields of a record that a row holds."""
_values = attrgetter(*_OF_RECORD)
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
    """Yield what was found in batches; the last one may hold nothing but faults, notices or a day.

    Where ``found`` raises :class:`BuildError`, what came before is yielded first.
    """
    rows: list[Row] = []
    faults: list[str] = []
    notices: list[NoticeRow] = []
    newest = ""
    try:
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
    except BuildError:
        yield Batch(rows, newest or None, 0, tuple(faults), tuple(notices))
        raise
    yield Batch(rows, newest or None, 0, tuple(faults), tuple(notices))


def row_of(record: Record, source: str) -> Row:
    """Return ``record`` as a row of the source ``source``; its title without markup, empty fields as None."""
    return row_of_fields(dict(zip(_OF_RECORD, _values(record), strict=True)), source)


def row_of_fields(fields: Mapping[str, Any], source: str) -> Row:
    """Return the row of the record that would have these ``fields``; a build makes millions of rows without it."""
    get = fields.get
    venue = get("venue")
    if venue and ("<" in venue or "&" in venue):
        venue = plain(venue)
    names = [name for name in get("authors") or () if name]
    authors = AUTHOR_SEPARATOR.join(names)
    if names and authors.count(";") >= len(names):  # more than those between the names
        authors = AUTHOR_SEPARATOR.join([name.replace(";", ",") for name in names])
    return (
        fields["key"], source, plain(fields["title"]), get("year"), venue or None, get("pub_type") or None,
        authors or None, get("doi") or None, get("arxiv_id") or None, get("pages") or None, get("volume") or None,
        get("number") or None, get("url") or None, get("crossref") or None, get("publtype") or None,
    )  # fmt: skip


def notices_of(fields: Mapping[str, Any], source: str, day: str | None = None) -> tuple[NoticeRow, ...]:
    """Return the notices that the record of these ``fields`` carries about its own work, by its DOI."""
    doi, retraction, concern = fields.get("doi"), fields.get("retraction"), fields.get("concern")
    if not doi or not (retraction or concern):
        return ()
    said = (("retraction", retraction), ("concern", concern))
    return tuple((doi, None, None, kind, url, day, source) for kind, url in said if url)


def plain(text: str) -> str:
    """Return ``text`` without tags of HTML, JATS and MathML and without character entities, on one line.

    Example: ``Pt<sub>3</sub>Ni &amp; <i>C. elegans</i>`` becomes ``Pt3Ni & C. elegans``.
    """
    if "<" in text:
        text = _TAG.sub("", _ASIDE.sub("", text))
    if "&" in text:
        text = unescape(text)
    return " ".join(text.split())
