"""How many cited works a dump would decide."""

from __future__ import annotations

from typing import TYPE_CHECKING

from citeproof.database.building.builder import build
from citeproof.database.building.dry_run import DryRun, dry_run
from citeproof.database.lookup import Database
from citeproof.model.reference import Reference
from tests.database.conftest import DATA

if TYPE_CHECKING:
    from pathlib import Path

META = DATA / "opencitations.csv"
CITED = [
    Reference("a", "Anything", doi="10.5555/HTML"),
    Reference("b", "Anything", arxiv_id="2302.03976"),
    Reference("c", "Anything", doi="10.5555/none", arxiv_id="hep-th/9901001"),
    Reference("d", "Lamps Seen Early"),
    Reference("e", "Anything", doi="10.5555/none"),
    Reference("f", "Anything", doi="10.5555/known"),
]


def test_dry_run_counts_identifiers_of_a_dump_that_the_database_lacks(tmp_path: Path) -> None:
    (tmp_path / "known.csv").write_text("title,doi\nLamps,10.5555/known\n")
    build([tmp_path / "known.csv"], tmp_path / "a.db")
    with Database.open(tmp_path / "a.db") as database:
        assert dry_run(CITED, database, META) == DryRun(6, 5, 1, 3)
        assert dry_run(CITED, database, None) == DryRun(6, 5, 1, None)
    assert dry_run(CITED, None, META) == DryRun(6, 5, 0, 3)
