"""Count how often each reason is right on HALLMARK's development split, for ``validation/calibration.py``.

usage: python -m tests.accuracy.calibrate DATABASE   (built from ../shared/corpus/dblp-sample.xml.gz)
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from citeproof.bibdb.database import Database
from citeproof.models import Status
from citeproof.validation.decide import Validator
from tests.accuracy import hallmark
from tests.accuracy.conftest import TODAY, Bench
from tests.accuracy.entries import read
from tests.conftest import SHARED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from citeproof.models import Verdict


def counted(shared: Path, verdicts: Sequence[Verdict]) -> dict[str, tuple[int, int]]:
    """Return for each deciding reason how many verdicts were right and how many were given."""
    rows = (shared / "gold" / "hallmark" / "dev_public.jsonl").read_text("utf-8").splitlines()
    wrong = {row["bibtex_key"]: row["label"] == "HALLUCINATED" for row in map(json.loads, rows)}
    given: Counter[str] = Counter()
    right: Counter[str] = Counter()
    for verdict in verdicts:
        if verdict.status in (Status.UNVERIFIED, Status.ERROR):
            continue
        given[verdict.reason] += 1
        right[verdict.reason] += wrong[verdict.reference.key] == (verdict.status is not Status.VALID)
    return {reason: (right[reason], given[reason]) for reason in sorted(given)}


def main() -> None:
    """Print the table of ``validation/calibration.py``."""
    with Database.open(Path(sys.argv[1])) as database:
        bench = Bench(database, Validator(database.venues, today=lambda: TODAY))
        measured = bench.measure(read(hallmark.blind_entries(SHARED)))
    for reason, pair in counted(SHARED, measured.verdicts).items():
        print(f'    "{reason}": {pair},')


if __name__ == "__main__":
    main()
