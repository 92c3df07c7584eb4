"""A run with one verdict of each status, for every report."""

from dataclasses import replace

import pytest

from citeproof.model.findings import Agreement, FieldComparison, Inquiry, NearestWork, Outcome
from citeproof.model.record import Candidate, MatchKind, Record
from citeproof.model.reference import Place, Reference, Severity
from citeproof.model.run import Run, Statistics
from citeproof.model.verdict import Acceptance, Issue, Lapse, Status, Verdict

ATTENTION = Candidate(
    Record(
        key="conf/nips/VaswaniSPUJGKP17",
        title="Attention is All you Need",
        authors=("Ashish Vaswani", "Noam Shazeer", "Niki Parmar", "Jakob Uszkoreit", "Llion Jones"),
        year=2017,
        venue="NIPS",
        pub_type="inproceedings",
        url="https://papers.nips.cc/paper/7181",
        source="dblp",
        retraction="https://doi.org/10.1/notice",
    ),
    1.0,
)
NEARBY = Candidate(
    Record("conf/x/1", "Attention is not all you need", ("A. Person",), 2021, source="dblp"),
    0.87,
    MatchKind.NEARBY,
)
MEANT = NearestWork(
    ATTENTION,
    (MatchKind.TITLE, MatchKind.DOI),
    (
        FieldComparison(
            "title",
            Agreement.PARTLY,
            "Attention was all you need",
            ATTENTION.record.title,
            ("was",),
            ("is",),
        ),
        FieldComparison("authors", Agreement.SAME, "Vaswani, Ashish", "Ashish Vaswani"),
        FieldComparison("year", Agreement.DIFFERENT, "2011", "2017"),
        FieldComparison("venue", Agreement.UNCLEAR, "Curran", "NIPS"),
        FieldComparison("doi", Agreement.ABSENT, "", ""),
        FieldComparison("arxiv_id", Agreement.ABSENT, "", ""),
    ),
)
SIMILAR = NearestWork(NEARBY, (MatchKind.NEARBY,), ())
LOOKED = Inquiry(
    "bibliographic_database",
    Outcome.ANSWERED,
    method="indexed",
    index="title_index",
    complete=True,
    milliseconds=1.23456,
)
DOWN = Inquiry("crossref", Outcome.FAILED, "timed out after 10 s")
ACCEPTED = {
    "=cmd()": Acceptance("a [reprint]", "2026-11-22", "2027-11-22"),
    "doubt": Acceptance("seen", "2026-01-02", lapsed=Lapse.CHANGED),
}


def reference(key: str, line: int, title: str = "Attention is all you need") -> Reference:
    return Reference(key, title, ("Vaswani, Ashish",), year=2018, place=Place("refs.bib", line))


@pytest.fixture
def verdicts() -> tuple[Verdict, ...]:
    year = Issue("year.off", Severity.ISSUE, "2011", "2017", "The record says 2017.")
    title = Issue(
        "title.word_changed",
        Severity.ISSUE,
        "Attention was all you need",
        "Attention is All you Need",
        "One word differs.",
    )
    order = Issue("authors.order", Severity.NOTE, "", "", "The order differs.")
    bibliography = "bibliographic_database"
    return (
        Verdict(
            reference("good", 1),
            Status.VALID,
            "confirmed",
            0.99,
            (order,),
            ATTENTION,
            (),
            (LOOKED,),
            ("retracted",),
            bibliography,
        ),
        Verdict(
            reference("doubt", 9),
            Status.SUSPICIOUS,
            "metadata_mismatch",
            0.9,
            (year, title),
            ATTENTION,
            (MEANT,),
            (LOOKED,),
            (),
            "cache",
        ),
        Verdict(
            reference("=cmd()", 17),
            Status.INVALID,
            "identity_conflict",
            0.97,
            (year,),
            ATTENTION,
            decided_by=bibliography,
        ),
        Verdict(
            reference("", 25, ""),
            Status.UNVERIFIED,
            "title_not_found",
            0.5,
            meant=(SIMILAR,),
            decided_by=bibliography,
        ),
        Verdict(
            reference("down", 33),
            Status.ERROR,
            "source_failed",
            1.0,
            evidence=(DOWN,),
            decided_by="api",
        ),
    )


@pytest.fixture
def run(verdicts: tuple[Verdict, ...]) -> Run:
    return Run(
        {"path": "dblp.db", "records": 3}, ("A note.",), verdicts, Statistics.of(verdicts, 0.5)
    )


@pytest.fixture
def accepted_run(verdicts: tuple[Verdict, ...]) -> Run:
    """Return a run of which one problem is accepted and another one is no longer accepted."""
    every = tuple(
        replace(verdict, acceptance=ACCEPTED[verdict.reference.key])
        if verdict.reference.key in ACCEPTED
        else verdict
        for verdict in verdicts
    )
    return Run({}, (), every, Statistics.of(every, 0.5))
