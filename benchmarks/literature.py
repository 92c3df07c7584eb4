"""Generate a dump of OpenCitations Meta of any size, and show what takes the bytes of its database.

    python -m benchmarks.literature dblp-sample.xml.gz meta.tar.gz --rows 8000000
    citeproof db build meta.tar.gz -o meta.db
    python -m benchmarks.literature --database meta.db

Each title begins like one real title of the DBLP dump and ends like another. Titles, authors and
DOIs are about as long as in a sample of 504 works of Crossref: 85 bytes per title, 55 for the
authors, 24 per DOI. Each file of the archive has 100,000 rows, which are the same in every run.
``benchmarks.look_up`` looks titles up in the database.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import io
import tarfile
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from citeproof.database import schema
from citeproof.database.building.source import open_source
from citeproof.database.lookup import Database
from citeproof.database.title_index.format import HEADER_ROOM, decode_header, index_path
from citeproof.processes import cores

if TYPE_CHECKING:
    from collections.abc import Iterator

SEED = 20261127
PART_ROWS = 100_000
HEADER = "id,title,author,pub_date,venue,volume,issue,page,type,publisher,editor"
TYPES = ("journal article", "book chapter", "proceedings article", "book", "dissertation")
WEIGHTS = (0.74, 0.14, 0.08, 0.03, 0.01)
PEOPLE = (1, 2, 3, 4, 5, 6, 8, 12)
PEOPLE_WEIGHTS = (0.24, 0.18, 0.16, 0.14, 0.1, 0.08, 0.06, 0.04)
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
                    names = str(row[_AUTHORS] or "").split(schema.AUTHOR_SEPARATOR)[:2]
                    parted = (name.rpartition(" ") for name in names)
                    self._names += [f"{family}, {given}" for given, _, family in parted]

    def rows(self, part: int, count: int = PART_ROWS) -> Iterator[tuple[str, ...]]:
        """Yield the first ``count`` rows of a part."""
        draw = np.random.default_rng((SEED, part))
        titles = draw.integers(len(self._titles), size=(PART_ROWS, 4)).tolist()
        kept = draw.random((PART_ROWS, 2)).tolist()
        subtitled = (draw.random(PART_ROWS) < SUBTITLED).tolist()
        people = draw.choice(PEOPLE, PART_ROWS, p=PEOPLE_WEIGHTS).tolist()
        names = iter(draw.integers(len(self._names), size=sum(people)).tolist())
        kinds = draw.choice(len(TYPES), PART_ROWS, p=WEIGHTS).tolist()
        venues = draw.integers(60_000, size=PART_ROWS).tolist()
        years = (2026 - draw.exponential(14, PART_ROWS).astype(int) % 120).tolist()
        pages = draw.integers((1, 3), (2_000, 20), size=(PART_ROWS, 2)).tolist()
        for row in range(count):
            number = 1 + part * PART_ROWS + row
            first, other, third, fourth = titles[row]
            title = self._title(first, other, kept[row][0])
            if subtitled[row]:
                title += f": {self._title(third, fourth, kept[row][1])[:50]}"
            venue = 60_000 + number // 12 if kinds[row] else venues[row]
            begin, size = pages[row]
            tag = f" [omid:ra/06{number}]"
            yield (
                f"doi:10.{1000 + venue % 4000}/j.{venue:05}.{number:09} omid:br/06{number}",
                title,
                "; ".join([self._names[next(names)] + tag for _ in range(people[row])]),
                f"{years[row]}-{1 + number % 12:02}",
                f"Journal of Lamps {venue} [issn:{venue % 10_000:04}-0000 omid:br/06{venue}]",
                str(number % 90),
                str(number % 12),
                f"{begin}-{begin + size}",
                TYPES[kinds[row]],
                "Publisher Of Lamps [crossref:7]",
                "",
            )

    def _title(self, one: int, two: int, share: float) -> str:
        first, other = self._titles[one], self._titles[two]
        kept = 1 + int(share * (len(first) - 1))
        return " ".join([*first[:kept], *other[-max(1, len(first) - kept) :]])


_maker = cache(Maker)


def packed_part(real: Path, part: int, rows: int) -> bytes:
    """Return a table of ``rows`` rows as a member of a ``tar.gz``, packed by itself."""
    text = io.StringIO()
    text.write(HEADER + "\n")
    csv.writer(text, quoting=csv.QUOTE_ALL).writerows(_maker(real).rows(part, rows))
    content, member = text.getvalue().encode(), tarfile.TarInfo(f"csv/{part:05}.csv")
    member.size = len(content)
    content += bytes(-len(content) % tarfile.BLOCKSIZE)
    return gzip.compress(member.tobuf() + content, 1)


def write(real: Path, target: Path, rows: int) -> None:
    """Write ``rows`` rows to the archive ``target``, a ``tar.gz``."""
    parts = range(-(-rows // PART_ROWS))
    sizes = [min(PART_ROWS, rows - part * PART_ROWS) for part in parts]
    with target.open("wb") as file, ProcessPoolExecutor(cores()) as pool:
        for part in pool.map(packed_part, [real] * len(parts), parts, sizes):
            file.write(part)
        file.write(gzip.compress(bytes(2 * tarfile.BLOCKSIZE)))


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
    parser.add_argument("target", type=Path, nargs="?", help="the archive of the made dump")
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--database", type=Path, help="print where the bytes of this database go")
    arguments = parser.parse_args()
    if arguments.database:
        print_parts(arguments.database)
    elif arguments.target:
        write(arguments.real, arguments.target, arguments.rows)
    else:
        parser.error("name a dump and an archive, or a --database")


if __name__ == "__main__":
    main()
