"""One job from the queue to its end, in a process of its own."""

from __future__ import annotations

import json
import logging
import time
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from citeproof.bibdb.database import Database
from citeproof.errors import DatabaseError, InputError, StoreBusyError
from citeproof.results import Ending
from citeproof.runtime.jobs import JobGoneError, JobHeader
from citeproof.session import Session
from citeproof.storage.sql import StoreError
from citeproof.web.jobs.correcting import Examined, corrected
from citeproof.web.jobs.limits import JOB_SECONDS, READING_SECONDS, SMALL_REFERENCES
from citeproof.web.jobs.reading import begin
from citeproof.web.jobs.verdicts import packed, unpacked, writable
from citeproof.web.worker.traces import places

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from citeproof.models import Diagnostic, Reference, Verdict
    from citeproof.runtime.jobs import JobStore, TakenJob
    from citeproof.web.jobs.reading import Reading
    from citeproof.web.jobs.tables import SharedTables
    from citeproof.web.worker.options import Options

RECORD_SECONDS = (0.1, 0.5)
"""How long verdicts gather until they are recorded together: at first, and after four seconds.

The first is recorded at once. Each record is a commit with the lock of the store, which look-ups need too.
"""
CONCURRENT = 2
"""References at work at a time. One is; with ten, threads that wait for each other cost a tenth more processor time."""
UNREADABLE = "The bibliographic database cannot be read, so nothing was verified; the service's log has the cause."
SLOW = "Reading this archive takes more than five minutes. Split it, or use citeproof verify for it."
FAULT = "The job failed by a fault of the service; its log has the cause."

_log = logging.getLogger("citeproof.web")


class _TimeOverError(Exception):
    """The job ends with its verdicts, without a corrected document."""


class StoppedError(Exception):
    """The service stops: the job goes back to the queue."""


def work(
    store: JobStore,
    options: Options,
    stopped: Callable[[], bool],
    tables: SharedTables | None = None,
    give_way: Callable[[], object] = tuple,
) -> bool:
    """Take one job and do it; say whether there was one.

    Where ``stopped`` comes true, the job goes back to the queue with the verdicts that it has. ``tables`` are of the
    database and need not be read again. ``give_way`` is called when a job turns out to be a long one.
    """
    job = store.take()
    if not job:
        return False
    with suppress(JobGoneError):  # somebody deleted it: there is nothing left to do
        try:
            _verify(store, job, options, stopped, tables, give_way)
        except StoppedError:
            store.release(job.job_id)
        except (JobGoneError, StoreError, StoreBusyError):
            raise  # a store that fails leaves the job to the next worker, behind the last verdict
        except InputError as error:
            store.finish(job.job_id, 0.0, reason=writable(str(error)))
        except Exception as error:  # noqa: BLE001 - whatever it is, whoever waits for the job must hear of it
            # Without its message, which may quote the document.
            _log.error("a job failed: %s", type(error).__name__, extra={"trace": places(error)[-8:]})
            store.finish(job.job_id, 0.0, reason=UNREADABLE if isinstance(error, DatabaseError) else FAULT)
    return True


def _verify(
    store: JobStore,
    job: TakenJob,
    options: Options,
    stopped: Callable[[], bool],
    tables: SharedTables | None,
    give_way: Callable[[], object],
) -> None:
    started = time.monotonic()
    reading = begin(job.document, _looking(started + READING_SECONDS, stopped, InputError(SLOW)))
    reading.read(SMALL_REFERENCES + 1)
    with Database.open(options.database, index_dir=options.index_dir, titles_in_memory=False) as database:
        if tables:
            tables.lend(database)
        entries = _entries(reading, lambda: store.begin(job.job_id, _header(reading, database, options)), give_way)
        examined = Examined()
        session = replace(Session.over(database, options.threshold), concurrent=CONCURRENT)
        if reading.bibtex:
            session = session.witnessed(examined.take)
        recorder = _Recorder(store, job.job_id, store.verdicts(job.job_id))
        ending = Ending.COMPLETE
        begun = time.monotonic()
        for verdict in session.stream(islice(entries, recorder.done, None)):
            recorder.add(verdict)
            if stopped():
                recorder.write()
                raise StoppedError
            if time.monotonic() - started > JOB_SECONDS:
                ending = Ending.INTERRUPTED
                break
        recorder.write()
        seconds = time.monotonic() - begun
        mended = ""
        if reading.bibtex and ending is Ending.COMPLETE:
            verdicts = map(unpacked, store.verdicts(job.job_id))
            with suppress(_TimeOverError):
                mended = corrected(
                    reading.bibtex,
                    verdicts,
                    session,
                    examined,
                    _looking(started + JOB_SECONDS, stopped, _TimeOverError()),
                )
        store.finish(job.job_id, seconds, ending=ending, corrected=mended)


def _entries(
    reading: Reading, more_known: Callable[[], None], give_way: Callable[[], object]
) -> Iterator[Reference | Diagnostic]:
    """Yield the entries of ``reading``: of a long document the first are verified before the others are read."""
    more_known()
    yield from reading.entries
    if reading.total is None:
        give_way()
        first = len(reading.entries)
        reading.read()
        more_known()
        yield from reading.entries[first:]


def _header(reading: Reading, database: Database, options: Options) -> JobHeader:
    """Return what is known of the run so far, without the server's folders, which are no client's business."""
    described = database.describe()
    described["path"] = options.database.name
    folder = f"{options.database.parent}/"
    notes = (*(said.replace(folder, "") for said in database.warnings), *map(writable, reading.notes()))
    return JobHeader(reading.total, reading.taken_for, notes, json.dumps(described))


def _looking(end: float, stopped: Callable[[], bool], late: Exception) -> Callable[[], None]:
    """Return what ends the work where the service stops, and raises ``late`` after ``end``."""

    def look() -> None:
        if stopped():
            raise StoppedError
        if time.monotonic() > end:
            raise late

    return look


class _Recorder:
    """Records verdicts together, so that the store is written ten times a second at most, of a long job twice."""

    def __init__(self, store: JobStore, job_id: str, earlier: Sequence[bytes]) -> None:
        """Go on behind the verdicts that an ``earlier`` worker has left."""
        self._store = store
        self._job_id = job_id
        self._by_status = Counter(unpacked(kept).status.value for kept in earlier)
        self._waiting: list[bytes] = []
        self._written = len(earlier)
        self._begun = time.monotonic()
        self._last = 0.0

    @property
    def done(self) -> int:
        return self._written + len(self._waiting)

    def add(self, verdict: Verdict) -> None:
        self._by_status[verdict.status.value] += 1
        self._waiting.append(packed(verdict))
        now = time.monotonic()
        if now - self._last > min(RECORD_SECONDS[0] + (now - self._begun) / 10, RECORD_SECONDS[1]):
            self.write()

    def write(self) -> None:
        if self._waiting:
            self._store.record(self._job_id, self._written, self._waiting, self._by_status)
            self._written += len(self._waiting)
            self._waiting = []
        self._last = time.monotonic()
