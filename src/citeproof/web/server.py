"""Start the web service: check the options, then run one server process, or several with a parent
process.
"""

import os
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from socket import socket

import uvicorn
from uvicorn.config import STARTUP_FAILURE
from uvicorn.supervisors import Multiprocess
from uvicorn.supervisors.multiprocess import Process

from citeproof.database.lookup import Database
from citeproof.model.errors import ConfigurationError
from citeproof.web.app import worker_app
from citeproof.web.listener import Connection, Listener, bind, listen
from citeproof.web.logs import log_configuration
from citeproof.web.options import CLOSING_SECONDS, Options

ADDRESS_SECONDS = 5.0
"""Maximum number of seconds to wait until another process releases the address."""
# seconds without an answer to a ping after which a server process is replaced
_SILENCE_SECONDS = 60.0


def serve(options: Options) -> None:
    """Run the web service until a signal such as SIGTERM stops it.

    Running requests are finished first.

    Raises :class:`ConfigurationError` if the address is unusable, and :class:`DatabaseError` if a
    database is unusable.
    """
    if options.workers > 1 and os.name == "nt":
        raise ConfigurationError("--workers: more than one server process needs Linux or macOS")
    note = (
        f" ({options.database} does not exist yet; searches are answered with 404 until it is put"
        " in place)"
    )
    if options.database.exists():
        # this fails if the file is not a database
        Database.open(options.database, index_dir=options.index_dir).close()
        note = ""
    options.open_store().close()  # migrate, or fail with a clear error, before any worker starts
    address = options.host, options.port
    listener = (
        listen(*address) if options.workers == 1 else reserve(*address, patience=ADDRESS_SECONDS)
    )
    host, port = listener.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    print(
        f"citeproof: serving {options.database.name} at http://{shown}:{port}/{note}",
        file=sys.stderr,
        flush=True,
    )
    config = uvicorn.Config(
        partial(worker_app, options),
        factory=True,
        http=Connection,
        workers=options.workers,
        access_log=False,
        log_config=log_configuration(options.log_level),
        server_header=False,
        timeout_graceful_shutdown=max(0, options.grace - CLOSING_SECONDS),
        ws="none",
    )
    with listener:
        if options.workers == 1:
            uvicorn.Server(config).run(sockets=[listener])
            return
        with tempfile.TemporaryDirectory(prefix="citeproof-metrics-") as folder:
            # without this, each worker would import a file multiprocessing.py in the working folder
            # instead of Python's module
            os.environ["PYTHONSAFEPATH"] = "1"
            # prometheus-client reads this variable when a worker imports the library
            os.environ["PROMETHEUS_MULTIPROC_DIR"] = folder
            Workers(config, [listener], options.grace).run()


class Workers(Multiprocess):
    """Parent process that starts the server processes ("workers"). It restarts workers that end or
    stop answering.
    """

    def __init__(
        self,
        config: uvicorn.Config,
        sockets: list[socket],
        grace: float,
        silence: float = _SILENCE_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Install signal handlers.

        ``silence`` is the time-out of a ping in seconds, and ``grace`` is that of a shutdown.
        """
        hangup = getattr(signal, "SIGHUP", None)
        outlives_terminal = hangup and signal.getsignal(hangup) is signal.SIG_IGN
        super().__init__(config, sockets)
        if hangup and outlives_terminal:
            signal.signal(hangup, signal.SIG_IGN)
        self._grace, self._silence, self._clock = grace, silence, clock
        # map from a worker to the time of an unanswered ping
        self._asked: dict[Process, float] = {}

    handle_hup = Multiprocess.handle_term  # SIGHUP is sent when the terminal is closed

    def keep_subprocess_alive(self) -> None:
        """Restart each worker that has ended or has left a ping unanswered for too long. Send
        further pings, without waiting for the answers.
        """
        for place, worker in enumerate(self.processes):
            if worker.process.is_alive() and not self._is_silent(worker):
                continue
            self._asked.pop(worker, None)
            worker.kill()
            worker.join()
            if worker.exitcode == STARTUP_FAILURE:  # a new worker would fail in the same way
                self.should_exit.set()
                return
            self.processes[place] = Process(self.config, self.sockets)
            self.processes[place].start()

    def join_all(self) -> None:
        """Wait for the workers to end.

        Kill workers that still run one second before the grace period ends.
        """
        deadline = self._clock() + self._grace - 1
        for worker in self.processes:
            worker.process.join(max(0.0, deadline - self._clock()))
            if worker.process.is_alive():
                worker.kill()
                worker.join()

    def _is_silent(self, worker: Process) -> bool:
        try:
            while worker.parent_conn.poll(0):
                worker.parent_conn.recv()
                self._asked.pop(worker, None)
            if worker not in self._asked:
                worker.parent_conn.send(b"ping")
        except (OSError, EOFError):
            return True
        return self._clock() - self._asked.setdefault(worker, self._clock()) > self._silence


def reserve(host: str, port: int, patience: float) -> Listener:
    """Return a socket that is bound to the address ``host`` and ``port``. If another process uses
    the address, wait up to ``patience`` seconds.
    """
    deadline = time.monotonic() + patience
    while True:
        try:
            bind(host, port, shared=False).close()  # fails if another process uses the address
            return bind(host, port, shared=True)
        except ConfigurationError:
            if not port or time.monotonic() >= deadline:
                raise
            time.sleep(0.1)
