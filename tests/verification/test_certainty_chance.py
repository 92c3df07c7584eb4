"""The facts of a verdict, their table, and the chance that follows."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from citeproof.database.building.sample import sample_database
from citeproof.database.lookup import Database
from citeproof.model.chance import PaperChance
from citeproof.model.findings import Agreement, FieldComparison, NearestWork
from citeproof.model.record import Candidate, MatchKind, Record, Volume
from citeproof.model.reference import Reference, Severity
from citeproof.model.verdict import Issue, Status, Verdict
from citeproof.readers.document import Document
from citeproof.readers.formats import bibtex
from citeproof.verification.certainty import FACTS, chance_on, facts_of, table
from citeproof.verification.session import Session
from citeproof.verification.validation.codes import CODES

REFERENCE = Reference("a", "A Matter of Meadows", ("Ada Almgren",), year=2001)
OPEN = Verdict(REFERENCE, Status.UNVERIFIED, "title_not_found", 0.5)
HELD_VOLUME = Volume("conf/x/2001", "conf/x", 2001, 90, 0.95, "pages")
RECORD = Record("conf/x/A", "A Matter of Meadow", ("Ada Almgren",), 2001)


def flagged(
    *codes: str, status: Status = Status.SUSPICIOUS, reason: str = "metadata_mismatch"
) -> Verdict:
    issues = tuple(Issue(code, Severity.ISSUE, "", "", "") for code in codes)
    match = Candidate(RECORD, 0.95, MatchKind.TITLE)
    return Verdict(REFERENCE, status, reason, 0.9, issues=issues, best_match=match)


def near(title: Agreement, authors: Agreement, similarity: float = 0.7) -> Verdict:
    fields = FieldComparison("title", title, "", ""), FieldComparison("authors", authors, "", "")
    work = NearestWork(Candidate(RECORD, similarity, MatchKind.NEARBY), (MatchKind.NEARBY,), fields)
    return replace(OPEN, meant=(work,))


@pytest.mark.parametrize(
    ("verdict", "fact"),
    [
        (Verdict(REFERENCE, Status.VALID, "record_agrees", 1.0), "confirmed"),
        (flagged("year.off"), "detail"),
        (flagged("title.word_changed"), "title"),
        (flagged("authors.dropped"), "people"),
        (flagged("authors.not_on_record"), "stranger"),
        (
            flagged("authors.other_people", status=Status.INVALID, reason="identity_conflict"),
            "others",
        ),
        (
            flagged("volume.absent", status=Status.INVALID, reason="absent_from_complete_volume"),
            "absent",
        ),
        (flagged("volume.not_found", reason="not_in_cited_volume"), "absent"),
        (replace(OPEN, reason="out_of_scope"), "outside"),
        (replace(OPEN, reason="parse_suspect"), "unread"),
        (replace(OPEN, reason="not_asked"), "unasked"),
        (near(Agreement.PARTLY, Agreement.SAME), "its_people"),
        (near(Agreement.PARTLY, Agreement.PARTLY), "nothing"),
        (near(Agreement.PARTLY, Agreement.DIFFERENT, 0.95), "near_title"),
        (near(Agreement.PARTLY, Agreement.DIFFERENT), "nothing"),
        (OPEN, "nothing"),
    ],
)
def test_facts_of_names_one_fact_about_the_work(verdict: Verdict, fact: str) -> None:
    assert facts_of(verdict)["work"] == fact


def test_facts_of_names_what_an_identifier_says() -> None:
    assert facts_of(flagged("doi.unassigned"))["identifier"] == "impossible"
    assert facts_of(flagged("doi.other_work"))["identifier"] == "others"
    assert facts_of(OPEN)["identifier"] == "nothing"
    assert facts_of(flagged("doi.malformed"))["identifier"] == "nothing"


@pytest.mark.parametrize(
    ("changes", "fact"),
    [
        ({}, "held"),
        ({"pages": "1-9"}, "stated"),
        ({"number": "3"}, "stated"),
        ({"doi": "10.1145/1.2"}, "stated"),
        ({"doi": "10.48550/arxiv.2001.00001"}, "held"),
        ({"entry_type": "article"}, "unstated"),
        ({"raw": "Meadows, 12:34--56, 2001", "from_text": True}, "stated"),
        ({"raw": "Meadows, vol. 7, 2001", "from_text": True}, "stated"),
        ({"string": "Meadows, 12(3), 2001", "from_text": True}, "stated"),
        ({"raw": "In Proc. of X 2001, Oslo, July 3.", "from_text": True}, "held"),
        ({"raw": "pages = 1--9 in a comment"}, "held"),
    ],
)
def test_facts_of_what_was_not_found_name_what_it_states(
    changes: dict[str, Any], fact: str
) -> None:
    assert (
        facts_of(replace(OPEN, reference=replace(REFERENCE, **changes)), [HELD_VOLUME])["place"]
        == fact
    )


def test_facts_of_a_held_volume_count_where_nothing_was_found() -> None:
    assert facts_of(OPEN, [replace(HELD_VOLUME, completeness=0.7)])["place"] == "unstated"
    assert facts_of(near(Agreement.PARTLY, Agreement.PARTLY), [HELD_VOLUME])["place"] == "held"
    assert "place" not in facts_of(flagged("year.off"), [HELD_VOLUME])
    assert "place" not in facts_of(replace(OPEN, reason="out_of_scope"), [HELD_VOLUME])


def test_chance_on_sorts_facts_by_their_effect_and_takes_the_base_rate() -> None:
    chance = chance_on(flagged("volume.absent", status=Status.INVALID), (), 0.1)
    assert chance
    assert chance.facts[0].code == "work.absent"
    assert chance.invented > 0.5
    assert chance_on(flagged("year.off"), (), 0.1).invented < 0.05  # type: ignore[union-attr]


def test_chance_on_what_could_not_be_checked_is_none() -> None:
    assert chance_on(replace(OPEN, status=Status.ERROR, reason="source_failed"), (), 0.01) is None
    assert chance_on(replace(OPEN, reason="not_a_reference"), (), 0.01) is None


def test_table_has_a_ratio_for_each_fact_and_accuses_by_none_alone() -> None:
    assert table().keys() == {f"{group}.{name}" for group, own in FACTS.items() for name in own}
    assert all(0 < ratio <= 100 for ratio in table().values())
    wrong_details = ("work.detail", "work.people", "work.confirmed", "identifier.others")
    assert all(table()[code] < 1 for code in wrong_details)


def test_facts_are_documented_in_their_order() -> None:
    page = (
        (Path(__file__).parents[2] / "docs" / "verdicts.md")
        .read_text("utf-8")
        .partition("## The chance")[2]
    )
    listed = [
        (f"{group}.{name}", said) for group, own in FACTS.items() for name, said in own.items()
    ]
    assert re.findall(r"^\| `(\w+\.\w+)` \| (.*) \|$", page, re.MULTILINE) == listed


def test_facts_of_codes_that_the_facts_look_for_exist() -> None:
    for verdict in (flagged(code) for code in CODES):
        assert facts_of(verdict)["work"] in FACTS["work"]


@pytest.mark.parametrize(
    ("reference", "place"),
    [
        (replace(REFERENCE, venue="X", entry_type="inproceedings"), "held"),
        (replace(REFERENCE, venue="X", entry_type="inproceedings", authors=()), "unstated"),
        (replace(REFERENCE, venue="X", entry_type="article", number="3"), "stated"),
    ],
)
def test_facts_of_only_a_paper_by_somebody_is_missing_from_a_volume(
    reference: Reference, place: str
) -> None:
    volume = replace(HELD_VOLUME, completeness=0.99)
    assert facts_of(replace(OPEN, reference=reference), [volume])["place"] == place


def test_volumes_of_proceedings_say_nothing_about_inventions(tmp_path: Path) -> None:
    """A file of cross references: the database holds the papers of each volume."""
    database = sample_database(tmp_path)
    lines = [
        f"@proceedings{{acl{year}, title = {{Proceedings of the {year - 1962}th Annual Meeting of"
        f" the Association for Computational Linguistics}}, booktitle = {{ACL}}, year = {year}}}"
        for year in range(1990, 2020)
    ]
    with Database.open(database) as opened:
        session = Session.over(opened, 0.9)
        read = bibtex.read(Document.of_text("\n".join(lines), "crossrefs.bib")).references
        verdicts = [session.verify(reference) for reference in read]
    assert [verdict.reason for verdict in verdicts] == ["out_of_scope"] * 30
    chances = [verdict.chance for verdict in verdicts if verdict.chance]
    assert PaperChance.of([one.odds for one in chances], 0.01).expected < 30 * 0.02
