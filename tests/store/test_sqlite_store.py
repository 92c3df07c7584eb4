"""SQLite files that citeproof writes: their modes, and messages about damaged ones."""

from __future__ import annotations

import os
import stat
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from citeproof.model.errors import DatabaseError
from citeproof.store.cache import open_cache_file
from citeproof.store.runtime.jobs import JobStore
from citeproof.store.runtime.store import RuntimeStore
from citeproof.store.sqlite_store import SqliteStore, contents

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

OPENERS: list[Callable[[Path], object]] = [SqliteStore, open_cache_file, RuntimeStore]


@pytest.fixture
def _usual_umask() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no modes")
@pytest.mark.usefixtures("_usual_umask")
@pytest.mark.parametrize("opened", OPENERS)
def test_store_creates_files_that_only_their_owner_can_read(
    tmp_path: Path, opened: Callable[[Path], object]
) -> None:
    path = tmp_path / "folder" / "x.db"
    kept = opened(path)
    if isinstance(kept, SqliteStore):
        kept.execute("CREATE TABLE IF NOT EXISTS works (title TEXT)")
    files = [file for file in path.parent.glob("x.db*") if ".lock" not in file.name]
    modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in files}
    assert set(modes) >= {"x.db", "x.db-wal", "x.db-shm"}
    assert set(modes.values()) == {0o600}
    kept.close()  # type: ignore[attr-defined]


def test_store_keeps_the_mode_of_a_file_that_exists(tmp_path: Path) -> None:
    path = tmp_path / "shared.db"
    path.touch()
    path.chmod(0o660)
    SqliteStore(path).close()
    assert stat.S_IMODE(path.stat().st_mode) == 0o660


def test_store_creates_the_file_that_a_link_names(tmp_path: Path) -> None:
    (tmp_path / "link.db").symlink_to(tmp_path / "there.db")
    SqliteStore(tmp_path / "link.db").close()
    assert (tmp_path / "there.db").is_file()


def test_store_without_create_leaves_no_file(tmp_path: Path) -> None:
    with pytest.raises(DatabaseError, match=r"x\.db: cannot be opened for writing"):
        SqliteStore(tmp_path / "x.db", create=False)
    assert list(tmp_path.iterdir()) == []


def test_prune_of_a_store_that_was_removed_leaves_no_file(tmp_path: Path) -> None:
    path = tmp_path / "runtime.db"
    store = RuntimeStore(path, clock=lambda: datetime(2026, 1, 1, tzinfo=UTC))
    jobs = JobStore(path)
    for file in tmp_path.glob("runtime.db*"):
        file.unlink()
    for use in (lambda: store.prune(1), lambda: JobStore(path)):
        with pytest.raises(DatabaseError):
            use()
    assert [file.name for file in tmp_path.iterdir()] == []
    jobs.close()
    store.close()


@pytest.mark.parametrize("opened", [*OPENERS, contents])
def test_store_says_what_to_do_with_a_damaged_file(
    tmp_path: Path, opened: Callable[[Path], object]
) -> None:
    path = tmp_path / "x.db"
    store = SqliteStore(path)
    store.execute("CREATE TABLE jobs (id TEXT)")
    store.close()
    with path.open("r+b") as file:
        file.seek(100)
        file.write(b"\xff" * 3000)
    with pytest.raises(
        DatabaseError, match=r"x\.db: is damaged \(.*\); stop what uses it and move it away"
    ) as caught:
        opened(path).execute("SELECT * FROM jobs")  # type: ignore[attr-defined]
    assert "build it again" not in str(caught.value)
