"""The cache strategy: a hit is a candidate, alike enough, and never more."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from citeproof.model.findings import Findings, Outcome
from citeproof.model.record import Candidate, Record
from citeproof.model.reference import Reference
from citeproof.model.verdict import Status, Verdict
from citeproof.store.cache import VerificationCache
from citeproof.verification.strategies.local import CacheStrategy

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

WORK = Record("w", "Deep Learning for Everything", ("A. Author",), 2020, source="dblp")
DATES = {"dblp": "2025-12-01"}


@pytest.fixture
def cache(tmp_path: Path) -> Iterator[VerificationCache]:
    opened = VerificationCache(
        tmp_path / "verified.db", lambda: datetime(2026, 1, 1, tzinfo=UTC), DATES
    )
    opened.remember(
        Verdict(Reference("r"), Status.VALID, "confirmed", 1.0, best_match=Candidate(WORK, 1.0))
    )
    yield opened
    opened.close()


def test_search_a_remembered_title_is_a_candidate_with_its_similarity(
    cache: VerificationCache,
) -> None:
    findings = CacheStrategy(cache, 0.9).search(Reference("a", "Deep learning for everything"))
    assert findings.remembered == (Candidate(WORK, 1.0),)
    assert findings.candidates == ()
    assert [(inquiry.outcome, inquiry.from_cache) for inquiry in findings.inquiries] == [
        (Outcome.ANSWERED, True)
    ]


def test_search_a_hit_says_from_what_and_when_it_was_remembered(cache: VerificationCache) -> None:
    (inquiry,) = (
        CacheStrategy(cache, 0.9).search(Reference("a", "Deep learning for everything")).inquiries
    )
    assert inquiry.detail == "remembered from dblp of 2025-12-01, checked on 2026-01-01"
    (inquiry,) = CacheStrategy(cache, 0.9).search(Reference("a", "Shallow learning")).inquiries
    assert inquiry.detail == ""


@pytest.mark.parametrize("title", ["Deep learning", "for", "Shallow learning"])
def test_search_a_piece_of_a_title_is_no_candidate(cache: VerificationCache, title: str) -> None:
    findings = CacheStrategy(cache, 0.9).search(Reference("a", title))
    assert findings.remembered == ()
    assert [(inquiry.records, inquiry.from_cache) for inquiry in findings.inquiries] == [(0, False)]


def test_search_without_a_title_nothing_is_asked(cache: VerificationCache) -> None:
    assert CacheStrategy(cache, 0.9).search(Reference("a")) == Findings()


def test_search_a_cache_that_fails_is_a_failed_source(cache: VerificationCache) -> None:
    cache._store.execute("DROP TABLE scholar_results")
    findings = CacheStrategy(cache, 0.9).search(Reference("a", "Deep Learning"))
    assert [inquiry.outcome for inquiry in findings.inquiries] == [Outcome.FAILED]
    assert "scholar_results" in findings.inquiries[0].detail
