"""Decisions on references that were read from running text, where another reading is likely."""

from dataclasses import replace
from datetime import date

from citeproof.model.findings import Findings, Inquiry, Outcome
from citeproof.model.record import Candidate, Record
from citeproof.model.verdict import Status
from citeproof.readers.strings.reference import likely_readings, reference_of_string
from citeproof.verification.validator import Validator

DECIDE = Validator(today=lambda: date(2026, 11, 20)).decide
TEXT = "Ada Alma, Bo Berg, Counting Sheep, Sparse Attention Networks, DEMO {}"
DOUBTFUL = reference_of_string(TEXT.format(2024))
RECORD = Record(
    "conf/demo/AB20",
    "Sparse Attention Networks",
    ("Ada Alma", "Bo Berg"),
    2020,
    "DEMO",
    "inproceedings",
    source="dblp",
)
FOUND = Findings((Candidate(RECORD, 1.0),), (Inquiry("database", Outcome.ANSWERED, complete=True),))


def test_decide_a_reading_in_doubt_accuses_nobody_if_another_reading_does_not() -> None:
    assert DOUBTFUL.title == RECORD.title
    assert [reading.title for reading in likely_readings(DOUBTFUL)] == [
        "Counting Sheep, Sparse Attention Networks"
    ]
    verdict = DECIDE(DOUBTFUL, FOUND)
    assert (verdict.status, verdict.reason) == (Status.UNVERIFIED, "parse_suspect")
    assert [issue.code for issue in verdict.issues] == ["reading.doubtful"]


def test_decide_flags_fields_that_nobody_doubts() -> None:
    certain = replace(DOUBTFUL, doubts=(), string="", raw="", from_text=False)
    verdict = DECIDE(certain, FOUND)
    assert (verdict.status, [one.code for one in verdict.issues]) == (
        Status.SUSPICIOUS,
        ["authors.more", "year.off"],
    )


def test_decide_flags_what_is_wrong_in_every_reading() -> None:
    verdict = DECIDE(reference_of_string(TEXT.format(2031)), FOUND)
    assert (verdict.status, verdict.reason) == (Status.INVALID, "future_date")
