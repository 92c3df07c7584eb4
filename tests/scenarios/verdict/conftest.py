"""Databases of the small world, and the chain on top of them."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Iterable
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from citeproof.database.building.builder import build
from citeproof.database.building.title_indexer import TitleIndexer
from citeproof.database.lookup import Database
from citeproof.model.verdict import Status
from citeproof.store.cache import VerificationCache
from citeproof.verification.pipeline import Pipeline
from citeproof.verification.strategies.local import BibliographicDatabaseStrategy
from citeproof.verification.validator import Validator
from tests.scenarios.verdict.corpus import Paper, dump, papers
from tests.scenarios.verdict.references import EVERYTHING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from citeproof.model.reference import Reference
    from citeproof.model.verdict import Verdict
    from citeproof.verification.pipeline import Strategy

TODAY = date(2026, 11, 20)
World = Callable[..., Path]


def chain(
    database: Database,
    threshold: float = 0.9,
    *more: Strategy,
    memory: VerificationCache | None = None,
) -> Pipeline:
    """Return the chain that asks ``database``, and then ``more``."""
    links = (BibliographicDatabaseStrategy(database, threshold), *more)
    return Pipeline(
        links, Validator(database.venues, today=lambda: TODAY), memory.remember if memory else None
    )


def said(verdict: Verdict) -> tuple[str, ...]:
    """Return what a verdict says: status, reason and issues."""
    return (
        verdict.status.value,
        verdict.reason,
        *(f"{item.code}: {item.explanation}" for item in verdict.issues),
    )


def verify(pipeline: Pipeline, references: Iterable[Reference]) -> list[Verdict]:
    """Return the verdicts on ``references``, one after the other."""
    return [pipeline.verify(reference) for reference in references]


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    """Return a maker of databases that hold some papers."""

    def make(works: Iterable[Paper], *, title_index: bool = True) -> Path:
        folder = tmp_path_factory.mktemp("world")
        source, path = folder / "world.xml", folder / "world.db"
        source.write_text(dump(works), "utf-8")
        build([source], path, titles=TitleIndexer(path) if title_index else None)
        return path

    return make


@pytest.fixture(scope="session")
def path(world: World) -> Path:
    """Return the database of the whole world, with its title index."""
    return world(papers())


@pytest.fixture(scope="session")
def database(path: Path) -> Iterator[Database]:
    with Database.open(path) as opened:
        yield opened


@pytest.fixture(scope="session")
def by_words(path: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    """Return the same database without its title index."""
    copy = shutil.copy(path, tmp_path_factory.mktemp("words") / "world.db")
    with Database.open(Path(copy)) as opened:
        assert opened.look_up("Nobody knows").index == "word_index"
        yield opened


@pytest.fixture(scope="session")
def by_force(path: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    """Return the same database without any index over titles."""
    copy = Path(shutil.copy(path, tmp_path_factory.mktemp("force") / "world.db"))
    connection = sqlite3.connect(copy)
    connection.execute("DROP TABLE title_fts")
    connection.commit()
    connection.close()
    with Database.open(copy) as opened:
        assert opened.look_up("Nobody knows").index == ""
        yield opened


@pytest.fixture
def cache(tmp_path: Path) -> Iterator[VerificationCache]:
    opened = VerificationCache(tmp_path / "cache.db", lambda: datetime(2026, 1, 1, tzinfo=UTC))
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def verdicts(database: Database) -> list[Verdict]:
    """Return the verdicts on everything with the title index."""
    found = verify(chain(database), EVERYTHING)
    statuses = {verdict.status for verdict in found}
    assert statuses >= {Status.VALID, Status.SUSPICIOUS, Status.INVALID, Status.UNVERIFIED}
    return found
