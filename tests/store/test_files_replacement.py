"""Replacing a file in one step."""

import os
from pathlib import Path

import pytest

from citeproof.model.errors import BuildError
from citeproof.store.files import SUFFIX, replacing


def test_replacing_shows_new_content_at_the_end(tmp_path: Path) -> None:
    target = tmp_path / "a.db"
    target.write_text("old")
    with replacing(target) as building:
        assert building.read_bytes() == b""
        building.write_text("new")
        assert target.read_text() == "old"
    assert target.read_text() == "new"
    assert [path.name for path in tmp_path.iterdir()] == ["a.db"]


@pytest.mark.parametrize("error", [ValueError("no"), KeyboardInterrupt(), BuildError("no")])
def test_replacing_keeps_the_old_content_after_a_failure(
    tmp_path: Path, error: BaseException
) -> None:
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


def test_replacing_truncates_what_a_killed_process_left(tmp_path: Path) -> None:
    (tmp_path / f"a.db{SUFFIX}").write_text("litter")
    with replacing(tmp_path / "a.db") as building:
        assert building.read_bytes() == b""
        building.write_text("new")
    assert [path.name for path in tmp_path.iterdir()] == ["a.db"]


def test_replacing_refuses_a_second_build_of_the_same_file(tmp_path: Path) -> None:
    with replacing(tmp_path / "a.db") as building:
        with pytest.raises(BuildError, match="another build"), replacing(tmp_path / "a.db"):
            pass
        building.write_text("new")
    assert (tmp_path / "a.db").read_text() == "new"


def test_replacing_creates_the_folder(tmp_path: Path) -> None:
    with replacing(tmp_path / "new" / "a.db") as building:
        building.write_text("new")
    assert (tmp_path / "new" / "a.db").exists()


def test_replacing_creates_the_file_with_the_umask(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        with replacing(tmp_path / "a.db"):
            pass
    finally:
        os.umask(before)
    assert (tmp_path / "a.db").stat().st_mode & 0o777 == 0o640


def test_replacing_names_a_path_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    with (
        pytest.raises(BuildError, match="file: is not a directory"),
        replacing(tmp_path / "file" / "a.db"),
    ):
        pass


def test_replacing_refuses_a_device(tmp_path: Path) -> None:
    pipe, folder = tmp_path / "pipe", tmp_path / "folder"
    os.mkfifo(pipe)
    folder.mkdir()
    for target, kind in ((pipe, "device"), (folder, "directory")):
        with (
            pytest.raises(BuildError, match=f"{target.name}: is a {kind}; name a file"),
            replacing(target),
        ):
            pytest.fail("the block must not begin")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder", "pipe"]
    assert pipe.is_fifo()


@pytest.mark.usefixtures("windows")
def test_replacing_closes_the_file_first_on_windows(tmp_path: Path) -> None:
    target = tmp_path / "a.db"
    target.write_text("old")
    with replacing(target) as building:
        building.write_text("new")
    assert target.read_text() == "new"

    def fail() -> None:
        with replacing(target):
            raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        fail()
    assert [path.name for path in tmp_path.iterdir()] == ["a.db"]


@pytest.mark.usefixtures("windows")
def test_replacing_names_a_target_that_is_open_on_windows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(13, "Access is denied")

    target = tmp_path / "a.db"
    target.write_text("old")
    monkeypatch.setattr(Path, "replace", refuse)
    with (
        pytest.raises(BuildError, match="is open in another program; close it"),
        replacing(target) as building,
    ):
        building.write_text("new")
    assert target.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["a.db"]
