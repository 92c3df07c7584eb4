"""The lock on a file that shows whether a process is alive."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from citeproof.store.files import LockHeldError, ProcessLock, is_held

if TYPE_CHECKING:
    from pathlib import Path

DYING = """
import os, signal, sys
from pathlib import Path
from citeproof.store.files import ProcessLock
ProcessLock(Path(sys.argv[1]))
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_process_lock_is_held_until_released(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    lock = ProcessLock(path)
    assert is_held(path)
    with pytest.raises(LockHeldError):
        ProcessLock(path)
    lock.release()
    assert not path.exists()
    assert not is_held(path)


def test_is_held_removes_the_file_of_a_killed_process(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    assert subprocess.run([sys.executable, "-c", DYING, str(path)], check=False).returncode == -9
    assert path.exists()
    assert not is_held(path)
    assert not path.exists()


def test_process_lock_locks_again_if_the_file_was_removed_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "lock"
    names = iter([False, True])
    monkeypatch.setattr("os.path.samestat", lambda *_: next(names))
    lock = ProcessLock(path)
    assert is_held(path)
    lock.close()
    assert path.exists()


def test_process_lock_is_not_inherited_by_child_processes(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    lock = ProcessLock(path)
    with subprocess.Popen(
        [sys.executable, "-c", "import sys; sys.stdin.read()"], stdin=subprocess.PIPE
    ):
        lock.close()
        assert not is_held(path)
