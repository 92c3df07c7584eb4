"""The board: one table of all labelled sets that are available, with the figures that the authors
of other tools published for the same sets.

usage: python -m tests.accuracy.board [--write]     (``CITEPROOF_WILD_DB`` names a database that is
already built)

The database is built from both DBLP files of ``../shared``. Without these files, only the project's
own set is measured, against the built-in sample. ``--write`` writes the table into
``docs/board.md``. Nothing goes online.
"""

from __future__ import annotations

import sys
import tempfile
import time
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from citeproof.database.building.sample import sample_database
from citeproof.database.lookup import Database
from citeproof.model.verdict import Status
from citeproof.report.overview import odds
from citeproof.verification.session import Session
from tests.accuracy import wild
from tests.accuracy.chance import area
from tests.accuracy.sets import OWN, SETS, Label, Labelled, LabelledSet
from tests.conftest import SHARED

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from citeproof.model.verdict import Verdict

PAGE = Path(__file__).parents[2] / "docs" / "board.md"
BEGIN, END = "<!-- board -->\n", "<!-- end -->\n"
BINS = 10
"""Equal bins of the calibration error."""
NONE = "–"
COLUMNS = (
    "set",
    "honest",
    "wrong",
    "precision",
    "recall",
    "decided",
    "false flags per 100 honest",
    "calibration error",
    "area by chance",
    "ms a reference",
)


@dataclass(frozen=True, slots=True)
class Score:
    """What the verdicts on one set are worth."""

    honest: int
    wrong: int
    flagged_honest: int
    flagged_wrong: int
    decided: int
    calibration: float | None
    """Expected calibration error of the confidence of what is decided; None if nothing is."""
    area: float | None
    """Probability that a wrong reference has a larger chance of invention than an honest one; None
    without one side.
    """
    seconds: float

    @classmethod
    def of(cls, labelled: Sequence[Labelled], verdicts: Sequence[Verdict], seconds: float) -> Score:
        """Return the score of ``verdicts``."""
        flags = [wild.is_flagged(verdict) for verdict in verdicts]
        wrongs = [one.label is not Label.HONEST for one in labelled]
        pairs = list(zip(flags, wrongs, strict=True))
        decided = [
            (verdict.confidence, flag == wrong)
            for verdict, (flag, wrong) in zip(verdicts, pairs, strict=True)
            if flag or verdict.status is Status.VALID
        ]
        return cls(
            wrongs.count(False),
            wrongs.count(True),
            pairs.count((True, False)),
            pairs.count((True, True)),
            len(decided),
            calibration_error(decided) if decided else None,
            _area(labelled, verdicts),
            seconds,
        )

    def cells(self) -> list[str]:
        """Return the columns of the table."""
        total, flagged = self.honest + self.wrong, self.flagged_honest + self.flagged_wrong
        return [
            f"{self.honest:,}",
            f"{self.wrong:,}",
            _share(self.flagged_wrong, flagged if self.honest and self.wrong else 0),
            _share(self.flagged_wrong, self.wrong),
            _share(self.decided, total),
            f"{100 * self.flagged_honest / self.honest:.1f}" if self.honest else NONE,
            f"{self.calibration:.3f}" if self.calibration is not None else NONE,
            f"{self.area:.3f}" if self.area is not None else NONE,
            f"{1000 * self.seconds / total:.1f}",
        ]


def calibration_error(decided: Sequence[tuple[float, bool]]) -> float:
    """Return the mean distance, over equal bins, between the confidence and how often it was
    right.
    """
    bins: dict[int, list[tuple[float, bool]]] = {}
    for confidence, right in decided:
        bins.setdefault(min(int(confidence * BINS), BINS - 1), []).append((confidence, right))
    return sum(abs(sum(one[0] - one[1] for one in own)) for own in bins.values()) / len(decided)


def _area(labelled: Sequence[Labelled], verdicts: Sequence[Verdict]) -> float | None:
    pairs = [(one.label, odds(verdict)) for one, verdict in zip(labelled, verdicts, strict=True)]
    wrong, honest = (
        [ratio for label, ratio in pairs if (label is Label.HONEST) is side]
        for side in (False, True)
    )
    return area(wrong, honest) if wrong and honest else None


def measured(one: LabelledSet, path: Path, session: Session) -> Score:
    """Return the score of one set; the time is that of the whole check, after the set was read."""
    labelled = list(one.read(path))
    started = time.perf_counter()
    verdicts = [session.pipeline.verify(each.reference) for each in labelled]
    return Score.of(labelled, verdicts, time.perf_counter() - started)


def board(session: Session, sample: Session, data: Path) -> Iterator[str]:
    """Yield the lines of the table, then what others published, then the sets that are not at
    hand.
    """
    database = session.describe_database()
    dates = ", ".join(
        dict.fromkeys(
            f"{source['name']} to {source['dump_date']}" for source in database.get("sources", ())
        )
    )
    yield (
        f"{database['records']:,} records ({dates}), offline; the project's own set on the built-in"
        " sample."
    )
    yield from ("", f"| {' | '.join(COLUMNS)} |", f"|{'---|' * len(COLUMNS)}")
    for one in SETS:
        is_own = (OWN / one.path).exists()
        if (path := (OWN if is_own else data) / one.path).exists():
            cells = measured(one, path, sample if is_own else session).cells()
            yield f"| {' | '.join([one.name, *cells])} |"
    yield from ("", "| published on | by its authors | source |", "|---|---|---|")
    for one in SETS:
        yield from (f"| {one.name} | {each.said} | {each.source} |" for each in one.published)
    missing = [
        one for one in SETS if not any((folder / one.path).exists() for folder in (OWN, data))
    ]
    if missing:
        yield from ("", "| not at hand | put it at | get it from |", "|---|---|---|")
        yield from (f"| {one.name} | `../shared/{one.path}` | {one.origin} |" for one in missing)


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else NONE


def main() -> None:
    """Print the board, and write it with ``--write``."""
    with ExitStack() as stack:
        sample = database = stack.enter_context(Database.open(sample_database()))
        if (SHARED / "README.md").is_file():
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            database = stack.enter_context(wild.database(SHARED, folder))
        lines = list(board(Session.over(database), Session.over(sample), SHARED))
    print("\n".join(lines))
    if "--write" in sys.argv[1:]:
        before, _, rest = PAGE.read_text("utf-8").partition(BEGIN)
        PAGE.write_text(
            before + BEGIN + "\n".join(lines) + "\n" + END + rest.partition(END)[2], "utf-8"
        )


if __name__ == "__main__":
    main()
