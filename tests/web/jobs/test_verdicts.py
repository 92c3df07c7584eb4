"""Verdicts in the format of the runtime store."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from citeproof.database.lookup import Database
from citeproof.model.reference import Place, Reference
from citeproof.model.verdict import Status, Verdict
from citeproof.readers.document import Document
from citeproof.readers.formats import read
from citeproof.verification.session import Session
from citeproof.web.jobs.verdicts import BEGINNING, kind_of, packed, unpacked

if TYPE_CHECKING:
    from pathlib import Path

BIB = """@article{right, author = {Edgar F. Codd}, year = 1970, journal = {Commun. ACM},
  title = {A Relational Model of Data for Large Shared Data Banks}}
@article{wrong, author = {Leslie G. Valiant}, title = {A Theory of the Learnable}, year = 1999}
@article{broken, title = {never closed
"""


def test_unpacked_returns_the_packed_verdict(sample_path: Path) -> None:
    entries = read(Document.of_text(BIB, "refs.bib"), "bibtex").entries
    with Database.open(sample_path) as database:
        verdicts = list(Session.over(database).stream(entries))
    assert [verdict.status.value for verdict in verdicts] == ["VALID", "SUSPICIOUS", "ERROR"]
    assert [unpacked(packed(verdict)) for verdict in verdicts] == verdicts


@pytest.mark.parametrize("status", Status)
def test_kind_of_the_beginning_of_a_packed_verdict(status: Status) -> None:
    kept = packed(Verdict(Reference("a"), status, "reason", 0.5))
    assert kind_of(kept[:BEGINNING]) == (status, "reason")
    assert kind_of(kept.replace(b'"reason":"reason",', b"")[:BEGINNING]) == (status, "")
    assert kind_of(b"{") == (Status.ERROR, "")
    assert (unpacked(kept).status, unpacked(kept).reason) == (status, "reason")


def test_packed_writes_a_lone_surrogate_as_an_escape() -> None:
    cited = Reference(
        "a", title="one \ud800 two", authors=("\udcff",), place=Place("caf\udce9.bib", 3)
    )
    back = unpacked(packed(Verdict(cited, Status.UNVERIFIED, "title_not_found", 0.5)))
    assert (back.reference.title, back.reference.authors) == ("one \\ud800 two", ("\\udcff",))
    assert back.reference.place == Place("caf\\udce9.bib", 3)
    assert back.status is Status.UNVERIFIED
