"""Runtime stores in a temporary folder, and the searches that go into them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from citeproof.models import Candidate, Lookup, Method, Record
from citeproof.runtime.events import Search
from citeproof.runtime.store import RuntimeStore

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return where the store is."""
    return tmp_path / "runtime.db"


@pytest.fixture
def store(path: Path) -> Iterator[RuntimeStore]:
    """Open a store that waits 0.3 seconds for a lock."""
    store = RuntimeStore(path, lock_wait=0.3)
    yield store
    store.close()


@pytest.fixture
def hit() -> Search:
    """Return a search that found its title."""
    best = Candidate(Record("conf/x/1", "A Title"), 1.0)
    return Search("A title", Lookup("A title", 0.9, (best,), None, Method.INDEXED, "title_index", 1, True, 0.5))


@pytest.fixture
def miss() -> Search:
    """Return a search that found nothing."""
    return Search("Another", Lookup("Another", 0.9, (), None, Method.INDEXED, "title_index", 0, True, 0.5))
