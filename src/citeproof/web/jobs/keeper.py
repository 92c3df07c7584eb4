"""The process that has jobs done: it has everything imported, and forks a worker for each.

    python -m citeproof.web.jobs.keeper

A worker begins in moments, may fail or hang without harm to others, gives its memory back, and shares the processors
with other jobs by the system's own means. On its standard input the keeper reads what the service was told at its
start, as one message, then a byte whenever there may be a job to take, and another one while titles are looked up. On
its standard output it says when it can take jobs. It ends with its input: its workers then put their jobs back.
:class:`~citeproof.web.jobs.queue.JobQueue` starts it.
"""

from __future__ import annotations

import gc
import importlib
import logging.config
import os
import pickle
import pkgutil
import resource
import select
import signal
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from citeproof import formats
from citeproof.child_process import read_message
from citeproof.errors import DatabaseError
from citeproof.web.jobs.limits import HARD_SECONDS, MOST_AT_ONCE, MOST_BYTES_OF_MEMORY
from citeproof.web.jobs.queue import LOOKING_UP
from citeproof.web.jobs.room import Room
from citeproof.web.jobs.tables import SharedTables
from citeproof.web.jobs.worker import work
from citeproof.web.worker.application import open_jobs
from citeproof.web.worker.logs import log_configuration

if TYPE_CHECKING:
    from citeproof.web.worker.options import Options

NICE = 10
"""Jobs leave the processors to whoever waits for an answer: each process, and the keeper's session as a whole.

Linux shares the processors among sessions first (``man 7 sched``, autogroup): there ``nice`` says nothing between the
keeper's processes and the service. At 10 a session, however many processes it has, weighs a tenth of one at 0.
"""
NICE_WHEN_LONG = 19
"""A long job leaves them to the small ones too, once its first verdicts are on their way."""
_SESSION = Path("/proc/self/autogroup")
STOPPING_SECONDS = 3.0
"""How long a worker has to put its job back, which it does behind the next verdict."""
READY = b"ready\n"
"""What the keeper says when it can take jobs."""
DID_A_JOB, FOUND_NONE, FAILED = 0, 3, 1
"""Exit codes of a worker."""

_log = logging.getLogger("citeproof.web")


def main() -> None:
    """Have jobs done until the service is gone."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # systemd sends it to all; the end of the input is what counts
    with open(0, "rb", buffering=0, closefd=False) as stream:
        options: Options = pickle.loads(read_message(stream) or b"")  # noqa: S301 - our own service's bytes
    logging.config.dictConfig(log_configuration(options.log_level))
    give_way()
    for module in pkgutil.iter_modules(formats.__path__, f"{formats.__name__}."):
        with suppress(ImportError):  # of an extra that is not installed
            importlib.import_module(module.name)
    keeper = Keeper(options)
    gc.collect()
    gc.freeze()  # what is there by now is shared with all workers; the collector would write to it
    with suppress(BrokenPipeError):  # the service is gone already, which the end of the input says
        os.write(1, READY)
    os.dup2(2, 1)  # whatever is printed from here on says nothing to the service
    keeper.run()


def give_way() -> None:
    """Leave the processors to others: this process, and its session where it leads one of its own."""
    os.nice(NICE)
    if os.getsid(0) == os.getpid():  # else the session is a user's, with all that runs in it
        with suppress(OSError):  # the system has no such thing
            _SESSION.write_text(str(NICE), "ascii")


class Keeper:
    """Forks workers and sees them end."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._workers: set[int] = set()
        self._tables = SharedTables(options.database)
        self._tables.refresh()
        self._room = Room()

    def run(self) -> None:
        """Fork a worker for each nudge, and one more for each that did a job, until the input ends."""
        woken, waking = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        signal.set_wakeup_fd(waking, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        while True:
            readable, _, _ = select.select([0, woken], [], [], self._room.seconds_left())
            self._room.end(self._long_jobs())
            if woken in readable:
                with suppress(BlockingIOError):
                    os.read(woken, 4096)
                self._reap()
            if 0 in readable:
                if not (said := os.read(0, 4096)):
                    break
                if LOOKING_UP in said:
                    self._room.give(self._long_jobs())
                if said.strip(LOOKING_UP):
                    self._fork()
                    self._tables.refresh()  # behind the fork: the job of a new database need not wait for the next one
        self._stop()

    def _fork(self) -> None:
        if len(self._workers) >= MOST_AT_ONCE:
            return
        pid = os.fork()
        if pid:
            self._workers.add(pid)
            return
        code = FAILED
        try:
            code = _worker(self._options, self._tables)
        except BaseException as error:  # noqa: BLE001 - the parent's code must not go on in a worker
            _log.error("a worker of jobs ended: %s", type(error).__name__)
        finally:
            os._exit(code)

    def _long_jobs(self) -> list[int]:
        """Return the workers that have given way."""
        return [pid for pid in self._workers if os.getpriority(os.PRIO_PROCESS, pid) >= NICE_WHEN_LONG]

    def _reap(self) -> None:
        """Take note of the workers that ended; where one did a job or was killed, there may be another job."""
        for pid in tuple(self._workers):
            ended, status = os.waitpid(pid, os.WNOHANG)
            if not ended:
                continue
            self._workers.discard(pid)
            code = os.waitstatus_to_exitcode(status)
            if code < 0:
                _log.warning("a worker of jobs was ended by signal %d", -code)
            if code == DID_A_JOB or code < 0:
                self._fork()

    def _stop(self) -> None:
        signal.set_wakeup_fd(-1)
        for pid in self._workers:
            os.kill(pid, signal.SIGTERM)
        deadline = time.monotonic() + STOPPING_SECONDS
        while self._workers and time.monotonic() < deadline:
            time.sleep(0.02)
            self._workers = {pid for pid in self._workers if not os.waitpid(pid, os.WNOHANG)[0]}
        for pid in self._workers:
            os.kill(pid, signal.SIGKILL)


def _worker(options: Options, tables: SharedTables) -> int:
    """Do one job in this process, which was just forked, and return its exit code."""
    parent = os.getppid()
    told: list[int] = []
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.signal(signal.SIGTERM, lambda number, _: told.append(number))
    signal.setitimer(signal.ITIMER_REAL, HARD_SECONDS)  # the system's own action ends the process
    resource.setrlimit(resource.RLIMIT_DATA, (MOST_BYTES_OF_MEMORY, MOST_BYTES_OF_MEMORY))
    try:
        store = open_jobs(options)
    except DatabaseError as error:
        _log.error("jobs cannot be taken: %s", error)
        return FAILED
    try:
        stopped = lambda: bool(told) or os.getppid() != parent  # noqa: E731
        did = work(store, options, stopped, tables, lambda: os.nice(NICE_WHEN_LONG))
    finally:
        store.close()
    return DID_A_JOB if did and not told else FOUND_NONE


if __name__ == "__main__":
    main()
