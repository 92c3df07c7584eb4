"""Candidates by rare words: what they must not lose, and what their answers claim."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING, Any

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citeproof.database import schema
from citeproof.database.building.builder import build
from citeproof.database.lookup import Database
from citeproof.database.word_index import (
    LONGEST_WORD,
    MOST_WORDS,
    WordIndex,
    open_word_index,
)
from citeproof.database.word_tables import FullText, WordTable
from citeproof.store.sqlite import ReadOnlyFile
from tests.database.conftest import many_records

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

VOCABULARY = """
a the of on for with learning deep networks systems multi agent analysis model data graph lamp tree
light sorting safe lantern shadow night oven question answer extraction survey study method c++ über
"""
WORDS = VOCABULARY.split()


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    """Return a database of every run of three to six of the words above, and of each word alone."""
    titles = [
        " ".join(WORDS[start : start + n])
        for n in (1, 2, 3, 4, 6)
        for start in range(len(WORDS) - n + 1)
    ]
    with Database.open(built(tmp_path_factory.mktemp("words"), titles)) as database:
        yield database


def built(folder: Path, titles: list[str]) -> Path:
    """Build a database of records with ``titles`` and return where it is."""
    records = "".join(
        f"<article key='k{n}'><title>{title}.</title></article>" for n, title in enumerate(titles)
    )
    (folder / "words.xml").write_text(f"<dblp>{records}</dblp>")
    build([folder / "words.xml"], folder / "words.db")
    return folder / "words.db"


@pytest.mark.parametrize(
    ("cited", "title"),
    [
        ("questionanswer", "question answer"),
        ("question-answer extraction", "question answer extraction"),
        ("multiagent analysis model", "multi agent analysis model"),
        ("net works systems", "networks systems"),
        ("lantren", "lantern"),
        ("extractoin", "extraction"),
        ("c++ uber", "c++ über"),
        ("C++", "c++"),
    ],
)
def test_short_titles_survive_one_error(library: Database, cited: str, title: str) -> None:
    titles = [candidate.record.title for candidate in library.look_up(cited, 0.7).candidates]
    assert title in titles


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_one_typo_in_one_of_several_words_loses_no_title(
    library: Database, data: st.DataObject
) -> None:
    titles = [title for _, title in library.titles() if len(title.split()) >= 3]
    title = data.draw(st.sampled_from(titles))
    place = data.draw(st.integers(0, len(title) - 1))
    letter = data.draw(st.sampled_from(" -abcxyzéﬁ"))
    kept = data.draw(st.sampled_from([place, place + 1]))
    cited = title[:place] + letter + title[kept:]
    # the damaged title may be another title of the library
    lookup = library.look_up(cited, 0.8, every=True)
    assert title in [candidate.record.title for candidate in lookup.candidates]


def test_count_a_common_word_counts_as_if_it_were_everywhere_as_common_as_at_first(
    tmp_path: Path,
) -> None:
    titles = [
        f"{'lamp' if n < 2000 else 'tree'} {'of' if n % 2 else 'for'} {n}" for n in range(8000)
    ]
    with Database.open(built(tmp_path, titles)) as database:
        assert database.word_index
        counts = {word: database.word_index.count(word) for word in ("lamp", "of", "7999", "night")}
    assert counts == {"lamp": 8000, "of": 4000, "7999": 1, "night": 0}


def test_nearest_the_nearest_title_shares_a_rare_word_or_two_common_ones(tmp_path: Path) -> None:
    common = [
        f"{left} {right} study" for left in WORDS[:20] for right in WORDS[20:] for _ in range(40)
    ]
    with Database.open(built(tmp_path, [*common, "a quiet lantern in the shadow"])) as database:
        asked = (
            "one quiet lantern of the shadow",
            "systems oven study of things",
            "entirely unknown",
        )
        nearest = [(found := database.nearest(title)) and found.record.title for title in asked]
    assert nearest == ["a quiet lantern in the shadow", "systems oven study", None]


def test_a_cut_search_says_so(tmp_path: Path) -> None:
    build([many_records(tmp_path / "many.xml", 200)], tmp_path / "many.db")
    with Database.open(tmp_path / "many.db") as database:
        query = "Lamp number 7 shines on tree 49"
        assert database.look_up(query).complete
        cut = database.look_up("Lamp number shines", max_candidates=20)
        assert cut.candidates_examined == 20
        assert not cut.complete
        none = database.look_up("Lamp number shines", max_candidates=1000)
        assert none.candidates_examined == 200
        assert not none.complete
        typo = "Lamp number 150 shines on tree 14"
        (one,) = database.look_up(typo, max_candidates=1).candidates
        assert one == database.look_up(typo).candidates[0]


def test_best_matches_compares_nothing_but_an_equal_title(tmp_path: Path) -> None:
    build([many_records(tmp_path / "many.xml", 200)], tmp_path / "many.db")
    with Database.open(tmp_path / "many.db") as database:
        lookup = database.best_matches("LAMP NUMBER 7, shines: on tree 49!")
    assert lookup.complete
    assert lookup.candidates_examined == 1


@pytest.mark.parametrize("kept", [0, 100])
def test_a_word_index_that_is_empty_or_half_filled_is_not_trusted(
    tmp_path: Path, kept: int
) -> None:
    path = tmp_path / "foreign.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE publications (id INTEGER PRIMARY KEY, title TEXT)")
        titles = [(number, f"Lantern {number} of the night") for number in range(1, 201)]
        connection.executemany("INSERT INTO publications VALUES (?, ?)", titles)
        connection.execute("CREATE VIRTUAL TABLE title_fts USING fts5(title)")
        connection.executemany("INSERT INTO title_fts (rowid, title) VALUES (?, ?)", titles[:kept])
    connection.close()
    with Database.open(path) as database:
        assert database.word_index is None
        assert any("title_fts is not trusted" in warning for warning in database.warnings)
        lookup = database.look_up("Lantern 150 of the night")
    assert (lookup.found, lookup.index) == (True, "")


def test_candidates_beyond_every_count_are_no_bound(library: Database) -> None:
    assert library.look_up("question answr extraction", max_candidates=1 << 63).found


class CountedWords(WordTable):
    """A word index that counts the letters of its arguments."""

    def __init__(self) -> None:
        self.letters = 0

    def count(self, word: str) -> int:
        self.letters += len(word)
        return int(len(word) % 2)

    def titles(
        self, words: Sequence[str], limit: int, others: Sequence[str] = ()
    ) -> list[tuple[int, str]]:
        self.letters += sum(map(len, words))
        return []

    def titles_beginning(self, beginning: str, limit: int) -> list[tuple[int, str]]:
        self.letters += len(beginning)
        return []

    def contains(self, record_id: int, word: str) -> bool:
        return True


@given(st.integers(1, 2000), st.integers(0, 2000))
def test_search_what_a_search_asks_for_grows_no_faster_than_the_query(
    word: int, letters: int
) -> None:
    query = " ".join(f"{number:x}".rjust(word, "q") for number in range(1 + letters // (word + 1)))
    asked = CountedWords()
    WordIndex(asked, ours=True).search(query, 0.9, 1000, every=False, most=1)
    # a word of n letters has n cuts, and n letters are asked for at each
    most_of_halves = MOST_WORDS * LONGEST_WORD**2
    assert asked.letters <= 8 * len(query) + most_of_halves


def test_the_words_of_a_build_are_in_one_piece(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        schema, "WORD_INDEX_WRITING", schema.WORD_INDEX_WRITING.replace(str(16 << 20), "1000")
    )
    with Database.open(
        built(
            tmp_path,
            [f"{left} {right} {n}" for n in range(40) for left in WORDS for right in WORDS],
        )
    ) as library:
        pieces = library.file.rows("SELECT count(DISTINCT segid), count(*) FROM title_fts_idx")
        assert library.look_up("lantern shadow 39").found
    ((segments, pages),) = pieces
    assert segments == 1
    assert pages > 1


def test_open_word_index_opening_reads_no_table_row_by_row(
    library: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[int] = []

    def finished(event: dict[str, Any]) -> None:
        steps.append(event["stmt_status"]["SQLITE_STMTSTATUS_FULLSCAN_STEP"])

    traced = [lambda connection: connection.trace_v2(apsw.SQLITE_TRACE_PROFILE, finished)]
    monkeypatch.setattr(apsw, "connection_hooks", traced)
    file = ReadOnlyFile(library.path)
    open_word_index(file, library.layout)
    file.close()
    assert steps
    assert max(steps) < library.describe()["records"] / 2


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=8, unique=True),
    st.sampled_from([1, 3, 100]),
)
def test_titles_that_hold_all_words_are_those_of_the_full_query(
    library: Database, words: list[str], limit: int
) -> None:
    expression = " AND ".join(f'"{word}"' for word in words)
    sql = (
        "SELECT id, title FROM publications WHERE id IN (SELECT rowid FROM title_fts WHERE"
        " title_fts MATCH ?) LIMIT ?"
    )
    assert FullText(library.file, library.layout).titles(words, limit) == library.file.rows(
        sql, (expression, limit)
    )


class Ribbons(CountedWords):
    """Has one title, and counts how often it is read."""

    read = 0

    def count(self, word: str) -> int:
        return 1

    def titles(
        self, words: Sequence[str], limit: int, others: Sequence[str] = ()
    ) -> list[tuple[int, str]]:
        self.read += 1
        return [(7, "On ribbons")]


@pytest.mark.parametrize(("ours", "read"), [(True, 1), (False, 2)])
def test_nearest_reads_the_titles_of_a_word_once_unless_others_may_write(
    ours: bool, read: int
) -> None:
    words: Any = Ribbons()
    index = WordIndex(words, ours=ours)
    first, again = index.nearest("ribbons"), index.nearest("ribbons")
    assert first == again
    assert first is not None
    assert (first.record_id, words.read) == (7, read)
