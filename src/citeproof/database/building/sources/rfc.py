"""Read the RFC Editor's list of all RFCs: https://www.rfc-editor.org/rfc-index.xml."""

from collections.abc import Iterator
from xml.etree import ElementTree as ET

from citeproof.database.building.source_file import SourceFile, xml_root
from citeproof.database.building.sources import Batch, Found, batched, row_of, signed_by
from citeproof.model.record import Record

NAME = "rfc"
LICENCE: str | None = "RFC Editor, https://www.rfc-editor.org"
CHUNKS = None
accepts = signed_by(rb"<rfc-index[\s>]")
_MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)


def records(file: SourceFile) -> Iterator[Batch]:
    """Yield the RFCs in ``file``, in batches.

    The date of an RFC is the first day of the month of publication.
    """
    return batched(map(_found, xml_root(file).iterfind("{*}rfc-entry")))


def _found(entry: ET.Element) -> Found:
    number = _text(entry, "doc-id").removeprefix("RFC").lstrip("0")
    year, month = _text(entry, "date", "year"), _text(entry, "date", "month")
    record = Record(
        key=f"rfc{number}",
        title=_text(entry, "title"),
        authors=tuple(
            name for author in entry.iterfind("{*}author") if (name := _text(author, "name"))
        ),
        year=int(year) if year.isdecimal() else None,
        venue="RFC",
        pub_type="article",  # the type that DBLP uses for RFCs
        doi=_text(entry, "doi").lower(),
        volume=number,
        url=f"https://www.rfc-editor.org/info/rfc{number}",
    )
    day = f"{year}-{_MONTHS.index(month) + 1:02}-01" if record.year and month in _MONTHS else None
    return Found(row_of(record, NAME), day)


def _text(element: ET.Element, *path: str) -> str:
    return " ".join((element.findtext("/".join(f"{{*}}{name}" for name in path)) or "").split())
