"""The second look of the bibliographic database: the works of the cited people, for what is not
VALID.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from citeproof.database.building.builder import build
from citeproof.database.building.sample import sample_database
from citeproof.database.building.title_indexer import TitleIndexer
from citeproof.database.lookup import Database
from citeproof.model.findings import Findings, Inquiry, Outcome
from citeproof.model.record import MatchKind
from citeproof.model.reference import Reference
from citeproof.model.verdict import Status
from citeproof.verification.strategies.local import BibliographicDatabaseStrategy
from citeproof.verification.validator import Validator

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CHIMERA = Reference(
    "k", "The Part-Time Parliament", ("Diffie, Whitfield", "Hellman, Martin E."), year=1998
)
UNKNOWN = Reference(
    "k", "Sparse Bellwether Trees for Tide Tables", ("Diffie, W.", "Hellman, M. E."), year=1998
)
RIGHT = Reference("k", "The Part-Time Parliament", ("Lamport, Leslie",), year=1998)
LATE = Reference("k", "The Part-Time Parliament", ("Lamport, Leslie",), year=2008)


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    with Database.open(sample_database(tmp_path_factory.mktemp("sample"))) as opened:
        yield opened


@pytest.mark.parametrize("reference", [CHIMERA, UNKNOWN, RIGHT, LATE])
def test_works_of_the_people_change_no_verdict(database: Database, reference: Reference) -> None:
    validator, strategy = Validator(database.venues), BibliographicDatabaseStrategy(database, 0.9)
    before = strategy.search(reference)
    plain = validator.decide(reference, before)
    told = validator.decide(reference, before + strategy.search_further(reference, plain))
    assert told == plain
    assert replace(validator.explain(told, before), meant=(), searched="", chance=None) == plain


def test_search_the_work_of_the_people_is_named(database: Database) -> None:
    reference = CHIMERA
    strategy, validator = BibliographicDatabaseStrategy(database, 0.9), Validator(database.venues)
    findings = strategy.search(reference)
    findings += strategy.search_further(reference, validator.decide(reference, findings))
    work = validator.explain(validator.decide(reference, findings), findings).meant[-1]
    assert work.record.title == "New directions in cryptography"
    assert work.found_by == (MatchKind.AUTHORS,)


def test_search_a_word_that_no_title_has_is_a_misspelt_one(database: Database) -> None:
    reference = replace(RIGHT, title="The Prat-Time Parliament")
    strategy, validator = BibliographicDatabaseStrategy(database, 0.9), Validator(database.venues)
    findings = strategy.search(reference)
    plain = validator.decide(reference, findings)
    further = strategy.search_further(reference, plain)
    assert [issue.code for issue in plain.issues] == ["title.word_changed"]
    assert further.title_counts == (("prat", 0), ("part", 2))
    verdict = validator.decide(reference, findings + further)
    assert (verdict.status, [issue.code for issue in verdict.issues]) == (
        Status.VALID,
        ["title.misspelt"],
    )


def test_search_further_a_database_that_cannot_answer_leaves_no_trace(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    closed = Database.open(sample_database(tmp_path_factory.mktemp("sample")))
    verdict = Validator().decide(CHIMERA, Findings())
    closed.close()
    assert BibliographicDatabaseStrategy(closed, 0.9).search_further(CHIMERA, verdict) == Findings()


def test_search_another_version_has_a_remark_after_its_title(tmp_path: Path) -> None:
    """By title, only the article is found: the remark is a third of the recorded title."""
    title = "Wool by number"
    dump = tmp_path / "dblp.xml"
    dump.write_text(
        '<?xml version="1.0"?>\n<!DOCTYPE dblp SYSTEM "dblp.dtd">\n<dblp>\n'
        '<inproceedings key="conf/ics/A21"><author>Ann Alma</author><title>Wool by number (Extended'
        " Abstract).</title><year>2021</year><booktitle>ICS</booktitle></inproceedings>\n"
        '<article key="journals/jw/A23"><author>Ann Alma</author><title>Wool by number.</title>'
        "<year>2023</year><journal>J. Wool</journal></article>\n</dblp>\n"
    )
    build([dump], tmp_path / "w.db", titles=TitleIndexer(tmp_path / "w.db"))
    with Database.open(tmp_path / "w.db") as opened:
        strategy, validator = BibliographicDatabaseStrategy(opened, 0.9), Validator(opened.venues)
        reference = Reference("k", title, ("A. Nobody",), year=2021, venue="COG")
        found = strategy.search(reference)
        further = strategy.search_further(reference, validator.decide(reference, found))
    assert [one.record.key for one in found.candidates] == ["journals/jw/A23"]
    assert [(one.record.key, one.match) for one in further.candidates if one.similarity < 0.9] == [
        ("conf/ics/A21", MatchKind.MAIN_TITLE)
    ]


def test_search_further_looks_for_similar_titles_if_the_database_had_records(
    database: Database,
) -> None:
    strategy, validator = BibliographicDatabaseStrategy(database, 0.9), Validator(database.venues)
    findings = strategy.search(LATE)
    verdict = validator.decide(LATE, findings)

    def titles(*evidence: Inquiry) -> set[str]:
        asked = replace(verdict, evidence=evidence)
        found = strategy.search_further(LATE, asked).candidates
        return {one.record.title for one in found if one.match is not MatchKind.AUTHORS}

    other = Inquiry("crossref", Outcome.ANSWERED)
    assert findings.inquiries[0].records
    assert RIGHT.title.lower() in {title.lower() for title in titles(*findings.inquiries)}
    assert titles(other, *findings.inquiries) == titles(*findings.inquiries)
    assert titles(other) == titles(replace(findings.inquiries[0], records=0)) == set()
