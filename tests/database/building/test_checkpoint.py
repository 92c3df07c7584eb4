from __future__ import annotations

from contextlib import ExitStack, closing
from typing import TYPE_CHECKING

import pytest

from citeproof.database.building import checkpoint
from citeproof.database.building.checkpoint import Checkpoints, opened
from citeproof.model.errors import BuildError
from citeproof.store.files import ProcessLock

if TYPE_CHECKING:
    from pathlib import Path


def test_load_gives_a_state_to_the_same_plan_only(tmp_path: Path) -> None:
    building = tmp_path / "a.db.building"
    Checkpoints(building, ["a.xml"]).save(3, {"records": 7})
    assert Checkpoints(building, ["a.xml"]).load(3) == {"records": 7}
    assert Checkpoints(building, ["b.xml"]).load(3) is None
    assert Checkpoints(building, ["a.xml"]).load(4) is None


@pytest.mark.parametrize("data", [b"", b"no state", b"i\x01\x00\x00\x00"])
def test_load_takes_a_broken_state_for_none(tmp_path: Path, data: bytes) -> None:
    checkpoints = Checkpoints(tmp_path / "a.db.building", ["a.xml"])
    checkpoints.path(1).write_bytes(data)
    assert checkpoints.load(1) is None


def test_save_keeps_the_last_two_states(tmp_path: Path) -> None:
    checkpoints = Checkpoints(tmp_path / "a.db.building", ["a.xml"])
    for number in (1, 2, 3):
        checkpoints.save(number, {"records": number})
    assert [checkpoints.load(number) for number in (1, 2, 3)] == [
        None,
        {"records": 2},
        {"records": 3},
    ]


def test_close_removes_the_files_of_this_build_and_no_others(tmp_path: Path) -> None:
    checkpoints = Checkpoints(tmp_path / "a.db.building", ["a.xml"])
    checkpoints.save(1, {})
    checkpoints.path("authors").touch()
    others = {"a.db", "a.db.building", "a.db.titles", "b.db.building.1"}
    for name in (*others, "a.db.building-journal"):
        (tmp_path / name).touch()
    checkpoints.close()
    assert {path.name for path in tmp_path.iterdir()} == others


def test_opened_locks_the_file_until_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slept: list[float] = []
    monkeypatch.setattr(checkpoint, "sleep", slept.append)
    path = tmp_path / "a.db.building.authors"
    with ExitStack() as stack:
        opened(path, stack).write(b"12345678")
        with ExitStack() as other, pytest.raises(BuildError, match="in use by another build"):
            opened(path, other)
    assert len(slept) == checkpoint._WAITS
    with ExitStack() as stack:
        assert opened(path, stack, size=8).read() == b"12345678"
    with (
        ExitStack() as stack,
        pytest.raises(BuildError, match="a part of this unfinished build is lost"),
    ):
        opened(path, stack, size=9)


def test_opened_waits_for_a_process_that_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.db.building.authors"
    with closing(ProcessLock(path)) as lock, ExitStack() as stack:
        monkeypatch.setattr(checkpoint, "sleep", lambda _: lock.close())
        assert opened(path, stack).read() == b""
