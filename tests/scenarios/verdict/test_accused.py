"""Honest references of the kinds that other checkers accused: each is verified against a record of
its work.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from citeproof.database.building.builder import build
from citeproof.database.building.title_indexer import TitleIndexer
from citeproof.database.lookup import Database
from citeproof.model.verdict import Status
from citeproof.readers.document import Document
from citeproof.readers.formats import bibtex
from tests.scenarios.verdict.conftest import chain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from citeproof.model.reference import Reference

DATA = Path(__file__).parents[2] / "data" / "verdict"
REFERENCES = bibtex.read(
    Document.of_text((DATA / "accused.bib").read_text("utf-8"), "accused.bib")
).references
EDITIONS = (1997, 1998, 2017, 2018, 2019, 2025)
FILLER = (
    '<inproceedings key="conf/herd/Fill{year}{number}"><author>Filip Fill</author><title>Paddock'
    " {number} of the {year}"
    " Survey.</title><pages>{first}-{last}</pages><year>{year}</year><booktitle>HERD</booktitle>"
    "<crossref>conf/herd/{year}</crossref></inproceedings>"
)
"""Papers on pages 1 to 400 of each edition, which make its volume complete."""


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    folder = tmp_path_factory.mktemp("accused")
    papers = "\n".join(
        FILLER.format(year=year, number=number, first=10 * number + 1, last=10 * number + 10)
        for year in EDITIONS
        for number in range(40)
    )
    dump = (DATA / "accused.xml").read_text("utf-8").replace("</dblp>", f"{papers}\n</dblp>")
    (folder / "dump.xml").write_text(dump, "utf-8")
    path = folder / "accused.db"
    build([folder / "dump.xml"], path, titles=TitleIndexer(path))
    with Database.open(path) as opened:
        yield opened


@pytest.mark.parametrize("reference", REFERENCES, ids=lambda reference: reference.key)
def test_honest_reference_is_not_flagged(database: Database, reference: Reference) -> None:
    verdict = chain(database).verify(reference)
    found = [item.explanation for item in verdict.issues]
    assert verdict.status in {Status.VALID, Status.UNVERIFIED}, found


def test_each_volume_is_complete_enough_to_accuse(database: Database) -> None:
    held = [database.venues.volume("conf/herd", year) for year in EDITIONS]
    assert all(volume and volume.completeness >= 0.95 for volume in held)
