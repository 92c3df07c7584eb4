"""Titles recorded as hashes."""

from __future__ import annotations

import stat
from typing import TYPE_CHECKING

import pytest

from citeproof.model.errors import ConfigurationError
from citeproof.store.runtime.store import BatchRun, RuntimeStore, Search
from citeproof.store.runtime.title_log import TitleLog, hashed_titles

if TYPE_CHECKING:
    from pathlib import Path


def test_hashed_titles_keep_titles_out_of_all_files(path: Path, hit: Search) -> None:
    store = RuntimeStore(path, titles=hashed_titles(path))
    store.record_single("r", 1, hit).result(5)
    store.record_single("r", 1, Search("A secret", error=ValueError("A secret is broken"))).result(
        5
    )
    store.start_run(BatchRun("run", "r", 200, 1, 1)).result(5)
    store.record_item("run", 0, hit).result(5)
    files = b"".join(file.read_bytes() for file in path.parent.iterdir())
    store.close()
    files += path.read_bytes()
    for text in (b"A title", b"a title", b"secret", b"conf/x/1"):
        assert text not in files
    assert b"hmac-sha256:" in files
    assert b"ValueError" in files


def test_title_has_equal_hashes_under_one_key_only(path: Path, tmp_path: Path) -> None:
    ours, again, other = (
        hashed_titles(path),
        hashed_titles(path),
        hashed_titles(tmp_path / "other.db"),
    )
    assert ours.title("Some Title") == again.title("some title")
    assert ours.title("Some Title") != other.title("Some Title")
    assert ours.title("Some Title") != ours.title("Some Titles")


def test_hashed_titles_creates_a_key_that_only_its_owner_can_read(path: Path) -> None:
    hashed_titles(path)
    key = path.with_name("runtime.db.key")
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    assert [file.name for file in path.parent.iterdir()] == ["runtime.db.key"]


def test_hashed_titles_refuses_a_damaged_key(path: Path) -> None:
    path.with_name("runtime.db.key").write_bytes(b"short")
    with pytest.raises(ConfigurationError, match="5 bytes"):
        hashed_titles(path)


def test_title_with_a_key_is_a_hash() -> None:
    written = TitleLog(bytes(32)).title("a title")
    assert written.startswith("hmac-sha256:")
    assert "title" not in written
