"""A failed source may turn a verdict into ERROR and into no other, unless no response could change
the verdict.
"""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from citeproof.model.findings import Outcome
from citeproof.model.verdict import Status
from citeproof.online.coverage import coverage_of
from citeproof.online.sources import SOURCES
from tests.online.faults import FAULTS, OTHER_WORK
from tests.online.works import EXPECTED, WORLD

ALL_FAULTS = [*FAULTS, OTHER_WORK]
STAYS = {"a year far ahead", "a year far ahead, of a work that nobody knows", "no title"}
STAYS_WITHOUT_A_DOI = {"placeholders for authors, without a DOI"}
"""Without any source the work is not found, but its placeholders are still reported."""


@pytest.mark.parametrize("case", EXPECTED)
def test_verdicts_without_an_outage(online: Any, case: str) -> None:
    reference, status = EXPECTED[case]
    verdict = online(WORLD).verify(reference)
    assert verdict.status is status, (verdict.reason, verdict.issues, verdict.evidence)
    assert all(inquiry.outcome is not Outcome.FAILED for inquiry in verdict.evidence)


@pytest.fixture(scope="module")
def asked() -> dict[str, frozenset[str]]:
    """Sources that each case queries, filled in by :func:`check`.

    A fault of another source cannot change its verdict.
    """
    return {}


def check(online: Any, faults: dict[str, str], asked: dict[str, frozenset[str]]) -> None:
    for case, (reference, status) in EXPECTED.items():
        if case not in asked:
            asked[case] = frozenset(
                inquiry.source for inquiry in online(WORLD).verify(reference).evidence
            )
        if asked[case].isdisjoint(faults):
            continue
        verdict = online(WORLD, faults).verify(reference)
        assert verdict.status in {status, Status.ERROR}, (
            case,
            faults,
            verdict.reason,
            verdict.evidence,
        )
        failed = {
            inquiry.source for inquiry in verdict.evidence if inquiry.outcome is Outcome.FAILED
        }
        assert failed <= set(faults)
        if verdict.status is Status.ERROR:
            assert failed, "an ERROR names who failed"
            assert verdict.reason == "source_failed"
            assert case not in STAYS
        if verdict.status is Status.UNVERIFIED and case not in STAYS:
            silent = {inquiry.source for inquiry in verdict.evidence if inquiry.searched}
            broad = set(coverage_of(reference).sources)
            assert not broad or silent & broad, "a miss needs a source that would know"


@pytest.mark.parametrize("fault", ALL_FAULTS)
@pytest.mark.parametrize("source", SOURCES)
def test_verdicts_for_every_pair_of_source_and_fault(
    online: Any, asked: dict[str, frozenset[str]], source: str, fault: str
) -> None:
    check(online, {source: fault}, asked)
    assert any(source in sources for sources in asked.values())


@pytest.mark.slow
@given(st.dictionaries(st.sampled_from(list(SOURCES)), st.sampled_from(ALL_FAULTS), min_size=2))
@settings(
    max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_verdicts_for_random_subsets_of_faults(
    online: Any, asked: dict[str, frozenset[str]], faults: dict[str, str]
) -> None:
    check(online, faults, asked)


@pytest.mark.parametrize("fault", [fault for fault in ALL_FAULTS if fault != "doubled_headers"])
def test_verdicts_without_any_source_are_errors(online: Any, fault: str) -> None:
    for case, (reference, status) in EXPECTED.items():
        verdict = online(WORLD, dict.fromkeys(SOURCES, fault)).verify(reference)
        assert verdict.status is (
            status if case in STAYS | STAYS_WITHOUT_A_DOI else Status.ERROR
        ), case
        assert (
            any(inquiry.outcome is Outcome.FAILED for inquiry in verdict.evidence)
            or case == "no title"
        )


@pytest.mark.slow
@given(st.sets(st.sampled_from(list(SOURCES)), min_size=1))
@settings(
    max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_unverified_needs_a_source_that_holds_most_works(online: Any, chosen: set[str]) -> None:
    for case, (reference, status) in EXPECTED.items():
        if status is not Status.UNVERIFIED or case == "no title":
            continue
        broad = set(coverage_of(reference).sources)
        verdict = online(WORLD, sources=",".join(sorted(chosen))).verify(reference)
        expected = ("UNVERIFIED",) if not broad or broad & chosen else ("ERROR", "no_broad_source")
        assert (verdict.status.value, verdict.reason)[: len(expected)] == expected, (case, chosen)


def test_verdicts_with_doubled_headers(online: Any) -> None:
    for reference, status in EXPECTED.values():
        assert (
            online(WORLD, dict.fromkeys(SOURCES, "doubled_headers")).verify(reference).status
            is status
        )
