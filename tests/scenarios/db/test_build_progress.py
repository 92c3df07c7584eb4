"""Progress of a build: a terminal sees it, nobody else does."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.database.conftest import many_records

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.slow
def test_a_terminal_of_80_columns_sees_what_is_read_and_what_is_indexed(tmp_path: Path) -> None:
    dump = many_records(tmp_path / "many.xml", 30_000)
    ours, theirs = pty.openpty()
    command = [
        sys.executable,
        "-m",
        "citeproof",
        "db",
        "build",
        str(dump),
        "-o",
        str(tmp_path / "a.db"),
    ]
    environment = os.environ | {"TERM": "xterm", "COLUMNS": "80"}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=theirs, env=environment
    ) as builder:
        os.close(theirs)
        seen = b""
        while True:
            try:
                seen += os.read(ours, 65536)
            except OSError:  # the program has closed its end of the terminal
                break
        assert builder.wait(60) == 0
    os.close(ours)
    for part in (b"reading", b" MB", b"records, ", b"/s", b"indexing", b"30,000 records"):
        assert part in seen
