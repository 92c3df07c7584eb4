"""Similarity of one title to many."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeproof.text.similarity import differing_words, similarities, similarity


@pytest.mark.parametrize(
    ("cited", "recorded", "marked_cited", "marked_recorded"),
    [
        ("Supervised Learning", "Unsupervised learning", ["Supervised"], ["Unsupervised"]),
        ("Learning of Features.", "learning Features", ["of"], []),
        ("Poincaré maps", "Poincare Maps", [], []),
        ("", "A title", [], ["A", "title"]),
    ],
)
def test_differing_words_ignores_case_and_accents(
    cited: str, recorded: str, marked_cited: list[str], marked_recorded: list[str]
) -> None:
    left, right = differing_words(cited, recorded)
    assert [word for word, differs in left if differs] == marked_cited
    assert [word for word, differs in right if differs] == marked_recorded
    assert [word for word, _ in left] == cited.split()


TITLES = st.text("ab 好", max_size=12)


@given(TITLES, st.lists(TITLES, min_size=1, max_size=5))
def test_similarities_are_those_of_similarity(title: str, others: list[str]) -> None:
    assert similarities(title, others).tolist() == [similarity(title, other) for other in others]
