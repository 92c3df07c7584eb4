"""The gate on ``citeproof fix``: in bibliographies that others compiled, it changes nothing that is
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
    is_large = database.describe()["records"] > 2_000_000
    assert len(faults) >= baseline["unharmed"]["faults_in_large" if is_large else "faults"]


def test_fix_changes_no_true_citation_of_a_work_with_a_remark_in_its_title(
    shared: Path, database: Database
) -> None:
    """Records at the conference have "(Extended Abstract)" in their titles, reports have not."""
    session, folder = Session.over(database), shared / "cases" / "identity"
    for name, entries in (("suffix_pairs.bib", 100), ("suffix_risk.bib", 60)):
        document = Document.of(name, (folder / name).read_bytes())
        assert len(bibtex.read(document).references) == entries
        changes = unharmed.corrected(document, session).changes
        assert [(one.reference.key, one.field, one.after) for one in changes] == []
