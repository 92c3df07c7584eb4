"""Verdicts on references as a screening stores them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from citeproof.model.errors import DatabaseError
from citeproof.model.reference import Reference
from citeproof.screen.bibliographies import describe
from citeproof.screen.checking import Distinct, Keeper, basis_of, check_references, cited, lost

if TYPE_CHECKING:
    from citeproof.verification.session import Session

WRONG = Reference(
    "v",
    title="A Theory of the Learnable",
    authors=("Leslie G. Valiant",),
    year=1988,
    venue="Commun. ACM",
)
DISTINCT = Distinct(7, describe(WRONG)[1])


def test_cited_has_its_number_as_key() -> None:
    reference = cited(DISTINCT)
    assert (reference.key, reference.title, reference.year) == ("7", WRONG.title, 1988)


def test_check_references_keeps_details_and_evidence(sample_session: Session) -> None:
    settings, basis = sample_session.settings_json, basis_of(sample_session)
    first, again = check_references(settings, basis, [DISTINCT, DISTINCT._replace(number=8)])
    assert (first.number, first.status, first.reason) == (7, "SUSPICIOUS", again.reason)
    details = json.loads(first.details)
    assert [issue["code"] for issue in details["issues"]] == ["year.off"]
    assert (details["match"]["year"], details["match"]["source"]) == (1984, "dblp")
    assert details["decided_by"] == "bibliographic_database"
    assert len(details["odds"]) == 2
    assert again._replace(number=7, evidence="") == first._replace(evidence="")
    kept = json.loads(first.evidence)
    assert kept["verdict"]["status"] == "SUSPICIOUS"
    # the second verdict has its own look-ups of venues, as if it were the first
    assert kept["venues"] == json.loads(again.evidence)["venues"]


def test_check_references_refuses_another_database(sample_session: Session) -> None:
    with pytest.raises(DatabaseError, match="is not the database of the run"):
        check_references(sample_session.settings_json, "other", [DISTINCT])


def test_checked_has_evidence_once(sample_session: Session) -> None:
    keeper = Keeper(sample_session)
    examination = sample_session.pipeline.examine(cited(DISTINCT))
    assert keeper.checked(examination.verdict).evidence == ""
    keeper.witness(examination)
    assert keeper.checked(examination.verdict).evidence
    assert keeper.checked(examination.verdict).evidence == ""


def test_lost_is_an_error_of_the_program() -> None:
    checked = lost(DISTINCT)
    assert (checked.number, checked.status, checked.reason) == (7, "ERROR", "program_fault")
    (issue,) = json.loads(checked.details)["issues"]
    assert issue["explanation"].endswith("the worker process died twice on this reference")
