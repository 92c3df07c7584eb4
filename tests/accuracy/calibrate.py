"""Count how often findings are right, for ``verification/certainty.py``.

usage: python -m tests.accuracy.calibrate DATABASE WILD_DATABASE

DATABASE is built from ../shared/corpus/dblp-sample.xml.gz, and WILD_DATABASE from both files of
DBLP in this folder.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from citeproof.database.lookup import Database
from citeproof.model.verdict import Status
from citeproof.verification.certainty import deciding
from citeproof.verification.validator import Validator
from tests.accuracy import hallmark, wild
from tests.accuracy.conftest import TODAY, Bench
from tests.accuracy.entries import read
from tests.conftest import SHARED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from citeproof.model.verdict import Verdict


def invented(shared: Path, verdicts: Sequence[Verdict]) -> tuple[dict[str, int], tuple[int, int]]:
    """Return the flags on invented references by deciding code, and how many VALID verdicts were
    right and given.
    """
    rows = (shared / "gold" / "hallmark" / "dev_public.jsonl").read_text("utf-8").splitlines()
    wrong = {row["bibtex_key"]: row["label"] == "HALLUCINATED" for row in map(json.loads, rows)}
    flags = Counter(
        deciding(one.issues)
        for one in verdicts
        if wild.is_flagged(one) and wrong[one.reference.key]
    )
    valid = [wrong[one.reference.key] for one in verdicts if one.status is Status.VALID]
    return dict(sorted(flags.items())), (valid.count(False), len(valid))


def judged(outcome: wild.Outcome) -> dict[str, tuple[int, int]]:
    """Return for each deciding code how many labelled flags were faults and how many were given."""
    given: Counter[str] = Counter()
    right: Counter[str] = Counter()
    for label in ("fault", "honest"):
        for each in outcome.still_flagged(label):
            code = deciding(outcome.verdict(each).issues)
            given[code] += 1
            right[code] += label == "fault"
    return {code: (right[code], given[code]) for code in sorted(given)}


def main() -> None:
    """Print the tables of ``verification/certainty.py``."""
    with Database.open(Path(sys.argv[1])) as database:
        bench = Bench(database, Validator(database.venues, today=lambda: TODAY))
        flags, agreeing = invented(
            SHARED, bench.measure(read(hallmark.blind_entries(SHARED))).verdicts
        )
    with Database.open(Path(sys.argv[2])) as database:
        outcome = wild.measured(SHARED, wild.bench_on(database))
    judged_flags = judged(outcome)
    for code in sorted({*judged_flags, *flags}):
        print(f'    "{code}": {(*judged_flags.get(code, (0, 0)), flags.get(code, 0))},')
    print("WILD_DECIDED", outcome.figures()["decided"], "AGREEING", agreeing)


if __name__ == "__main__":
    main()
