"""The command line as a user starts it, in a folder and a home of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Program:
    """Runs ``citeproof`` in ``folder``."""

    folder: Path
    environment: dict[str, str]

    def __call__(self, *arguments: str | Path, stdin: str | bytes = "") -> subprocess.CompletedProcess[str]:
        data = stdin.encode() if isinstance(stdin, str) else stdin
        done = subprocess.run(
            [sys.executable, "-m", "citeproof", *map(str, arguments)],
            input=data, capture_output=True, cwd=self.folder, env=self.environment, check=False, timeout=120,
        )  # fmt: skip
        assert b"Traceback" not in done.stderr, done.stderr.decode()
        return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an empty home, shared by all tests so that the sample is built once."""
    return tmp_path_factory.mktemp("home")


@pytest.fixture
def citeproof(home: Path, tmp_path: Path) -> Program:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("CITEPROOF_", "XDG_"))}
    kept |= {"HOME": str(home), "COLUMNS": "80", "CITEPROOF_CACHE": str(tmp_path / "verified.db")}
    return Program(tmp_path, kept)


@pytest.fixture
def bibliography(tmp_path: Path) -> Path:
    """Return a file with one right reference, one wrong one, one nobody can check and one that is broken."""
    path = tmp_path / "refs.bib"
    path.write_text(
        """@article{right, author = {Edgar F. Codd}, year = 1970, journal = {Commun. ACM},
  title = {A Relational Model of Data for Large Shared Data Banks}}
@article{wrong, author = {Leslie G. Valiant}, title = {A Theory of the Learnable}, year = 1999}
@misc{unknown, title = {Notes on a Workshop that Left No Trace}, author = {Quillon Marrowby}, year = 2001}
@article{broken, title = {never closed
""",
        encoding="utf-8",
    )
    return path
