"""A folder of wrong inputs."""

from __future__ import annotations

import io
import os
import sqlite3
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from citeproof.database.building.sample import sample_database
from tests.scenarios.errors.inputs import FILES

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder of things that are not what they are taken for."""
    path = tmp_path_factory.mktemp("wrong")
    for name, content in FILES.items():
        (path / name).write_bytes(content)
    (path / "sub").mkdir()
    (path / "loop").symlink_to("loop")
    os.mkfifo(path / "pipe")
    with sqlite3.connect(path / "foreign.db") as foreign:
        foreign.execute("CREATE TABLE books (isbn TEXT)")
    foreign.close()
    sample_database(path / "sample").rename(path / "good.db")
    scratched = sqlite3.connect(path / "scratched.db")
    with scratched:
        scratched.execute(
            "CREATE TABLE publications (id INTEGER PRIMARY KEY, title TEXT, year TEXT, pub_type"
            " TEXT)"
        )
        scratched.execute(
            "INSERT INTO publications VALUES (1, 'Lamps', 1984, CAST(x'ff6c' AS TEXT))"
        )
    scratched.close()
    return path


@pytest.fixture
def elsewhere(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Work in ``folder``, with settings of nobody, an empty standard input and a cache of one's
    own.
    """
    monkeypatch.chdir(folder)
    for name in ("BIB_DB", "BIB_THRESHOLD", "CONCURRENT"):
        monkeypatch.delenv(f"CITEPROOF_{name}", raising=False)
    monkeypatch.setenv("CITEPROOF_CACHE", str(tmp_path / "verified.db"))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO()))
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    yield
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before
