"""A screening of three papers, done in this process against the built-in sample."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from citeproof.database.building.sample import sample_database
from citeproof.screen import signals
from citeproof.screen.checking import _kept_basis, described
from citeproof.screen.results import Results
from citeproof.screen.run import Screening
from citeproof.screen.store import opened
from citeproof.settings import load
from citeproof.verification.startup import kept_session, open_session
from tests.screen.workers import InThisProcess

if TYPE_CHECKING:
    from collections.abc import Iterator

    from citeproof.screen.store import ScreeningStore

WRONG = """@article{valiant88, title = {A Theory of the Learnable}, author = {Leslie G. Valiant},
  journal = {Commun. ACM}, year = 1988}
"""
FIRST = f"""@article{{codd70, title = {{A Relational Model of Data for Large Shared Data Banks}},
  author = {{Edgar F. Codd}}, journal = {{Commun. ACM}}, year = 1970}}
{WRONG}@misc{{none, title = {{Notes on a Workshop of No Trace}}, author = {{Quillon Marrowby}}}}
@article{{open, title = {{never closed
"""


@pytest.fixture(scope="session")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ScreeningStore]:
    """Return the store of a screening of ``papers/first.bib``, ``papers/second.bib`` (which cites
    one work of the first) and ``papers/third.pdf`` (which cannot be read).
    """
    folder = tmp_path_factory.mktemp("screening")
    papers = folder / "papers"
    papers.mkdir()
    (papers / "first.bib").write_text(FIRST)
    (papers / "second.bib").write_text(WRONG.replace("valiant88", "v"))
    (papers / "third.pdf").write_bytes(b"%PDF-1.4\nnothing")
    database = sample_database(folder / "sample")
    kept_session.cache_clear()
    with (
        open_session(load(no_cache=True, bib_db=database)) as session,
        opened(folder / "results") as store,
    ):
        screening = Screening(store, session, InThisProcess())
        screening.read([str(papers)])
        screening.check()
        store.keep("said", json.dumps({"database": described(session), "notes": ["a note"]}))
        yield store
    kept_session.cache_clear()
    _kept_basis.cache_clear()


@pytest.fixture
def results(store: ScreeningStore) -> Results:
    return Results(store, signals.KINDS)
