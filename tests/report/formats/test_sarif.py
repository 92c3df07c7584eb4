"""SARIF, against its schema; each result at the field that it is about."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest

import citeproof
from citeproof.database.building.sample import sample_database
from citeproof.database.lookup import Database
from citeproof.model.reference import Diagnostic, Place, Reference, Severity
from citeproof.model.run import Run, Statistics
from citeproof.model.verdict import Issue, Status, Verdict
from citeproof.report.formats.sarif import render
from citeproof.report.overview import USUAL, View
from citeproof.verification.pipeline import unreadable
from citeproof.verification.validation.codes import CODES

if TYPE_CHECKING:
    from collections.abc import Iterable

ROOT = Path(__file__).parents[3]
SCHEMA = json.loads(
    (ROOT / "tests" / "data" / "reports" / "sarif-2.1.0.schema.json").read_text("utf-8")
)


def rendered(run: Run, view: View = USUAL) -> dict[str, Any]:
    """Return the one run of a log that is valid by the schema."""
    out = io.StringIO()
    render(run, out, view)
    log = json.loads(out.getvalue())
    jsonschema.Draft7Validator(SCHEMA).validate(log)
    (answer,) = log["runs"]
    return dict(answer)


def run_of(verdicts: Iterable[Verdict]) -> Run:
    every = tuple(verdicts)
    return Run({}, (), every, Statistics.of(every, 1.0))


@pytest.fixture(scope="module")
def examples() -> dict[str, Any]:
    bibliography = citeproof.read(ROOT / "examples" / "references.bib")
    with Database.open(sample_database()) as database:
        return rendered(citeproof.check([bibliography], database))


def test_each_result_stands_at_its_field(examples: dict[str, Any]) -> None:
    text = (ROOT / "examples" / "references.bib").read_text("utf-8").splitlines()
    found = {}
    for result in examples["results"]:
        region = result["locations"][0]["physicalLocation"]["region"]
        if region["startLine"] == region["endLine"]:
            line = text[region["startLine"] - 1]
            found[result["ruleId"]] = line[region["startColumn"] - 1 : region["endColumn"] - 1]
    assert found["year.off"] == "{1988}"
    assert found["doi.other_work"] == "{10.1145/359168.359176}"
    assert found["arxiv.other_work"] == "{1706.03762}"
    assert found["title.word_changed"].startswith("{Fibonacci heaps")


def test_levels_are_those_of_the_statuses(examples: dict[str, Any]) -> None:
    levels = {(result["properties"]["status"], result["level"]) for result in examples["results"]}
    assert levels == {("INVALID", "error"), ("SUSPICIOUS", "warning")}


def test_every_rule_that_is_named_is_described_once(examples: dict[str, Any]) -> None:
    rules = {rule["id"]: rule["help"]["text"] for rule in examples["tool"]["driver"]["rules"]}
    assert {result["ruleId"] for result in examples["results"]} == set(rules)
    assert {code: text for code, text in rules.items() if CODES[code].meaning != text} == {}


def test_render_what_nothing_confirms_is_reviewed_where_the_build_asks_for_it(run: Run) -> None:
    assert {result["properties"]["status"] for result in rendered(run)["results"]} == {
        "VALID",
        "SUSPICIOUS",
        "INVALID",
    }
    strict = rendered(run, View(failing=(Status.UNVERIFIED,)))
    (review,) = (result for result in strict["results"] if result.get("kind") == "review")
    assert (review["level"], review["ruleId"]) == ("none", "title_not_found")


def test_render_a_retraction_is_a_note_with_its_notice(run: Run) -> None:
    (note,) = (result for result in rendered(run)["results"] if result["level"] == "note")
    assert note["ruleId"] == "retracted"
    assert "https://doi.org/10.1/notice" in note["message"]["text"]


def test_render_a_retraction_of_a_work_that_nothing_confirms_is_a_note_too(run: Run) -> None:
    unconfirmed = next(one for one in run.verdicts if one.status is Status.UNVERIFIED)
    (note,) = rendered(run_of([replace(unconfirmed, flags=("retracted",))]))["results"]
    assert (note["ruleId"], note["level"]) == ("retracted", "note")


def test_render_a_source_that_failed_is_a_notification_and_an_unreadable_entry_a_result(
    run: Run,
) -> None:
    broken = unreadable(
        Diagnostic(
            Place("a b.bib", 7), "bibtex.unbalanced", "a brace is never closed", "@article{x"
        )
    )
    invocation = rendered(run_of([*run.verdicts, broken]))["invocations"][0]
    assert not invocation["executionSuccessful"]
    assert [note["level"] for note in invocation["toolExecutionNotifications"]] == ["error"]
    alone = rendered(run_of([broken]))
    assert alone["invocations"][0]["executionSuccessful"]
    (result,) = alone["results"]
    assert (result["ruleId"], result["message"]["text"]) == (
        "bibtex.unbalanced",
        "A brace is never closed.",
    )
    assert result["locations"][0]["physicalLocation"] == {
        "artifactLocation": {"uri": "a%20b.bib"},
        "region": {"startLine": 7, "startColumn": 1, "endLine": 7, "endColumn": 11},
    }


@pytest.mark.parametrize(
    "file",
    ["/tmp/ü b:c#?.bib", "C:\\refs.bib", "<stdin>", "papers.zip/1/main.tex", "bad\udcff.bib"],
)
def test_render_every_file_name_becomes_a_uri(file: str) -> None:
    issue = Issue("year.off", Severity.ISSUE, "1988", "1984", "")
    verdict = Verdict(
        Reference("k", place=Place(file, 1)), Status.SUSPICIOUS, "metadata_mismatch", 0.9, (issue,)
    )
    assert len(rendered(run_of([verdict]))["results"]) == 1


def test_render_the_same_difference_has_the_same_fingerprint_wherever_it_stands(run: Run) -> None:
    def prints(runs: Run) -> list[str]:
        return [
            result["partialFingerprints"]["entryAndRule/v1"] for result in rendered(runs)["results"]
        ]

    def below(verdict: Verdict) -> Verdict:
        reference = verdict.reference
        return replace(
            verdict, reference=replace(reference, place=replace(reference.place, line=99))
        )

    assert prints(run) == prints(run_of(map(below, run.verdicts)))
    assert len(prints(run)) == 4


def test_render_what_is_accepted_is_suppressed_and_all_others_are_not(
    run: Run, accepted_run: Run
) -> None:
    results = rendered(accepted_run)["results"]
    said = {result["properties"]["status"]: result["suppressions"] for result in results}
    assert said == {
        "VALID": [],
        "SUSPICIOUS": [],
        "INVALID": [
            {
                "kind": "external",
                "status": "accepted",
                "justification": "Accepted: a [reprint] (2026-11-22, until 2027-11-22).",
            }
        ],
    }
    assert not any("suppressions" in result for result in rendered(run)["results"])
