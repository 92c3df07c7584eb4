"""Make the file of works of the built-in sample from a database of DBLP, which is CC0. The works
are those that bibliographies cite.

``python -m tools.sample DATABASE BIBLIOGRAPHY...`` checks the bibliographies, and packs the volumes
of the works that were found. A volume is always packed as a whole, so the sample can prove that a
work is not in this volume. The volumes with the most citations per record come first, until the
file is full; citations of other years of the same venue count a little. The workshops of a
conference are packed with the conference, so that their papers do not count as missing from the
conference.
"""

from __future__ import annotations

import lzma
import sys
from collections import Counter, defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import citeproof
from citeproof.database.building.sample import BETWEEN, COLUMNS, PACKED

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

LARGEST = 6_000_000
"""Maximum bytes of the file."""
BYTES_A_RECORD = 39
"""Bytes that a record takes when it is packed."""
NEARBY_SHARE = 0.1
"""Weight of a citation of the same venue in another year that is at most :data:`NEARBY_YEARS`
away.
"""
NEARBY_YEARS = 3
STEP = 0.98
"""What the number of records is reduced to while the file is too large."""


class Volume(NamedTuple):
    """One year of a venue, such as ``conf/nips`` and 2017."""

    venue: str
    year: int


def cited(database: Path, bibliographies: Iterable[str]) -> Counter[str]:
    """Return how many entries of ``bibliographies`` were found under each key of a record."""
    found: Counter[str] = Counter()
    with citeproof.open_session(bib_db=database, no_cache=True) as session:
        for verdict in session.check(list(bibliographies)).verdicts:
            found.update({one.record.key for one in (verdict.best_match,) if one})
    return found


def ranked(volumes: Mapping[Volume, list[tuple[str, ...]]], found: Counter[str]) -> list[Volume]:
    """Return the volumes that were cited or are near such ones, those with the most citations a
    record first.
    """
    direct: Counter[Volume] = Counter()
    for volume, rows in volumes.items():
        direct[volume] = sum(found[row[0]] for row in rows)
    worth: dict[Volume, float] = {}
    for volume, rows in volumes.items():
        years = range(volume.year - NEARBY_YEARS, volume.year + NEARBY_YEARS + 1)
        nearby = sum(direct[Volume(volume.venue, year)] for year in years if year != volume.year)
        if weight := direct[volume] + NEARBY_SHARE * nearby:
            worth[volume] = weight / len(rows)
    return sorted(worth, key=lambda volume: (-worth[volume], volume))


def chosen(database: Path, found: Counter[str], largest: int = LARGEST) -> bytes:
    """Return the packed works of the best volumes, at most ``largest`` bytes."""
    volumes = dict(_volumes(database))
    order = ranked(volumes, found)
    most = largest / BYTES_A_RECORD
    while True:
        taken: dict[Volume, list[tuple[str, ...]]] = {}
        count = 0
        for volume in order:
            whole = {
                one: volumes[one]
                for one in (volume, Volume(f"{volume.venue}w", volume.year))
                if one in volumes
            }
            if count + (size := sum(map(len, whole.values()))) <= most:
                taken |= whole
                count += size
        data = packed([row for volume in sorted(taken) for row in sorted(taken[volume])])
        if len(data) <= largest:
            return data
        most *= STEP


def packed(rows: Sequence[Sequence[str]]) -> bytes:
    """Return ``rows`` of :data:`COLUMNS` in the form that :func:`sample.expanded` reads."""
    columns = zip(*rows, strict=True)
    data = BETWEEN.join("\n".join(column).encode() for column in columns)
    return lzma.compress(data, preset=9 | lzma.PRESET_EXTREME)


def _volumes(database: Path) -> Iterator[tuple[Volume, list[tuple[str, ...]]]]:
    found: dict[Volume, list[tuple[str, ...]]] = defaultdict(list)
    with citeproof.open_database(database) as opened:
        for row in opened.file.rows(
            f"SELECT {', '.join(COLUMNS)} FROM publications WHERE source = 'dblp'"
        ):
            values = tuple(" ".join(str(value or "").split()) for value in row)
            said = dict(zip(COLUMNS, values, strict=True))
            found[Volume(said["key"].rpartition("/")[0], int(said["year"] or 0))].append(values)
    yield from found.items()


def main(database: str, *bibliographies: str) -> None:
    """Write the file into the package."""
    data = chosen(Path(database), cited(Path(database), bibliographies))
    PACKED.write_bytes(data)
    records = lzma.decompress(data).count(b"\n")
    print(f"{PACKED}: {len(data):,} bytes, some {records // len(COLUMNS):,} works")


if __name__ == "__main__":
    main(*sys.argv[1:])
