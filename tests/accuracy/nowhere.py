"""What ``found_nowhere`` is worth: how often true references, and how often invented references,
get this reason.

``python -m tests.accuracy.nowhere dblp.db`` treats the database as if it had nearly all works of
every kind, as a whole dump of OpenAlex or Crossref has. It leaves a random share of the records
out, and verifies HALLMARK's development split against the rest. Only those true references are used
that agree with a record of the whole database. If such a reference is found nowhere, the reason is
that its record was left out.
"""

from __future__ import annotations

import json
import sys
import zlib
from pathlib import Path
from typing import TYPE_CHECKING

from citeproof.database.coverage import CoverageTable
from citeproof.database.lookup import Database
from citeproof.database.venues.table import VenueTable
from citeproof.model.reference import Reference
from citeproof.model.verdict import Status
from citeproof.verification.pipeline import Pipeline
from citeproof.verification.strategies.local import BibliographicDatabaseStrategy
from citeproof.verification.validator import Validator
from tests.accuracy import hallmark
from tests.accuracy.conftest import TODAY
from tests.accuracy.entries import read
from tests.accuracy.partial import without
from tests.conftest import SHARED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from citeproof.model.record import Record
    from citeproof.model.verdict import Verdict

LEFT_OUT = (0, 10, 50, 100, 200)
"""Records of each thousand."""
BROAD = CoverageTable(
    {}, ({"format": "openalex", "records": 300_000_000, "dump_date": "2100-01-01"},)
)
NO_VOLUMES = VenueTable((), ())
"""Such a dump does not tell in which volume a work is."""
INVENTED_SHARES = (0.01, 0.05, 0.54)
"""Of all references, so many are invented: few, many, and as in the split."""


def losing(thousandths: int) -> Callable[[Record], bool]:
    """Return whether a record is among the drawn ones, by a hash of its key."""
    return lambda record: zlib.crc32(record.key.encode()) % 1000 < thousandths


def verdicts(
    database: Database, references: Iterable[Reference], thousandths: int
) -> list[Verdict]:
    """Return the verdicts on ``references`` of a broad database without ``thousandths`` of its
    records.
    """
    partly = without(database, losing(thousandths), NO_VOLUMES)
    strategy = BibliographicDatabaseStrategy(partly, 0.9, coverage=BROAD)
    pipeline = Pipeline([strategy], Validator(NO_VOLUMES, today=lambda: TODAY))
    return [pipeline.verify(reference) for reference in references]


def _right(share: float, invented: float, true: float) -> float:
    """Return how many of the references that are found nowhere are invented, where ``share`` of all
    are.
    """
    return share * invented / max(share * invented + (1 - share) * true, 1e-9)


def main(path: Path) -> None:
    """Print the table."""
    rows = (SHARED / "gold" / "hallmark" / "dev_public.jsonl").read_text("utf-8").splitlines()
    wrong = {row["bibtex_key"] for row in map(json.loads, rows) if row["label"] == "HALLUCINATED"}
    references = [
        entry for entry in read(hallmark.blind_entries(SHARED)) if isinstance(entry, Reference)
    ]
    chances = "".join(f"{f'right at {share:.0%}':>14}" for share in INVENTED_SHARES)
    heads = "".join(
        f"{head:>9}"
        for head in ("left out", "held", "nowhere", "of them", "invented", "nowhere", "of them")
    )
    print(heads + chances)
    with Database.open(path) as database:
        whole = verdicts(database, references, 0)
        held = {each.reference.key for each in whole if each.status is Status.VALID} - wrong
        for thousandths in LEFT_OUT:
            found = verdicts(database, references, thousandths)
            nowhere = {
                each.reference.key
                for each in found
                if each.reference.key and each.reason == "found_nowhere"
            }
            true, invented = len(nowhere & held) / len(held), len(nowhere & wrong) / len(wrong)
            rights = (_right(share, invented, true) for share in INVENTED_SHARES)
            print(
                f"{thousandths / 1000:>9.1%}{len(held):>7}{len(nowhere & held):>9}{true:>9.1%}"
                f"{len(wrong):>9}"
                f"{len(nowhere & wrong):>9}{invented:>9.1%}"
                + "".join(f"{right:>14.1%}" for right in rights)
            )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
