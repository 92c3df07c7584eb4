"""One database for all measurements, built only from the sample of DBLP."""

from __future__ import annotations

import json
import os
import time
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from citeproof.database.building.builder import build
from citeproof.database.building.title_indexer import TitleIndexer
from citeproof.database.lookup import Database
from citeproof.model.findings import Findings
from citeproof.model.verdict import Status
from citeproof.verification.strategies.local import BibliographicDatabaseStrategy
from citeproof.verification.validator import Validator

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from citeproof.model.record import Record
    from citeproof.model.reference import Reference
    from citeproof.model.verdict import Verdict

BASELINE = Path(__file__).with_name("baseline.json")
TODAY = date(2026, 11, 20)
"""The day on which the floors were set; no measurement depends on the day it is run."""


@dataclass(frozen=True, slots=True)
class Measured:
    """Verdicts with what they were made from, and how long deciding took."""

    findings: list[Findings]
    verdicts: list[Verdict]
    seconds: float


@dataclass(frozen=True, slots=True)
class Bench:
    """A database with a validator on it."""

    database: Database
    validator: Validator

    def measure(self, references: Sequence[Reference]) -> Measured:
        """Look all references up, further where the pipeline does, and decide on all of them
        against the clock.
        """
        strategy = BibliographicDatabaseStrategy(self.database, 0.9, 100_000)
        findings = [strategy.search(reference) for reference in references]
        started = time.process_time()
        verdicts = [self.validator.decide(*pair) for pair in zip(references, findings, strict=True)]
        seconds = time.process_time() - started
        for place, reference in enumerate(references):
            if verdicts[place].status is Status.VALID:
                continue
            further = strategy.search_further(reference, verdicts[place])
            if further != Findings():
                findings[place] += further
                started = time.process_time()
                verdicts[place] = self.validator.decide(reference, findings[place])
                seconds += time.process_time() - started
        return Measured(findings, verdicts, seconds)

    def explained(self, measured: Measured) -> Measured:
        """Name for what is not VALID what was perhaps meant; the time is that of the
        explanation.
        """
        started = time.process_time()
        pairs = zip(measured.verdicts, measured.findings, strict=True)
        verdicts = [self.validator.explain(verdict, findings) for verdict, findings in pairs]
        return Measured(measured.findings, verdicts, time.process_time() - started)


@pytest.fixture(scope="session")
def baseline() -> dict[str, Any]:
    """Return the pinned floors and the hash of the data."""
    pinned: dict[str, Any] = json.loads(BASELINE.read_text("utf-8"))
    return pinned


@pytest.fixture(scope="session")
def bench(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    """Return the database of the sample; ``CITEPROOF_ACCURACY_DB`` names one that is built
    already.
    """
    named = os.environ.get("CITEPROOF_ACCURACY_DB")
    path = Path(named) if named else tmp_path_factory.mktemp("accuracy") / "dblp-sample.db"
    if not named:
        build([shared / "corpus" / "dblp-sample.xml.gz"], path, titles=TitleIndexer(path))
    with Database.open(path) as database:
        yield Bench(database, Validator(database.venues, today=lambda: TODAY))


@pytest.fixture(scope="session")
def everything(bench: Bench) -> list[Record]:
    """Return all records of the database."""
    return bench.database.records([number for number, _ in bench.database.titles()])


@pytest.fixture(scope="session")
def proceedings(everything: list[Record]) -> dict[str, str]:
    """Return the titles of proceedings by key."""
    return {record.key: record.title for record in everything if record.pub_type == "proceedings"}


@pytest.fixture(scope="session")
def records(everything: list[Record]) -> list[Record]:
    """Return 10,000 records of papers, a fixed choice: to restyle, to damage, to lend from."""
    kinds = ("article", "inproceedings")
    usable = [
        r
        for r in everything
        if r.pub_type in kinds and r.authors and r.year and r.venue and len(r.title) > 10
    ]
    # neighbours in the dump are of one volume; sorting by the end of the key parts them
    return sorted(usable[:: len(usable) // 10_000], key=lambda record: record.key[::-1])[:10_000]
