"""What all tests share: the data folder beside the checkout, a clock that stands still, citeproof
as users start it.
"""

from __future__ import annotations

import os
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING
from unittest.mock import patch

import pytest
from hypothesis import settings

from citeproof import open_session
from tests.postgres import Postgres, serve
from tests.program import Program
from tests.warm import Warm

if TYPE_CHECKING:
    from collections.abc import Iterator

    from citeproof.verification.session import Session

# A command that is told --offline refuses connections for the whole of its process. Here that is
# the process of all tests, so only those runs refuse them that have a process of their own.
patch("citeproof.online.offline.refuse_connections").start()
settings.register_profile("any machine", deadline=None)
# how long an example takes says nothing on a machine that is busy
settings.load_profile("any machine")

os.environ["CITEPROOF_SAMPLE"] = "landmarks"  # which is built within a second

SHARED = Path(__file__).resolve().parents[2] / "shared"


@pytest.fixture(scope="session")
def shared() -> Path:
    """Return the folder of real data beside the checkout, or skip and say so."""
    if not (SHARED / "README.md").is_file():
        pytest.skip("needs the data folder ../shared, which is not part of the project")
    return SHARED


class ManualClock:
    """A clock that stands still but for what sleeps; it moves at once, for all threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._now = 1000.0
        self.slept: list[float] = []

    def monotonic(self) -> float:
        with self._lock:
            return self._now

    def wall(self) -> float:
        return self.monotonic() + 1_772_366_400.0

    def sleep(self, seconds: float) -> None:
        with self._lock:
            self._now += seconds
            self.slept.append(seconds)

    stopped = False

    def stop(self) -> None:
        """Nobody waits by this clock."""

    def advance(self, seconds: float) -> None:
        with self._lock:
            self._now += seconds


@pytest.fixture
def manual_clock() -> ManualClock:
    return ManualClock()


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an empty home, shared by all tests so that the sample is built once."""
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="session")
def warm() -> Iterator[Warm]:
    """Return the process from which runs are forked."""
    process = Warm()
    yield process
    process.close()


@pytest.fixture
def citeproof(home: Path, tmp_path: Path, warm: Warm) -> Program:
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("CITEPROOF_", "XDG_"))
    }
    kept |= {
        "HOME": str(home),
        "COLUMNS": "80",
        "CITEPROOF_SAMPLE": "landmarks",
        "CITEPROOF_CACHE": str(tmp_path / "verified.db"),
    }
    return Program(tmp_path, kept, warm)


@pytest.fixture(scope="session")
def sample_session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    """Return a session with the sample database and without a cache, shared by all tests."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
        patched.delenv("CITEPROOF_BIB_DB", raising=False)
        with open_session(no_cache=True) as session:
            yield session


@pytest.fixture
def bibliography(tmp_path: Path) -> Path:
    """Return a file with one right reference, one wrong one, one nobody can check and one that is
    broken.
    """
    path = tmp_path / "refs.bib"
    path.write_text(
        """@article{right, author = {Edgar F. Codd}, year = 1970, journal = {Commun. ACM},
  title = {A Relational Model of Data for Large Shared Data Banks}}
@article{wrong, author = {Leslie G. Valiant}, title = {A Theory of the Learnable}, year = 1999}
@misc{unknown, author = {Quillon Marrowby}, year = 2001, title = {Notes on a Workshop of No Trace}}
@article{broken, title = {never closed
""",
        encoding="utf-8",
    )
    return path


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """Return a real PostgreSQL server, or skip and say why."""
    yield from serve()


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> None:
    """A system that refuses to rename or remove a file that this process has open."""
    if not Path("/proc/self/fd").exists():
        pytest.skip("this system does not list open files")

    def refusing(name: str) -> None:
        real = getattr(Path, name)

        def refuse(self: Path, *arguments: object, **options: object) -> object:
            if self.exists() and _is_open(self):
                raise PermissionError(13, "The process cannot access the file")
            return real(self, *arguments, **options)

        monkeypatch.setattr(Path, name, refuse)

    monkeypatch.setattr(sys, "platform", "win32")
    refusing("replace")
    refusing("unlink")


def _is_open(path: Path) -> bool:
    links = [link for link in Path("/proc/self/fd").iterdir() if link.exists()]
    return any(os.path.samestat(link.stat(), path.stat()) for link in links)
