"""The two further keys: a title without its subtitle, and the same words in another order. Titles
that a text contains.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from citeproof.database.building.builder import build
from citeproof.database.building.title_indexer import TitleIndexer
from citeproof.database.lookup import Database
from citeproof.database.matches import contained_titles
from citeproof.database.title_index.exact import (
    contained,
    is_reordering,
    main_length,
    main_title,
)
from citeproof.model.record import Lookup, MatchKind
from citeproof.text.normalize import normalize_title
from tests.database.title_index.titles import ENGLISH, OTHER_SCRIPTS, Titles, write_index

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

TITLES = {
    "a": "Lamp Trees: Sorting by Light in Linear Time",
    "b": "Lamp Trees.",
    "c": "Glass Heaps: A Second Look",
    "d": "Glass Heaps: Thirty Years of Practice",
    "e": "Paper Queues and Their Folds",
    "f": "Colons:Without a Space",
    "g": "Brass Tries Revisited Once More",
    "h": "Felt Hats: By Night (Awarded Best Paper!)",
    "i": "Straw Hats.",
    **{f"editorial{number}": f"Editorial: Issue {number}" for number in range(60)},
}


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    folder = tmp_path_factory.mktemp("keys")
    dump, path = folder / "dump.xml", folder / "titles.db"
    records = (
        f'<article key="{key}"><title>{title}</title></article>' for key, title in TITLES.items()
    )
    dump.write_text(f'<?xml version="1.0"?><dblp>{"".join(records)}</dblp>')
    build([dump], path, titles=TitleIndexer(path))
    with Database.open(path) as opened:
        yield opened


def related(lookup: Lookup) -> list[tuple[str, MatchKind]]:
    assert not lookup.found
    assert lookup.complete
    assert all(candidate.similarity < lookup.threshold for candidate in lookup.related)
    return [(candidate.record.key, candidate.match) for candidate in lookup.related]


def test_a_cited_title_without_its_subtitle_finds_all_that_have_one(database: Database) -> None:
    assert related(database.look_up("Glass heaps")) == [
        ("c", MatchKind.MAIN_TITLE),
        ("d", MatchKind.MAIN_TITLE),
    ]


def test_a_cited_subtitle_that_the_record_lacks_does_no_harm(database: Database) -> None:
    assert related(database.look_up("Lamp Trees: How to Grow Them in the Dark")) == [
        ("b", MatchKind.MAIN_TITLE)
    ]


def test_a_remark_behind_a_recorded_or_cited_title_is_no_part_of_it(database: Database) -> None:
    assert related(database.look_up("Felt hats: by night")) == [("h", MatchKind.MAIN_TITLE)]
    assert related(database.look_up("Straw Hats (an abstract of a talk at Oslo)")) == [
        ("i", MatchKind.MAIN_TITLE)
    ]


def test_another_subtitle_is_another_title(database: Database) -> None:
    assert related(database.look_up("Glass Heaps: How to Grow Them in the Dark")) == []


def test_the_same_words_in_another_order(database: Database) -> None:
    lookup = database.look_up("Once More Revisited: Brass Tries")
    assert related(lookup) == [("g", MatchKind.SAME_WORDS)]


def test_a_main_title_of_a_great_many_says_nothing(database: Database) -> None:
    assert related(database.look_up("Editorial")) == []


def test_a_title_that_is_found_needs_no_other_key(database: Database) -> None:
    lookup = database.look_up("Lamp trees")
    assert [candidate.record.key for candidate in lookup.candidates] == ["b"]
    assert lookup.related == ()


@pytest.mark.parametrize(
    ("title", "main"),
    [
        ("Lamp Trees: Sorting by Light", "lamp trees"),
        ("One: Two: Three", "one"),
        ("Colons:without a space", ""),
        ("Ends in a colon: ", ""),
        (": begins with one", ""),
        ("No colon", ""),
        ("{GLASS}: a heap", "glass"),
        ("Glass (Extended Abstract).", "glass"),
        ("Glass: A Heap (Extended Abstract)", "glass a heap"),
        ("(Extended Abstract)", ""),
    ],
)
def test_main_title_the_main_title_is_what_stands_before_the_first_colon_and_space(
    title: str, main: str
) -> None:
    assert main_title(title) == main
    assert main_length(title, normalize_title(title)) == len(main)


def test_is_reordering_the_same_words_are_counted() -> None:
    assert is_reordering("a b b", "b a b")
    assert not is_reordering("a b b", "a a b")
    assert not is_reordering("a b", "a b")


def test_contained_finds_what_comparing_with_every_title_finds(tmp_path: Path) -> None:
    rng = random.Random(4)
    titles = Titles(tmp_path / "x.titles", rng)
    sizes = []
    for _ in range(150):
        known = rng.choices(titles.distinct, k=rng.randint(0, 2))
        others = [rng.choice(ENGLISH + OTHER_SCRIPTS) for _ in range(rng.randint(0, 8))]
        text = normalize_title(" ".join(rng.sample(known + others, len(known + others))))
        least = rng.choice([1, 4, 12])
        found = [titles.index.normalized(title) for title in contained(titles.index, text, least)]
        pairs = ((number, title) for number, title in enumerate(titles.distinct) if title)
        expected = [titles.distinct[number] for number in contained_titles(text, pairs, least)]
        short = [title for title in expected if len(title) <= 300]
        assert sorted(set(found)) == sorted(short), text
        assert list(map(len, found)) == sorted(map(len, found), reverse=True)
        sizes.append(len(found))
    assert sizes.count(0) < 50
    assert max(sizes) > 5


def test_contained_begins_and_ends_with_words_near_the_end_of_a_text(tmp_path: Path) -> None:
    index = write_index(tmp_path / "x.titles", ["Sheep of Wales", "Sheep", "Grass " * 50, "Of"])
    texts = {
        "lee sheep of wales 2001": [14, 5, 2],
        "blacksheep of wales": [2],
        "sheep of walesians": [5, 2],
        "": [],
        "sheep of wales " + "hills " * 340: [],
        "sheep of wales " + "hill " * 297: [14, 5, 2],
        "sheep of wales " + "hill " * 298: [2],
        "sheep of wales " + "hill " * 300: [],
        "grass " * 50: [299],
    }
    for text, lengths in texts.items():
        found = [index.normalized(title) for title in contained(index, text.strip(), 1)]
        assert sorted(set(map(len, found)), reverse=True) == lengths, text
