"""Read the XML files of the ACL Anthology: the folder ``data/xml`` of
https://github.com/acl-org/acl-anthology.
"""

import re
from collections.abc import Iterator
from xml.etree import ElementTree as ET

from citeproof.database.building.source_file import SourceFile, xml_root
from citeproof.database.building.sources import Batch, Found, batched, row_of, signed_by
from citeproof.model.record import Record
from citeproof.text.normalize import normalize_title

NAME = "acl"
LICENCE: str | None = "CC BY 4.0, ACL Anthology, https://aclanthology.org"
CHUNKS = None
accepts = signed_by(rb"\A[\xef\xbb\xbf\s]*<", rb"<collection\s[^<>]*\bid=")
# regex for ids of journal collections, such as ``J93``
_JOURNAL = re.compile(r"[JQ]\d|\d{4}\.(?:cl|tacl)\b")


def records(file: SourceFile) -> Iterator[Batch]:
    """Yield the papers in ``file``, in batches. Papers without a title are counted as skipped."""
    return batched(_papers(xml_root(file)))


def _papers(collection: ET.Element) -> Iterator[Found]:
    name = collection.get("id", "")
    for volume in collection.iter("volume"):
        day = volume.get("ingest-date")
        for paper in volume.iter("paper"):
            record = _record(name, volume, paper)
            title, names = (
                (None, None)
                if record.doi
                else (normalize_title(record.title), "; ".join(record.authors))
            )
            notices = tuple(
                (
                    record.doi or None,
                    title,
                    names,
                    "retraction",
                    record.url,
                    retracted.get("date"),
                    NAME,
                )
                for retracted in paper.findall("retracted")
            )
            yield Found(row_of(record, NAME), day, notices=notices)


def _record(collection: str, volume: ET.Element, paper: ET.Element) -> Record:
    key = _text(paper.find("url")) or _key(collection, volume.get("id", ""), paper.get("id", ""))
    year = _text(volume.find("meta/year"))
    return Record(
        key=key,
        title=_text(paper.find("title")),
        authors=tuple(
            " ".join(filter(None, (_text(author.find("first")), _text(author.find("last")))))
            for author in paper.findall("author") or paper.findall("editor")
        ),
        year=int(year) if year.isdecimal() else None,
        venue=_text(volume.find("meta/journal-title")) or _text(volume.find("meta/booktitle")),
        pub_type="article" if _JOURNAL.match(collection) else "inproceedings",
        doi=_text(paper.find("doi")).lower(),
        pages=_text(paper.find("pages")).replace("–", "-"),
        volume=_text(volume.find("meta/journal-volume")),
        url=f"https://aclanthology.org/{key}" if "://" not in key else key,
    )


def _key(collection: str, volume: str, paper: str) -> str:
    """Return the id of a paper in the Anthology from its ``collection``, ``volume`` and number:
    ``P19-1001`` until 2019, ``2020.acl-main.1`` since 2020.
    """
    if "." in collection:
        return f"{collection}-{volume}.{paper}"
    before, after = (1, 3) if collection[:1] != "W" else (2, 2)
    return f"{collection}-{volume.zfill(before)}{paper.zfill(after)}"


def _text(element: ET.Element | None) -> str:
    """Return the text of an XML element, including the text of nested elements."""
    return "" if element is None else " ".join("".join(element.itertext()).split())
