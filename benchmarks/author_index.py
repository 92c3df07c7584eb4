"""Cost of the author index in a build of many records, and look-up time of the commonest names.

    python -m benchmarks.author_index dblp.db --records 8000000

The names of a real database are repeated for other records until the wanted number of records is
reached. Common names stay as common as in a real database.
"""

import argparse
import tempfile
import time
from pathlib import Path

import numpy as np

from citeproof.database.author_index import IDS, ids_by_authors
from citeproof.database.building.author_index import write
from citeproof.database.building.key_pairs import KeyPairs
from citeproof.store.sqlite import APPLICATION_ID, BulkFile, ReadOnlyFile

BATCH = 500
ASKED = (
    ("Y. Wang",),
    ("Y. Wang", "Y. Zhang"),
    ("Y. Wang", "Y. Zhang", "Y. Li", "Y. Liu", "X. Wang", "J. Wang"),
    ("Leslie Lamport",),
    ("Whitfield Diffie", "Martin E. Hellman"),
)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("database", type=Path, help="built by citeproof")
    parser.add_argument("--records", type=int, default=8_000_000)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "names.db"
        path.touch()
        seconds, names = build(arguments.database, path, arguments.records)
        print(
            f"{names:,} names of {arguments.records:,} records: {seconds:.1f} s,"
            f" {path.stat().st_size / 1e6:.0f} MB"
        )
        file = ReadOnlyFile(path)
        for people in ASKED:
            first, again = timed(file, people), min(timed(file, people) for _ in range(5))
            print(f"{'; '.join(people):60} {first:8.2f} ms, again {again:8.2f} ms")
        file.close()


def build(database: Path, path: Path, records: int) -> tuple[float, int]:
    """Write the index of ``records`` records to ``path``; return seconds of processor time and the
    number of names.
    """
    keys, counts = names_of(database)
    ends = [0, *np.cumsum(counts).tolist()]
    builder, file = KeyPairs(path.parent), BulkFile(path, APPLICATION_ID)
    started, names = time.process_time(), 0
    for first_id in range(1, records + 1, BATCH):
        start = (first_id - 1) % (len(counts) - BATCH)
        held = keys[ends[start] : ends[start + BATCH]]
        builder.add(first_id, held, counts[start : start + BATCH])
        names += len(held)
    write(builder, file)
    file.finish()
    builder.close()
    return time.process_time() - started, names


def names_of(database: Path) -> tuple[np.ndarray, np.ndarray]:
    """Return the keys of the names of all records of a database, and how many each record has."""
    file = ReadOnlyFile(database)
    pairs = [
        (np.frombuffer(ids, IDS), np.full(len(ids) // IDS.itemsize, key, np.uint32))
        for key, ids in file.rows("SELECT name_key, records FROM author_index")
    ]
    file.close()
    ids, keys = (
        np.concatenate([ids for ids, _ in pairs]),
        np.concatenate([keys for _, keys in pairs]),
    )
    return keys[np.argsort(ids, kind="stable")], np.bincount(ids)[1:].astype(np.uint32)


def timed(file: ReadOnlyFile, people: tuple[str, ...]) -> float:
    """Return the milliseconds of a look-up of the records by ``people``."""
    started = time.perf_counter()
    ids_by_authors(file, people)
    return (time.perf_counter() - started) * 1000


if __name__ == "__main__":
    main()
