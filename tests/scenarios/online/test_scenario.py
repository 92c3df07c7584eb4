"""Two hundred references, verified online against a loopback server."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING, Any

import pytest

from citeproof.database.building.sample import sample_database
from citeproof.database.lookup import Database
from citeproof.model.findings import Outcome
from citeproof.model.reference import Reference
from citeproof.model.verdict import Status
from citeproof.settings import load
from citeproof.text.normalize import normalize_title
from citeproof.verification.online_chain import build_online
from citeproof.verification.pipeline import Pipeline
from citeproof.verification.validator import Validator
from tests.online.faults import server_error
from tests.online.server import Served, serve
from tests.online.works import cite
from tests.online.world import Work, World

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from citeproof.model.verdict import Verdict
    from citeproof.verification.online_chain import OnlineChain

REGISTERED = frozenset({"crossref", "openalex", "dblp", "doi_org"})
UNREGISTERED = frozenset({"openalex", "dblp"})
"""Sources that hold a conference paper without a DOI."""


@dataclass(frozen=True)
class Group:
    """References of one kind, with their verdict and the number of requests to each source."""

    references: tuple[Reference, ...]
    status: Status
    cost: dict[str, int]


def works_of_the_sample(folder: Path) -> list[Work]:
    """Return the papers of the sample that have a DOI, without repeated titles."""
    with Database.open(sample_database(folder)) as database:
        ids = [number for number, _ in database.titles()]
        records = database.records(ids)
    works: dict[str, Work] = {}
    for record in records:
        title = normalize_title(record.title)
        if (
            record.pub_type in {"article", "inproceedings"}
            and record.authors
            and len(title.split()) >= 4
            and record.year
        ):
            work = Work(
                record.title,
                record.authors,
                record.year,
                record.venue,
                record.pub_type,
                held_by=REGISTERED,
            )
            works.setdefault(title, replace(work, doi=f"10.1234/sample.{len(works)}"))
    return list(works.values())


NOUNS = """otters anvils lanterns kettles thimbles walnuts harps barrels gloves candles spoons
wagons ladders pebbles
feathers buckets saddles whistles blankets chimneys"""
INVENTED = [
    Reference(
        f"no{n}",
        f"Velvet calculus of {noun} under quarrelsome moonbeams",
        ("Marrowby, Quillon",),
        year=2012,
    )
    for n, noun in enumerate(NOUNS.split())
]


def groups(works: list[Work]) -> list[Group]:
    """Return the groups. The search ends with the second source that holds a work."""
    with_doi, by_title, wrong_year, unregistered = (
        works[:60],
        works[60:120],
        works[120:160],
        works[160:180],
    )
    return [
        Group(tuple(map(cite, with_doi)), Status.VALID, {"crossref": 1, "openalex": 1}),
        Group(
            tuple(cite(w, doi="") for w in by_title), Status.VALID, {"crossref": 1, "openalex": 1}
        ),
        Group(
            tuple(cite(w, year=w.year - 5) for w in wrong_year),
            Status.SUSPICIOUS,
            {"crossref": 1, "openalex": 1},
        ),
        # Crossref does not know these: it is asked by title and by words, and so is Europe PMC,
        # beside DBLP.
        Group(
            tuple(cite(w, doi="") for w in unregistered),
            Status.VALID,
            {"crossref": 2, "openalex": 1, "dblp": 1, "europe_pmc": 2},
        ),
        # Nobody knows these: every source that could is asked every question it understands.
        Group(
            tuple(INVENTED),
            Status.UNVERIFIED,
            {"crossref": 2, "openalex": 2, "dblp": 2, "europe_pmc": 2, "arxiv": 1},
        ),
    ]


@pytest.fixture(scope="module")
def scenario(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Served, list[Group]]]:
    works = works_of_the_sample(tmp_path_factory.mktemp("sample"))[:180]
    assert len(works) == 180, "the sample holds enough papers"
    held = [*works[:160], *(replace(work, doi="", held_by=UNREGISTERED) for work in works[160:])]
    with serve(World(tuple(held))) as served:
        yield served, groups(works)


def verify(
    served: Served, clock: Any, folder: Path, references: list[Reference]
) -> tuple[list[Verdict], OnlineChain]:
    settings = load(
        source_urls=served.urls(),
        contact="me@example.org",
        openalex_key="k",
        key_hosts="127.0.0.1",
        concurrent=8,
    )
    chain = build_online(settings, folder / "cache.db", clock=clock)
    pipeline = Pipeline(chain.strategies, Validator(today=lambda: date(2026, 11, 20)), online=chain)
    try:
        verdicts = list(pipeline.verify_all(references, settings.concurrent))
        return pipeline.second_chance(verdicts, settings.concurrent), chain
    finally:
        chain.close()


@pytest.mark.slow
def test_run_of_two_hundred_references(
    scenario: tuple[Served, list[Group]], manual_clock: Any, tmp_path: Path
) -> None:
    served, parts = scenario
    references = [reference for group in parts for reference in group.references]
    assert len(references) == 200
    served.requests.clear()
    start = manual_clock.monotonic()

    verdicts, chain = verify(served, manual_clock, tmp_path, references)

    expected = [group.status for group in parts for _ in group.references]
    wrong = [
        (v.reference, v.status, v.reason, v.issues)
        for v, s in zip(verdicts, expected, strict=True)
        if v.status is not s
    ]
    assert not wrong

    cost = Counter[str]()
    for group in parts:
        cost.update({source: times * len(group.references) for source, times in group.cost.items()})
    assert (
        dict(served.requests)
        == dict(cost)
        == {
            "crossref": 240,
            "openalex": 220,
            "dblp": 60,
            "europe_pmc": 80,
            "arxiv": 20,
        }
    )

    # The pace is kept: so many requests take at least so long, were the sources ever so quick.
    elapsed = manual_clock.monotonic() - start
    assert elapsed >= max(
        2.0 * (cost["dblp"] - 1), 3.0 * (cost["arxiv"] - 1), (cost["europe_pmc"] - 5) / 5
    )
    assert all(agent.endswith("mailto:me@example.org)") for agent in served.agents)
    (sent,) = chain.sent()
    assert (sent.requests, sent.fields) == (cost.total(), ("authors", "doi", "title"))

    served.requests.clear()
    again, chain = verify(served, manual_clock, tmp_path, references)
    assert [verdict.status for verdict in again] == expected
    assert (served.requests.total(), chain.sent()) == (0, ())
    assert all(i.from_cache for v in again for i in v.evidence if i.outcome is Outcome.ANSWERED)


def test_run_with_one_source_down(
    scenario: tuple[Served, list[Group]], manual_clock: Any, tmp_path: Path
) -> None:
    served, parts = scenario
    references = [reference for group in parts for reference in group.references[:8]]
    served.requests.clear()
    served.faults = {"crossref": server_error}
    try:
        verdicts, _ = verify(served, manual_clock, tmp_path, references)
    finally:
        served.faults = {}
    expected = [group.status for group in parts for _ in group.references[:8]]
    for verdict, status in zip(verdicts, expected, strict=True):
        assert verdict.status in {status, Status.ERROR}
    # Without a circuit breaker each of the forty would cost three requests, and those left open
    # three more.
    assert served.requests["crossref"] <= 90
    failed = {i.source for v in verdicts for i in v.evidence if i.outcome is Outcome.FAILED}
    assert failed == {"crossref"}


def test_run_queries_a_recovered_source_again(
    scenario: tuple[Served, list[Group]], manual_clock: Any, tmp_path: Path
) -> None:
    served, parts = scenario
    invented = list(parts[-1].references)
    served.faults = {"crossref": server_error}
    settings = load(
        source_urls=served.urls(), sources="crossref", contact="me@example.org", concurrent=2
    )
    chain = build_online(settings, tmp_path / "cache.db", clock=manual_clock)
    pipeline = Pipeline(chain.strategies, Validator(), online=chain)
    try:
        verdicts = list(pipeline.verify_all(invented, 2))
        served.faults = {}
        assert {verdict.status for verdict in verdicts} == {Status.ERROR}
        assert {verdict.status for verdict in pipeline.second_chance(verdicts, 2)} == {
            Status.UNVERIFIED
        }
    finally:
        served.faults = {}
        chain.close()
