"""Generated requests, also invalid ones, get the answers of the OpenAPI document and never a
5xx.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable


WRONG_YEAR = """@article{valiant, author = {Leslie G. Valiant}, title = {A Theory of the
Learnable}, year = 1999,
  journal = {Commun. ACM}, doi = {10.1145/1968.1972}}
"""
CONFIGURATION = Path(__file__).parents[2] / "data" / "web" / "schemathesis.toml"


@pytest.mark.slow
def test_openapi_document_holds_for_generated_requests(
    start_server: Callable[..., Any], tmp_path: Path
) -> None:
    server = start_server()
    document = f"http://127.0.0.1:{server.options.port}/openapi.json"
    options = [
        "--checks",
        "all",
        "--max-examples",
        os.environ.get("EXAMPLES", "8"),
        "--seed",
        "1",
        "--no-color",
    ]
    command = [
        sys.executable,
        "-m",
        "schemathesis.cli",
        "--config-file",
        str(CONFIGURATION),
        "run",
        document,
        *options,
    ]
    environment = os.environ | {"JOB_ID": ended_job(server)}
    done = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, check=False, env=environment
    )
    assert done.returncode == 0, done.stdout[-3000:]
    assert "Tested: 12" in done.stdout
    figures = server.get("/metrics")[1]
    for route in ("", "/cases/{index}", "/events", "/report.{kind}"):
        assert f'method="GET",route="/api/jobs/{{job_id}}{route}",status="200"' in figures


def ended_job(server: Any) -> str:
    """Return the id of a job that has every report."""
    status, job = server.post("/api/verify", {"bibtex": WRONG_YEAR})
    assert status in {200, 202}
    server.wait_until(lambda: server.get(f"/api/jobs/{job['id']}/report.bib")[0] == 200)
    return str(job["id"])
