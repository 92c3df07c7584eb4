"""For a title that is not found, the page names the sources with their fields and dates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from citeproof.database.lookup import Database
from citeproof.readers.document import Document
from citeproof.readers.formats import read
from citeproof.verification.session import Session
from citeproof.web.page.search import silence, sources_asked

if TYPE_CHECKING:
    from pathlib import Path

    from starlette.testclient import TestClient

DBLP = {"name": "dblp", "format": "dblp", "records": 8_000_000, "dump_date": "2026-08-01"}
ACL = {"name": "acl", "format": "acl", "records": 71_244, "dump_date": "2021-12-01"}
OWN = {"name": "lab.bib", "format": "bibliography", "records": 12, "dump_date": None}


def test_sources_asked_have_their_fields_of_study() -> None:
    said = sources_asked({"sources": [DBLP, ACL, OWN]})
    assert (
        said
        == "DBLP (computer science, to 2026-08) and ACL Anthology (computational linguistics, to"
        " 2021-12)"
    )
    assert sources_asked({"sources": [DBLP | {"records": 10}]}).startswith("a part of DBLP")
    assert sources_asked({"sources": [OWN]}) == sources_asked({}) == ""


def test_silence_names_no_online_source(sample_path: Path) -> None:
    entries = read(Document.of_text("A title that nobody has written yet"), "titles").entries
    with Database.open(sample_path) as database:
        (verdict,) = Session.over(database).stream(entries)
    assert "--enable-online" in verdict.searched
    assert "--" not in silence(verdict)
    assert silence(verdict).startswith(
        "A part of DBLP (computer science, to 2026-11) holds no work with this title"
    )


def test_page_names_no_sources_if_the_database_declares_none(client: TestClient) -> None:
    page = client.get("/?title=nothing+like+it").text
    assert "It is proved that no title in the database is similar enough." in page
    assert "Asked:" not in page
