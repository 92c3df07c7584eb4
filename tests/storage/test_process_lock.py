"""A lock is held as long as its process lives, and by one process at a time."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from citeproof.storage.process_lock import LockHeldError, ProcessLock, is_held

if TYPE_CHECKING:
    from pathlib import Path

DYING = """
import os, signal, sys
from pathlib import Path
from citeproof.storage.process_lock import ProcessLock
ProcessLock(Path(sys.argv[1]))
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_it_is_held_until_it_is_released(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    lock = ProcessLock(path)
    assert is_held(path)
    with pytest.raises(LockHeldError):
        ProcessLock(path)
    lock.release()
    assert not path.exists()
    assert not is_held(path)


def test_a_killed_process_holds_none_and_its_file_goes(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    assert subprocess.run([sys.executable, "-c", DYING, str(path)], check=False).returncode == -9
    assert path.exists()
    assert not is_held(path)
    assert not path.exists()


def test_a_file_that_was_removed_in_between_is_locked_under_its_new_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "lock"
    names = iter([False, True])
    monkeypatch.setattr("citeproof.storage.process_lock._names", lambda *_: next(names))
    lock = ProcessLock(path)
    assert is_held(path)
    lock.close()
    assert path.exists()


def test_a_child_process_does_not_inherit_it(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    lock = ProcessLock(path)
    with subprocess.Popen([sys.executable, "-c", "import sys; sys.stdin.read()"], stdin=subprocess.PIPE):
        lock.close()
        assert not is_held(path)
