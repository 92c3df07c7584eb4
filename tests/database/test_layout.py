"""Databases that users already have: read as they are, and never written to."""

from __future__ import annotations

import hashlib
import sqlite3
from typing import TYPE_CHECKING

import pytest

from citeproof.database.check import check
from citeproof.database.choice import info
from citeproof.database.layout import author_names
from citeproof.database.lookup import Database
from citeproof.model.errors import DatabaseError
from citeproof.model.record import Method

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

TITLES = [
    "Attention to Lamps is all Trees need",
    "Sorting Multi-Agent Lamps",
    "Über die Öfen der Nacht",
    "Eﬃcient Lanterns for {LaTeX} Users",
    "What the Bayes' rule can't do",
    "Sorting Multi-Agent Lamps",
    "Lamps",
]
PUBLICATIONS = """
CREATE TABLE publications (
    id INTEGER PRIMARY KEY, title TEXT, year INTEGER, venue TEXT, pub_type TEXT, authors TEXT, doi
    TEXT
)"""


def publications(connection: sqlite3.Connection) -> None:
    connection.execute(PUBLICATIONS)
    rows = [
        (n, t, 2000 + n, "J. Lamps", "article", "A B, C D", f"10.1/X{n}")
        for n, t in enumerate(TITLES, 10)
    ]
    connection.executemany("INSERT INTO publications VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
    connection.execute("INSERT INTO publications (id) VALUES (99)")


def external_content(connection: sqlite3.Connection) -> None:
    publications(connection)
    connection.execute(
        "CREATE VIRTUAL TABLE title_fts "
        "USING fts5(title, content='publications', content_rowid='id', tokenize='porter')"
    )
    connection.execute("INSERT INTO title_fts(title_fts) VALUES ('rebuild')")


def own_content(connection: sqlite3.Connection) -> None:
    publications(connection)
    connection.execute("CREATE VIRTUAL TABLE title_fts USING fts5(title, venue)")
    connection.execute(
        "INSERT INTO title_fts(rowid, title, venue) SELECT id, title, venue FROM publications"
    )


def own_ids(connection: sqlite3.Connection) -> None:
    publications(connection)
    connection.execute("CREATE VIRTUAL TABLE title_fts USING fts5(id UNINDEXED, title)")
    connection.execute("INSERT INTO title_fts(id, title) SELECT id, title FROM publications")


def trigrams(connection: sqlite3.Connection) -> None:
    publications(connection)
    connection.execute("CREATE VIRTUAL TABLE title_fts USING fts5(title, tokenize='trigram')")
    connection.execute("INSERT INTO title_fts(rowid, title) SELECT id, title FROM publications")


def titles(connection: sqlite3.Connection) -> None:
    connection.execute("CREATE TABLE titles (id INTEGER PRIMARY KEY, title TEXT, title_norm TEXT)")
    connection.executemany(
        "INSERT INTO titles VALUES (?, ?, ?)", [(n, t, t.lower()) for n, t in enumerate(TITLES)]
    )


def word_table(connection: sqlite3.Connection) -> None:
    titles(connection)
    connection.execute("CREATE TABLE title_words (word TEXT, id INTEGER)")
    words = [
        (word, n)
        for n, title in enumerate(TITLES)
        for word in set(title.lower().replace("-", " ").split())
    ]
    connection.executemany("INSERT INTO title_words VALUES (?, ?)", words)
    connection.execute("CREATE INDEX title_words_word ON title_words (word)")


def text_ids(connection: sqlite3.Connection) -> None:
    connection.execute("CREATE TABLE publications (id TEXT PRIMARY KEY, title TEXT)")
    connection.executemany(
        "INSERT INTO publications VALUES (?, ?)", [(f"k/{n}", t) for n, t in enumerate(TITLES)]
    )
    connection.execute("CREATE VIRTUAL TABLE title_fts USING fts5(title, content='publications')")
    connection.execute("INSERT INTO title_fts(title_fts) VALUES ('rebuild')")


INDEXED = [external_content, own_content, own_ids, trigrams, word_table, text_ids]
ALL = [*INDEXED, publications, titles]


def foreign(path: Path, fill: Callable[[sqlite3.Connection], None]) -> Path:
    with sqlite3.connect(path) as connection:
        fill(connection)
    connection.close()
    return path


def state(folder: Path) -> dict[str, str]:
    """Return what every file of a folder holds; a side file would show too."""
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.iterdir()}


@pytest.mark.parametrize("fill", ALL)
def test_every_layout_answers_and_stays_as_it_is(
    tmp_path: Path, fill: Callable[[sqlite3.Connection], None]
) -> None:
    path = foreign(tmp_path / "foreign.db", fill)
    before = state(tmp_path)
    with Database.open(path) as database:
        lookup = database.look_up("Sorting multiagent lamps")
        assert [candidate.record.title for candidate in lookup.candidates] == [
            "Sorting Multi-Agent Lamps"
        ] * 2
        assert lookup.method is (Method.INDEXED if fill in INDEXED else Method.BRUTEFORCE)
        for title in TITLES:
            equal = database.look_up(title)
            assert equal.candidates[0].record.title == title
            assert equal.candidates[0].similarity == 1
        assert not database.look_up("Nothing of the kind was ever written").found
        assert all(finding.sound for finding in check(database))
        assert info(database)["records"] >= len(TITLES)
    assert state(tmp_path) == before


@pytest.mark.parametrize("fill", ALL)
@pytest.mark.parametrize(
    ("cited", "title"),
    [
        ("Attention to Lamps is al Trees need", TITLES[0]),
        ("Attention-to lamps is all trees need", TITLES[0]),
        ("Uber die Ofen der Nacht", TITLES[2]),
        ("Efficient Lanterns for LaTeX Users", TITLES[3]),
        ("What the Bayes rule cant do", TITLES[4]),
    ],
)
def test_one_difference_loses_no_title(
    tmp_path: Path, fill: Callable[[sqlite3.Connection], None], cited: str, title: str
) -> None:
    with Database.open(foreign(tmp_path / "foreign.db", fill)) as database:
        assert database.look_up(cited).candidates[0].record.title == title


def test_a_log_that_is_still_in_use_is_read_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "foreign.db"
    writer = sqlite3.connect(path)
    writer.execute("PRAGMA journal_mode = wal")
    publications(writer)
    writer.commit()
    assert (tmp_path / "foreign.db-wal").stat().st_size
    before = path.read_bytes(), (tmp_path / "foreign.db-wal").read_bytes()
    with Database.open(path) as database:
        assert database.look_up(TITLES[0]).found
    assert (path.read_bytes(), (tmp_path / "foreign.db-wal").read_bytes()) == before
    writer.close()


def test_write_ahead_mode_without_a_log_makes_no_side_file(tmp_path: Path) -> None:
    path = tmp_path / "foreign.db"
    writer = sqlite3.connect(path)
    writer.execute("PRAGMA journal_mode = wal")
    publications(writer)
    writer.commit()
    writer.close()
    before = state(tmp_path)
    with Database.open(path) as database:
        assert database.look_up(TITLES[0]).found
        assert state(tmp_path) == before
    assert state(tmp_path) == before


def test_record_leaves_missing_columns_empty(tmp_path: Path) -> None:
    with Database.open(foreign(tmp_path / "foreign.db", titles)) as database:
        record = database.look_up(TITLES[0]).candidates[0].record
    assert (record.title, record.authors, record.year, record.doi, record.key) == (
        TITLES[0],
        (),
        None,
        "",
        "",
    )


def test_identifiers_are_found_as_a_foreign_database_spells_them(tmp_path: Path) -> None:
    with Database.open(foreign(tmp_path / "foreign.db", publications)) as database:
        (record,) = database.records_with("doi", "10.1/x11")
        assert record.title == TITLES[1]
        assert record.authors == ("A B", "C D")
        assert database.records_with("arxiv_id", "1203.0042") == ()


def test_a_word_index_that_cannot_be_read_costs_no_answer(tmp_path: Path) -> None:
    def broken(connection: sqlite3.Connection) -> None:
        publications(connection)
        connection.execute("CREATE TABLE title_fts (x)")

    with Database.open(foreign(tmp_path / "foreign.db", broken)) as database:
        assert database.look_up(TITLES[0]).method is Method.BRUTEFORCE
        assert any("title_fts does not answer" in warning for warning in database.warnings)


@pytest.mark.parametrize("sql", ["CREATE TABLE other (x)", "CREATE TABLE publications (name TEXT)"])
def test_detect_refuses_other_databases(tmp_path: Path, sql: str) -> None:
    path = tmp_path / "foreign.db"
    with sqlite3.connect(path) as connection:
        connection.execute(sql)
    connection.close()
    with pytest.raises(DatabaseError, match="neither a table publications nor a table titles"):
        Database.open(path)


@pytest.mark.parametrize(
    ("stored", "names"),
    [
        ("A B; C D", ("A B", "C D")),
        ("A B | C D", ("A B", "C D")),
        ("A B and C D", ("A B", "C D")),
        ("A B, C D", ("A B", "C D")),
        ('["A B", "C D"]', ("A B", "C D")),
        ('[{"name": "A B"}]', ("A B",)),
        ("[broken", ("[broken",)),
        ("A B", ("A B",)),
        ("", ()),
        (None, ()),
    ],
)
def test_author_names_reads_lists_in_any_form(stored: str | None, names: tuple[str, ...]) -> None:
    assert author_names(stored) == names
