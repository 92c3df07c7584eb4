"""Where something is not found, the page says which sources were asked, of which field and up to which day."""

from __future__ import annotations

from typing import TYPE_CHECKING

from citeproof.bibdb.database import Database
from citeproof.formats import read
from citeproof.inputs.document import Document
from citeproof.session import Session
from citeproof.web.page.asked import silence, sources_asked

if TYPE_CHECKING:
    from pathlib import Path

    from starlette.testclient import TestClient

DBLP = {"name": "dblp", "format": "dblp", "records": 8_000_000, "dump_date": "2026-08-01"}
ACL = {"name": "acl", "format": "acl", "records": 71_244, "dump_date": "2021-12-01"}
OWN = {"name": "lab.bib", "format": "bibliography", "records": 12, "dump_date": None}


def test_sources_are_named_with_their_fields_of_study() -> None:
    said = sources_asked({"sources": [DBLP, ACL, OWN]})
    assert said == "DBLP (computer science, to 2026-08) and ACL Anthology (computational linguistics, to 2021-12)"
    assert sources_asked({"sources": [DBLP | {"records": 10}]}).startswith("a part of DBLP")
    assert sources_asked({"sources": [OWN]}) == sources_asked({}) == ""


def test_the_page_promises_no_online_source(sample_path: Path) -> None:
    entries = read(Document.of_text("A title that nobody has written yet"), "titles").entries
    with Database.open(sample_path) as database:
        (verdict,) = Session.over(database).stream(entries)
    assert "--enable-online" in verdict.searched
    assert "--" not in silence(verdict)
    assert silence(verdict).startswith("A part of DBLP (computer science, to 2026-11) holds no such title")


def test_a_title_that_is_missed_names_nothing_where_the_database_declares_nothing(client: TestClient) -> None:
    page = client.get("/?title=nothing+like+it").text
    assert "Proved: no title in the database is close enough." in page
    assert "Asked:" not in page
