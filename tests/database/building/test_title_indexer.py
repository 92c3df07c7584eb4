"""A title index that another process writes: the same file, and nothing left behind when either
process ends.
"""

from __future__ import annotations

import io
import marshal
import shlex
import subprocess
from typing import TYPE_CHECKING

import pytest

from citeproof import processes
from citeproof.database.building import child, title_indexer
from citeproof.database.building.builder import build
from citeproof.database.building.title_indexer import TitleIndexer
from citeproof.database.check import check
from citeproof.database.lookup import Database
from citeproof.database.title_index.format import index_path
from citeproof.model.errors import BuildError
from tests.database.conftest import DUMP

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

TITLES = ["Lamp Trees: Sorting by Light", "lamp trees", "...", "Größe: Bäume", "神 lamps"]
NORMALIZED = ["lamp trees sorting by light", "lamp trees", "", "grosse baume", "神 lamps"]


@pytest.fixture
def beside(tmp_path: Path) -> Iterator[TitleIndexer]:
    (tmp_path / "out").mkdir()
    titles = TitleIndexer(tmp_path / "out" / "a")
    titles.begin(beside=True)
    yield titles
    titles.discard()


def test_it_is_the_file_that_the_build_itself_writes(
    tmp_path: Path, beside: TitleIndexer, small_path: Path
) -> None:
    shares: list[float] = []
    own = TitleIndexer(tmp_path / "own")
    own.begin(beside=False)
    for titles, progress in ((own, lambda _: None), (beside, shares.append)):
        for first_id in range(1, 20_000, len(TITLES)):  # more than a pipe holds
            titles.add(first_id, TITLES, NORMALIZED)
        titles.end()
        titles.finish(small_path, progress)
    assert (tmp_path / "own.titles").read_bytes() == (tmp_path / "out" / "a.titles").read_bytes()
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["a.titles"]
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


@pytest.mark.usefixtures("two_cores")
def test_title_indexer_a_build_uses_it_for_many_records(tmp_path: Path) -> None:
    build([DUMP], tmp_path / "a.db", titles=TitleIndexer(tmp_path / "a.db"))
    with Database.open(tmp_path / "a.db") as database:
        assert database.look_up("Is Every Multi-Agent Lamp C++ & C# Safe?").complete
        assert [finding.subject for finding in check(database) if not finding.sound] == []
    assert {path.name for path in tmp_path.iterdir()} == {"a.db", "a.db.titles"}


@pytest.mark.usefixtures("two_cores")
def test_title_indexer_a_build_that_fails_ends_it_and_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "empty.bib").write_text("@comment{nothing}")
    with pytest.raises(BuildError, match="holds no publication"):
        build(
            [DUMP, tmp_path / "empty.bib"],
            tmp_path / "a.db",
            titles=TitleIndexer(tmp_path / "a.db"),
        )
    assert [path.name for path in tmp_path.iterdir()] == ["empty.bib"]


def test_add_one_that_was_stopped_costs_the_build_and_says_so(beside: TitleIndexer) -> None:
    beside.add(1, TITLES, NORMALIZED)
    assert beside._child
    beside._child._process.kill()
    beside._child._process.wait()
    with pytest.raises(BuildError, match="was stopped"):
        beside.end()


def test_a_file_size_limit_there_is_one_error_without_a_traceback(tmp_path: Path) -> None:
    command = " ".join(
        map(
            shlex.quote,
            processes.command(
                child.__name__, title_indexer.__name__, "write_beside", tmp_path / "a.titles"
            ),
        )
    )
    messages = b"".join(
        processes.framed(marshal.dumps(content))
        for content in (
            (0, ()),
            (1, [""] * 5_000, [f"a lamp of {number}" for number in range(5_000)]),
            None,
        )
    )
    done = subprocess.run(
        ["/bin/sh", "-c", f"ulimit -f 8; {command}"],
        input=messages,
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert marshal.loads(processes.read_message(io.BytesIO(done.stdout)) or b"") == (
        f"{tmp_path / 'a.titles'}: cannot be written: File too large"
    )
    assert not done.stderr
    # the build removes it, or goes on with it
    assert [path.name for path in tmp_path.iterdir()] == ["a.titles.collected"]


def test_what_goes_wrong_there_is_told_here(tmp_path: Path, small_path: Path) -> None:
    (tmp_path / "a.titles").mkdir()
    titles = TitleIndexer(tmp_path / "a")
    titles.begin(beside=True)
    titles.add(1, TITLES, NORMALIZED)
    titles.end()
    with pytest.raises(BuildError, match="is a directory; name a file"):
        titles.finish(small_path, lambda _: None)
    assert not list(index_path(tmp_path / "a").iterdir())
