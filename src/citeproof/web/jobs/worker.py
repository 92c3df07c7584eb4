"""The process that runs verification jobs, one after another: ``python -m
citeproof.web.jobs.worker``.
"""

import faulthandler
import importlib
import json
import logging.config
import os
import pkgutil
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path

from citeproof.database.lookup import Database
from citeproof.fix.document import Corrector
from citeproof.model.errors import DatabaseError, InputError, StoreBusyError
from citeproof.model.findings import Findings
from citeproof.model.reference import Diagnostic, Reference
from citeproof.model.run import Ending
from citeproof.model.stored import stored
from citeproof.model.verdict import Status, Verdict
from citeproof.processes import Stopped
from citeproof.readers import formats
from citeproof.readers.document import Document
from citeproof.readers.formats import bibtex
from citeproof.store.runtime.jobs import JobDocument, JobGoneError, JobStore
from citeproof.store.sql import StoreError
from citeproof.verification.pipeline import Examination
from citeproof.verification.session import Session
from citeproof.web.helper import answer_all
from citeproof.web.jobs.documents import Look, Reading, begin
from citeproof.web.jobs.queue import Done
from citeproof.web.jobs.verdicts import packed, unpacked, writable
from citeproof.web.logs import log, log_configuration, places
from citeproof.web.options import HARD_SECONDS, SMALL_REFERENCES, Options
from citeproof.web.reloading_database import open_reloading

if sys.platform != "win32":
    import resource

_JOB_SECONDS = 600.0  # seconds after which a job is stopped; it ends with the verdicts so far
_READING_SECONDS = 300.0  # maximum seconds for reading an archive
# seconds between two writes of verdicts to the store: the first interval, and the maximum
_RECORD_SECONDS = (0.1, 0.5)
# maximum number of bytes of memory of a worker, without memory-mapped files; not on Windows
_MOST_MEMORY = 2 * 2**30
# number of references verified at the same time; ten at a time needed 10 % more processor time
_CONCURRENT = 2
_NICE = 10  # Unix niceness of a worker process, so that title look-ups have priority
# maximum number of verifications kept in memory; each has up to several hundred records
_MOST_EXAMINED = 1_000
UNREADABLE = (
    "The bibliographic database cannot be read, so nothing was verified; the service's log has the"
    " cause."
)
FAULT = "The job failed because of a fault of the service; the service's log has the cause."
_SLOW = (
    "Reading this archive takes more than five minutes. Split the archive, or use citeproof verify."
)


class _TimeOverError(Exception):
    """Raised if the document cannot be corrected within the time limit. The job then ends without a
    corrected document.
    """


class StoppedError(Exception):
    """Raised if the service is stopping. The running job then returns to the queue."""


def main() -> None:
    """Run jobs for the parent process until the parent process ends."""
    if hasattr(os, "nice"):
        os.nice(_NICE)
    if sys.platform != "win32":
        resource.setrlimit(resource.RLIMIT_DATA, (_MOST_MEMORY, _MOST_MEMORY))
    # empty until the first request, which states the options; after that, a list with one worker
    workers: list[Worker] = []

    def answer(options: Options, stopped: Stopped) -> Done:
        if not workers:
            logging.config.dictConfig(log_configuration(options.log_level))
            workers.append(Worker(options))
            workers[0].prepare()
        # a traceback could quote the document
        with Path(os.devnull).open("w", encoding="ascii") as nowhere:
            faulthandler.dump_traceback_later(HARD_SECONDS, exit=True, file=nowhere)
            try:
                return workers[0].take(stopped)
            finally:
                faulthandler.cancel_dump_traceback_later()

    def idle() -> None:
        for worker in workers:
            worker.prepare()

    answer_all(answer, idle)


class Worker:
    """Runs verification jobs against one bibliographic database."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._databases = open_reloading(
            options.database, options.index_dir, titles_in_memory=False
        )

    def prepare(self) -> None:
        """Import all document formats and open the database, so that jobs start fast.

        Reopen a replaced database.
        """
        for module in pkgutil.iter_modules(formats.__path__, f"{formats.__name__}."):
            with suppress(ImportError):  # an optional dependency of the format is not installed
                importlib.import_module(module.name)
        with suppress(DatabaseError), self._databases.borrow() as database:
            _ = database.venues, database.coverage

    def take(self, stopped: Stopped) -> Done:
        """Run one job from the database of jobs.

        If this database fails, log the error and return :attr:`Done.RETIRE`.
        """
        try:
            with closing(self._options.open_jobs()) as store:
                return self.work(store, stopped)
        except DatabaseError as error:
            log.error("jobs cannot be taken: %s", error)
            return Done.RETIRE

    def work(self, store: JobStore, stopped: Stopped) -> Done:
        """Run the next job in ``store``, if any.

        If ``stopped()`` is true, return the job to the queue.
        """
        if not (taken := store.take()):
            return Done.NONE
        job_id, document = taken
        done = Done.RETIRE
        with suppress(JobGoneError):  # the job was deleted
            try:
                done = self._verify(store, job_id, document, stopped)
            except StoppedError:
                store.release(job_id)
            except (JobGoneError, StoreError, StoreBusyError):
                raise
            except InputError as error:
                store.finish(job_id, 0.0, reason=writable(str(error)))
            except Exception as error:  # noqa: BLE001 - any error fails the job
                # Log no message, because it may quote the document.
                log.error("a job failed: %s", type(error).__name__, extra={"trace": places(error)})
                store.finish(
                    job_id, 0.0, reason=UNREADABLE if isinstance(error, DatabaseError) else FAULT
                )
        return done

    def _verify(
        self, store: JobStore, job_id: str, document: JobDocument, stopped: Stopped
    ) -> Done:
        started = time.monotonic()
        reading = begin(
            document,
            partial(_look, started + _READING_SECONDS, stopped, InputError(_SLOW)),
            self._databases.holds,
        )
        reading.read(SMALL_REFERENCES + 1)
        with self._databases.borrow() as database:
            entries = _entries(
                reading, lambda: store.begin(job_id, *self._facts(reading, database))
            )
            examined: dict[str, Examination] = {}
            session = replace(
                Session.over(database, self._options.threshold), concurrent=_CONCURRENT
            )
            if reading.bibtex:
                session = session.observed(partial(keep_examination, examined))
            earlier = store.verdicts(job_id)
            recorder = _Recorder(store, job_id, earlier)
            ending, fixed = Ending.COMPLETE, ""
            begun = time.monotonic()
            for verdict in session.stream(islice(entries, len(earlier), None)):
                recorder.add(verdict)
                if stopped():
                    recorder.write()
                    raise StoppedError
                if time.monotonic() - started > _JOB_SECONDS:
                    ending = Ending.INTERRUPTED
                    break
            recorder.write()
            if recorder.written == reading.total:
                ending = Ending.COMPLETE  # the time limit was reached just after the last verdict
            seconds = time.monotonic() - begun
            if reading.bibtex and ending is Ending.COMPLETE:
                look = partial(_look, started + _JOB_SECONDS, stopped, _TimeOverError())
                with suppress(_TimeOverError):
                    fixed = corrected(
                        reading.bibtex,
                        map(unpacked, store.verdicts(job_id)),
                        session,
                        examined,
                        look,
                    )
            store.finish(job_id, seconds, ending=ending, corrected=fixed)
        return Done.SOME if len(reading.entries) <= SMALL_REFERENCES else Done.RETIRE

    def _facts(
        self, reading: Reading, database: Database
    ) -> tuple[int | None, str, tuple[str, ...], str, str]:
        """Return a tuple: number of entries, kind of the document, warnings, the description of the
        database as JSON, and the lines that belong to no reference as JSON.
        """
        path = self._options.database
        described = database.describe() | {"path": path.name}
        warnings = (said.replace(f"{path.parent}{os.sep}", "") for said in database.warnings)
        return (
            reading.total,
            reading.taken_for,
            (*warnings, *map(writable, reading.notes())),
            json.dumps(described),
            stored(reading.unread).decode(),
        )


def _entries(reading: Reading, more_known: Callable[[], None]) -> Iterator[Reference | Diagnostic]:
    """Yield all entries of a document.

    Call ``more_known`` when more is known about the document: at the start, and when the number of
    entries is known.
    """
    more_known()
    yield from reading.entries
    if reading.total is None:
        first = len(reading.entries)
        reading.read()
        more_known()
        yield from reading.entries[first:]


def _look(end: float, stopped: Stopped, late: Exception) -> None:
    """Raise :class:`StoppedError` if ``stopped()`` is true, and ``late`` if the time ``end`` of
    ``time.monotonic()`` has passed.
    """
    if stopped():
        raise StoppedError
    if time.monotonic() > end:
        raise late


class _Recorder:
    """Writes the verdicts of a job to the store in batches. ``earlier`` are verdicts that another
    worker has already stored.
    """

    def __init__(self, store: JobStore, job_id: str, earlier: Sequence[bytes]) -> None:
        self._store, self._job_id = store, job_id
        self._by_status = Counter(unpacked(kept).status.value for kept in earlier)
        self._waiting: list[bytes] = []
        self.written = len(earlier)  # number of verdicts in the store
        self._begun, self._last = time.monotonic(), 0.0

    def add(self, verdict: Verdict) -> None:
        self._by_status[verdict.status.value] += 1
        self._waiting.append(packed(verdict))
        now = time.monotonic()
        if now - self._last > min(
            _RECORD_SECONDS[0] + (now - self._begun) / 10, _RECORD_SECONDS[1]
        ):
            self.write()

    def write(self) -> None:
        if self._waiting:
            self._store.record(self._job_id, self.written, self._waiting, self._by_status)
            self.written += len(self._waiting)
            self._waiting.clear()
        self._last = time.monotonic()


def keep_examination(examined: dict[str, Examination], examination: Examination) -> None:
    """Add ``examination`` to ``examined`` if the verdict is SUSPICIOUS or INVALID.

    The key is the text of the reference.
    """
    if examination.verdict.is_flagged and len(examined) < _MOST_EXAMINED:
        examined[examination.reference.raw] = examination


def corrected(
    document: Document,
    verdicts: Iterable[Verdict],
    session: Session,
    examined: Mapping[str, Examination],
    look: Look,
) -> str:
    """Return the text of a BibTeX document in which wrong references are corrected; empty if there
    is nothing to correct.

    ``examined`` maps the text of a reference to an earlier verification. ``look`` is called before
    each verification, and may raise an exception to stop it.
    """
    found = [(verdict.reference.raw, verdict.is_flagged) for verdict in verdicts]
    if not (wrong := {raw for raw, is_wrong in found if is_wrong}):
        return ""
    right = {raw for raw, _ in found} - wrong

    def examine(reference: Reference) -> Examination:
        look()
        if reference.raw in right:  # the reference needs no correction
            return Examination(reference, Findings(), Verdict(reference, Status.VALID, "", 1.0))
        return examined.get(reference.raw) or session.pipeline.examine(reference)

    result = Corrector(bibtex.read, examine, session.validator).correct(document)
    return result.data.decode(document.encoding) if result.changes else ""


if __name__ == "__main__":
    main()
