"""The search process of one server process, so that long searches do not delay other requests.

    python -m citeproof.web.search_process DATABASE [INDEX_DIR]

:class:`~citeproof.web.searcher.Searcher` starts it and sends it requests.
"""

from __future__ import annotations

import logging
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, cast

from citeproof.database.lookup import NEAREST_FROM
from citeproof.model.errors import DatabaseError, InputError
from citeproof.model.reference import Reference
from citeproof.verification.session import Session
from citeproof.web.helper import answer_all, collect_rarely
from citeproof.web.jobs.reading import begin
from citeproof.web.reloading_database import open_reloading
from citeproof.web.searcher import Claim, Nearest, Pasted, Question

if TYPE_CHECKING:
    from citeproof.database.lookup import Database
    from citeproof.model.record import Candidate, Lookup
    from citeproof.model.verdict import Verdict
    from citeproof.store.runtime.jobs import JobDocument
    from citeproof.web.reloading_database import ReloadingDatabase

NEAR_FROM = 0.7
"""Minimum similarity of a title in the search for the nearest works."""
MOST_COMPARED = 20_000
"""Maximum titles that this search compares: some 50 milliseconds in 600,000 records."""
MOST_NEAREST = 5
"""Maximum nearest works."""
NOT_ONE = "This holds {} references, and one is verified here. Send lists to /api/verify."


def main() -> None:
    """Answer requests until the parent ends."""
    logging.disable()  # the parent watches the same files and logs their errors
    reloading = open_reloading(*map(Path, sys.argv[1:]))
    collect_rarely()
    answer_all(lambda question, _: answer(reloading, question), lambda: renew(reloading))


def answer(reloading: ReloadingDatabase, question: object) -> object:
    """Return the answer to a question of :mod:`citeproof.web.searcher`; raise what it ended with."""
    match question:
        case Question():
            return _look_up(reloading, question)
        case Claim():
            return _verify(reloading, question)
        case Pasted():
            return _titles(question.document)
        case Nearest():
            return _nearest(reloading, question.title)
    raise TypeError(type(question).__name__)


def renew(reloading: ReloadingDatabase) -> None:
    """Close a database file that was replaced, so that its disk space is freed."""
    with suppress(DatabaseError), reloading.borrow():
        pass


def _look_up(reloading: ReloadingDatabase, question: Question) -> Lookup:
    with reloading.borrow() as database:
        return database.look_up_text(
            question.title, question.threshold, question.max_candidates, nearest_from=NEAREST_FROM
        )


def _titles(document: JobDocument) -> tuple[str, ...]:
    reading = begin(document)
    if reading.taken_for not in {"title", "titles"}:
        return ()
    return tuple(entry.title for entry in reading.read().entries if isinstance(entry, Reference) and entry.title)


def _nearest(reloading: ReloadingDatabase, title: str) -> tuple[Candidate, ...]:
    """Return the works with similar titles; if there is none, the one that shares the rarest words."""
    with reloading.borrow() as lent:
        database = cast("Database", lent)
        alike = database.look_up(title, NEAR_FROM, MOST_COMPARED).candidates[:MOST_NEAREST]
        return alike or tuple(filter(None, [database.nearest(title)]))


def _verify(reloading: ReloadingDatabase, claim: Claim) -> Verdict:
    entries = begin(claim.document).read().entries
    if len(entries) != 1:
        raise InputError(NOT_ONE.format(len(entries)))
    with reloading.borrow() as database:
        session = Session.over(cast("Database", database), claim.threshold)
        return next(session.stream(entries))


if __name__ == "__main__":
    main()
