"""Results of the MCP tools as JSON."""

from __future__ import annotations

from dataclasses import replace

from citeproof.agents import answers, results
from citeproof.model.record import Candidate
from citeproof.model.run import Run, Statistics
from tests.agents.works import LOOKUP, VERDICT, WORK


def test_verification_shortens_the_works_of_each_result() -> None:
    whole = results.verification(
        Run({}, (), (VERDICT,), Statistics.of((VERDICT,), 0)), "citeproof://runs/1"
    )
    (result,) = whole["results"]
    assert len(result["meant"]) == answers.MAX_WORKS
    assert result["cited"] == "On Table"
    assert set(result["evidence"][0]) == {"source", "outcome", "detail", "records", "complete"}
    assert "chance" not in result


def test_lookup_result_lists_a_few_records_and_counts_all() -> None:
    found = replace(LOOKUP, candidates=(Candidate(WORK, 1.0),) * 9)
    answer = results.lookup_result(found)
    assert (len(answer["others"]), answer["total"]) == (results.MAX_OTHERS, 9)
    assert "others" not in results.lookup_result(LOOKUP)
