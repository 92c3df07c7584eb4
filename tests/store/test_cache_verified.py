"""The cache of verified works, in both engines."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from citeproof.model.record import Candidate, Record
from citeproof.model.reference import Reference
from citeproof.model.verdict import Status, Verdict
from citeproof.store.cache import Remembered
from tests.store.conftest import valid

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from citeproof.store.cache import VerificationCache
    from tests.store.conftest import Clock, Engine

text = st.text(alphabet=st.sampled_from("abcXYZ %_\\é'\""), max_size=12)
titles = text.filter(str.strip)
Work = tuple[str, list[str], int | None]


@pytest.fixture
def cache(engine: Engine, clock: Clock) -> Iterator[VerificationCache]:
    """Return an empty cache."""
    opened = engine.verified(clock)
    yield opened
    opened.close()


def test_find_returns_a_record_as_it_was_remembered(cache: VerificationCache, clock: Clock) -> None:
    record = Record(
        key="conf/x/1",
        title="A Title",
        authors=("Ada Lovelace", "Alan Turing"),
        year=1950,
        venue="Mind",
        pub_type="article",
        doi="10.1/x",
        arxiv_id="1234.5678",
        pages="1-2",
        url="https://example.org",
        source="dblp",
        retraction="https://doi.org/10.1/notice",
        concern="https://doi.org/10.1/concern",
    )
    cache.remember(
        Verdict(Reference("r"), Status.VALID, "confirmed", 1.0, best_match=Candidate(record, 1.0))
    )
    assert cache.find("A Title") == (Remembered(record, "", clock().date().isoformat()),)


def test_find_matches_substrings_newest_first(cache: VerificationCache) -> None:
    cache.remember(valid("Deep Learning", key="old"))
    cache.remember(valid("On Deep Learning and More", key="new"))
    assert [work.record.key for work in cache.find("deep learning")] == ["new", "old"]
    assert cache.find("Deep Learning and Less") == ()


@pytest.mark.parametrize(
    ("stored", "asked"), [("100% right", "0% r"), ("a_b", "a_b"), ("back\\slash", "k\\s")]
)
def test_find_treats_pattern_characters_literally(
    cache: VerificationCache, stored: str, asked: str
) -> None:
    cache.remember(valid(stored))
    assert cache.find(asked)
    assert cache.find(asked.replace("%", "x%").replace("_", "%").replace("\\", "\\\\")) == ()


def test_find_of_a_blank_title_matches_nothing(cache: VerificationCache) -> None:
    cache.remember(valid("Anything"))
    assert cache.find("  ") == ()


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    st.lists(
        st.tuples(titles, st.lists(text.filter(str.strip), max_size=2), st.none() | st.just(1999)),
        max_size=8,
    )
)
def test_remember_stores_a_title_with_authors_and_year_once(
    new_engine: Callable[[], Engine], clock: Clock, works: list[Work]
) -> None:
    engine = new_engine()
    cache = engine.verified(clock)
    keys = set()
    for title, authors, year in works * 2:
        cache.remember(valid(title, tuple(authors), year))
        keys.add((title, "; ".join(authors) or None, year))
    cache.close()
    kept = engine.rows("SELECT title, authors, year FROM scholar_results")
    assert sorted(map(repr, kept)) == sorted(map(repr, keys))


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(title=titles, query=titles)
def test_find_agrees_with_a_plain_substring(
    new_engine: Callable[[], Engine], clock: Clock, title: str, query: str
) -> None:
    cache = new_engine().verified(clock)
    cache.remember(valid(title))
    fold = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz")
    assert bool(cache.find(query)) == (query.translate(fold) in title.translate(fold))
    cache.close()


def test_find_accepts_a_title_of_any_length(cache: VerificationCache) -> None:
    cache.remember(valid("Deep Learning"))
    assert cache.find("deep learning" * 100_000) == ()
