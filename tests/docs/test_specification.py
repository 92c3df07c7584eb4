"""docs/specification.md states the program's addresses, statuses, columns, counters and options."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from citeproof.cli.verify import command
from citeproof.model.record import Candidate, Lookup, Method, Record
from citeproof.model.verdict import Status
from citeproof.settings import Settings
from citeproof.store.cache import open_cache_file
from citeproof.store.runtime.jobs import JobDocument, JobStore
from citeproof.store.runtime.store import (
    COUNTERS,
    TABLES,
    BatchRun,
    BatchSummary,
    RuntimeStore,
    Search,
)
from citeproof.store.sqlite_store import SqliteStore
from citeproof.verification.strategies.llm_reparse import LlmReparseStrategy
from citeproof.verification.strategies.local import BibliographicDatabaseStrategy, CacheStrategy
from citeproof.verification.strategies.online import ApiStrategy, WebSearchStrategy
from citeproof.web.api.shapes import MAX_BATCH_TITLES
from citeproof.web.api.shapes import BatchSummary as Summary
from citeproof.web.app import worker_app
from citeproof.web.options import Options
from citeproof.web.problems import ERRORS

PAGE = (Path(__file__).parents[2] / "docs" / "specification.md").read_text("utf-8")


def rows(heading: str, table: int = 0) -> list[list[str]]:
    """Return the cells of a table below ``heading``, without its head."""
    section = re.split(r"(?m)^#+ ", PAGE.split(f"# {heading}\n", 1)[1])[0]
    tables = re.findall(r"(?m)^\|[-|]+\|\n((?:\|.*\|\n)+)", section)
    return [
        [cell.strip() for cell in line.strip("|").split("|")] for line in tables[table].splitlines()
    ]


def named(text: str) -> list[str]:
    return re.findall(r"`([^`]+)`", text)


def columns(store: SqliteStore, table: str) -> list[str]:
    return [row[1] for row in store.execute(f"PRAGMA table_info({table})")]


def test_addresses_have_the_statuses_of_the_program(tmp_path: Path) -> None:
    app = worker_app(Options(tmp_path / "none.db", tmp_path / "runtime.db"))
    document = app.openapi()["paths"]
    offered = {
        f"{method.upper()} {path}": sorted(map(int, operation["responses"]))
        for path, operations in document.items()
        for method, operation in operations.items()
    }
    stated = {}
    for specified, done, statuses in rows("Addresses of the web service"):
        said = re.search(r"(GET|POST|DELETE) `(/api/[^`]*)`", f"{specified} {done}")
        if said:
            stated[f"{said[1]} {said[2]}"] = [int(status) for status in statuses.split(",")]
    assert stated == offered


def test_every_error_is_named() -> None:
    said = " ".join(" ".join(row) for row in rows("Statuses of the web service"))
    assert [status for status in (*ERRORS, 403, 405) if str(status) not in said] == []


def test_the_limits_are_those_of_the_program() -> None:
    assert f"at most {MAX_BATCH_TITLES} titles (`MAX_BATCH_TITLES`)" in PAGE
    (summary,) = (row[0] for row in rows("A batch") if row[0].startswith("`summary`"))
    assert named(summary)[1:] == list(Summary.model_fields)


def test_tables_have_the_columns_of_the_program(tmp_path: Path) -> None:
    RuntimeStore(tmp_path / "runtime.db").close()
    store = SqliteStore(tmp_path / "runtime.db")
    stated = {named(table)[0]: named(names) for table, names in rows("The runtime store")}
    assert stated == {table: columns(store, table) for table in TABLES}
    store.close()
    cache = open_cache_file(tmp_path / "cache.db")
    stated = {named(table)[0]: named(names) for table, names in rows("The cache", 1)}
    assert stated == {table: columns(cache, table) for table in stated}
    assert len(stated) == 2
    cache.close()


RECORD = Record("a/1", "A title", ("Ann Lee",), 2020, "Venue", "article")
FOUND = Search(
    "A title",
    Lookup("A title", 0.9, (Candidate(RECORD, 1.0),), None, Method.INDEXED, "", 1, True, 0.1),
)
MISSED = Search("Other", Lookup("Other", 0.9, (), None, Method.INDEXED, "", 1, True, 0.1))


def _batch(store: RuntimeStore, titles: list[Search], end: str) -> None:
    run = BatchRun("run", "request", MAX_BATCH_TITLES, len(titles), 100_000)
    store.start_run(run)
    for position, search in enumerate(titles):
        store.record_item("run", position, search)
    found = titles.count(FOUND)
    if end == "completed":
        store.complete_run("run", BatchSummary(len(titles), found, len(titles) - found, 0, 1.0))
    else:
        store.abandon_run(run, end, "because", 1.0)


def _job(store: RuntimeStore, jobs: JobStore, reason: str) -> None:
    jobs.add("a" * 32, JobDocument(b"A title"), 10)
    jobs.take()
    jobs.begin("a" * 32, 2)
    jobs.record("a" * 32, 0, [b"{}", b"{}"], {"VALID": 2})
    jobs.finish("a" * 32, 1.5, reason=reason)


EVENTS: dict[str, Callable[[RuntimeStore, JobStore], object]] = {
    "a single title is found": lambda store, _: store.record_single("r", 1, FOUND),
    "a single title is not found": lambda store, _: store.record_single("r", 1, MISSED),
    "the look-up of a single title fails": lambda store, _: store.record_single(
        "r", 1, Search("Broken", error=ValueError())
    ),
    "a batch of three titles ends, one of them found": lambda store, _: _batch(
        store, [FOUND, MISSED, MISSED], "completed"
    ),
    "a batch fails or is interrupted after two titles, one of them found": lambda store, _: _batch(
        store, [FOUND, MISSED], "interrupted"
    ),
    "the start page is sent": lambda store, _: store.count_page_view(),
    "a job ends after 1.5 seconds with two verdicts": lambda store, jobs: _job(store, jobs, ""),
    "a job fails after 1.5 seconds with two verdicts": lambda store, jobs: _job(
        store, jobs, "because"
    ),
}
RISES = dict(rows("Counters, and when they rise"))


def test_the_events_of_the_page_are_tried_here() -> None:
    assert list(RISES) == list(EVENTS)
    assert set(COUNTERS) == {name for said in RISES.values() for name in named(said)}


@pytest.mark.parametrize("event", EVENTS)
def test_counters_rise_as_the_page_says(event: str, tmp_path: Path) -> None:
    path = tmp_path / "runtime.db"
    store = RuntimeStore(path)
    jobs = JobStore(path)
    EVENTS[event](store, jobs)
    jobs.close()
    store.close()
    reopened = RuntimeStore(path)
    counted = reopened.statistics().counters
    reopened.close()
    stated = {name: int(amount) for name, amount in re.findall(r"`(\w+)` (\d+)", RISES[event])}
    assert {name: value for name, value in counted.items() if value} == stated


def test_options_have_the_specified_defaults() -> None:
    offered = {option.opts[0] for option in command.params}
    for option, default, _ in rows("Options of `citeproof verify`"):
        (name,) = named(option)
        assert name in offered
        value = getattr(Settings(), name.removeprefix("--").replace("-", "_"))
        assert {"none": None, "off": False}.get(default, default) in (value, str(value))


def test_the_chain_is_in_the_order_of_the_page() -> None:
    names = [named(done)[0] for _, _, done in rows("The chain")]
    chain = (
        BibliographicDatabaseStrategy,
        CacheStrategy,
        ApiStrategy,
        WebSearchStrategy,
        LlmReparseStrategy,
    )
    assert names == [strategy.name for strategy in chain]


def test_verdicts_have_the_statuses_of_the_program() -> None:
    assert [named(row[0])[0] for row in rows("Verdicts")] == list(Status)
