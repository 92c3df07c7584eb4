"""``citeproof lookup`` from end to end, against the built-in sample."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.program import Program


def test_a_title_with_a_typo_is_found(citeproof: Program) -> None:
    done = citeproof("lookup", "A Relational Modle of Data for Large Shared Data Banks")
    assert done.returncode == 0
    assert "A Relational Model of Data for Large Shared Data Banks" in done.stdout
    assert "https://doi.org/10.1145/362384.362685" in done.stdout


def test_json_is_a_list_of_the_objects_of_the_web_service(citeproof: Program) -> None:
    done = citeproof("lookup", "--format", "json", "The Google File System", "Nothing of this Name Exists")
    found, missed = json.loads(done.stdout)
    assert (found["found"], found["year"], found["query_title"]) == (True, 2003, "The Google File System")
    assert not missed["found"]
    assert {"method", "candidates_examined", "complete", "duration_ms"} <= missed.keys() & found.keys()
    assert done.returncode == (1 if missed["complete"] else 3)


def test_titles_come_from_standard_input(citeproof: Program) -> None:
    done = citeproof("lookup", "--format", "json", "-", stdin="The Google File System\n\nAttention is all you need\n")
    assert [answer["found"] for answer in json.loads(done.stdout)] == [True, True]


def test_a_title_without_a_letter_is_refused(citeproof: Program) -> None:
    done = citeproof("lookup", "...")
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1


def test_a_long_link_stays_in_one_piece(citeproof: Program) -> None:
    done = citeproof("lookup", "Attention is all you need")
    assert (
        "https://proceedings.neurips.cc/paper/2017/hash/3f5ee243547dee91fbd053c1c4a845aa-Abstract.html" in done.stdout
    )
