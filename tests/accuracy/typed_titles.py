"""Type titles that a database holds into the page, ``verify --text`` and the tool for agents, and
count those that are looked up.

Run ``python -m tests.accuracy.typed_titles DATABASE [COUNT [SEED]]``.
"""

from __future__ import annotations

import json
import random
import socket
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any
from urllib.request import Request, urlopen

import anyio

import citeproof
from citeproof.database.lookup import Database
from citeproof.text.normalize import normalize_title

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_BOUNDARY = "a-boundary-that-no-title-has"
_SECONDS = 60  # maximum time until the service answers


@dataclass
class Typed:
    """What became of the titles that were typed."""

    page: Mapping[str, int] = field(default_factory=dict)  # counters of the service
    missed: dict[str, list[str]] = field(default_factory=dict)  # titles not looked up, by surface


def drawn(database: Path, count: int, seed: int) -> list[str]:
    """Draw ``count`` different titles that ``database`` holds."""
    with Database.open(database) as opened:
        titles = sorted({title for _, title in opened.titles() if title.strip()})
    return random.Random(seed).sample(titles, min(count, len(titles)))


def typed(database: Path, titles: Sequence[str]) -> Typed:
    """Type ``titles`` into all three surfaces."""
    result = Typed()
    with _service(database) as address:
        missed = [title for title in titles if not _is_found(address, title)]
        result.missed["page"] = missed
        with urlopen(f"{address}/api/runtime/stats", timeout=_SECONDS) as answer:
            result.page = json.load(answer)["counters"]
    for surface, read in (("verify --text", _by_command), ("agents", _by_tool)):
        rows = read(database, titles)
        result.missed[surface] = [
            title for title, row in zip(titles, rows, strict=True) if not _is_title(title, row)
        ]
    return result


@contextmanager
def _service(database: Path) -> Iterator[str]:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    with TemporaryDirectory() as folder:
        store = Path(folder) / "runtime.db"
        command = [
            "serve",
            "--bib-db",
            str(database),
            "--runtime-store",
            str(store),
            "--port",
            str(port),
        ]
        quiet = subprocess.DEVNULL
        service = [sys.executable, "-m", "citeproof", *command]
        with subprocess.Popen(service, stderr=quiet) as process:
            try:
                _wait(address)
                yield address
            finally:
                process.terminate()


def _wait(address: str) -> None:
    for _ in range(10 * _SECONDS):
        with suppress(OSError), urlopen(f"{address}/api/health", timeout=_SECONDS):
            return
        time.sleep(0.1)
    raise TimeoutError(address)


def _is_found(address: str, title: str) -> bool:
    """Return whether the page shows the title as found."""
    part = f'--{_BOUNDARY}\r\nContent-Disposition: form-data; name="text"\r\n\r\n{title}\r\n'
    headers = {"Content-Type": f"multipart/form-data; boundary={_BOUNDARY}"}
    request = Request(f"{address}/", f"{part}--{_BOUNDARY}--\r\n".encode(), headers)
    with urlopen(request, timeout=_SECONDS) as answer:
        return "✓ Found" in answer.read().decode()


def _by_command(database: Path, titles: Sequence[str]) -> list[dict[str, Any]]:
    texts = [part for title in titles for part in ("--text", title)]
    options = ["--bib-db", str(database), "--no-cache", "--format", "json", "--fail-on", "never"]
    command = [sys.executable, "-m", "citeproof", "verify", *texts, *options]
    done = subprocess.run(command, capture_output=True, check=True, text=True)
    rows: list[dict[str, Any]] = json.loads(done.stdout)["results"]
    return rows


def _by_tool(database: Path, titles: Sequence[str]) -> list[dict[str, Any]]:
    from mcp import Client

    from citeproof.agents.server import build_server

    async def ask() -> list[dict[str, Any]]:
        rows = []
        with citeproof.open_session(bib_db=str(database), no_cache=True) as session:
            async with Client(build_server(session)) as client:
                for title in titles:
                    result = await client.call_tool("verify_references", {"references": title})
                    rows += (result.structured_content or {})["results"]
        return rows

    return anyio.run(ask)


def _is_title(title: str, row: Mapping[str, Any]) -> bool:
    """Return whether the verdict ``row`` is about the whole text as a title."""
    read = row["reference"]["title"] if "reference" in row else row["cited"]
    return normalize_title(read) == normalize_title(title)


def main() -> None:
    database, *numbers = sys.argv[1:]
    count, seed = (*map(int, numbers), *(400, 1)[len(numbers) :])
    titles = drawn(Path(database), count, seed)
    result = typed(Path(database), titles)
    for surface, missed in result.missed.items():
        print(
            f"{surface}: {len(titles) - len(missed)} of {len(titles)} looked up",
            *missed,
            sep="\n  ",
        )
    for name, value in result.page.items():
        if value:
            print(f"{name} {value}")


if __name__ == "__main__":
    main()
