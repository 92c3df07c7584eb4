"""Open Library: editions and rank."""

from typing import Any

from tests.online.works import BOOK, TABLES, cite


def test_records_has_one_record_per_year_of_an_edition(ask: Any) -> None:
    book = {
        "key": "/works/OL1W",
        "title": "The shepherd's compiler",
        "subtitle": "a practical guide",
        "author_name": ["Gerda Mist"],
        "first_publish_year": 1985,
        "publish_year": [1995, 1985],
    }
    found = ask("open_library", {"docs": [book]}).source.search(cite(BOOK))
    assert [(c.record.year, c.record.key) for c in found.candidates] == [
        (1985, "/works/OL1W"),
        (1995, "/works/OL1W#1995"),
    ]
    assert found.candidates[0].similarity == 1.0


def test_rank_is_none_except_for_books(ask: Any) -> None:
    source = ask("open_library", {}).source
    assert source.rank(cite(BOOK)) is not None
    assert source.rank(cite(TABLES)) is None
