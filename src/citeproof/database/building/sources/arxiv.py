"""Read papers of arXiv, from the metadata snapshot (JSON lines) or from Atom feeds of the API."""

import re
from collections.abc import Iterator
from itertools import starmap
from xml.etree import ElementTree as ET

from citeproof.database.building.source_file import SourceFile, json_chunks, xml_root
from citeproof.database.building.sources import Batch, Found, batched, json_works, row_of
from citeproof.model.stored import JsonObject
from citeproof.online.works import ATOM, atom_record, snapshot_record

NAME = "arxiv"
LICENCE: str | None = "CC0 1.0, arXiv, https://arxiv.org"
CHUNKS = json_chunks
_FEED = re.compile(rb"<feed\s[^<>]*http://arxiv\.org/schemas/atom")


def accepts(beginning: bytes) -> int:
    """Return 2 if ``beginning`` is from arXiv's metadata snapshot or from an Atom feed of arXiv,
    else 0.
    """
    snapshot = (
        beginning.lstrip()[:1] == b"{"
        and b'"authors_parsed"' in beginning
        and b'"categories"' in beginning
    )
    return 2 * bool(snapshot or _FEED.search(beginning))


def records(file: SourceFile) -> Iterator[Batch]:
    """Yield the papers in ``file``, in batches."""
    if file.peek(1).startswith(b"{"):
        return json_works(file, _found, "paper as arXiv describes them")
    return batched(starmap(_entry, enumerate(xml_root(file).iter(f"{ATOM}entry"), 1)))


def _found(work: JsonObject) -> Found:
    return Found(
        row_of(snapshot_record(work), NAME), str(work.get("update_date") or "")[:10] or None
    )


def _entry(number: int, element: ET.Element) -> Found:
    try:
        return Found(
            row_of(atom_record(element), NAME),
            (element.findtext(f"{ATOM}updated") or "")[:10] or None,
        )
    except ValueError:
        return Found(fault=f"entry {number}: is not a paper")
