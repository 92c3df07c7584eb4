"""The accuracy gate that every clone can run: references written for the project, checked against
the built-in sample.

The names of the files in ``tests/data/accuracy`` are the labels. References in ``true.bib``
describe their works correctly; in ``damaged.bib``, one thing in each reference is wrong. The works
in ``invented.bib`` do not exist, and the sample has none of the works in ``outside.bib``. The files
are checked with the command line, as by a user.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

pytestmark = pytest.mark.accuracy

DATA = Path(__file__).parents[1] / "data" / "accuracy"
ENTRIES = {"true": 40, "damaged": 37, "invented": 12, "outside": 9}
"""How many references each file has: none may get lost on the way."""

Verdicts = dict[str, list[dict[str, Any]]]


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory: pytest.TempPathFactory) -> Verdicts:
    """Return the results of one run by the name of the file that they are in."""
    home = tmp_path_factory.mktemp("home")
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("CITEPROOF_", "XDG_"))
    }
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "citeproof",
            "verify",
            *(f"{name}.bib" for name in ENTRIES),
            "--format",
            "json",
        ],
        cwd=DATA,
        env=kept | {"HOME": str(home), "CITEPROOF_SAMPLE": "landmarks"},
        capture_output=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 1, done.stderr.decode()
    found: Verdicts = {name: [] for name in ENTRIES}
    for result in json.loads(done.stdout)["results"]:
        found[Path(result["file"]).stem].append(result)
    assert {name: len(results) for name, results in found.items()} == ENTRIES
    return found


def share(results: Sequence[Mapping[str, Any]], *statuses: str) -> float:
    """Print the statuses of some results, name those that have none of ``statuses``, and return the
    others' share.
    """
    print(f"\n{dict(Counter(result['status'] for result in results))}")
    others = [result for result in results if result["status"] not in statuses]
    for result in others:
        print(f"    {result['status']:11} {result['file']} {result['key']} {result['reason']}")
    return 1 - len(others) / len(results)


def test_true_references_are_valid_and_hardly_one_is_flagged(
    verdicts: Verdicts, baseline: dict[str, Any]
) -> None:
    assert share(verdicts["true"], "VALID") >= baseline["sample"]["true_valid"]
    assert share(verdicts["true"], "VALID", "UNVERIFIED") >= baseline["sample"]["true_not_flagged"]


def test_damaged_references_are_flagged(verdicts: Verdicts, baseline: dict[str, Any]) -> None:
    assert (
        share(verdicts["damaged"], "SUSPICIOUS", "INVALID") >= baseline["sample"]["damaged_flagged"]
    )
    assert [result["key"] for result in verdicts["damaged"] if result["status"] == "VALID"] == []


def test_invented_works_are_never_valid(verdicts: Verdicts, baseline: dict[str, Any]) -> None:
    assert share(verdicts["invented"], "SUSPICIOUS", "INVALID", "UNVERIFIED") == 1
    absent = [result for result in verdicts["invented"] if result["key"].startswith("absent")]
    assert share(absent, "SUSPICIOUS", "INVALID") >= baseline["sample"]["absent_flagged"]


def test_works_outside_the_sample_are_not_flagged(verdicts: Verdicts) -> None:
    assert share(verdicts["outside"], "UNVERIFIED") == 1
