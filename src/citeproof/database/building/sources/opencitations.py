"""Read OpenCitations Meta: tables with a header and commas between the columns, in one or more
files (https://opencitations.github.io/oc_meta/reference/csv_format).

A work with two DOIs becomes a record for each DOI. A work with a translated title becomes a record
for each title: ``Der Turm [The Tower at Night]`` is found by the whole title and by each part.
"""

import csv
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from itertools import product

from citeproof.database.building.source_file import SourceFile, row_chunks, text_lines
from citeproof.database.building.sources import (
    Batch,
    Found,
    batched,
    plain,
    row_of_fields,
    signed_by,
)
from citeproof.online.works import publication_type
from citeproof.readers.fields.authors import split_authors
from citeproof.text.identifiers import find_arxiv_id

NAME = "opencitations"
LICENCE: str | None = "CC0 1.0, OpenCitations, https://opencitations.net"
CHUNKS = row_chunks
accepts = signed_by(
    *(rb"\A[^\r\n]*\b%b\b" % name for name in (b"id", b"title", b"pub_date", b"venue", b"type"))
)
# types that are left out: containers of works, and texts about other works
_NO_WORKS = frozenset(
    [
        f"{part} {kind}".strip()
        for part in ("journal", "newspaper")
        for kind in ("", "volume", "issue")
    ]
    + [f"{part} series".strip() for part in ("", "book", "proceedings", "report", "standard")]
    + ["component", "peer review", "retraction notice"]
)
# types of works whose publisher is given as the venue
_BY_PUBLISHER = frozenset({"book", "phdthesis", "techreport"})
_LONGEST_FIELD = 1 << 26  # maximum characters of a field; 10,000 authors take some 600,000
_YEAR = re.compile(r"\d{4}")
# regex for identifiers after a name or venue: `` [issn:1234-5678 omid:br/061]``
_IDS = re.compile(r"\s*\[([^\[\]]*)\]\s*$")
_TRANSLATED = re.compile(r"(.*\S)\s+\[([^\W\d_a-z][^\[\]\s]*(?:\s[^\[\]\s]+){2,})\]\W*")
# URLs of records without a DOI; the first identifier of a work in this order is used
_ADDRESSES = {
    "arxiv": "https://arxiv.org/abs/{}",
    "pmid": "https://pubmed.ncbi.nlm.nih.gov/{}/",
    "pmcid": "https://www.ncbi.nlm.nih.gov/pmc/articles/{}/",
    "openalex": "https://openalex.org/{}",
    "isbn": "https://openlibrary.org/isbn/{}",
    "omid": "https://w3id.org/oc/meta/{}",
}


def records(file: SourceFile) -> Iterator[Batch]:
    """Yield the works in ``file``, in batches.

    Containers and texts about other works are counted as skipped.
    """
    csv.field_size_limit(_LONGEST_FIELD)
    return batched(_works(file, datetime.now(UTC).date().isoformat()))


def _works(file: SourceFile, today: str) -> Iterator[Found]:
    reader = csv.reader(text_lines(file), strict=True)
    names = [name.strip().lower() for name in next(reader)]
    width = len(names)
    while True:
        number = reader.line_num + file.first_line
        try:
            values = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            yield Found(fault=f"line {number}: is not a row of a table with commas ({error})")
            continue
        if len(values) == width:
            yield from _found(dict(zip(names, values, strict=True)), today)
        elif values:
            yield Found(fault=f"line {number}: has {len(values)} columns, and the header {width}")


def _found(work: Mapping[str, str], today: str) -> Iterator[Found]:
    kind, date = work["type"].strip().lower(), work["pub_date"]
    if kind in _NO_WORKS:
        yield Found(skipped=1)
        return
    identifiers: dict[str, list[str]] = {}
    for identifier in work["id"].split():
        schema, _, value = identifier.partition(":")
        identifiers.setdefault(schema.lower(), []).append(value)
    dois = [doi.lower() for doi in identifiers.get("doi", ()) if doi.startswith("10.")] or [""]
    other = next((name for name in _ADDRESSES if name in identifiers), "")
    own = identifiers[other][0] if other else ""
    arxiv_id = next(filter(None, map(find_arxiv_id, (*identifiers.get("arxiv", ()), *dois))), "")
    pub_type = publication_type(kind.replace(" ", "-"))
    venue, issns = _parted(work["venue"])
    if not venue and pub_type in _BY_PUBLISHER:
        venue, _ = _parted(work.get("publisher", ""))
    first, _, last = work.get("page", "").partition("-")
    year = int(dated[0]) if (dated := _YEAR.match(date)) else 0
    fields = {
        "authors": list(_names(work["author"] or work.get("editor", ""))),
        # an impossible year is an error of the publisher
        "year": year if 0 < year <= int(today[:4]) + 1 else None,
        "venue": venue,
        "pub_type": pub_type,
        "arxiv_id": arxiv_id,
        "pages": first if first == last else work["page"],
        "volume": work.get("volume"),
        "number": work.get("issue"),
    }
    for doi, title in product(dois, _titles(plain(work["title"]))):
        fields["key"] = doi or (f"{other}:{own}" if other else "")
        fields["url"] = f"https://doi.org/{doi}" if doi else _ADDRESSES.get(other, "").format(own)
        fields |= {"doi": doi, "title": title}
        yield Found(row_of_fields(fields, NAME), date if date <= today else None, issns=issns)


def _titles(title: str) -> tuple[str, ...]:
    parts = _TRANSLATED.fullmatch(title) if title.endswith(("]", "].")) else None
    return (title, *parts.groups()) if parts else (title,)


def _parted(named: str) -> tuple[str, str]:
    """Return the name and the ISSNs in ``named``, such as ``Lamps [issn:1234-5678]``."""
    found = _IDS.search(named)
    if not found:
        return named.strip(), ""
    ids = (each.partition(":") for each in found[1].split())
    return named[: found.start()].strip(), " ".join(
        own for schema, _, own in ids if schema == "issn"
    )


def _names(people: str) -> Iterator[str]:
    """Yield the names in ``people`` as ``Given Family``.

    ``Rain, Ann [orcid:0000]; Oslo Group,`` are ``Ann Rain`` and ``Oslo Group``.
    """
    for person in people.split("; "):
        name = _IDS.sub("", person).strip() if "[" in person else person
        several = name.count(",") > 1
        for one in split_authors(name)[0] if several else (name,):
            family, _, given = one.partition(",")
            if whole := f"{given.strip()} {family.strip()}".strip():
                yield whole
