"""Notices of one source flag the works of others."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from citeproof.database.building.builder import build
from citeproof.database.lookup import Database
from citeproof.model.reference import Reference
from citeproof.report.wording import notice_link
from citeproof.verification.session import Session

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

WORKS = """title,author,year,doi
A Lamp for every Tree that Stands,Zoë Ríos and K. Abe,2001,10.5555/a
The Moth and the Candle in Winter,Zoë Ríos and K. Abe,2002,
The Fly and the Lantern at Night,Zoë Ríos and K. Abe,2003,10.5555/c
"""
NOTICES = """Record ID,Title,Author,RetractionDate,RetractionDOI,OriginalPaperDOI,RetractionNature
1,Anything,Anybody,11/30/2021 0:00,10.5555/n.1,10.5555/A,Retraction
2,The moth and the candle in winter,"Abe K",1/2/2020,unavailable,unavailable,Expression of concern
3,The fly and the lantern at night,"Nobody H",1/2/2020 0:00,unavailable,unavailable,Retraction
4,<i>In vivo</i> Effects of Moonlight on Moths,"Gale H",1/2/2020,10.5555/n.4,10.5555/e,Retraction
"""


@pytest.fixture(scope="module")
def flagging(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    folder: Path = tmp_path_factory.mktemp("notices")
    (folder / "works.csv").write_text(WORKS)
    (folder / "retraction_watch.csv").write_text(NOTICES)
    build([folder / "works.csv", folder / "retraction_watch.csv"], folder / "a.db")
    with Database.open(folder / "a.db") as database:
        yield database


@pytest.mark.parametrize(
    ("title", "flags"),
    [
        ("A Lamp for every Tree that Stands", ("retracted",)),
        ("The Moth and the Candle in Winter", ("expression_of_concern",)),
        ("The Fly and the Lantern at Night", ()),
    ],
)
def test_a_verdict_carries_the_notice(
    flagging: Database, title: str, flags: tuple[str, ...]
) -> None:
    verdict = Session.over(flagging).verify(Reference("k", title, ("Zoë Ríos", "K. Abe")))
    assert (verdict.status, verdict.flags) == ("VALID", flags)


def test_a_record_found_by_its_doi_carries_it_too(flagging: Database) -> None:
    (record,) = flagging.records_with("doi", "10.5555/a")
    assert record.retraction == "https://doi.org/10.5555/n.1"


def test_a_source_of_notices_is_described_by_their_number(flagging: Database) -> None:
    sources = {source["name"]: source for source in flagging.describe()["sources"]}
    assert sources["retraction-watch"]["records"] == 0
    assert sources["retraction-watch"]["notices"] == 4


MOONLIGHT = Reference(
    "k", "In vivo effects of moonlight on moths", ("Hanna Gale", "J. Ito"), doi="10.5555/e"
)


@pytest.mark.parametrize(
    "cited", [MOONLIGHT, replace(MOONLIGHT, doi=""), replace(MOONLIGHT, authors=())]
)
def test_a_retracted_work_that_no_source_holds_is_flagged_too(
    flagging: Database, cited: Reference
) -> None:
    verdict = Session.over(flagging).verify(cited)
    assert (verdict.status, verdict.flags) == ("UNVERIFIED", ("retracted",))
    assert notice_link(verdict, "retracted") == "https://doi.org/10.5555/n.4"


@pytest.mark.parametrize(
    "other",
    [
        replace(MOONLIGHT, title="Effects of quite another thing"),
        replace(MOONLIGHT, doi="10.5555/another"),
        replace(MOONLIGHT, doi="", authors=("Someone Else",)),
        replace(MOONLIGHT, doi="", authors=()),
    ],
)
def test_a_notice_says_nothing_of_another_work(flagging: Database, other: Reference) -> None:
    assert Session.over(flagging).verify(other).flags == ()
