"""Laws on verdicts of earlier runs: memory confirms, accuses nobody and overrides no record."""

from __future__ import annotations

from typing import TYPE_CHECKING

from citeproof.model.findings import Findings
from citeproof.model.record import Candidate, Record
from citeproof.model.verdict import FLAGGED, Status
from citeproof.verification.pipeline import Pipeline, Strategy
from citeproof.verification.strategies.local import CacheStrategy
from citeproof.verification.validator import Validator
from tests.scenarios.verdict.conftest import chain, said, verify
from tests.scenarios.verdict.corpus import cited
from tests.scenarios.verdict.references import (
    EVERYTHING,
    PAPERS,
    SLIPPED,
    TRUE,
    WRONG,
)

if TYPE_CHECKING:
    from citeproof.database.lookup import Database
    from citeproof.model.reference import Reference
    from citeproof.model.verdict import Verdict
    from citeproof.store.cache import VerificationCache


def test_what_was_verified_is_valid_by_memory_alone(
    database: Database, cache: VerificationCache
) -> None:
    verify(chain(database, memory=cache), TRUE)
    alone = Pipeline([CacheStrategy(cache, 0.9)], Validator())
    assert {verdict.status for verdict in verify(alone, TRUE)} == {Status.VALID}


def test_memory_alone_accuses_nobody(database: Database, cache: VerificationCache) -> None:
    verify(chain(database, memory=cache), TRUE)
    found = verify(Pipeline([CacheStrategy(cache, 0.9)], Validator()), [*WRONG, *SLIPPED])
    assert {verdict.status for verdict in found} == {Status.VALID, Status.UNVERIFIED}


def test_what_memory_contradicts_is_named_and_left_open(
    cache: VerificationCache, database: Database
) -> None:
    paper = PAPERS[3]
    verify(chain(database, memory=cache), [cited(paper)])
    verdict = Pipeline([CacheStrategy(cache, 0.9)], Validator()).verify(
        cited(paper, year=paper.year - 9)
    )
    assert (verdict.status, verdict.reason) == (Status.UNVERIFIED, "remembered_differs")
    assert [work.record.title for work in verdict.meant] == [paper.title]


def test_memory_never_overrides_what_a_record_of_the_database_contradicts(
    verdicts: list[Verdict], database: Database
) -> None:
    """A forged record says of each reference what the reference says itself."""
    kept, silent = 0, set[str]()
    for reference, verdict in zip(EVERYTHING, verdicts, strict=True):
        found = chain(database, 0.9, Forger()).verify(reference)
        if verdict.status in FLAGGED and found.status is Status.VALID:
            silent |= {issue.code for issue in verdict.issues}
        elif verdict.status in FLAGGED:
            assert said(found) == said(verdict)
            kept += 1
        else:
            assert found.status is Status.VALID
    assert kept > 50
    # where the database is silent, memory may confirm
    assert silent == {"volume.absent", "volume.without_it"}


class Forger(Strategy):
    """A cache that remembers whatever is asked."""

    name = "cache"

    def search(self, reference: Reference) -> Findings:
        described = {
            name: getattr(reference, name)
            for name in ("title", "authors", "year", "venue", "doi", "arxiv_id", "pages")
        }
        record = Record(source="dblp", key="forged", **described)
        return Findings(remembered=(Candidate(record, 1.0),))
