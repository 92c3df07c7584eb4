"""What the bibliographic database brings to a reference whose title it has only in another form."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from citeproof.database.building.builder import build
from citeproof.database.building.title_indexer import TitleIndexer
from citeproof.database.lookup import Database
from citeproof.model.record import MatchKind
from citeproof.model.reference import Reference
from citeproof.verification.strategies.local import BibliographicDatabaseStrategy

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

DUMP = """<?xml version="1.0"?><dblp>
<article key="a"><author>Ada Byron</author><title>Lamp Trees: Sorting by Light in Linear
Time</title></article>
<article key="c"><author>Ada Byron</author><title>Oil and Wicks (Extended
Abstract)</title></article>
<article key="b"><author>Ada Byron</author><title>Brass Tries Revisited Once More</title></article>
</dblp>"""


@pytest.fixture
def strategy(tmp_path: Path) -> Iterator[BibliographicDatabaseStrategy]:
    (tmp_path / "dump.xml").write_text(DUMP)
    build([tmp_path / "dump.xml"], tmp_path / "a.db", titles=TitleIndexer(tmp_path / "a.db"))
    with Database.open(tmp_path / "a.db") as database:
        yield BibliographicDatabaseStrategy(database, 0.9, 1000)


@pytest.mark.parametrize(
    ("title", "key", "kind"),
    [
        ("Lamp Trees", "a", MatchKind.MAIN_TITLE),
        ("Once More Revisited: Brass Tries", "b", MatchKind.SAME_WORDS),
        ("Lamp Trees: Sorting by Light in Linear Tine", "a", MatchKind.TITLE),
        ("Oil and Wicks", "c", MatchKind.MAIN_TITLE),
        ("Oil Lamp Award: Brass Tries Revisited Once More", "b", MatchKind.MAIN_TITLE),
    ],
)
def test_search_another_form_of_a_title_is_a_candidate_of_its_own_kind(
    strategy: BibliographicDatabaseStrategy, title: str, key: str, kind: MatchKind
) -> None:
    (candidate,) = strategy.search(Reference("x", title=title)).candidates
    assert (candidate.record.key, candidate.match) == (key, kind)


def test_search_a_title_of_nothing_brings_nothing(strategy: BibliographicDatabaseStrategy) -> None:
    findings = strategy.search(Reference("x", title="Copper Queues and Where They Lead"))
    assert findings.candidates == ()
    assert findings.inquiries[0].complete
