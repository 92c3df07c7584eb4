"""Verdicts with OpenCitations Meta, in place of DBLP and in addition to DBLP.

usage: python -m tests.accuracy.literature

Records of DBLP with a DOI are written as rows of OpenCitations Meta. First, the same 50,000 records
make a database of DBLP and a database of Meta. The verdicts may differ only because Meta lacks
volumes and their names. Then rows with the known faults of Meta are added to DBLP: years of early
access, missing subtitles, missing authors. They must not cause flags on further honest entries.
"""

from __future__ import annotations

import csv
import gzip
import random
import re
import sys
import tempfile
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from citeproof.database import schema
from citeproof.database.building.builder import build
from citeproof.database.building.source import open_source
from citeproof.database.building.title_indexer import TitleIndexer
from citeproof.database.lookup import Database
from tests.accuracy.wild import bench_on, codes_of, is_flagged, measured
from tests.conftest import SHARED

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tests.accuracy.wild import Outcome

RECORDS = 50_000
SEED = 20261127
HEADER = "id,title,author,pub_date,venue,volume,issue,page,type,publisher,editor"
TYPES = {
    "article": "journal article",
    "inproceedings": "proceedings article",
    "incollection": "book chapter",
    "phdthesis": "dissertation",
}
FAULTS = {"early": 0.15, "subtitle": 0.1, "authors": 0.05, "capitals": 0.5}
"""Share of rows with each fault: the year before, no subtitle, only the first author, and words
that begin with capitals.
"""
_RECORD = re.compile(
    rb"<(article|inproceedings|incollection|phdthesis)\b(?:(?!</\1>).)*?https://doi\.org/.*?</\1>",
    re.DOTALL,
)


def some_of(dump: Path, target: Path, count: int) -> Path:
    """Write the first ``count`` records of ``dump`` with a DOI to ``target``."""
    with gzip.open(dump) as file:
        content = file.read()
    prolog = content[: content.index(b"<dblp") + len(b"<dblp>")]
    found = (match[0] for _, match in zip(range(count), _RECORD.finditer(content), strict=False))
    target.write_bytes(prolog + b"\n" + b"\n".join(found) + b"\n</dblp>\n")
    return target


def rows_of(dump: Path) -> Iterator[dict[str, Any]]:
    """Yield the records of ``dump`` with a DOI as fields."""
    with closing(open_source(dump)) as source:
        for batch in source.batches:
            for row in filter(schema.is_takeable, batch.rows):
                fields = dict(zip(schema.COLUMNS, row, strict=True))
                if fields["doi"] and fields["pub_type"] in TYPES:
                    yield fields


def as_meta(fields: dict[str, Any]) -> list[str]:
    """Return a record of DBLP as a row of OpenCitations Meta."""
    names = str(fields["authors"] or "").split(schema.AUTHOR_SEPARATOR)
    parted = (name.rpartition(" ") for name in names if name)
    people = [f"{family}, {given}" for given, _, family in parted]
    return [
        f"doi:{fields['doi']} omid:br/0",
        fields["title"],
        "; ".join(f"{person} [omid:ra/0]" for person in people),
        str(fields["year"] or ""),
        f"{fields['venue']} [omid:br/1]" if fields["venue"] else "",
        *(str(fields[name] or "") for name in ("volume", "number", "pages")),
        TYPES[fields["pub_type"]],
        "",
        "",
    ]


def with_faults(fields: dict[str, Any], choice: random.Random) -> dict[str, Any]:
    """Return a record with some of the faults of Meta."""
    made = dict(fields)
    if choice.random() < FAULTS["early"] and made["year"]:
        made["year"] -= 1
    if choice.random() < FAULTS["subtitle"]:
        made["title"] = made["title"].partition(": ")[0]
    if choice.random() < FAULTS["authors"] and made["authors"]:
        made["authors"] = made["authors"].partition(schema.AUTHOR_SEPARATOR)[0]
    if choice.random() < FAULTS["capitals"]:
        made["title"] = made["title"].title()
    return made


def write(target: Path, rows: Iterable[dict[str, Any]]) -> Path:
    """Write ``rows`` as a table of OpenCitations Meta."""
    with target.open("w", newline="") as file:
        file.write(HEADER + "\n")
        table = csv.writer(file, quoting=csv.QUOTE_ALL)
        table.writerows(map(as_meta, rows))
    return target


def verdicts(folder: Path, name: str, *sources: Path) -> Outcome:
    """Return the verdicts on the six bibliographies with a database of ``sources``."""
    path = folder / f"{name}.db"
    build(list(sources), path, titles=TitleIndexer(path))
    print(f"{name}: built", file=sys.stderr)
    with Database.open(path) as opened:
        return measured(SHARED, bench_on(opened))


def compared(one: Outcome, other: Outcome) -> None:
    """Print how the verdicts of ``other`` differ from those of ``one``."""
    pairs = list(zip(one.every, other.every, strict=True))
    same = sum(a.status is b.status for a, b in pairs)
    print(f"  the same status: {same} of {len(pairs)}")
    moved = Counter(f"{a.status} -> {b.status}" for a, b in pairs if a.status is not b.status)
    for change, count in moved.most_common():
        print(f"  {change}: {count}")
    for a, b in pairs:
        if a.status is not b.status and (is_flagged(a) or is_flagged(b)):
            codes = f"{','.join(codes_of(a))} -> {','.join(codes_of(b))}"
            print(f"    {a.reference.key} {a.status} -> {b.status}: {codes}")


def main() -> None:
    """Print both comparisons."""
    choice, dump = random.Random(SEED), SHARED / "corpus" / "dblp-wild.xml.gz"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        some = some_of(dump, folder / "some.xml", RECORDS)
        meta = write(folder / "some.csv", rows_of(some))
        print(f"the same {RECORDS:,} records, as DBLP and as OpenCitations Meta:")
        compared(verdicts(folder, "dblp", some), verdicts(folder, "meta", meta))
        faulty = write(
            folder / "faulty.csv", (with_faults(fields, choice) for fields in rows_of(dump))
        )
        alone = verdicts(folder, "alone", dump)
        added = verdicts(folder, "added", dump, faulty)
        print("DBLP, and DBLP with OpenCitations Meta and its faults:")
        compared(alone, added)
    for label in ("honest", "fault", "unsure"):
        flagged = [len(outcome.still_flagged(label)) for outcome in (alone, added)]
        print(f"  {label} entries that are flagged: {flagged[0]}, then {flagged[1]}")
    unjudged = [len(outcome.unlabelled()) for outcome in (alone, added)]
    print(f"  flags that nobody has judged: {unjudged[0]}, then {unjudged[1]}")


if __name__ == "__main__":
    main()
