"""``search`` finds works by words of their titles, people, venues and years."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from citeproof.database.building.sample import sample_database
from citeproof.database.lookup import Database
from citeproof.database.search import search
from citeproof.text.normalize import normalize_title

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    with Database.open(sample_database(tmp_path_factory.mktemp("sample"))) as opened:
        yield opened


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("attention need", "Attention Is All You Need"),
        ("Vaswani: Attention (2017)", "Attention Is All You Need"),
        ("VASWANI SHAZEER PARMAR", "Attention Is All You Need"),
        ("google file system", "The Google File System"),
    ],
)
def test_search_finds_the_work_by_any_of_its_words(sample: Database, text: str, title: str) -> None:
    found = search(sample, text, 5)[0]
    assert (found.record.title.casefold(), found.missing) == (title.casefold(), ())


@pytest.mark.parametrize(
    ("text", "title", "missing"),
    [
        ("map reduce large cluster dean", "MapReduce", ()),
        ("Gogle file systm", "The Google File System", ()),
        ("mapreduce dean 2005", "MapReduce", ("2005",)),
        ("google file system zebras", "The Google File System", ("zebras",)),
    ],
)
def test_search_finds_the_work_if_words_are_joined_misspelt_or_wrong(
    sample: Database, text: str, title: str, missing: tuple[str, ...]
) -> None:
    found = search(sample, text, 5)[0]
    assert found.record.title.casefold().startswith(title.casefold())
    assert found.missing == missing


def test_search_takes_title_authors_and_year_apart(sample: Database) -> None:
    found = search(sample, "", 5, title="file system", authors=["Ghemawat"], year=2003)
    assert [one.record.title.casefold() for one in found] == ["the google file system"]
    assert search(sample, "", 5, title="google file system", authors=["Marrowby"]) == []


@pytest.mark.parametrize("text", ["", "...", "vaswani zebras", "a b c d e f g h i j k l m n o p"])
def test_search_finds_nothing_that_lacks_half_the_words(sample: Database, text: str) -> None:
    assert search(sample, text, 5) == []


def test_search_returns_at_most_as_many_as_asked_for_with_the_fewest_other_words_first(
    sample: Database,
) -> None:
    found = search(sample, "learning", 3)
    assert len(found) == 3
    others = [
        len({*normalize_title(one.record.title).split()} - {"learning"})
        for one in search(sample, "learning", 50)
        if ":" not in one.record.title
    ]
    assert len(others) > 5
    assert others[0] == min(others)
    assert sum(others[:5]) < sum(others[-5:])
