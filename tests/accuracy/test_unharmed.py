"""The gate on ``citeproof fix``: in bibliographies of other hands, it changes nothing that is
right.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from citeproof.readers.document import Document
from citeproof.readers.formats import bibtex
from citeproof.verification.session import Session
from tests.accuracy import unharmed, wild

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from citeproof.database.lookup import Database

pytestmark = [pytest.mark.accuracy, pytest.mark.shared, pytest.mark.timeout(3600)]


@pytest.fixture(scope="module")
def database(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    with wild.database(shared, tmp_path_factory.mktemp("unharmed")) as opened:
        yield opened


def test_fix_changes_no_right_entry_of_bibliographies_of_other_hands(
    shared: Path, database: Database, baseline: dict[str, Any]
) -> None:
    assert len(unharmed.bibliographies(shared)) == 30
    found = list(unharmed.judged(shared, database))
    faults = [one for one in found if one.label == "fault"]
    print(f"\nfix: {len(found)} changes, {len(faults)} of entries with a known fault")
    assert [str(one) for one in found if one.harms] == []
    assert len(faults) >= baseline["unharmed"]["faults"]


def test_fix_puts_no_report_in_place_of_a_conference(shared: Path, database: Database) -> None:
    """Records at the conference have "(Extended Abstract)" in their titles, reports have not."""
    session, folder = Session.over(database), shared / "cases" / "identity"
    kept = 0
    for name in ("suffix_pairs.bib", "suffix_risk.bib"):
        document = Document.of(name, (folder / name).read_bytes())
        corrected = unharmed.corrected(document, session)
        pairs = zip(
            bibtex.read(document).references,
            bibtex.read(Document.of(name, corrected.data)).references,
            strict=True,
        )
        kept += sum(before.venue == after.venue for before, after in pairs)
        venues = [one.after for one in corrected.changes if one.field == "venue"]
        assert [one for one in venues if unharmed.REPORTS.search(one)] == []
    assert kept >= 145
