"""With hashed titles no file of the store holds a title, an error's message or a found record's key."""

from __future__ import annotations

import stat
from typing import TYPE_CHECKING

import pytest

from citeproof.errors import ConfigurationError
from citeproof.runtime.events import BatchRun, Search
from citeproof.runtime.sqlite.store import SqliteRuntimeStore
from citeproof.runtime.title_log import HashedTitles, hashed_titles

if TYPE_CHECKING:
    from pathlib import Path


def test_no_title_reaches_the_disk(path: Path, hit: Search) -> None:
    store = SqliteRuntimeStore(path, titles=hashed_titles(path))
    store.record_single("r", 1, hit).result(5)
    store.record_single("r", 1, Search("A secret", error=ValueError("A secret is broken"))).result(5)
    store.start_run(BatchRun("run", "r", 200, 1, 1)).result(5)
    store.record_item("run", 0, hit).result(5)
    files = b"".join(file.read_bytes() for file in path.parent.iterdir())
    store.close()
    files += path.read_bytes()
    for text in (b"A title", b"a title", b"secret", b"conf/x/1"):
        assert text not in files
    assert b"hmac-sha256:" in files
    assert b"ValueError" in files


def test_equal_titles_have_equal_hashes_under_one_key_only(path: Path, tmp_path: Path) -> None:
    ours, again, other = hashed_titles(path), hashed_titles(path), hashed_titles(tmp_path / "other.db")
    assert ours.title("Some Title") == again.title("some title")
    assert ours.title("Some Title") != other.title("Some Title")
    assert ours.title("Some Title") != ours.title("Some Titles")


def test_the_key_is_for_its_owner_alone(path: Path) -> None:
    hashed_titles(path)
    key = path.with_name("runtime.db.key")
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    assert [file.name for file in path.parent.iterdir()] == ["runtime.db.key"]


def test_a_damaged_key_is_refused(path: Path) -> None:
    path.with_name("runtime.db.key").write_bytes(b"short")
    with pytest.raises(ConfigurationError, match="5 bytes"):
        hashed_titles(path)


def test_a_hash_is_not_the_title() -> None:
    written = HashedTitles(bytes(32)).title("a title")
    assert written.startswith("hmac-sha256:")
    assert "title" not in written
