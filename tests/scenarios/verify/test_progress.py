"""Progress of a verification: a terminal sees it, nobody else does."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from tests.program import Program


def on_terminal(citeproof: Program, *arguments: str, columns: int = 160) -> tuple[str, str]:
    """Run ``citeproof`` with a terminal for standard error; return standard output and what the
    terminal got.
    """
    leader, follower = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "citeproof", *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=follower,
        cwd=citeproof.folder,
        env=citeproof.environment | {"TERM": "xterm", "COLUMNS": str(columns)},
    ) as running:
        os.close(follower)
        seen = b"".join(_pieces(leader))
        out = running.communicate(timeout=60)[0]
    os.close(leader)
    return out.decode(), seen.decode()


def _pieces(leader: int) -> list[bytes]:
    """Read until the other side is closed, which Linux reports as an error."""
    pieces = []
    try:
        while piece := os.read(leader, 65536):
            pieces.append(piece)
    except OSError:
        pass
    return pieces


def test_a_verification_shows_done_of_all_and_the_statuses(
    citeproof: Program, bibliography: Path
) -> None:
    out, seen = on_terminal(citeproof, "verify", str(bibliography), "--format", "csv")
    assert "4/4" in seen
    assert "1 valid  1 suspicious  1 unverified  1 error" in seen
    assert "4/4" not in out


def test_a_terminal_of_80_columns_shows_the_counts_too(
    citeproof: Program, bibliography: Path
) -> None:
    _, seen = on_terminal(citeproof, "verify", str(bibliography), "--format", "csv", columns=80)
    assert "4/4" in seen
    assert "1 ✓  1 !  1 ?  1 ⚠" in seen


def test_a_pipe_sees_no_progress(citeproof: Program, bibliography: Path) -> None:
    errors = citeproof("verify", bibliography, "--format", "json").stderr
    assert errors.startswith("citeproof: ")
    assert "\x1b" not in errors
    assert "valid" not in errors
