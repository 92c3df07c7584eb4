"""More connections than the maximum: the service continues, and its log stays short."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
import sys
import time
from contextlib import ExitStack, suppress
from typing import TYPE_CHECKING
from urllib.request import urlopen

import pytest

if TYPE_CHECKING:
    from pathlib import Path

FILES = 256
CONNECTIONS = 500


def is_ready(port: int) -> bool:
    """Send requests until one is answered; the server notices closed connections a moment later."""
    for _ in range(600):
        with suppress(OSError), urlopen(f"http://127.0.0.1:{port}/api/ready", timeout=60) as answer:
            return bool(answer.status == 200)
        time.sleep(0.1)
    return False


@pytest.mark.slow
def test_server_survives_too_many_connections_with_a_short_log(
    sample_path: Path, tmp_path: Path
) -> None:
    serve = (
        f"{sys.executable} -m citeproof serve --port 0 --bib-db {sample_path} --runtime-store"
        f" {tmp_path / 'r.db'}"
    )
    log = tmp_path / "log"
    with log.open("w") as written:
        process = subprocess.Popen(["sh", "-c", f"ulimit -n {FILES}; exec {serve}"], stderr=written)
    try:
        while not (match := re.search(r"http://127\.0\.0\.1:(\d+)/", log.read_text())):
            assert process.poll() is None
        port = int(match[1])
        with ExitStack() as open_:
            for _ in range(CONNECTIONS):
                open_.enter_context(socket.create_connection(("127.0.0.1", port)))
            assert process.poll() is None
        assert is_ready(port)
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait()
    lines = [json.loads(line) for line in log.read_text().splitlines()[1:]]
    refused = [line for line in lines if "was refused" in line["message"]]
    assert refused
    assert len(lines) < 200
    assert not [line for line in lines if line["logger"] == "asyncio"]
