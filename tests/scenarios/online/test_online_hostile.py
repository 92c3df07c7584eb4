"""Online runs under bad conditions: each prints a clear line, has the right exit code, and loses no
verdict.
"""

from __future__ import annotations

import json
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING, Any

import pytest

from tests.online.server import Served, serve
from tests.online.works import TABLES, WORLD

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.program import Program

ENTRY = "@article{{k{0}, title = {{{1}}}, author = {{Ada Winter and Bela Summer}}, year = 2011}}\n"
VERIFY = (
    "verify",
    "many.bib",
    "--enable-online",
    "--disable-bib",
    "--sources",
    "crossref,openalex",
)


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    with serve(WORLD) as served:
        yield served


@pytest.fixture
def online(citeproof: Program, server: Served, tmp_path: Path) -> Program:
    """Return the program with replays of Crossref and OpenAlex, and a bibliography of known and
    unknown works.
    """
    entries = [
        TABLES.title,
        "Umbrellas considered helpful in typed rain",
        f"{TABLES.title} and otters",
        TABLES.title,
    ]
    (tmp_path / "many.bib").write_text(
        "".join(ENTRY.format(n, title) for n, title in enumerate(entries))
    )
    urls = server.urls("crossref", "openalex")
    settings = {
        "SOURCE_URLS": json.dumps(urls),
        "OPENALEX_KEY": "k",
        "KEY_HOSTS": "127.0.0.1",
        "CONTACT": "me@example.org",
    }
    citeproof.environment.update({f"CITEPROOF_{name}": value for name, value in settings.items()})
    server.faults = {}
    return citeproof


def statuses(done: Any) -> list[str]:
    results = json.loads(done.stdout)["results"]
    return [result["status"] for result in sorted(results, key=lambda result: int(result["line"]))]


EXPECTED = ["VALID", "UNVERIFIED", "UNVERIFIED", "VALID"]


@pytest.mark.parametrize("concurrent", ["1", "64"])
def test_verdicts_do_not_depend_on_the_number_of_threads(online: Program, concurrent: str) -> None:
    done = online(*VERIFY, "--format", "json", "--concurrent", concurrent)
    assert (statuses(done), done.returncode) == (EXPECTED, 0)


def _of_the_run(note: str) -> bool:
    """Whether a note is about the run rather than about an entry."""
    return not note.startswith("many.bib:")


def test_two_concurrent_runs_share_one_cache(online: Program) -> None:
    command = [sys.executable, "-m", "citeproof", *VERIFY, "--format", "json"]
    runs = [
        subprocess.Popen(
            command, stdout=subprocess.PIPE, cwd=online.folder, env=online.environment, text=True
        )
        for _ in range(2)
    ]
    reports = [json.loads(run.communicate(timeout=120)[0]) for run in runs]
    assert [[result["status"] for result in report["results"]] for report in reports] == [
        EXPECTED
    ] * 2
    assert not [note for report in reports for note in report["notes"] if _of_the_run(note)]
    assert json.loads(online(*VERIFY, "--format", "json").stdout)["sent"] == []


@pytest.mark.slow
def test_cache_locked_by_another_process_costs_no_verdict(online: Program, tmp_path: Path) -> None:
    online(*VERIFY)
    cache = tmp_path / "verified.db"
    with sqlite3.connect(cache) as other:
        other.execute("DELETE FROM search_results")
        other.execute("DELETE FROM scholar_results")
    other.isolation_level = None
    other.execute("BEGIN IMMEDIATE")
    try:
        done = online(*VERIFY, "--format", "json")
    finally:
        other.execute("ROLLBACK")
        other.close()
    assert (statuses(done), done.returncode) == (EXPECTED, 0)
    (note,) = filter(_of_the_run, json.loads(done.stdout)["notes"])
    assert note.startswith("The verification cache was not written, so later runs will ask again: ")
    assert "another process holds the write lock" in note
    assert done.stderr.count("The verification cache was not written") == 1


def test_damaged_cache_is_named_and_costs_no_verdict(online: Program, tmp_path: Path) -> None:
    online(*VERIFY)
    cache = tmp_path / "verified.db"
    with sqlite3.connect(cache) as other:
        other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    other.close()
    with cache.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * (cache.stat().st_size - 4096))
    done = online(*VERIFY, "--format", "json")
    assert statuses(done) == ["VALID", "ERROR", "ERROR", "VALID"], (
        "an unreadable cache might have known them"
    )
    assert done.returncode == 3
    assert json.loads(done.stdout)["statistics"]["failures"] == {"cache": 4}
    assert "malformed" in done.stderr


@pytest.mark.parametrize("content", [b"", b"not a database, but long enough to be looked at" * 99])
def test_file_that_is_no_cache_is_bad_usage(
    online: Program, tmp_path: Path, content: bytes
) -> None:
    (tmp_path / "named.db").write_bytes(content)
    done = online(*VERIFY, "--cache", "named.db")
    assert done.returncode == (2 if content else 0), "an empty file becomes a cache"
    if content:
        assert (
            done.stderr
            == "citeproof: named.db: is not a verification cache; name another file with --cache\n"
        )
        assert (tmp_path / "named.db").read_bytes() == content


def test_run_reaches_loopback_hosts_without_the_proxy(online: Program) -> None:
    with socket.create_server(("127.0.0.1", 0)) as proxy:
        proxy.settimeout(0.0)
        address = f"http://127.0.0.1:{proxy.getsockname()[1]}"
        online.environment.update(
            dict.fromkeys(("HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "ALL_PROXY"), address)
        )
        assert statuses(online(*VERIFY, "--format", "json")) == EXPECTED
        with pytest.raises(BlockingIOError):
            proxy.accept()


def test_run_behind_a_proxy_leaves_names_to_it(online: Program, server: Served) -> None:
    urls = {name: f"http://{name}.invalid/{name}" for name in ("crossref", "openalex")}
    hosts = ",".join(f"{name}.invalid" for name in urls)
    online.environment.update(
        {"CITEPROOF_SOURCE_URLS": json.dumps(urls), "CITEPROOF_KEY_HOSTS": hosts}
    )
    for name in ("NO_PROXY", "no_proxy"):
        online.environment.pop(name, None)
    # the server takes whole addresses too, as a proxy does
    online.environment["http_proxy"] = server.address
    done = online(*VERIFY, "--format", "json")
    assert statuses(done) == EXPECTED
    assert {sent["host"] for sent in json.loads(done.stdout)["sent"]} == {
        "crossref.invalid",
        "openalex.invalid",
    }


def test_interrupt_shows_and_keeps_finished_verdicts(online: Program, server: Served) -> None:
    silent = threading.Event()

    def slow(reply: Any) -> Any:
        if sum(server.requests.values()) > before + 4:
            silent.wait(60)
        return reply

    before = sum(server.requests.values())
    server.faults = {"crossref": slow, "openalex": slow}
    command = [sys.executable, "-m", "citeproof", *VERIFY, "--format", "json", "--concurrent", "1"]
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=online.folder,
        env=online.environment,
        # in the background it is ignored
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
    ) as running:
        while sum(server.requests.values()) <= before + 4:
            assert running.poll() is None
            time.sleep(0.02)
        time.sleep(0.3)
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=60)
        silent.set()
    assert running.returncode == 130
    assert b"Traceback" not in err
    report = json.loads(out)
    done = [result["status"] for result in report["results"]]
    assert done == EXPECTED[: len(done)]
    assert 1 <= len(done) < len(EXPECTED)
    assert f"Interrupted: {len(done)} of 4 entries were checked." in report["notes"]
    server.faults = {}
    assert statuses(online(*VERIFY, "--format", "json")) == EXPECTED
