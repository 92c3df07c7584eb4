"""References that cite an RFC by its number, checked against the index of the RFC Editor."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

import citeproof
from citeproof.database.building.builder import build
from citeproof.database.building.title_indexer import TitleIndexer
from citeproof.model.reference import Reference

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

INDEX = """<?xml version="1.0" encoding="UTF-8"?>
<rfc-index xmlns="https://www.rfc-editor.org/rfc-index">
<rfc-entry><doc-id>RFC0791</doc-id><title>Internet Protocol</title><author><name>J.
Postel</name></author>
  <date><month>September</month><year>1981</year></date><doi>10.17487/RFC0791</doi></rfc-entry>
<rfc-entry><doc-id>RFC2409</doc-id><title>The Internet Key Exchange (IKE)</title>
  <author><name>D. Harkins</name></author><author><name>D. Carrel</name></author>
  <date><month>November</month><year>1998</year></date><doi>10.17487/RFC2409</doi></rfc-entry>
<rfc-entry><doc-id>RFC7231</doc-id><title>Hypertext Transfer Protocol (HTTP/1.1): Semantics and
Content</title>
  <author><name>R. Fielding</name></author><author><name>J. Reschke</name></author>
  <date><month>June</month><year>2014</year></date><doi>10.17487/RFC7231</doi></rfc-entry>
</rfc-index>"""
ALICE = ("Alice Smith", "Bob Miller")
PHOTONS = {
    "title": "A Neural Protocol for Secure Photons",
    "authors": ALICE,
    "year": 2014,
    "entry_type": "misc",
}
IKE = {
    "title": "The Internet Key Exchange (IKE)",
    "authors": ("Dan Harkins", "Dave Carrel"),
    "year": 1998,
}


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[citeproof.Session]:
    folder: Path = tmp_path_factory.mktemp("rfc")
    (folder / "rfc-index.xml").write_text(INDEX)
    build([folder / "rfc-index.xml"], folder / "rfc.db")
    with citeproof.open_session(bib_db=folder / "rfc.db", no_cache=True) as opened:
        yield opened


@pytest.mark.parametrize(
    "fields",
    [
        {**PHOTONS, "venue": "Request for Comments", "number": "7231"},
        {**PHOTONS, "venue": "RFC", "volume": "7231"},
        {**PHOTONS, "title": "Secure Photons", "venue": "RFC 791"},
        {**PHOTONS, "note": "IETF RFC 7231 (Proposed Standard)"},
        {**PHOTONS, "url": "https://www.rfc-editor.org/rfc/rfc7231.html"},
        {**PHOTONS, "url": "https://datatracker.ietf.org/doc/html/rfc7231"},
        {**PHOTONS, "url": "http://tools.ietf.org/html/rfc7231"},
        {**IKE, "note": "RFC 7231"},
    ],
)
def test_number_of_another_rfc_is_suspicious(
    session: citeproof.Session, fields: dict[str, object]
) -> None:
    verdict = session.verify(Reference("a", **fields))  # type: ignore[arg-type]
    assert verdict.status == "SUSPICIOUS"
    assert [(issue.code, issue.severity) for issue in verdict.issues] == [
        ("rfc.other_work", "issue")
    ]


@pytest.mark.parametrize(
    "fields",
    [
        {**IKE, "venue": "Request for Comments", "number": "2409"},
        {**PHOTONS, "title": "HTTP Semantics", "note": "RFC 7231"},
        {**PHOTONS, "authors": ("Roy T. Fielding",), "note": "RFC 7231"},
        {**PHOTONS, "authors": (), "note": "RFC 7231"},
        {**PHOTONS, "note": "RFC 7231, which obsoletes RFC 2616"},
        {**PHOTONS, "note": "see RFC 7231"},
        {**PHOTONS, "note": "RFC 7231", "url": "https://www.rfc-editor.org/rfc/rfc2409"},
        {**PHOTONS, "note": "RFC 9999"},
        {**PHOTONS, "venue": "Journal of Protocols", "number": "7231"},
        {**PHOTONS, "url": "https://example.org/rfc/rfc7231"},
    ],
)
def test_number_that_may_be_right_accuses_nobody(
    session: citeproof.Session, fields: dict[str, object]
) -> None:
    verdict = session.verify(Reference("a", **fields))  # type: ignore[arg-type]
    assert verdict.status in {"VALID", "UNVERIFIED"}
    assert "rfc.other_work" not in [issue.code for issue in verdict.issues]


def test_unknown_number_is_absent_from_a_complete_index(tmp_path: Path) -> None:
    entry = (
        "<rfc-entry><doc-id>RFC{0:04}</doc-id><title>Standard {0}</title><author><name>J."
        " Postel</name></author><date><month>June</month><year>2014</year></date></rfc-entry>"
    )
    entries = "".join(entry.format(number) for number in range(1, 9_501))
    (tmp_path / "rfc-index.xml").write_text(INDEX.replace("</rfc-index>", entries + "</rfc-index>"))
    build(
        [tmp_path / "rfc-index.xml"], tmp_path / "rfc.db", titles=TitleIndexer(tmp_path / "rfc.db")
    )
    with citeproof.open_session(bib_db=tmp_path / "rfc.db", no_cache=True) as session:
        absent = session.verify(Reference("a", **{**PHOTONS, "year": 2010, "note": "RFC 9999"}))  # type: ignore[arg-type]
        fields: Any = {**PHOTONS, "title": "HTTP Semantics", "note": "RFC 7231"}
        held = session.verify(Reference("a", **fields))
        recent = session.verify(Reference("a", **{**PHOTONS, "note": "RFC 9999"}))  # type: ignore[arg-type]
        known = session.verify(Reference("a", **{**IKE, "note": "RFC 9999"}))  # type: ignore[arg-type]
    assert absent.status == "SUSPICIOUS"
    assert {issue.code for issue in absent.issues} == {"rfc.unknown", "identifier.absent"}
    assert any("neither RFC 9999 nor this title" in issue.explanation for issue in absent.issues)
    assert (known.status, [issue.code for issue in known.issues]) == ("SUSPICIOUS", ["rfc.unknown"])
    assert re.fullmatch(
        r"the database has 100\.0% of all RFCs \(source: RFC Editor, up to \d{4}-\d\d-\d\d\), but"
        r" not RFC 9999",
        known.issues[0].explanation,
    )
    assert (held.status, recent.status) == ("UNVERIFIED", "UNVERIFIED")
