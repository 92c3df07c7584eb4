"""The command line as a user starts it, in a folder and a home of its own."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from tests.warm import Warm


@dataclass(frozen=True)
class Program:
    """Runs ``citeproof`` in ``folder``: in a new process, or forked from ``warm``, which takes a
    second less.
    """

    folder: Path
    environment: dict[str, str]
    warm: Warm | None = None

    def __call__(
        self, *arguments: str | Path, stdin: str | bytes = ""
    ) -> subprocess.CompletedProcess[str]:
        data = stdin.encode() if isinstance(stdin, str) else stdin
        words = list(map(str, arguments))
        if self.warm and self.warm.can_run(self.environment):
            done = self.warm.run(words, data, self.folder, self.environment)
        else:
            done = subprocess.run(
                [sys.executable, "-m", "citeproof", *words],
                input=data,
                capture_output=True,
                cwd=self.folder,
                env=self.environment,
                check=False,
                timeout=120,
            )
        assert b"Traceback" not in done.stderr, done.stderr.decode()
        return subprocess.CompletedProcess(
            done.args, done.returncode, done.stdout.decode(), done.stderr.decode()
        )
