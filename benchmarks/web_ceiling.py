"""The same application, middleware and server, answering a constant: no look-up, no store. The load test's ceiling."""

from __future__ import annotations

import sys
from concurrent.futures import Future
from pathlib import Path
from typing import Any, cast

import uvicorn

from citeproof.model.record import Candidate, Lookup, Method, Record
from citeproof.web.app import create_app
from citeproof.web.backend import Backend
from citeproof.web.helper import collect_rarely
from citeproof.web.logs import log_configuration
from citeproof.web.metrics import Metrics
from citeproof.web.reloading_database import RECHECK_SECONDS, ReloadingDatabase

RECORD = Record(
    "conf/nips/VaswaniSPUJGKP17",
    "Attention is All you Need",
    ("Ashish Vaswani", "Noam Shazeer", "Niki Parmar", "Jakob Uszkoreit"),
    2017,
    "NIPS",
    "inproceedings",
    source="dblp",
)
LOOKUP = Lookup(RECORD.title, 0.9, (Candidate(RECORD, 1.0),), None, Method.INDEXED, "title_index", 1, True, 0.1)


class ConstantDatabase:
    """Answers every title alike."""

    def __init__(self, path: Path) -> None:
        pass

    def look_up_text(
        self, text: str, threshold: float = 0.9, max_candidates: int = 100_000, *, nearest_from: float = 1.0
    ) -> Lookup:
        """Return the constant."""
        return LOOKUP

    def describe(self) -> dict[str, Any]:
        """Return as little."""
        return {"records": 1, "indexes": ["title_index"]}

    def close(self) -> None:
        """Do nothing."""


class NoStore:
    """Has recorded everything at once."""

    def __getattr__(self, name: str) -> Any:
        done: Future[None] = Future()
        done.set_result(None)
        return lambda *_: done


def main() -> None:
    """Serve at the port that the command line names."""
    here = Path(__file__)
    nothing = cast("Any", NoStore())
    app = create_app(
        Backend(
            ReloadingDatabase(here, ConstantDatabase, recheck_seconds=RECHECK_SECONDS),
            nothing,
            Metrics(here),
            nothing,
            nothing,
        )
    )
    collect_rarely()
    uvicorn.run(app, port=int(sys.argv[1]), access_log=False, log_config=log_configuration())


if __name__ == "__main__":
    main()
