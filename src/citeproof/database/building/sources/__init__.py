"""File formats from which a database can be built.

Every module in this package implements :class:`SourceFormat`.
"""

import importlib
import pkgutil
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from html import unescape
from itertools import chain
from operator import attrgetter
from typing import Any, NamedTuple, Protocol, cast

from citeproof.database.building.source_file import Chunks, SourceFile, objects
from citeproof.database.schema import AUTHOR_SEPARATOR, COLUMNS, NoticeRow, Row
from citeproof.model.errors import BuildError
from citeproof.model.record import Record
from citeproof.model.stored import JsonObject

BATCH_ROWS = 500
"""Approximate number of publications in a :class:`Batch`.

The last batch of a file may be smaller.
"""
# fields of ``Record`` that are stored
_OF_RECORD = tuple(name for name in COLUMNS if name != "source")
_values = attrgetter(*_OF_RECORD)
# regex for TeX in MathML
_TEX = re.compile(r"<(?:mml:)?annotation\b[^<>]*>[^<>]*</(?:mml:)?annotation>", re.IGNORECASE)
_TAG = re.compile(r"</?[a-z][\w:.-]*(?:\s[^<>]*)?/?>", re.IGNORECASE)


class Batch(NamedTuple):
    """A batch of publications that were read from a source, such as a dump."""

    rows: list[Row]
    # date of the newest record so far, ``YYYY-MM-DD``; None if the records have no dates
    date: str | None = None
    # number of publications that were skipped, such as publications without a title
    skipped: int = 0
    # error messages with positions, such as ``line 17: is not a JSON object``
    faults: tuple[str, ...] = ()
    # notices of retraction or concern, also about works in other sources
    notices: tuple[NoticeRow, ...] = ()
    position: int = 0  # number of bytes from the start of the source to the end of the batch
    # ISSNs of the venue of each of ``rows``, separated by spaces; empty if they are unknown
    issns: Sequence[str] = ()


class SourceFormat(Protocol):
    """The interface that every module in ``citeproof.database.building.sources`` has."""

    NAME: str
    """Name of the format, such as ``dblp``."""
    LICENCE: str | None
    """Licence of the data, such as ``CC0 1.0, arXiv``.

    None for general formats, which any publisher may use.
    """
    CHUNKS: Chunks | None
    """Function that splits a file, so that several processes can parse it.

    None if a file must be read as a whole.
    """

    def accepts(self, beginning: bytes) -> int:
        """Return whether a file that starts with ``beginning`` has the format: 0 if not, 1
        possibly, 2 certainly.
        """

    def records(self, file: SourceFile) -> Iterator[Batch]:
        """Yield the publications in ``file``, in batches.

        Broken files and other formats raise :class:`BuildError`.
        """


class Origin(NamedTuple):
    """URL and version of a downloaded file.

    All fields are empty for a file that was not downloaded.
    """

    url: str = ""
    etag: str = ""
    modified: str = ""  # value of the HTTP header ``Last-Modified``
    fetched: str = ""  # date of the download, ``YYYY-MM-DD``


NO_ORIGIN = Origin()


def signed_by(*signs: bytes) -> Callable[[bytes], int]:
    """Return a function for :meth:`SourceFormat.accepts`.

    The function returns 2 if all regexes ``signs`` are found, else 0.
    """
    return lambda beginning: 2 * all(re.search(sign, beginning) for sign in signs)


@cache
def formats() -> tuple[SourceFormat, ...]:
    """Return the modules of all source formats, sorted by name."""
    names = sorted(module.name for module in pkgutil.iter_modules(__path__))
    return tuple(
        cast("SourceFormat", importlib.import_module(f"{__name__}.{name}")) for name in names
    )


class Found(NamedTuple):
    """The result of parsing one line, or one XML element, of a source."""

    row: Row | None = None
    day: str | None = None  # date of the last change of the record, ``YYYY-MM-DD``
    # error message with position, such as ``line 17: is not a JSON object``; empty if nothing is
    # broken
    fault: str = ""
    notices: tuple[NoticeRow, ...] = ()
    skipped: int = 0  # 1 if the element is not a work, such as a journal
    issns: str = ""  # ISSNs of the venue, separated by spaces


def batched(found: Iterable[Found]) -> Iterator[Batch]:
    """Group the results ``found`` into batches. If the iterator ``found`` raises
    :class:`BuildError`, earlier results are yielded first.
    """
    some: list[Found] = []
    newest = ""
    broken: BuildError | None = None
    try:
        for one in found:
            some.append(one)
            newest = max(newest, one.day or "")
            if len(some) >= BATCH_ROWS:
                yield _batch(some, newest)
                some = []
    except BuildError as error:
        broken = error
    yield _batch(some, newest)
    if broken:
        raise broken


def _batch(found: Sequence[Found], newest: str) -> Batch:
    works = [one for one in found if one.row]
    return Batch(
        [one.row for one in works if one.row],
        newest or None,
        sum(one.skipped for one in found),
        tuple(one.fault for one in found if one.fault),
        tuple(chain.from_iterable(one.notices for one in found)),
        issns=[one.issns for one in works],
    )


def json_works(file: SourceFile, read: Callable[[JsonObject], Found], kind: str) -> Iterator[Batch]:
    """Convert each JSON object in ``file`` with the function ``read``, and yield the results in
    batches. ``kind`` is the noun for a work in error messages.
    """

    def found(number: int, work: JsonObject | None) -> Found:
        if work is None:
            return Found(fault=f"line {number}: is not a JSON object")
        try:
            return read(work)
        except (KeyError, TypeError, ValueError, AttributeError):
            return Found(fault=f"line {number}: is no {kind}")

    return batched(found(number, work) for number, work in objects(file))


def row_of(record: Record, source: str) -> Row:
    """Return ``record`` as a database row of ``source``.

    Tags are removed from the title. Empty fields become None.
    """
    return row_of_fields(dict(zip(_OF_RECORD, _values(record), strict=True)), source)


def row_of_fields(fields: Mapping[str, Any], source: str) -> Row:
    """Return a database row of ``source``, as :func:`row_of` does, for a record that is given as a
    map ``fields`` from field names to values.
    """
    get = fields.get
    venue = get("venue")
    if venue and ("<" in venue or "&" in venue):
        venue = plain(venue)
    names = [name for name in get("authors") or () if name]
    authors = AUTHOR_SEPARATOR.join(names)
    if names and authors.count(";") >= len(names):  # a name contains a semicolon
        authors = AUTHOR_SEPARATOR.join([name.replace(";", ",") for name in names])
    return (
        fields["key"],
        source,
        plain(fields["title"]),
        get("year"),
        venue or None,
        get("pub_type") or None,
        authors or None,
        get("doi") or None,
        get("arxiv_id") or None,
        get("pages") or None,
        get("volume") or None,
        get("number") or None,
        get("url") or None,
        get("crossref") or None,
        get("publtype") or None,
    )


def notices_of(
    fields: Mapping[str, Any], source: str, day: str | None = None
) -> tuple[NoticeRow, ...]:
    """Return the notices of retraction and concern in ``fields``, the fields of a record of
    ``source``, as database rows. ``day`` is the date of the record.

    Without a DOI, there are no rows.
    """
    doi, retraction, concern = fields.get("doi"), fields.get("retraction"), fields.get("concern")
    if not doi or not (retraction or concern):
        return ()
    urls = {"retraction": retraction, "concern": concern}
    return tuple((doi, None, None, kind, url, day, source) for kind, url in urls.items() if url)


def plain(text: str) -> str:
    """Remove tags and line breaks from ``text``, and decode entities: ``a<sub>3</sub> &amp; b``
    becomes ``a3 & b``.
    """
    if "<" in text:
        text = _TAG.sub("", _TEX.sub("", text))
    if "&" in text:
        text = unescape(text)
    return " ".join(text.split())
