"""The command ``citeproof serve``: errors in one line, workers, confidential titles."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from importlib.resources import as_file, files
from typing import TYPE_CHECKING, Any
from urllib.request import Request, urlopen

import pytest

from citeproof.database.building.builder import build
from citeproof.store.runtime.engine import VERSION
from citeproof.store.runtime.store import RuntimeStore
from citeproof.store.sqlite_store import SqliteStore

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.program import Program


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("serve") / "sample.db"
    with as_file(files("citeproof.database.building").joinpath("sample.xml")) as xml:
        build([xml], path)
    return path


class Service:
    """A running ``citeproof serve`` with its output to standard error."""

    def __init__(self, *arguments: object) -> None:
        command = [sys.executable, "-m", "citeproof", "serve", "--port", "0", *map(str, arguments)]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        assert self.process.stderr
        self.log = [self.process.stderr.readline()]
        match = re.search(r"http://127\.0\.0\.1:\d+", self.log[0])
        assert match, self.log[0] + self.process.stderr.read()
        self.address = match[0]
        for _ in range(1200):
            try:
                urlopen(f"{self.address}/api/health", timeout=30).close()
            except OSError:
                time.sleep(0.05)
            else:
                return

    def ask(self, path: str, body: Any = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = Request(self.address + path, data, {"Content-Type": "application/json"})
        with urlopen(request, timeout=60) as answer:
            content = answer.read().decode()
            return json.loads(content) if "json" in answer.headers["Content-Type"] else content

    def stop(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        self.log += self.process.communicate(timeout=60)[1].splitlines()
        return self.process.returncode


@pytest.fixture
def services() -> Iterator[list[Service]]:
    started: list[Service] = []
    yield started
    for service in started:
        service.process.kill()
        service.process.communicate()


@pytest.mark.slow
def test_serve_with_two_workers_shares_store_and_metrics(
    database: Path, tmp_path: Path, services: list[Service]
) -> None:
    store = tmp_path / "runtime.db"
    service = Service("--bib-db", database, "--runtime-store", store, "--workers", "2")
    services.append(service)
    with ThreadPoolExecutor(8) as clients:
        body = {"title": "Attention is all you need"}
        answers = list(clients.map(lambda _: service.ask("/api/search/title", body), range(80)))
    assert all(answer["found"] for answer in answers)
    assert service.ask("/api/runtime/stats")["counters"]["single_search_requests"] == 80
    figures = service.ask("/metrics")
    assert (
        'citeproof_requests_total{method="POST",route="/api/search/title",status="200"} 80.0'
        in figures
    )
    assert "citeproof_database_age_seconds " in figures
    service.stop()
    assert (
        len(
            {
                json.loads(line).get("request_id")
                for line in service.log[1:]
                if "search/title" in line
            }
        )
        == 80
    )
    assert not list(tmp_path.glob("*.lock-*"))


def test_serve_with_no_title_log_writes_no_title(
    database: Path, tmp_path: Path, services: list[Service]
) -> None:
    store = tmp_path / "runtime.db"
    service = Service("--bib-db", database, "--runtime-store", store, "--no-title-log")
    services.append(service)
    service.ask("/api/search/title", {"title": "Unpublished wonder"})
    service.ask("/api/search/title", {"title": "Deep Residual Learning for Image Recogniton"})
    service.ask("/api/search/title/batch", {"titles": ["Unpublished wonder two"]})
    service.ask("/?title=Unpublished+wonder")
    written = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    service.stop()
    written += (
        b"".join(file.read_bytes() for file in tmp_path.iterdir()) + "\n".join(service.log).encode()
    )
    assert b"Unpublished" not in written
    assert b"Residual" not in written
    assert b"conf/cvpr" not in written
    assert b"hmac-sha256:" in written


def one_line(*arguments: object) -> str:
    command = [sys.executable, "-m", "citeproof", "serve", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    return done.stderr


def test_serve_refuses_a_port_in_use(database: Path, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        error = one_line("--bib-db", database, "--runtime-store", tmp_path / "r.db", "--port", port)
    assert f"127.0.0.1:{port}: cannot listen there: Address already in use" in error


def test_serve_refuses_a_bib_db_that_is_no_database(tmp_path: Path) -> None:
    prose = tmp_path / "README.md"
    prose.write_text("no database, but long enough to be looked at " * 99)
    store = tmp_path / "r.db"
    assert "README.md: is not an SQLite database" in one_line(
        "--bib-db", prose, "--runtime-store", store
    )
    assert not store.exists()


def test_serve_starts_without_a_database_and_says_so(
    tmp_path: Path, services: list[Service]
) -> None:
    service = Service("--bib-db", tmp_path / "later.db", "--runtime-store", tmp_path / "r.db")
    services.append(service)
    service.stop()
    assert (
        "later.db does not exist yet; searches are answered with 404 until it is put in place)"
        in service.log[0]
    )


def test_serve_refuses_a_newer_store(database: Path, tmp_path: Path) -> None:
    path = tmp_path / "r.db"
    RuntimeStore(path).close()
    store = SqliteStore(path)
    store.execute(f"PRAGMA user_version = {VERSION + 1}")
    store.close()
    assert "written by a newer citeproof" in one_line("--bib-db", database, "--runtime-store", path)


def test_serve_names_a_store_that_cannot_be_used(database: Path, tmp_path: Path) -> None:
    prose = tmp_path / "prose.db"
    prose.write_text("no database, but long enough to be looked at " * 99)
    refused = one_line("--bib-db", database, "--runtime-store", prose)
    assert "is not a runtime store; name another file with --runtime-store" in refused
    assert "is a directory; name a file" in one_line(
        "--bib-db", database, "--runtime-store", tmp_path
    )


def test_serve_leaves_a_database_given_as_store_unchanged(database: Path) -> None:
    before = database.read_bytes()
    assert "is not a runtime store" in one_line("--bib-db", database, "--runtime-store", database)
    assert database.read_bytes() == before
    assert [file.name for file in database.parent.iterdir()] == [database.name]


@pytest.mark.parametrize(
    ("host", "token", "warned"),
    [
        ("0.0.0.0", "", True),
        ("::", "", True),
        ("127.0.0.1", "", False),
        ("::1", "", False),
        ("0.0.0.0", "secret", False),
    ],
)
@pytest.mark.parametrize("command", [["serve"], ["mcp", "--http"]], ids=" ".join)
def test_servers_that_anyone_can_use_say_so_before_they_listen(
    citeproof: Program, tmp_path: Path, command: list[str], host: str, token: str, warned: bool
) -> None:
    (tmp_path / "no.db").write_text("no database")
    citeproof.environment["CITEPROOF_TOKEN"] = token
    done = citeproof(*command, "--host", host, "--bib-db", "no.db")
    said = f"because it listens on {host} and requires no token; set CITEPROOF_TOKEN"
    assert (said in done.stderr) == warned
    assert done.returncode == 2
