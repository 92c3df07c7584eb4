"""The web service with a constant answer: the same application, middleware and server, but no
look-up and no store. It shows how many requests the server could answer at most.
"""

from __future__ import annotations

import sys
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import uvicorn

from citeproof.model.record import Candidate, Lookup, Method, Record
from citeproof.web.app import create_app
from citeproof.web.backend import Backend, Metrics
from citeproof.web.helper import collect_rarely
from citeproof.web.logs import log_configuration
from citeproof.web.reloading_database import RECHECK_SECONDS, ReloadingDatabase

if TYPE_CHECKING:
    from collections.abc import Callable

RECORD = Record(
    "conf/nips/VaswaniSPUJGKP17",
    "Attention is All you Need",
    ("Ashish Vaswani", "Noam Shazeer", "Niki Parmar", "Jakob Uszkoreit"),
    2017,
    "NIPS",
    "inproceedings",
    source="dblp",
)
LOOKUP = Lookup(
    RECORD.title, 0.9, (Candidate(RECORD, 1.0),), None, Method.INDEXED, "title_index", 1, True, 0.1
)


class Constant:
    """A database, a store, a queue of jobs and a searcher in one: nothing is looked up, and nothing
    is recorded.
    """

    ready = True

    def __init__(self, path: Path) -> None:
        self._recorded: Future[None] = Future()
        self._recorded.set_result(None)

    async def ask(self, *_: object) -> Lookup:
        """Return the constant."""
        return LOOKUP

    def describe(self) -> dict[str, Any]:
        """Return the least that a health check reads."""
        return {"records": 1, "indexes": ["title_index"]}

    def close(self) -> None:
        """Do nothing."""

    def __getattr__(self, name: str) -> Callable[..., Future[None]]:
        return lambda *_: self._recorded


def main() -> None:
    """Serve at the port that the command line names."""
    here = Path(__file__)
    constant = cast("Any", Constant(here))
    database = ReloadingDatabase(here, cast("Any", Constant), recheck=RECHECK_SECONDS)
    app = create_app(Backend(database, constant, Metrics(here), constant, constant))
    collect_rarely()
    uvicorn.run(app, port=int(sys.argv[1]), access_log=False, log_config=log_configuration())


if __name__ == "__main__":
    main()
