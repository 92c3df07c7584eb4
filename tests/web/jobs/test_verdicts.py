"""A verdict that was kept is the verdict that it was, to the last field."""

from __future__ import annotations

from typing import TYPE_CHECKING

from citeproof.bibdb.database import Database
from citeproof.formats import read
from citeproof.inputs.document import Document
from citeproof.session import Session
from citeproof.web.jobs.verdicts import packed, unpacked

if TYPE_CHECKING:
    from pathlib import Path

BIB = """@article{right, author = {Edgar F. Codd}, year = 1970, journal = {Commun. ACM},
  title = {A Relational Model of Data for Large Shared Data Banks}}
@article{wrong, author = {Leslie G. Valiant}, title = {A Theory of the Learnable}, year = 1999}
@article{broken, title = {never closed
"""


def test_verdicts_come_back_whole(sample_path: Path) -> None:
    entries = read(Document.of_text(BIB, "refs.bib"), "bibtex").entries
    with Database.open(sample_path) as database:
        verdicts = list(Session.over(database).stream(entries))
    assert [verdict.status.value for verdict in verdicts] == ["VALID", "SUSPICIOUS", "ERROR"]
    assert [unpacked(packed(verdict)) for verdict in verdicts] == verdicts
