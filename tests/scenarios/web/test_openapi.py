"""The OpenAPI document holds: generated requests, wrong ones too, get documented answers and never a 5xx."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable


CONFIGURATION = Path(__file__).parents[2] / "data" / "web" / "schemathesis.toml"


@pytest.mark.slow
def test_schemathesis_finds_no_fault(start_server: Callable[..., Any], tmp_path: Path) -> None:
    server = start_server()
    document = f"http://127.0.0.1:{server.options.port}/openapi.json"
    options = ["--checks", "all", "--max-examples", os.environ.get("EXAMPLES", "8"), "--seed", "1", "--no-color"]
    command = [sys.executable, "-m", "schemathesis.cli", "--config-file", str(CONFIGURATION), "run", document, *options]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-3000:]
    assert "Tested: 11" in done.stdout
