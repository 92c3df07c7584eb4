"""A made dump of OpenCitations Meta of any size, and where the bytes of its database go.

    python -m benchmarks.literature dblp-sample.xml.gz dump --rows 8000000
    citeproof db build dump -o meta.db
    python -m benchmarks.literature --database meta.db

Titles begin as one real title of the DBLP dump and end as another. Names, DOIs and venues are as
long as in a sample of 504 works of Crossref: 85 bytes a title, 55 the authors, 24 a DOI. A file of
the dump has 100,000 rows, and the same rows whenever it is made. ``benchmarks.look_up`` looks
titles up in the database.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import io
import random
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from citeproof.database import schema
from citeproof.database.building.source import open_source
from citeproof.database.lookup import Database
from citeproof.database.title_index.format import HEADER_ROOM, decode_header, index_path

if TYPE_CHECKING:
    from collections.abc import Iterator

SEED = 20261127
PART_ROWS = 100_000
HEADER = "id,title,author,pub_date,venue,volume,issue,page,type,publisher,editor"
TYPES = ("journal article", "book chapter", "proceedings article", "book", "dissertation")
WEIGHTS = (74, 14, 8, 3, 1)
SUBTITLED = 0.3
"""Share of titles that get the beginning of another as their subtitle."""
_TITLE, _AUTHORS = (schema.COLUMNS.index(name) for name in ("title", "authors"))


class Maker:
    """Makes rows from the titles and names of a dump of DBLP."""

    def __init__(self, real: Path) -> None:
        """Read the dump ``real``."""
        self._titles: list[list[str]] = []
        self._names: list[str] = []
        with closing(open_source(real)) as source:
            for batch in source.batches:
                self._titles += [str(row[_TITLE]).split() for row in batch.rows if row[_TITLE]]
                for row in batch.rows:
                    self._names += str(row[_AUTHORS] or "").split(schema.AUTHOR_SEPARATOR)[:2]

    def rows(self, part: int) -> Iterator[list[str]]:
        """Yield the rows of a part, without end."""
        choice = random.Random(f"{SEED} {part}")
        number = part * PART_ROWS
        while True:
            number += 1
            title = self._title(choice)
            if choice.random() < SUBTITLED:
                title += f": {self._title(choice)[:50]}"
            people = choice.choices((1, 2, 3, 4, 5, 6, 8, 12), (24, 18, 16, 14, 10, 8, 6, 4))[0]
            parted = (choice.choice(self._names).rpartition(" ") for _ in range(people))
            (kind,) = choice.choices(TYPES, WEIGHTS)
            venue = choice.randrange(60_000) if kind == TYPES[0] else 60_000 + number // 12
            first = choice.randrange(1, 2_000)
            yield [
                f"doi:10.{1000 + venue % 4000}/j.{venue:05}.{number:09} omid:br/06{number}",
                title,
                "; ".join(f"{family}, {given} [omid:ra/06{number}]" for given, _, family in parted),
                f"{2026 - int(choice.expovariate(1 / 14)) % 120}-{1 + number % 12:02}",
                f"Journal of Lamps {venue} [issn:{venue % 10_000:04}-0000 omid:br/06{venue}]",
                *(str(number % size) for size in (90, 12)),
                f"{first}-{first + choice.randrange(3, 20)}",
                kind,
                "Publisher Of Lamps [crossref:7]",
                "",
            ]

    def _title(self, choice: random.Random) -> str:
        first, other = choice.choice(self._titles), choice.choice(self._titles)
        kept = 1 + int(choice.random() * (len(first) - 1))
        return " ".join([*first[:kept], *other[-max(1, len(first) - kept) :]])


def write(real: Path, folder: Path, rows: int) -> None:
    """Write ``rows`` rows to files in ``folder``; files that are there stay."""
    folder.mkdir(parents=True, exist_ok=True)
    maker = Maker(real)
    for part in range(-(-rows // PART_ROWS)):
        path = folder / f"{part:05}.csv.gz"
        if path.exists():
            continue
        text = io.StringIO()
        text.write(HEADER + "\n")
        some = zip(range(min(PART_ROWS, rows - part * PART_ROWS)), maker.rows(part), strict=False)
        csv.writer(text, quoting=csv.QUOTE_ALL).writerows(row for _, row in some)
        path.write_bytes(gzip.compress(text.getvalue().encode(), 1))


def print_parts(path: Path) -> None:
    """Print the bytes a record of each part of the database at ``path`` and its title index."""
    with Database.open(path) as database:
        records = database.describe()["records"]
        parts = database.file.rows(
            "SELECT name, sum(pgsize) FROM dbstat GROUP BY 1 ORDER BY 2 DESC"
        )
    with index_path(path).open("rb") as file:
        sections = decode_header(file.read(HEADER_ROOM)).sections
    parts += [(f"title index: {name}", section.size) for name, section in sections.items()]
    for name, size in parts:
        if size / records >= 0.05:
            print(f"{name:30} {size / records:7.1f}")
    size = path.stat().st_size + index_path(path).stat().st_size
    print(f"{'all':30} {size / records:7.1f}  of {records:,} records")


def main() -> None:
    """Make a dump, or print the parts of a database."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("real", type=Path, nargs="?", help="a dump of DBLP")
    parser.add_argument("folder", type=Path, nargs="?", help="the folder of the made dump")
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--database", type=Path, help="print where the bytes of this database go")
    arguments = parser.parse_args()
    if arguments.database:
        print_parts(arguments.database)
    elif arguments.folder:
        write(arguments.real, arguments.folder, arguments.rows)
    else:
        parser.error("name a dump and a folder, or a --database")


if __name__ == "__main__":
    main()
