"""Runs of ``citeproof`` in processes that have everything imported already: importing takes longer
than most runs.

:class:`Warm` starts one process, which imports all of citeproof and then waits. For each run it
forks: the child has the arguments, folder, environment and standard streams of that run, and ends
as the command would. So a test sees a process of its own, a second earlier. What depends on how
Python itself starts needs a new process: see :meth:`Warm.can_run`.
"""

from __future__ import annotations

import atexit
import importlib
import io
import json
import os
import pkgutil
import socket
import subprocess
import sys
import tempfile
import threading
import traceback
from contextlib import suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

SECONDS = 120
"""After so many seconds a run is killed; none comes near."""
_OF_PYTHON = ("PYTHON", "LC_", "LANG")


class Warm:
    """A process that waits with everything imported."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._ours, theirs = socket.socketpair()
        command = [sys.executable, "-m", "tests.warm", str(theirs.fileno())]
        self._process = subprocess.Popen(
            command, pass_fds=[theirs.fileno()], cwd=Path(__file__).parents[1]
        )
        theirs.close()

    @staticmethod
    def can_run(environment: Mapping[str, str]) -> bool:
        """Whether ``environment`` starts Python as it was started here: same locale, same
        switches.
        """
        names = {name for name in {*environment, *os.environ} if name.startswith(_OF_PYTHON)}
        return all(environment.get(name) == os.environ.get(name) for name in names)

    def run(
        self, arguments: list[str], data: bytes, folder: Path, environment: Mapping[str, str]
    ) -> subprocess.CompletedProcess[bytes]:
        """Run ``citeproof`` with ``arguments`` and with ``data`` as standard input."""
        request = json.dumps(
            {"arguments": arguments, "folder": str(folder), "environment": dict(environment)}
        )
        reading, writing = os.pipe()
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err, self._lock:
            self._ours.settimeout(SECONDS)
            message = request.encode()
            socket.send_fds(
                self._ours, [len(message).to_bytes(8, "big")], [reading, out.fileno(), err.fileno()]
            )
            self._ours.sendall(message)
            os.close(reading)
            feeder = threading.Thread(target=_feed, args=(writing, data))
            feeder.start()
            code = int.from_bytes(_read(self._ours, 4), "big", signed=True)
            feeder.join()
            return subprocess.CompletedProcess(
                ["citeproof", *arguments], code, _content(out), _content(err)
            )

    def close(self) -> None:
        """End the process."""
        self._ours.close()
        self._process.wait(SECONDS)


def _feed(writing: int, data: bytes) -> None:
    """Write ``data`` to a pipe; a run that does not read it to the end is no fault."""
    with suppress(BrokenPipeError), open(writing, "wb") as pipe:
        pipe.write(data)


def _read(connection: socket.socket, size: int) -> bytes:
    content = b""
    while len(content) < size:
        piece = connection.recv(size - len(content))
        if not piece:
            raise EOFError("the process with everything imported is gone")
        content += piece
    return content


def _content(file: IO[bytes]) -> bytes:
    file.seek(0)
    return file.read()


def serve(connection: socket.socket) -> None:
    """Fork for each request, until the other side closes the connection."""
    import citeproof

    for module in pkgutil.walk_packages(citeproof.__path__, "citeproof."):
        if not module.name.endswith("__main__"):
            with suppress(ImportError):  # of an extra that is not installed
                importlib.import_module(module.name)
    while True:
        size, descriptors, _, _ = socket.recv_fds(connection, 8, 3)
        if not size:
            return
        request = json.loads(_read(connection, int.from_bytes(size, "big")))
        child = os.fork()
        if not child:
            connection.close()
            os._exit(_child(request, descriptors))
        for descriptor in descriptors:
            os.close(descriptor)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        connection.sendall(code.to_bytes(4, "big", signed=True))


def _child(request: dict[str, object], descriptors: list[int]) -> int:
    """Run the command in this process and return its exit code."""
    from citeproof.cli.main import run

    for number, descriptor in enumerate(descriptors):
        os.dup2(descriptor, number)
        os.close(descriptor)
    os.environ.clear()
    os.environ.update(request["environment"])  # type: ignore[call-overload]
    os.chdir(str(request["folder"]))
    sys.argv = ["citeproof", *request["arguments"]]  # type: ignore[misc]
    sys.stdin = io.TextIOWrapper(io.BufferedReader(io.FileIO(0, closefd=False)), encoding="utf-8")
    sys.stdout = io.TextIOWrapper(
        io.BufferedWriter(io.FileIO(1, "w", closefd=False)), encoding="utf-8"
    )
    sys.stderr = io.TextIOWrapper(
        io.BufferedWriter(io.FileIO(2, "w", closefd=False)),
        "utf-8",
        "backslashreplace",
        line_buffering=True,
    )
    code = 0
    try:
        run()
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:  # noqa: BLE001 - as Python itself would end
        traceback.print_exc()
        code = 1
    # as Python itself ends: first the threads, such as a pool's
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    return code


if __name__ == "__main__":
    serve(socket.socket(fileno=int(sys.argv[1])))
