"""Look-ups with a title index find what a comparison with every title finds."""

from pathlib import Path

import pytest

from citeproof.database.building.builder import build
from citeproof.database.building.title_indexer import create
from citeproof.database.lookup import Database
from citeproof.database.title_index.format import index_path
from citeproof.model.record import MatchKind
from citeproof.text.normalize import normalize_title
from citeproof.text.similarity import similarity
from tests.scenarios.db.foreign import (
    damaged_titles,
    make_database,
    make_titles,
    queries,
    similarity_by_comparing_all,
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = make_database(tmp_path / "foreign.db")
    create(path)
    return path


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
