"""Whatever befalls the file, a look-up gives the right answer or one that is marked as not
proved.
"""

import gc
import os
import random
import shutil
import sqlite3
from pathlib import Path

import pytest
from rapidfuzz import fuzz

from citeproof.database.building.builder import build
from citeproof.database.building.title_index import TitleIndexBuilder
from citeproof.database.building.title_indexer import create
from citeproof.database.lookup import Database
from citeproof.database.title_index import format as layout
from citeproof.database.title_index.format import UnusableIndexError, fingerprint, index_path
from citeproof.database.title_index.mapped import TitleIndex
from citeproof.model.errors import BuildError
from citeproof.model.record import MatchKind
from citeproof.text import normalize
from citeproof.text.normalize import normalize_title
from citeproof.text.similarity import similarity

WORDS = [
    "lamp",
    "tree",
    "sorting",
    "light",
    "optimal",
    "deep",
    "graph",
    "neural",
    "search",
    "of",
    "in",
    "the",
    "for",
    "with",
    "theory",
    "systems",
]


LAYOUTS = {
    "publications": "CREATE TABLE publications (id INTEGER PRIMARY KEY, title TEXT)",
    "publications + title_fts": "CREATE TABLE publications (id INTEGER PRIMARY KEY, title TEXT);"
    "CREATE VIRTUAL TABLE title_fts USING fts5(title, content='publications', content_rowid='id')",
    "titles + title_words": "CREATE TABLE titles (id INTEGER PRIMARY KEY, title TEXT);"
    "CREATE TABLE title_words (word TEXT, id INTEGER)",
}


def make_titles(count: int = 400) -> list[str]:
    rng = random.Random(5)
    titles = [
        " ".join(rng.choices(WORDS, k=rng.randint(2, 9))).capitalize() + "." for _ in range(count)
    ]
    return [*titles, "Lamp trees: sorting by light", "Lamp trees: a survey"]


def make_database(
    path: Path, kind: str = "publications + title_fts", journal: str = "delete"
) -> Path:
    """Write a database of a foreign layout."""
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA journal_mode = {journal}")
    connection.executescript(LAYOUTS[kind])
    table = kind.split(maxsplit=1)[0]
    for number, title in enumerate(make_titles(), 1):
        connection.execute(f"INSERT INTO {table} VALUES (?, ?)", (number, title))
        if "title_fts" in kind:
            connection.execute(
                "INSERT INTO title_fts (rowid, title) VALUES (?, ?)", (number, title)
            )
        elif "title_words" in kind:
            words = sorted(set(normalize_title(title).split()))
            connection.executemany(
                "INSERT INTO title_words VALUES (?, ?)", [(word, number) for word in words]
            )
    connection.commit()
    connection.close()
    return path


def damaged_titles(count: int) -> list[str]:
    """Return titles with a letter, a word or half of their words wrong."""
    rng = random.Random(7)
    damages = (
        lambda title: title.replace("e", "3", 1),
        lambda title: title.replace(" ", " q", 1),
        lambda title: " ".join(title.split()[::2] or [title]),
    )
    return [
        damages[number % 3](title) for number, title in enumerate(rng.sample(make_titles(), count))
    ]


def similarity_by_comparing_all(path: Path, query: str) -> float:
    with Database.open(path) as database:
        normalized = normalize_title(query)
        return max(
            fuzz.ratio(normalized, normalize_title(title)) / 100 for _, title in database.titles()
        )


def queries() -> list[str]:
    rng = random.Random(6)
    titles = rng.sample(make_titles(), 12)
    damaged = [title.replace("e", "3", 1) for title in titles[:6]]
    return [*titles[6:], *damaged, "Nothing is called like this at all", "Lamp"]


def assert_right_or_unproved(database: Database, path: Path) -> None:
    for query in queries():
        lookup = database.look_up(query, 0.85)
        right = similarity_by_comparing_all(path, query)
        if lookup.found:
            assert lookup.candidates[0].similarity <= right + 1e-12
        if lookup.complete:
            assert lookup.found == (right >= 0.85), query
            if lookup.found:
                assert lookup.candidates[0].similarity == pytest.approx(right, abs=1e-12)


def indexes_used(database: Database) -> set[str]:
    return {database.look_up(query, 0.85).index for query in queries()}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = make_database(tmp_path / "foreign.db")
    create(path)
    return path


@pytest.mark.parametrize("kind", LAYOUTS)
def test_every_layout_can_have_one_and_is_not_touched(tmp_path: Path, kind: str) -> None:
    path = make_database(tmp_path / "foreign.db", kind)
    before = (path.read_bytes(), path.stat().st_mtime_ns)
    create(path, tmp_path / "elsewhere")
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before
    with Database.open(path, index_dir=tmp_path / "elsewhere") as database:
        assert database.warnings == ()
        assert_right_or_unproved(database, path)
        assert indexes_used(database) == {"title_index"}
        assert database.look_up("Nothing is called like this at all").complete
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["elsewhere", "foreign.db"]


def test_a_copy_of_both_files_stays_valid(path: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy" / "other-name.db"
    copy.parent.mkdir()
    shutil.copyfile(path, copy)
    shutil.copyfile(index_path(path), index_path(copy))
    with Database.open(copy) as database:
        assert indexes_used(database) == {"title_index"}


def test_without_it_the_words_answer_and_one_line_tells_how_to_build_it(path: Path) -> None:
    index_path(path).unlink()
    with Database.open(path) as database:
        assert_right_or_unproved(database, path)
        assert indexes_used(database) == {"word_index"}
        assert not database.look_up("Nothing is called like this at all").complete
        (warning,) = database.warnings
        assert warning == f"{index_path(path)}: missing; `citeproof db index {path}` builds it"


@pytest.mark.parametrize("keep", [0, 10, 40, 5000, 20_000, -1])
def test_a_file_cut_short_does_not_answer(path: Path, keep: int) -> None:
    whole = index_path(path).read_bytes()
    index_path(path).write_bytes(whole[:keep])
    with Database.open(path) as database:
        assert indexes_used(database) == {"word_index"}
        assert len(database.warnings) == 1
        assert_right_or_unproved(database, path)


def test_a_file_that_grew_does_not_answer(path: Path) -> None:
    with index_path(path).open("ab") as file:
        file.write(b"\0")
    with Database.open(path) as database:
        assert indexes_used(database) == {"word_index"}


@pytest.mark.parametrize("seed", range(60))
def test_flipped_bytes_never_give_a_wrong_answer(path: Path, seed: int) -> None:
    rng = random.Random(seed)
    data = bytearray(index_path(path).read_bytes())
    for _ in range(rng.choice([1, 1, 3, 200])):
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    index_path(path).write_bytes(data)
    with Database.open(path) as database:
        assert_right_or_unproved(database, path)


def test_a_flipped_bit_in_any_block_is_noticed_when_the_block_is_read(path: Path) -> None:
    whole = index_path(path).read_bytes()
    header = TitleIndex(index_path(path)).header
    damaged = index_path(path).with_name("damaged.titles")
    held = {name: section for name, section in header.sections.items() if section.size}
    assert {"text", "words", "sizes", "offsets", "ids", "starts"} <= held.keys()
    for name, section in held.items():
        for offset in {section.offset, section.offset + section.size - 1, section.sums}:
            data = bytearray(whole)
            data[offset] ^= 1
            damaged.write_bytes(data)
            with pytest.raises(UnusableIndexError, match=name):
                read_everything(TitleIndex(damaged))


def read_everything(index: TitleIndex) -> None:
    for title in range(len(index)):
        index.normalized(title)
        index.record_ids(title)
    for column in (index.cyclic, index.near, index.far, index.main_hash, index.main_title):
        column.run(0, len(column))


def test_a_damaged_index_that_answered_until_now_steps_back_for_good(path: Path) -> None:
    with Database.open(path) as database:
        assert indexes_used(database) == {"title_index"}
        with index_path(path).open("r+b") as file:
            file.truncate(5000)
        assert indexes_used(database) == {"word_index"}
        create(path)
        assert indexes_used(database) == {"title_index"}


@pytest.mark.parametrize("journal", ["delete", "wal"])
@pytest.mark.parametrize(
    "edit",
    [
        "UPDATE publications SET title = 'Nothing is called like this at all' WHERE id = 7",
        "DELETE FROM publications WHERE id = 7",
        "INSERT INTO publications VALUES (7000, 'Nothing is called like this at all')",
    ],
)
@pytest.mark.parametrize("log", ["kept", "checkpointed"])
def test_an_edited_database_makes_it_stale(
    tmp_path: Path, journal: str, edit: str, log: str
) -> None:
    path = make_database(tmp_path / "foreign.db", journal=journal)
    create(path)
    with Database.open(path) as database:
        assert indexes_used(database) == {"title_index"}
    writer = sqlite3.connect(path, isolation_level=None)
    writer.execute(edit)
    if log == "checkpointed":
        writer.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        writer.close()
    with Database.open(path) as database:
        assert indexes_used(database) == {"word_index"}
        (warning,) = database.warnings
        assert "belongs to another state of the database" in warning
        assert_right_or_unproved(database, path)
    create(path)
    with Database.open(path) as database:
        assert indexes_used(database) == {"title_index"}
        assert_right_or_unproved(database, path)
    writer.close()


def test_an_edit_under_an_open_database_is_noticed_by_the_next_search(path: Path) -> None:
    with Database.open(path) as database:
        assert indexes_used(database) == {"title_index"}
        writer = sqlite3.connect(path)
        writer.execute(
            "UPDATE publications SET title = 'Nothing is called like this at all' WHERE id = 7"
        )
        writer.commit()
        writer.close()
        assert not database.look_up("Nothing is called like this at all").complete
        assert "title_index" not in indexes_used(database)


def test_an_index_of_another_database_does_not_answer(path: Path, tmp_path: Path) -> None:
    other = make_database(tmp_path / "other.db", "publications")
    create(other)
    index_path(other).replace(index_path(path))
    with Database.open(path) as database:
        assert indexes_used(database) == {"word_index"}


def test_titles_that_the_records_do_not_have_are_not_believed(path: Path) -> None:
    with Database.open(path) as database, TitleIndexBuilder(index_path(path)) as builder:
        builder.add(1, "Invented by the index")
        builder.finish(fingerprint(database.file))
    with Database.open(path) as database:
        lookup = database.look_up("Invented by the index")
        assert (lookup.found, lookup.index, lookup.complete) == (False, "word_index", False)
        assert "does not agree with the database" in database.warnings[0]


@pytest.mark.parametrize("module", [normalize, layout])
def test_an_index_of_another_version_does_not_answer(
    path: Path, monkeypatch: pytest.MonkeyPatch, module: object
) -> None:
    monkeypatch.setattr(module, "VERSION", 999)
    with Database.open(path) as database:
        assert indexes_used(database) == {"word_index"}
        assert len(database.warnings) == 1


def test_a_file_system_without_mmap_falls_back(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError("no such device")

    monkeypatch.setattr("mmap.mmap", refuse)
    with Database.open(path) as database:
        assert indexes_used(database) == {"word_index"}
        assert "cannot be mapped into memory" in database.warnings[0]


def test_without_any_index_every_title_is_compared(tmp_path: Path) -> None:
    path = make_database(tmp_path / "foreign.db", "publications")
    with Database.open(path) as database:
        lookup = database.look_up("Nothing is called like this at all")
        assert (lookup.method, lookup.index, lookup.complete) == ("bruteforce", "", True)
        assert_right_or_unproved(database, path)


def test_a_rebuilt_index_is_picked_up_by_an_open_database(path: Path) -> None:
    index_path(path).unlink()
    with Database.open(path) as database:
        assert indexes_used(database) == {"word_index"}
        create(path)
        assert indexes_used(database) == {"title_index"}
        assert database.warnings == ()


def test_a_deleted_index_goes_on_answering_where_it_is_open(path: Path) -> None:
    with Database.open(path) as database:
        index_path(path).unlink()
        assert indexes_used(database) == {"title_index"}
        assert_right_or_unproved(database, path)


def test_a_miss_in_a_small_database_names_the_nearest_as_brute_force_does(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Database.open(path) as database:
        texts = sorted({normalize_title(title) for _, title in database.titles()} - {""})
        named = 0
        for query in queries():
            lookup = database.look_up(query, 0.99, nearest_from=0.95)
            if lookup.found:
                continue
            best = max(similarity(normalize_title(query), text) for text in texts)
            assert (lookup.nearest.similarity if lookup.nearest else 0) == (
                best if best >= 0.6 else 0
            )
            assert lookup.complete
            named += bool(lookup.nearest)
        assert named > 5
        query = next(text for text in texts if len(text) > 40)[:-9]
        assert database.look_up(query, 0.99, nearest_from=0.95).nearest
        assert not database.look_up(query, 0.99).nearest
        monkeypatch.setattr("citeproof.database.title_index.attached.FEW_TITLES", 0)
        assert not database.look_up(query, 0.99, nearest_from=0.95).nearest


def test_a_closed_database_lets_go_of_its_index(path: Path) -> None:
    maps = Path("/proc/self/maps")
    if not maps.exists():
        pytest.skip("what is mapped is seen on Linux only")
    gc.disable()  # a service collects so rarely that it would keep replaced files
    try:
        database = Database.open(path)
        assert str(index_path(path)) in maps.read_text()
        database.close()
        assert str(index_path(path)) not in maps.read_text()
    finally:
        gc.enable()


def test_a_cut_search_is_inconclusive(path: Path) -> None:
    with Database.open(path) as database:
        query = next(q for q in queries() if database.look_up(q, 0.5).candidates_examined > 1)
        lookup = database.look_up(query, 0.5, max_candidates=1)
        assert (lookup.index, lookup.complete) == ("title_index", False)


def test_best_matches_are_the_best_of_all_matches(path: Path) -> None:
    with Database.open(path) as database:
        for query in queries():
            best, every = database.best_matches(query), database.look_up(query, every=True)
            ties = [
                each
                for each in every.candidates
                if each.similarity == every.candidates[0].similarity
            ]
            assert best.candidates == database.look_up(query).candidates == tuple(ties)
            assert (best.found, best.complete) == (every.found, every.complete)
            assert (best.every, every.every) == (False, True)


@pytest.mark.parametrize(("every", "count"), [(False, 2), (True, 4)])
def test_look_up_returns_the_same_records_by_every_road(
    tmp_path: Path, every: bool, count: int
) -> None:
    library = tmp_path / "lamps.bib"
    titles = [
        "A lamp for all sheep",
        "A lamp for all sheeps",
        "The lamp for all sheep",
        "A lamp for all sheep",
    ]
    library.write_text(
        "".join(f"@misc{{k{n}, title = {{{title}}}}}" for n, title in enumerate(titles))
    )
    build([library], tmp_path / "all.db")
    create(tmp_path / "all.db")
    answers = {}
    with Database.open(tmp_path / "all.db") as database:
        answers["title_index"] = database.look_up("A lamp for all sheep", 0.8, every=every)
    index_path(tmp_path / "all.db").unlink()
    with Database.open(tmp_path / "all.db") as database:
        answers["word_index"] = database.look_up("A lamp for all sheep", 0.8, every=every)
        database.word_index = None
        answers[""] = database.look_up("A lamp for all sheep", 0.8, every=every)
    assert {name: answer.index for name, answer in answers.items()} == {
        name: name for name in answers
    }
    assert [len(answer.candidates) for answer in answers.values()] == [count] * 3
    assert (
        len({tuple(each.record.key for each in answer.candidates) for answer in answers.values()})
        == 1
    )


def test_look_up_counts_the_records_beyond_the_first_hundred(tmp_path: Path) -> None:
    library = tmp_path / "editorials.bib"
    library.write_text("".join(f"@misc{{k{n}, title = {{Editorial}}}}" for n in range(250)))
    build([library], tmp_path / "e.db")
    create(tmp_path / "e.db")
    for has_index in (True, False):
        with Database.open(tmp_path / "e.db") as database:
            lookup = database.look_up("Editorial")
            assert (bool(lookup.index == "title_index"), len(lookup.candidates), lookup.more) == (
                has_index,
                100,
                150,
            )
        index_path(tmp_path / "e.db").unlink(missing_ok=True)


@pytest.mark.parametrize("most", [1, 3, 30, 100_000])
def test_look_up_never_finds_less_at_a_lower_threshold(path: Path, most: int) -> None:
    with Database.open(path) as database:
        for query in damaged_titles(200):
            before = set[str]()
            for percent in range(95, 45, -5):
                lookup = database.look_up(query, percent / 100, most, every=True)
                found = {each.record.title for each in lookup.candidates}
                assert before <= found or lookup.more
                before = found


def test_a_miss_names_the_nearest_title_when_asked_to(path: Path) -> None:
    with Database.open(path) as database:
        title = next(text for _, text in database.titles() if len(normalize_title(text)) > 40)
        query = normalize_title(title)[:-9]
        plain, asked = database.look_up(query), database.look_up(query, nearest_from=0.8)
    assert not plain.found
    assert plain.nearest is None
    assert not asked.found
    assert asked.complete
    assert asked.nearest
    assert asked.nearest.record.title == title
    assert asked.nearest.similarity == pytest.approx(similarity_by_comparing_all(path, query))
    assert asked.nearest.match is MatchKind.NEARBY


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_folder_is_refused_with_one_line(path: Path) -> None:
    path.parent.chmod(0o500)
    try:
        with pytest.raises(BuildError, match="--index-dir"):
            create(path)
    finally:
        path.parent.chmod(0o700)


def test_a_folder_that_cannot_be_is_refused_with_one_line(path: Path) -> None:
    with pytest.raises(BuildError, match="cannot write the title index here"):
        create(path, path / "folder")


def test_look_up_reads_less_for_the_best_title_than_for_all(path: Path) -> None:
    title = make_titles()[7]
    costs = []
    for query, every in ((title, False), (title, True)):
        with Database.open(path) as database:
            before = database.title_index.blocks_read
            compared = database.look_up(query, every=every).candidates_examined
            costs.append((compared, database.title_index.blocks_read - before))
    (compared, blocks), (all_compared, all_blocks) = costs
    assert compared == 1 <= all_compared
    assert blocks < all_blocks


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_in_place_of_the_index_is_not_waited_for(tmp_path: Path) -> None:
    path = make_database(tmp_path / "foreign.db", journal="delete")
    os.mkfifo(index_path(path))
    with Database.open(path) as database:
        (warning,) = database.warnings
        assert "is not a regular file" in warning
        assert indexes_used(database) == {"word_index"}
