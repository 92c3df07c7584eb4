"""The gate of the search: half-remembered works must be among the first three works found."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from citeproof.database.building.sample import sample_database
from citeproof.database.lookup import Database
from citeproof.database.search import search
from citeproof.readers.fields.authors import split_authors
from citeproof.text.normalize import normalize_title

if TYPE_CHECKING:
    from tests.accuracy.conftest import Bench

pytestmark = [pytest.mark.accuracy, pytest.mark.timeout(3600)]
ASKED = Path(__file__).parents[1] / "data" / "search" / "half_remembered.jsonl"


def missed(database: Database) -> tuple[int, list[str]]:
    """Return how many of the works the database holds, and the works that are not among the first
    three found.
    """
    held, missing = 0, []
    for line in ASKED.read_text("utf-8").splitlines():
        asked: dict[str, Any] = json.loads(line)
        title = normalize_title(asked["means"])
        if not any(
            normalize_title(one.record.title) == title
            for one in database.look_up(asked["means"]).candidates
        ):
            continue
        held += 1
        found = search(
            database,
            asked.get("words", ""),
            3,
            title=asked.get("title", ""),
            authors=split_authors(asked.get("authors", ""))[0],
            year=asked.get("year"),
        )
        if title not in {normalize_title(one.record.title) for one in found}:
            missing.append(asked["means"])
    print(
        f"\nhalf-remembered works: {held} held, {held - len(missing)} among the first three found"
    )
    return held, missing


def test_search_finds_half_remembered_works_of_the_sample(tmp_path: Path) -> None:
    with Database.open(sample_database(tmp_path, works=True)) as database:
        held, missing = missed(database)
    assert held >= 60
    assert missing == []


@pytest.mark.shared
def test_search_finds_half_remembered_works_of_a_large_database(bench: Bench) -> None:
    held, missing = missed(bench.database)
    assert len(missing) <= held // 20
