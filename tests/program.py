"""The command line as a user starts it, in a folder and a home of its own."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


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
