"""What the bibliographic-database strategy brings, against the sample."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from citeproof.database.building.builder import build
from citeproof.database.building.sample import sample_database
from citeproof.database.lookup import Database
from citeproof.model.findings import Outcome
from citeproof.model.record import MatchKind
from citeproof.model.reference import Reference
from citeproof.verification.strategies.local import CUT, BibliographicDatabaseStrategy
from citeproof.verification.validation.policy import Policy

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    with Database.open(sample_database(tmp_path_factory.mktemp("sample"))) as opened:
        yield opened


@pytest.fixture
def strategy(database: Database) -> BibliographicDatabaseStrategy:
    return BibliographicDatabaseStrategy(database, 0.9, 100_000)


def test_search_a_title_brings_its_record_and_says_how_it_was_sought(
    strategy: BibliographicDatabaseStrategy,
) -> None:
    findings = strategy.search(
        Reference("k", title="Skip lists: a probabilistic alternative to balanced trees")
    )
    assert [candidate.record.key for candidate in findings.candidates] == ["journals/cacm/Pugh90"]
    (inquiry,) = findings.inquiries
    assert (inquiry.outcome, inquiry.index, inquiry.complete) == (
        Outcome.ANSWERED,
        "title_index",
        True,
    )


def test_search_identifiers_bring_their_records_whatever_the_title(
    strategy: BibliographicDatabaseStrategy,
) -> None:
    findings = strategy.search(
        Reference("k", title="Untrue", doi="10.1145/359168.359176", arxiv_id="1706.03762")
    )
    assert [(candidate.match, candidate.record.title) for candidate in findings.candidates] == [
        (MatchKind.DOI, "How to Share a Secret"),
        (MatchKind.ARXIV_ID, "Attention Is All You Need"),
    ]


def test_search_a_miss_names_what_was_perhaps_meant(
    strategy: BibliographicDatabaseStrategy,
) -> None:
    findings = strategy.search(
        Reference("k", title="Impossibility of distributed agreement with one faulty process")
    )
    (nearby,) = findings.candidates
    assert nearby.match is MatchKind.NEARBY
    assert nearby.record.title == "Impossibility of Distributed Consensus with One Faulty Process"
    assert findings.inquiries[0].complete


def test_search_a_cut_search_says_that_a_nearer_title_may_be_there(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    lookup = replace(
        database.look_up("Impossibility of distributed agreement"), cut=True, complete=False
    )
    monkeypatch.setattr(database, "best_matches", lambda *_: lookup)
    (inquiry,) = (
        BibliographicDatabaseStrategy(database, 0.9, 1)
        .search(Reference("k", title="Of agreement"))
        .inquiries
    )
    assert (inquiry.outcome, inquiry.detail, inquiry.complete) == (Outcome.ANSWERED, CUT, False)


def test_of_a_title_that_hundreds_share_those_of_the_cited_people_and_year_are_compared(
    tmp_path: Path,
) -> None:
    others = [(f"k{n}", f"Nobody Fox{n}", 1900 + n % 100) for n in range(900)]
    records = "".join(
        f"<article key='{key}'><author>{author}</author><title>Editorial.</title>"
        f"<year>{year}</year></article>"
        for key, author, year in [*others, ("mine", "Ann Lee", 1901)]
    )
    (tmp_path / "many.xml").write_text(f"<dblp>{records}</dblp>")
    build([tmp_path / "many.xml"], tmp_path / "many.db")
    with Database.open(tmp_path / "many.db") as many:
        strategy = BibliographicDatabaseStrategy(many, 0.9, 100_000)
        findings = strategy.search(
            Reference("k", title="Editorial", authors=("A. Lee",), year=1950)
        )
    years = {
        candidate.record.year for candidate in findings.candidates if candidate.record.key != "mine"
    }
    assert len(findings.candidates) == 300
    assert any(candidate.record.key == "mine" for candidate in findings.candidates)
    assert 1950 in years
    assert {abs(year - 1950) for year in years if year} <= set(range(18))
    assert findings.inquiries[0].records == 901


def test_search_what_only_shares_some_words_was_not_meant(
    strategy: BibliographicDatabaseStrategy,
) -> None:
    assert not strategy.search(
        Reference("k", title="Sparse Bellwether Trees for Amortised Tide Tables")
    ).candidates


def test_search_without_a_title_nothing_is_sought(strategy: BibliographicDatabaseStrategy) -> None:
    findings = strategy.search(Reference("k", title="..."))
    assert not findings.candidates
    assert not findings.inquiries


def test_search_the_volumes_that_may_be_claimed_come_along(
    strategy: BibliographicDatabaseStrategy,
) -> None:
    (volume,) = strategy.search(Reference("k", title="Untrue", venue="WSDM", year=2008)).volumes
    assert volume.key == "conf/wsdm/2008"
    assert volume.completeness >= Policy().complete


def test_search_a_closed_database_is_a_failure_to_report(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    closed = Database.open(sample_database(tmp_path_factory.mktemp("sample")))
    closed.close()
    findings = BibliographicDatabaseStrategy(closed, 0.9, 100).search(
        Reference("k", title="Random Forests")
    )
    assert [inquiry.outcome for inquiry in findings.inquiries] == [Outcome.FAILED]
