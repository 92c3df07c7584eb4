"""Replacing a file in one step."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from citeproof.errors import BuildError
from citeproof.storage.replacement import SUFFIX, replacing

if TYPE_CHECKING:
    from pathlib import Path


def test_the_new_content_appears_at_the_end(tmp_path: Path) -> None:
    target = tmp_path / "a.db"
    target.write_text("old")
    with replacing(target) as building:
        assert building.read_bytes() == b""
        building.write_text("new")
        assert target.read_text() == "old"
    assert target.read_text() == "new"
    assert [path.name for path in tmp_path.iterdir()] == ["a.db"]


@pytest.mark.parametrize("error", [ValueError("no"), KeyboardInterrupt(), BuildError("no")])
def test_a_failure_leaves_the_old_content_and_nothing_else(tmp_path: Path, error: BaseException) -> None:
    target = tmp_path / "a.db"
    target.write_text("old")

    def fail() -> None:
        with replacing(target) as building:
            building.write_text("half")
            raise error

    with pytest.raises(type(error)):
        fail()
    assert target.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["a.db"]


def test_what_a_killed_process_left_is_emptied_and_used(tmp_path: Path) -> None:
    (tmp_path / f"a.db{SUFFIX}").write_text("litter")
    with replacing(tmp_path / "a.db") as building:
        assert building.read_bytes() == b""
        building.write_text("new")
    assert [path.name for path in tmp_path.iterdir()] == ["a.db"]


def test_two_at_once_are_told_apart(tmp_path: Path) -> None:
    with replacing(tmp_path / "a.db") as building:
        with pytest.raises(BuildError, match="another build"), replacing(tmp_path / "a.db"):
            pass
        building.write_text("new")
    assert (tmp_path / "a.db").read_text() == "new"


def test_a_new_folder_is_made(tmp_path: Path) -> None:
    with replacing(tmp_path / "new" / "a.db") as building:
        building.write_text("new")
    assert (tmp_path / "new" / "a.db").exists()


def test_the_umask_decides_who_may_read(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        with replacing(tmp_path / "a.db"):
            pass
    finally:
        os.umask(before)
    assert (tmp_path / "a.db").stat().st_mode & 0o777 == 0o640


def test_a_place_that_cannot_be_written_to_is_one_clear_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(BuildError, match="cannot be written"), replacing(tmp_path / "file" / "a.db"):
        pass


def test_a_device_is_not_replaced(tmp_path: Path) -> None:
    pipe, folder = tmp_path / "pipe", tmp_path / "folder"
    os.mkfifo(pipe)
    folder.mkdir()
    for target, kind in ((pipe, "device"), (folder, "directory")):
        with pytest.raises(BuildError, match=f"{target.name}: is a {kind}; name a file"), replacing(target):
            pytest.fail("the block must not begin")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder", "pipe"]
    assert pipe.is_fifo()
