"""Counts of what a build has read of a source."""

from citeproof.database.building.filling import Tally
from citeproof.database.building.prepared import Prepared

NOTHING = (b"", b"")


def _batch(rows: int, day: str | None, *faults: str, skipped: int = 0, others: int = 0) -> Prepared:
    notice = ("10.1/x", None, None, "retraction", "https://x.example", None, "s")
    return Prepared(
        [[]] * rows, [], [], NOTHING, NOTHING, day, skipped, others, faults, (notice,) * rows, 0
    )


def test_count_adds_batches_and_keeps_the_newest_day() -> None:
    tally = Tally()
    tally.count(_batch(2, None, skipped=1))
    assert (tally.records, tally.date) == (2, None)
    tally.count(_batch(3, "2026-02-01", "line 7", others=4))
    tally.count(_batch(1, "2026-01-01", "line 9"))
    assert (tally.records, tally.skipped, tally.unselected, tally.notices) == (6, 1, 4, 6)
    assert tally.date == "2026-02-01"
    assert tally.faults == ["line 7", "line 9"]
    assert tally.messages == 0
