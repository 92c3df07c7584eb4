"""The board works in a fresh clone, and each adapter reads the form that its set is published
in.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from citeproof.database.building.sample import sample_database
from citeproof.database.lookup import Database
from citeproof.verification.session import Session
from tests.accuracy import sets
from tests.accuracy.board import board, calibration_error

if TYPE_CHECKING:
    from pathlib import Path


def test_board_without_data_measures_the_project_s_own_set_and_lists_the_others(
    tmp_path: Path,
) -> None:
    with Database.open(sample_database()) as database:
        session = Session.over(database)
        lines = list(board(session, session, tmp_path))
    rows = [line for line in lines if line.startswith("| citeproof's own | 49 | 49 | ")]
    assert len(rows) == 1
    missing = [
        one.name
        for one in sets.SETS
        if any(line.startswith(f"| {one.name} | `../shared/") for line in lines)
    ]
    assert missing == [one.name for one in sets.SETS if one.name != "citeproof's own"]


def test_calibration_error_is_the_mean_distance_in_bins() -> None:
    assert calibration_error(
        [(0.95, True), (0.95, False), (0.25, False), (0.25, True)]
    ) == pytest.approx(0.35)


def test_citetracer_reads_real_and_wrong_references(tmp_path: Path) -> None:
    row = {
        "citation_id": "H1-0001",
        "title": "A Title",
        "authors": ["Ann Lee"],
        "year": 2024,
        "venue": "AAAI",
        "doi": "",
    }
    for name in ("R1", "H1", "P1"):
        (tmp_path / f"{name}.json").write_text(json.dumps([row]))
    found = [(one.label, one.reference.title, one.paper) for one in sets.citetracer(tmp_path)]
    assert found == [(sets.Label.FAULT, "A Title", "H1"), (sets.Label.HONEST, "A Title", "R1")]


def test_citeaudit_reads_citations_as_text(tmp_path: Path) -> None:
    citation = "Ann Lee and Bob Ray. A theory of the learnable. In Proceedings of STOC, 2001."
    rows = [
        {"source_type": "realworld", "citation": citation, "GT": truth} for truth in (True, False)
    ]
    path = tmp_path / "benchmark.json"
    path.write_text(json.dumps({"data": rows}))
    found = [(one.label, one.reference.title) for one in sets.citeaudit(path)]
    assert found == [
        (sets.Label.HONEST, "A theory of the learnable"),
        (sets.Label.INVENTED, "A theory of the learnable"),
    ]


def test_lines_of_text_takes_a_label_and_a_paper(tmp_path: Path) -> None:
    path = tmp_path / "some.jsonl"
    path.write_text(
        json.dumps({"text": "Ann Lee. A theory of the learnable. STOC, 2001.", "label": "fault"})
        + "\n"
    )
    assert [(one.label, one.paper) for one in sets.lines_of_text(path)] == [
        (sets.Label.FAULT, "some")
    ]
