"""The process that does a service's long searches, so that they hold up nobody who reads and answers requests.

    python -m citeproof.web.worker.search_process DATABASE [INDEX_DIR]

It reads questions from its standard input and answers them one after another, until that is closed: it ends with the
service, however that ends. :class:`~citeproof.web.worker.searcher.Searcher` starts it.
"""

from __future__ import annotations

import logging
import os
import pickle
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, cast

from citeproof.bibdb.database import NEAREST_FROM
from citeproof.errors import DatabaseError, InputError
from citeproof.session import Session
from citeproof.web.jobs.reading import begin
from citeproof.web.worker.garbage import collect_rarely
from citeproof.web.worker.heap import bound_heap, fill_numpy_cache
from citeproof.web.worker.messages import Claim, Question, Reply, Unpacker, packed
from citeproof.web.worker.reloading_database import open_reloading
from citeproof.web.worker.traces import places

if TYPE_CHECKING:
    from citeproof.bibdb.database import Database
    from citeproof.models import Lookup, Verdict
    from citeproof.web.worker.reloading_database import ReloadingDatabase

NOT_ONE = "This holds {} references, and one is verified here. Send lists to /api/verify."
_READ_BYTES = 1 << 16


def main() -> None:
    """Answer until there is nobody left to ask."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # systemd sends it to all; requests under way still need answers
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # whatever is printed from here on is no answer
    bound_heap()
    fill_numpy_cache()
    logging.disable()  # what there is to say of the files, the worker says, which watches them too
    reloading = open_reloading(*map(Path, sys.argv[1:]))
    collect_rarely()
    unpacker = Unpacker()
    try:
        while data := os.read(sys.stdin.fileno(), _READ_BYTES):
            for question in unpacker.feed(data):
                answers.write(packed(answer(reloading, question)))
                answers.flush()
    except BrokenPipeError:
        os._exit(1)  # the service is gone; what is left in the buffer cannot be written at exit either


def answer(reloading: ReloadingDatabase, question: Question | Claim) -> Reply:
    """Return the look-up or verdict, or the error that it ended with and where that came from."""
    try:
        outcome = _look_up(reloading, question) if isinstance(question, Question) else _verify(reloading, question)
        return Reply(question.number, outcome)
    except Exception as error:  # noqa: BLE001 - whatever it is, the request that waits must hear of it
        sent = _portable(error)
        sent.__notes__ = places(error)
        return Reply(question.number, sent)


def _look_up(reloading: ReloadingDatabase, question: Question) -> Lookup:
    with reloading.borrow() as database:
        return database.look_up_text(
            question.title, question.threshold, question.max_candidates, nearest_from=NEAREST_FROM
        )


def _verify(reloading: ReloadingDatabase, claim: Claim) -> Verdict:
    entries = begin(claim.document).read().entries
    if len(entries) != 1:
        raise InputError(NOT_ONE.format(len(entries)))
    with reloading.borrow() as database:
        session = Session.over(cast("Database", database), claim.threshold)
        return next(session.stream(entries))


def _portable(error: Exception) -> Exception:
    """Return ``error``, or where it cannot be sent, one that says the same."""
    try:
        pickle.loads(pickle.dumps(error))  # noqa: S301 - our own bytes
    except Exception:  # noqa: BLE001 - an exception's own code runs here
        return DatabaseError(f"{type(error).__name__}: {error}")
    return error


if __name__ == "__main__":
    main()
