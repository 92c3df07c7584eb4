"""A title index that another process writes: the same file, and nothing left behind when either process ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from citeproof.bibdb import build as building
from citeproof.bibdb.build import build
from citeproof.bibdb.check import check
from citeproof.bibdb.database import Database
from citeproof.bibdb.title_index.format import index_path
from citeproof.bibdb.title_index.writer.beside import TitlesBeside
from citeproof.bibdb.title_index.writer.build import TitleIndexBuilder
from citeproof.bibdb.title_index.writer.create import TitleIndexer
from citeproof.errors import BuildError
from tests.bibdb.conftest import DUMP

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

TITLES = ["Lamp Trees: Sorting by Light", "lamp trees", "...", "Größe: Bäume", "神 lamps"]
NORMALIZED = ["lamp trees sorting by light", "lamp trees", "", "grosse baume", "神 lamps"]
FINGERPRINT = {"size": 1, "digest": "a", "log": [1, 2]}


@pytest.fixture
def beside(tmp_path: Path) -> Iterator[TitlesBeside]:
    (tmp_path / "out").mkdir()
    titles = TitlesBeside(tmp_path / "out" / "a.titles")
    yield titles
    titles.close()


def test_it_is_the_file_that_the_build_itself_writes(tmp_path: Path, beside: TitlesBeside) -> None:
    shares: list[float] = []
    with TitleIndexBuilder(tmp_path / "own.titles") as builder:
        for titles in (builder, beside):
            for first_id in range(1, 20_000, len(TITLES)):  # more than a pipe holds
                titles.add_all(first_id, TITLES, NORMALIZED)
        builder.finish(FINGERPRINT)
    beside.end()
    beside.finish(FINGERPRINT, shares.append)
    beside.close()
    assert (tmp_path / "own.titles").read_bytes() == (tmp_path / "out" / "a.titles").read_bytes()
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["a.titles"]
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


def test_a_build_uses_it_for_many_records(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(building, "is_worth_a_process", lambda _: True)
    build([DUMP], tmp_path / "a.db", indexers=[TitleIndexer(tmp_path / "a.db")])
    with Database.open(tmp_path / "a.db") as database:
        assert database.look_up("Is Every Multi-Agent Lamp C++ & C# Safe?").complete
        assert [finding.subject for finding in check(database) if not finding.sound] == []
    assert {path.name for path in tmp_path.iterdir()} == {"a.db", "a.db.titles"}


def test_a_build_that_fails_ends_it_and_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(building, "is_worth_a_process", lambda _: True)
    (tmp_path / "empty.bib").write_text("@comment{nothing}")
    with pytest.raises(BuildError, match="holds no publication"):
        build([DUMP, tmp_path / "empty.bib"], tmp_path / "a.db", indexers=[TitleIndexer(tmp_path / "a.db")])
    assert [path.name for path in tmp_path.iterdir()] == ["empty.bib"]


def test_one_that_was_stopped_costs_the_build_and_says_so(beside: TitlesBeside) -> None:
    beside.add_all(1, TITLES, NORMALIZED)
    beside._process.kill()
    beside._process.wait()
    with pytest.raises(BuildError, match="was stopped"):
        beside.end()


def test_what_goes_wrong_there_is_told_here(tmp_path: Path) -> None:
    (tmp_path / "a.titles").mkdir()
    titles = TitlesBeside(tmp_path / "a.titles")
    try:
        titles.add_all(1, TITLES, NORMALIZED)
        titles.end()
        with pytest.raises(BuildError, match="is a directory; name a file"):
            titles.finish(FINGERPRINT, lambda _: None)
    finally:
        titles.close()
    assert not list(index_path(tmp_path / "a").iterdir())
