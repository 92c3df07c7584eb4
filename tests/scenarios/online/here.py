"""``citeproof`` in the process of the tests, with sources that are replayed by a local server."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from citeproof.cli.main import run

if TYPE_CHECKING:
    from pathlib import Path

DEAD = json.dumps({"crossref": "http://127.0.0.1:9"})
"""URL of the discard port, where nothing listens."""


@dataclass
class Here:
    """Runs ``citeproof`` in this process, without pauses between retries."""

    patch: pytest.MonkeyPatch
    capture: pytest.CaptureFixture[str]

    def __call__(self, *arguments: str | Path, **environment: str) -> tuple[int, str, str]:
        """Return exit code, standard output and standard error."""
        for name, value in environment.items():
            self.patch.setenv(f"CITEPROOF_{name.upper()}", value)
        self.patch.setattr(sys, "argv", ["citeproof", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            run()
        assert isinstance(ended.value.code, int)
        return ended.value.code, *self.capture.readouterr()
