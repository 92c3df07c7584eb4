"""The JSON reports, against the published schema."""

import io
import json
from dataclasses import replace
from importlib.resources import files
from typing import Any

import jsonschema
import pytest

from citeproof.model.run import Brief, Ending, PaperSum, Run, Statistics
from citeproof.report.formats import json as json_report
from citeproof.report.formats import jsonl
from citeproof.report.serialization import run_object


@pytest.fixture(scope="module")
def schema() -> dict[str, Any]:
    text = files("citeproof.report").joinpath("results.schema.json").read_text("utf-8")
    loaded: dict[str, Any] = json.loads(text)
    return loaded


def closed(schema: Any) -> Any:
    """Return ``schema`` with unknown fields refused, so that a field nobody described is
    noticed.
    """
    if isinstance(schema, list):
        return [closed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    parts = {name: closed(part) for name, part in schema.items()}
    if "required" in parts:
        parts.setdefault("additionalProperties", False)
    return parts


def rendered(run: Run) -> dict[str, Any]:
    out = io.StringIO()
    json_report.render(run, out)
    answer: dict[str, Any] = json.loads(out.getvalue())
    return answer


def test_the_report_is_exactly_what_the_schema_describes(run: Run, schema: dict[str, Any]) -> None:
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(rendered(run), closed(schema))


def test_results_stand_in_input_order_and_add_up(run: Run) -> None:
    report = rendered(run)
    assert [result["line"] for result in report["results"]] == [1, 9, 17, 25, 33]
    assert sum(report["statistics"]["by_status"].values()) == report["statistics"]["entries"] == 5
    assert report["results"][0]["best_match"]["url"] == "https://papers.nips.cc/paper/7181"


def test_a_line_of_jsonl_is_one_result(run: Run) -> None:
    out = io.StringIO()
    jsonl.render(run, out)
    assert [json.loads(line) for line in out.getvalue().splitlines()] == rendered(run)["results"]


def test_a_run_that_was_interrupted_says_so(run: Run) -> None:
    assert rendered(run)["ending"] == "complete"
    assert rendered(replace(run, ending=Ending.INTERRUPTED))["ending"] == "interrupted"


def test_written_as_verdicts_come_it_is_the_same_object(run: Run) -> None:
    out = io.StringIO()
    write = json_report.begin(out)
    for verdict in run.verdicts:
        write(verdict)
        assert verdict.reason in out.getvalue(), "it does not wait for the next"
    papers = tuple(PaperSum(paper.name, paper.by_status) for paper in run.papers)
    json_report.end(replace(run, verdicts=(), brief=Brief(papers)), out)
    assert json.loads(out.getvalue()) == rendered(run) == run_object(run)


def test_a_run_without_entries_is_an_object() -> None:
    assert rendered(Run({}, (), (), Statistics.of((), 1.0)))["results"] == []
