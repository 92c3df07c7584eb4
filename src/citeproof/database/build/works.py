"""The works of the built-in sample, packed by columns, and their expansion into the form of DBLP's dump.

Values of one column stand together, which packs them into 37 bytes a work; a dump packed in the same way takes a fifth
more::

    key \\n key \\n ... \\x1e title \\n title \\n ... \\x1e authors ...
"""

from __future__ import annotations

import lzma
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

from citeproof.database.schema import AUTHOR_SEPARATOR

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

COLUMNS = (
    "key", "pub_type", "publtype", "title", "authors", "year", "venue", "volume", "number", "pages", "doi", "arxiv_id",
    "crossref",
)  # fmt: skip
"""Columns of the table ``publications`` that are packed."""
PACKED = Path(str(files("citeproof.database.build") / "works.xz"))
PACKED_DATE = "2024-12-28"
"""Day of the newest of these works in DBLP."""
_BETWEEN = b"\x1e"
_PLAIN = ("title", "year", "volume", "number", "pages", "crossref")
_VENUES = {"article": "journal", "inproceedings": "booktitle", "incollection": "booktitle"}
_PREFIX = {"phdthesis": "school", "mastersthesis": "school"}


def packed(rows: Sequence[Sequence[str]]) -> bytes:
    """Return ``rows`` of :data:`COLUMNS` as :func:`expanded` reads them."""
    columns = zip(*rows, strict=True)
    data = _BETWEEN.join("\n".join(column).encode() for column in columns)
    return lzma.compress(data, preset=9 | lzma.PRESET_EXTREME)


def expanded(data: bytes, date: str) -> Iterator[str]:
    """Yield the packed works as lines of a dump of DBLP of the day ``date``."""
    columns = [column.decode().split("\n") for column in lzma.decompress(data).split(_BETWEEN)]
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE dblp SYSTEM "dblp.dtd">\n<dblp>\n'
    for row in zip(*columns, strict=True):
        yield _element(dict(zip(COLUMNS, row, strict=True)), date)
    yield "</dblp>\n"


def _element(said: dict[str, str], date: str) -> str:
    kind = said["pub_type"]
    fields = [(name, said[name]) for name in _PLAIN]
    fields += [("author", name) for name in said["authors"].split(AUTHOR_SEPARATOR)]
    fields.append((_VENUES.get(kind) or _PREFIX.get(kind, "publisher"), said["venue"]))
    fields.append(("ee", f"https://doi.org/{said['doi']}" if said["doi"] else ""))
    fields.append(("ee", f"https://arxiv.org/abs/{said['arxiv_id']}" if said["arxiv_id"] else ""))
    content = "".join(f"<{name}>{escape(value)}</{name}>" for name, value in fields if value)
    form = f" publtype={quoteattr(said['publtype'])}" if said["publtype"] else ""
    return f'<{kind} mdate="{date}" key={quoteattr(said["key"])}{form}>{content}</{kind}>\n'
