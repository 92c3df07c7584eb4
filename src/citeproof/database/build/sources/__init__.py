"""The formats from which a database is built, one per module. Each module has the interface :class:`SourceFormat`."""

import importlib
import pkgutil
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from html import unescape
from operator import attrgetter
from typing import Any, NamedTuple, Protocol, cast

from citeproof.database.build.source_file import SourceFile, objects
from citeproof.database.schema import AUTHOR_SEPARATOR, COLUMNS, NoticeRow, Row
from citeproof.model.errors import BuildError
from citeproof.model.record import Record

BATCH_ROWS = 500
"""Number of publications of a :class:`Batch`, except the last of a file."""
_OF_RECORD = tuple(name for name in COLUMNS if name != "source")  # fields of a record that are columns of a row
_values = attrgetter(*_OF_RECORD)
_TEX = re.compile(r"<(?:mml:)?annotation\b[^<>]*>[^<>]*</(?:mml:)?annotation>", re.IGNORECASE)  # a formula's TeX source
_TAG = re.compile(r"</?[a-z][\w:.-]*(?:\s[^<>]*)?/?>", re.IGNORECASE)


class Batch(NamedTuple):
    """A batch of publications of a source."""

    rows: list[Row]
    date: str | None = None  # date of the newest record so far, ``YYYY-MM-DD``; None if the records have no dates
    skipped: int = 0  # number of publications that were skipped, such as publications without a title
    faults: tuple[str, ...] = ()  # messages about broken parts, with positions: ``line 17: is no JSON object``
    notices: tuple[NoticeRow, ...] = ()  # of retraction and concern, also about works in other sources
    position: int = 0  # number of bytes of the source up to the end of the batch
    titles: Sequence[str] = ()  # normalised titles of the rows; empty until ``opening.prepared`` adds them


class SourceFormat(Protocol):
    """The interface of a module of this package."""

    NAME: str
    """Name of the format in the table ``sources``."""
    LICENCE: str | None
    """Licence that the publisher states; None for formats of any publisher, whose sources are named by their files."""
    LINES: bool
    """Whether each line of a JSON file is a complete work, so that several processes can parse the file."""

    def accepts(self, beginning: bytes) -> int:
        """Return whether a file with this ``beginning`` has the format: 0 (no), 1 (possibly) or 2 (certainly)."""

    def records(self, file: SourceFile) -> Iterator[Batch]:
        """Yield the publications of ``file``; raise :class:`BuildError` if it is broken, or has another format."""


class Origin(NamedTuple):
    """URL and version of a downloaded file; empty for a local file."""

    url: str = ""
    etag: str = ""
    modified: str = ""  # value of the header ``Last-Modified`` of the server
    fetched: str = ""  # date of the download, ``YYYY-MM-DD``


NO_ORIGIN = Origin()


def signed_by(*signs: bytes) -> Callable[[bytes], int]:
    """Return a function ``accepts``: 2 if all regexes ``signs`` are found in the beginning of a file, else 0."""
    return lambda beginning: 2 * all(re.search(sign, beginning) for sign in signs)


@cache
def formats() -> tuple[SourceFormat, ...]:
    """Return all formats of sources, sorted by name."""
    names = sorted(module.name for module in pkgutil.iter_modules(__path__))
    return tuple(cast("SourceFormat", importlib.import_module(f"{__name__}.{name}")) for name in names)


class Found(NamedTuple):
    """The result of reading one line or element of a source."""

    row: Row | None = None
    day: str | None = None  # date of the last change of the record, ``YYYY-MM-DD``
    fault: str = ""  # error message with position, such as ``line 17: is no JSON object``; empty if nothing is broken
    notices: tuple[NoticeRow, ...] = ()


def batched(found: Iterable[Found]) -> Iterator[Batch]:
    """Yield the results ``found`` in batches, also the last batch before a :class:`BuildError` of ``found``."""
    rows: list[Row] = []
    faults: list[str] = []
    notices: list[NoticeRow] = []
    newest = ""
    broken: BuildError | None = None
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
    except BuildError as error:
        broken = error
    yield Batch(rows, newest or None, 0, tuple(faults), tuple(notices))
    if broken:
        raise broken


def json_works(file: SourceFile, read: Callable[[dict[str, Any]], Found], kind: str) -> Iterator[Batch]:
    """Yield the works of JSON lines or a JSON list. If ``read`` fails, the fault says ``line 17: is no`` ``kind``."""

    def found(number: int, work: dict[str, Any] | None) -> Found:
        if work is None:
            return Found(fault=f"line {number}: is no JSON object")
        try:
            return read(work)
        except (KeyError, TypeError, ValueError, AttributeError):
            return Found(fault=f"line {number}: is no {kind}")

    return batched(found(number, work) for number, work in objects(file))


def row_of(record: Record, source: str) -> Row:
    """Return ``record`` as a row of ``source``. Markup is removed from the title, and empty fields become None."""
    return row_of_fields(dict(zip(_OF_RECORD, _values(record), strict=True)), source)


def row_of_fields(fields: Mapping[str, Any], source: str) -> Row:
    """Return a row with the ``fields`` of a record. This is faster than :func:`row_of` of a new ``Record``."""
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
    """Return the notices of retraction and concern in the ``fields`` of a record; empty if the record has no DOI."""
    doi, retraction, concern = fields.get("doi"), fields.get("retraction"), fields.get("concern")
    if not doi or not (retraction or concern):
        return ()
    urls = {"retraction": retraction, "concern": concern}
    return tuple((doi, None, None, kind, url, day, source) for kind, url in urls.items() if url)


def plain(text: str) -> str:
    """Return ``text`` on one line, without tags and entities: ``a<sub>3</sub> &amp; b`` becomes ``a3 & b``."""
    if "<" in text:
        text = _TAG.sub("", _TEX.sub("", text))
    if "&" in text:
        text = unescape(text)
    return " ".join(text.split())
