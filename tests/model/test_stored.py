"""Values of the model, stored as JSON and loaded."""

import json

import pytest

from citeproof.model.record import Candidate, Record
from citeproof.model.reference import Place, Reference, Severity
from citeproof.model.stored import json_values, loaded, stored
from citeproof.model.verdict import Issue, Status, Verdict

ISSUE = Issue("year.off", Severity.ISSUE, "2019", "2020", "the year is 2020, not 2019")
VERDICT = Verdict(
    Reference("a", "Ärger", ("Ann Lee",), place=Place("a.bib", 3)),
    Status.SUSPICIOUS,
    "metadata_mismatch",
    0.9,
    (ISSUE,),
    Candidate(Record("k", "Ärger", ("Ann Lee", "Bo Ray"), 2020), 1.0),
)


@pytest.mark.parametrize("value", [VERDICT, VERDICT.reference, ISSUE, Record("k", "T")])
def test_loaded_returns_what_was_stored(value: object) -> None:
    assert loaded(type(value), stored(value)) == value
    assert json_values(value) == json.loads(stored(value))


def test_stored_leaves_out_defaults_and_named_fields() -> None:
    assert stored(Record("k", "T", year=2020)) == b'{"key":"k","title":"T","year":2020}'
    assert stored(ISSUE, without=("explanation", "severity")) == (
        b'{"code":"year.off","cited":"2019","recorded":"2020"}'
    )


def test_stored_writes_lone_surrogates_as_text() -> None:
    kept = stored(Reference("a", "x\udcff", raw="ä"))
    assert json.loads(kept) == {"key": "a", "title": r"x\udcff", "raw": "ä"}
    assert loaded(Reference, kept).title == r"x\udcff"


@pytest.mark.parametrize("data", ["", "[]", "{}", '{"key": 1}', b"\xff"])
def test_loaded_refuses_what_was_not_stored(data: str | bytes) -> None:
    with pytest.raises(ValueError, match="validation error"):
        loaded(Reference, data)
