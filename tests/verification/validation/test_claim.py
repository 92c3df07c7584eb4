"""The cited version, and what follows from it: laws over drawn records."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

import pytest

from citeproof.model.findings import Findings, Inquiry, Outcome
from citeproof.model.record import Candidate, MatchKind, Record, Volume
from citeproof.model.reference import Reference
from citeproof.model.verdict import FLAGGED, Status, Verdict
from citeproof.verification.validation.claim import Form, claimed_form, out_of_scope
from citeproof.verification.validation.compare.venues import Venues
from citeproof.verification.validation.comparison import Identity
from citeproof.verification.validation.identity import compare_all
from citeproof.verification.validator import Validator

if TYPE_CHECKING:
    from collections.abc import Iterator

_WORD_LIST = (
    "lattice harvest turbine glacier compiler orchard protein satellite ledger quartz violin"
    " monsoon"
)
_WORDS = tuple(_WORD_LIST.split())
_NAMES = (
    "Ada Almgren",
    "Bo Berghaus",
    "Cyrus Castell",
    "Dilnoza Drummond",
    "Edvard Eskild",
    "Farida Fair",
)


_KNOWN = {"HERD": "conf/herd", "SHED": "conf/shed", "J. Wool": "journals/wool"}


class Streams(Venues):
    """Two conferences and a journal, known by their short names."""

    def resolve(self, name: str) -> frozenset[str]:
        return frozenset({_KNOWN[name]} if name in _KNOWN else ())

    def is_certain(self, name: str) -> bool:
        return name in _KNOWN

    def of_record(self, record: Record) -> frozenset[str]:
        return self.resolve(record.venue)


def drawn() -> Iterator[Record]:
    """Yield conference papers with titles that nobody else has."""
    dice = random.Random(28)
    for number in range(40):
        words = dice.sample(_WORDS, 7)
        people = tuple(dice.sample(_NAMES, dice.randint(2, 4)))
        title = " ".join(words).capitalize()
        yield Record(
            f"conf/herd/P{number}",
            title,
            people,
            2000 + number % 20,
            "HERD",
            "inproceedings",
            doi=f"10.1145/{70_000 + number}.{80_000 + number}",
            pages=f"{number}1-{number}9",
            source="dblp",
        )


RECORDS = tuple(drawn())


def cited(record: Record, **changes: object) -> Reference:
    fields: dict[str, object] = {
        "key": "r",
        "title": record.title,
        "authors": record.authors,
        "year": record.year,
        "venue": record.venue,
        "entry_type": record.pub_type,
    }
    return Reference(**fields | changes)  # type: ignore[arg-type]


def decide(reference: Reference, *records: Record, volumes: tuple[Volume, ...] = ()) -> Verdict:
    candidates = tuple(Candidate(record, 1.0) for record in records)
    findings = Findings(candidates, (Inquiry("db", Outcome.ANSWERED, complete=True),), volumes)
    return Validator(Streams(), today=lambda: date(2026, 11, 20)).decide(reference, findings)


@pytest.mark.parametrize(
    ("fields", "form"),
    [
        ({"entry_type": "book"}, Form.BOOK),
        ({"entry_type": "article", "publisher": "Springer"}, Form.BOOK),
        ({"entry_type": "article", "venue": "Wiley-Interscience"}, Form.BOOK),
        ({"entry_type": "phdthesis", "publisher": "A University"}, Form.THESIS),
        ({"entry_type": "article", "venue": "arXiv preprint arXiv:1711.05101"}, Form.PREPRINT),
        ({"entry_type": "misc", "arxiv_id": "1711.05101"}, Form.PREPRINT),
        ({"entry_type": "misc", "note": "in submission"}, Form.REPORT),
        ({"entry_type": "article", "venue": "J. Wool", "publisher": "Springer"}, Form.PAPER),
        ({"entry_type": "misc"}, Form.UNSTATED),
    ],
)
def test_claimed_form(fields: dict[str, str], form: Form) -> None:
    assert claimed_form(Reference("r", **fields)) is form  # type: ignore[arg-type]


@pytest.mark.parametrize("record", RECORDS)
def test_decide_accuses_by_the_cited_version_alone(record: Record) -> None:
    """A thesis, a preprint, a journal version of other years and people differ; the same conference
    does not.
    """
    more = (*record.authors, "Gwen Grimaldi")
    year = (record.year or 0) + 5
    elsewhere: list[dict[str, object]] = [
        {"entry_type": "phdthesis", "venue": "", "year": year, "authors": record.authors[:1]},
        {
            "entry_type": "article",
            "venue": "arXiv preprint arXiv:1905.00001",
            "year": 2019,
            "authors": more,
        },
        {
            "entry_type": "article",
            "venue": "J. Wool",
            "year": year,
            "authors": more,
            "doi": "10.1007/s1-2",
        },
        {"entry_type": "techreport", "venue": "", "year": year, "authors": more},
    ]
    for changes in elsewhere:
        assert decide(cited(record, **changes), record).status not in FLAGGED, changes
    assert decide(cited(record, year=year), record).status is Status.SUSPICIOUS
    assert decide(cited(record, authors=record.authors[:1]), record).status is Status.SUSPICIOUS


@pytest.mark.parametrize("record", RECORDS)
def test_compare_all_leaves_out_what_is_about_a_work(record: Record) -> None:
    book = cited(record, entry_type="book", venue="", year=1995, publisher="Grass Press")
    review = replace(
        record,
        key="journals/wool/R",
        authors=("Hugo Haverkamp",),
        pub_type="article",
        venue="J. Wool",
        pages="12",
    )
    entry = replace(review, key="reference/wool/E", pub_type="incollection", pages="1-4")
    nameless = replace(record, authors=())
    for about in (review, entry, nameless):
        assert decide(book, about).status is Status.UNVERIFIED
        assert decide(cited(record, authors=("Zora Quux",)), nameless).status is Status.UNVERIFIED
    edition = replace(record, key="books/wool/B", pub_type="book", venue="Grass Press", year=2006)
    assert [item.version for item in compare_all(book, [Candidate(edition, 1.0)])] == [
        Identity.VERSION
    ]
    assert decide(book, review, edition).status is Status.VALID


@pytest.mark.parametrize("record", RECORDS)
def test_decide_by_title_year_and_venue_before_a_twin_of_the_title(record: Record) -> None:
    twin = replace(
        record, key="conf/shed/T", venue="SHED", year=1990, authors=("Otto Ort", "Pia Prax"), doi=""
    )
    verdict = decide(cited(record, authors=(*record.authors[:-1], "Zora Quux")), twin, record)
    assert verdict.best_match is not None
    assert verdict.best_match.record == record
    assert {issue.code for issue in verdict.issues} <= {"authors.not_on_record"}


@pytest.mark.parametrize("record", RECORDS)
def test_decide_agrees_with_any_source(record: Record) -> None:
    other = replace(
        record,
        source="crossref",
        authors=(*record.authors, "Noor Nau"),
        year=(record.year or 0) + 2,
    )
    assert decide(cited(other, title=record.title), record, other).status is Status.VALID
    assert decide(cited(record), record, other).status is Status.VALID


@pytest.mark.parametrize("record", RECORDS)
def test_a_held_volume_that_lacks_a_title_is_no_proof_of_impossibility(record: Record) -> None:
    held = (Volume(f"conf/herd/{record.year}", "conf/herd", record.year or 0, 450, 1.0, "pages"),)
    absent = cited(record, title="Marzipan submarines under quarrelsome moonbeams tonight")
    verdict = decide(absent, volumes=held)
    assert (verdict.status, verdict.reason) == (Status.SUSPICIOUS, "absent_from_complete_volume")
    named = Candidate(replace(record, title="Submarines of marzipan"), 0.5, MatchKind.AUTHORS)
    findings = Findings((named,), (Inquiry("db", Outcome.ANSWERED, complete=True),), held)
    renamed = Validator(Streams(), today=lambda: date(2026, 11, 20)).decide(absent, findings)
    assert [issue.code for issue in renamed.issues] == ["volume.renamed"]
    assert (
        decide(
            cited(record, title=absent.title, venue="Herding of HERD and Sheep"), volumes=held
        ).issues
        == ()
    )


@pytest.mark.parametrize(
    ("reference", "outside"),
    [
        (Reference("a", entry_type="online"), True),
        (Reference("a", entry_type="book"), True),
        (Reference("a", entry_type="misc", url="https://example.org"), True),
        (Reference("a", entry_type="misc", url="https://example.org", venue="ICML"), False),
        (Reference("a", entry_type="article"), False),
        (
            Reference(
                "a",
                entry_type="misc",
                url="https://arxiv.org/abs/1706.03762",
                arxiv_id="1706.03762",
            ),
            False,
        ),
        (Reference("a", entry_type="online", doi="10.48550/arxiv.1706.03762"), False),
    ],
)
def test_out_of_scope_kinds_need_not_be_held(reference: Reference, *, outside: bool) -> None:
    assert out_of_scope(reference) is outside


@pytest.mark.parametrize(
    ("venue", "entry_type", "form"),
    [
        ("Ph.D", "", Form.THESIS),
        ("Master's thesis, University of Oil", "", Form.THESIS),
        ("Doctoral dissertation, University of Oil", "misc", Form.THESIS),
        ("Tech. rep", "", Form.REPORT),
        ("PhD Symposium", "", Form.PAPER),
        ("Thesis Eleven", "", Form.PAPER),
        ("Internal Medicine", "", Form.PAPER),
        ("Ph.D. thesis, University of Oil", "inproceedings", Form.PAPER),
    ],
)
def test_claimed_form_a_kind_of_document_in_place_of_a_venue(
    venue: str, entry_type: str, form: Form
) -> None:
    reference = Reference("a", title="On lamps", venue=venue, entry_type=entry_type)
    assert claimed_form(reference) is form
    assert out_of_scope(reference) is (form is not Form.PAPER)
