"""What a database covers, learnt from its data, and what its silence then does to a verdict."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from citeproof.database import coverage
from citeproof.database.building.builder import build, update
from citeproof.database.building.title_indexer import TitleIndexer
from citeproof.database.check import check
from citeproof.database.coverage import CoverageTable
from citeproof.database.lookup import Database
from citeproof.model.errors import DatabaseError
from citeproof.model.findings import Covers
from citeproof.model.reference import Reference
from citeproof.model.verdict import Status
from citeproof.verification.session import Session

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from citeproof.model.verdict import Verdict

MONTHS = [f"{year}{month:02}" for year in (14, 15, 16, 17) for month in range(1, 13)]
A_MONTH = 4
"""Papers of each month; 1512 has one more, by people of our own."""
WORDS = [
    "amber",
    "basalt",
    "cedar",
    "dune",
    "ember",
    "fjord",
    "grove",
    "heath",
    "islet",
    "jetty",
    "knoll",
    "lagoon",
]
OWN = Reference(
    "own",
    "Lanterns along the Northern Harbour",
    ("Zoë Ríos", "Kenji Abe"),
    year=2015,
    arxiv_id="1512.00005",
)
INVENTED = Reference(
    "no", "Invented Bells under the Southern Mill", ("Nora Quill", "Piet Wolff"), year=2015
)


def paper(month: str, number: int) -> dict[str, Any]:
    place = MONTHS.index(month)
    last = WORDS[(place * number) % 12]
    title = (
        f"{WORDS[place % 12]} {WORDS[place // 12]} {WORDS[number]} study {month} of {last} shores"
    )
    return {
        "id": f"{month}.{number:05}",
        "title": title,
        "categories": "cs.DL",
        "update_date": "2018-06-30",
        "versions": [{"created": f"Mon, 2 Apr 20{month[:2]} 19:18:42 GMT"}],
        "authors_parsed": [[f"Author{month}{number}", "A.", ""]],
    }


def snapshot(path: Path, lost: Callable[[str], bool] = lambda _: False) -> Path:
    papers = [paper(month, number) for month in MONTHS for number in range(1, A_MONTH + 1)]
    own = paper("1512", 5) | {
        "title": OWN.title,
        "authors_parsed": [["Ríos", "Zoë", ""], ["Abe", "Kenji", ""]],
    }
    kept = [work for work in (*papers, own) if not lost(work["id"])]
    path.write_text("".join(json.dumps(work) + "\n" for work in kept))
    return path


def works(path: Path, dois: Iterator[str] | list[str]) -> Path:
    lines = [
        {
            "DOI": doi,
            "type": "article",
            "title": [f"{WORDS[n % 12]} work {n} on {WORDS[n // 12 % 12]} tides"],
            "indexed": {"date-time": "2018-06-30T00:00:00Z"},
            "author": [{"given": "A", "family": f"Crossref{n}"}],
        }
        for n, doi in enumerate(dois)
    ]
    path.write_text("".join(json.dumps(work) + "\n" for work in lines))
    return path


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("coverage")


@pytest.fixture(scope="module")
def whole(folder: Path) -> Iterator[Database]:
    """Return a database of all papers of four years, of Crossref's works, and of a library that
    states their DOIs.
    """
    dois = [f"10.4242/{number}" for number in range(1_800)]
    library = "\n".join(
        f"@article{{k{n}, title = {{Shelf {n} of oak}}, doi = {{{doi}}}}}"
        for n, doi in enumerate(dois)
    )
    (folder / "lab.bib").write_text(library)
    sources = [
        snapshot(folder / "arxiv.json"),
        works(folder / "crossref.jsonl", dois),
        folder / "lab.bib",
    ]
    build(sources, folder / "whole.db", titles=TitleIndexer(folder / "whole.db"))
    with Database.open(folder / "whole.db") as database:
        yield database


def verdict(database: Database, reference: Reference) -> Verdict:
    return Session.over(database).verify(reference)


def codes(found: Verdict) -> list[str]:
    return [issue.code for issue in found.issues]


def test_of_arxiv_id_trusts_a_series_without_gaps_and_not_the_last_month(whole: Database) -> None:
    found = whole.coverage.of_arxiv_id("1512.00099")
    assert found
    assert (found.source, found.covers, found.completeness, found.until) == (
        "arXiv",
        Covers.IDENTIFIER,
        1.0,
        "2018-06-30",
    )
    assert whole.coverage.of_arxiv_id("1712.00099") is None
    assert whole.coverage.of_arxiv_id("1806.00099") is None
    assert whole.coverage.of_arxiv_id("nonsense") is None


@pytest.mark.parametrize(
    ("year", "known"), [(2014, False), (2015, True), (2016, False), (2017, False), (None, False)]
)
def test_of_preprints_needs_the_years_before_and_after(
    whole: Database, year: int | None, known: bool
) -> None:
    found = whole.coverage.of_preprints(year)
    assert (found is not None and found.completeness == 1.0) == known


def test_of_doi_is_as_complete_as_other_sources_show(whole: Database) -> None:
    found = whole.coverage.of_doi("10.4242/unknown", 2015)
    assert found
    assert found.completeness == (1_800 - coverage.BY_CHANCE) / 1_800
    assert whole.coverage.of_doi("10.4242/unknown", 2018) is None
    assert whole.coverage.of_doi("10.9999/unknown", 2015) is None


@pytest.mark.parametrize(
    ("records", "year", "known"), [(9_800, 2020, True), (9_800, 2026, False), (900, 2020, False)]
)
def test_of_doi_knows_every_rfc_from_the_whole_index(
    records: int, year: int, *, known: bool
) -> None:
    source = {"name": "rfc", "format": "rfc", "records": records, "dump_date": "2026-10-01"}
    found = CoverageTable({}, [source]).of_doi("10.17487/rfc4242", year)
    assert (found.completeness if found else None) == (1.0 if known else None)


def test_broad_for_needs_a_whole_dump_and_a_year_before_its_day() -> None:
    source = {
        "name": "crossref",
        "format": "crossref",
        "dump_date": "2026-08-01",
        "records": 170_000_000,
    }
    table = CoverageTable({}, [source])
    assert [item.source for item in table.broad_for("journal articles", 2025)] == ["Crossref"]
    assert table.broad_for("journal articles", 2026) == table.broad_for("books", 2020) == ()
    assert CoverageTable({}, [source | {"records": 504}]).broad_for("journal articles", 2025) == ()


ARXIV = replace(INVENTED, venue="arXiv preprint")


@pytest.mark.parametrize(
    ("reference", "status", "expected"),
    [
        (OWN, Status.VALID, []),
        (
            replace(ARXIV, arxiv_id="1512.00099"),
            Status.SUSPICIOUS,
            ["identifier.absent", "arxiv.unknown"],
        ),
        (ARXIV, Status.SUSPICIOUS, ["preprint.absent"]),
        (
            replace(INVENTED, doi="10.4242/none.such"),
            Status.SUSPICIOUS,
            ["identifier.absent", "doi.unknown"],
        ),
        (replace(OWN, arxiv_id="1512.00099"), Status.SUSPICIOUS, ["arxiv.unknown"]),
        (replace(ARXIV, year=2017), Status.UNVERIFIED, []),
        (replace(ARXIV, authors=()), Status.UNVERIFIED, []),
        (replace(ARXIV, title="Invented Bells"), Status.UNVERIFIED, []),
        (replace(ARXIV, from_text=True, raw="x"), Status.UNVERIFIED, []),
        (replace(INVENTED, venue="Journal of Mills"), Status.UNVERIFIED, []),
    ],
)
def test_what_a_complete_source_does_not_have(
    whole: Database, reference: Reference, status: Status, expected: list[str]
) -> None:
    found = verdict(whole, reference)
    assert (found.status, sorted(codes(found))) == (status, sorted(expected))
    if status is Status.SUSPICIOUS and expected != ["arxiv.unknown"]:
        assert found.reason == "absent_from_complete_source"


def test_a_preprint_that_changed_its_title_is_not_called_absent(whole: Database) -> None:
    earlier = replace(OWN, title="Early Notes upon Sea Lights", arxiv_id="", venue="arXiv preprint")
    found = verdict(whole, earlier)
    assert (found.status, codes(found)) == (Status.UNVERIFIED, [])
    assert f"a paper by the same authors: {OWN.title}" in found.searched


def test_without_a_tenth_nothing_is_claimed(folder: Path) -> None:
    lost = snapshot(folder / "tenth.json", lambda own: own.endswith("3") and own[3] in "159")
    build([lost], folder / "tenth.db", titles=TitleIndexer(folder / "tenth.db"))
    with Database.open(folder / "tenth.db") as database:
        for reference in (
            ARXIV,
            replace(ARXIV, arxiv_id="1505.00003"),
            replace(ARXIV, arxiv_id="1505.00099"),
        ):
            assert codes(verdict(database, reference)) == []


def test_a_file_that_ends_in_a_month_claims_nothing_of_it(folder: Path) -> None:
    cut = snapshot(folder / "cut.json", lambda own: own >= "1512.00003")
    build([cut], folder / "cut.db", titles=TitleIndexer(folder / "cut.db"))
    with Database.open(folder / "cut.db") as database:
        later = replace(ARXIV, arxiv_id="1601.00001", year=2016)
        assert codes(verdict(database, OWN)) == codes(verdict(database, later)) == []


def test_of_arxiv_id_a_source_that_was_left_out_in_part_claims_nothing_even_after_an_update(
    folder: Path,
) -> None:
    path = snapshot(folder / "broken.json")
    path.write_text(path.read_text() + "{broken\n")
    library = folder / "other.bib"
    library.write_text("@article{k, title = {Shelf of oak}}")
    target = folder / "broken.db"
    build([path], target, keep_going=True)
    update(target, [library])
    with Database.open(target) as database:
        assert database.coverage.of_arxiv_id("1512.00099") is None


def test_a_changed_count_is_noticed(folder: Path, whole: Database) -> None:
    copy = folder / "copy.db"
    copy.write_bytes(whole.path.read_bytes())
    with sqlite3.connect(copy) as connection:
        connection.execute("UPDATE coverage SET held = given WHERE part = '10.4242'")
        connection.execute("UPDATE coverage SET held = held + 1 WHERE part = '1512'")
    connection.close()
    with (
        Database.open(copy) as database,
        pytest.raises(DatabaseError, match="coverage does not agree"),
    ):
        _ = database.coverage
    with Database.open(copy) as database:
        assert {finding.subject for finding in check(database) if not finding.sound} == {"coverage"}
