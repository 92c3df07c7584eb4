"""The confidence of verdicts, from counts of right findings."""

import re
from pathlib import Path

import pytest

from citeproof.model.reference import Reference, Severity
from citeproof.model.verdict import Issue, Status, Verdict
from citeproof.verification.certainty import (
    AGREEING,
    COUNTED,
    INVENTED,
    WILD,
    confidence,
    faults_among,
    in_words,
)
from citeproof.verification.validation.codes import CODES


def test_confidence_is_that_of_an_ordinary_bibliography() -> None:
    right, given = WILD["authors.dropped"]
    assert faults_among("authors.dropped") == pytest.approx((right + 1) / (given + 2), abs=0.001)
    assert faults_among("authors.dropped") < confidence("metadata_mismatch", "authors.dropped") < 1
    assert set(WILD) | set(INVENTED) <= set(CODES)
    assert confidence("record_agrees") > 0.99
    assert confidence("title_not_found") == 0.5


PAGE = (Path(__file__).parents[2] / "docs" / "accuracy.md").read_text("utf-8")
ROW = re.compile(r"\| `([a-z_.]+)` \| (\d+) of (\d+) \| (\d+) \| ([\d.]+) \|")


def test_confidence_of_each_code_is_the_one_of_the_page() -> None:
    rows = {code: (*map(int, counts), float(said)) for code, *counts, said in ROW.findall(PAGE)}
    assert len(rows) >= 15
    assert rows == {
        code: (*COUNTED[code], round(confidence("metadata_mismatch", code), 2)) for code in rows
    }
    (others,) = re.findall(r"The other (\d+) codes have at most four flags each.*: (.*)\.\n", PAGE)
    named = re.findall(r"`([a-z_.]+)`", others[1])
    assert len(named) == int(others[0])
    assert {*named, *rows} == {*COUNTED}
    assert all(sum(COUNTED[code][1:]) <= 4 for code in named)
    assert {round(confidence("metadata_mismatch", code), 2) for code in named} == {0.93}
    right, given = AGREEING
    said = f"Of {given} references that are `VALID` because of a record, {right} are right."
    assert said in PAGE


def test_in_words_says_nothing_of_codes_with_fewer_than_three_flags() -> None:
    def said(code: str, status: Status = Status.SUSPICIOUS) -> str:
        issue = Issue(code, Severity.ISSUE, "1988", "1984", "")
        return in_words(Verdict(Reference("a"), status, "because", 0.9, issues=(issue,)))

    assert said("year.off") == (
        "in bibliographies without invented references, 89 of 100 such findings were real errors"
    )
    assert said("title.different")
    assert said("volume.not_found") == said("year.future") == ""
    assert said("year.off", Status.VALID) == said("year.off", Status.UNVERIFIED) == ""
