"""Which words are marked."""

from __future__ import annotations

import pytest

from citeproof.text.differences import differing_words


@pytest.mark.parametrize(
    ("cited", "recorded", "marked_cited", "marked_recorded"),
    [
        ("Supervised Learning", "Unsupervised learning", ["Supervised"], ["Unsupervised"]),
        ("Learning of Features.", "learning Features", ["of"], []),
        ("Poincaré maps", "Poincare Maps", [], []),
        ("", "A title", [], ["A", "title"]),
    ],
)
def test_words_are_compared_as_titles_are(
    cited: str, recorded: str, marked_cited: list[str], marked_recorded: list[str]
) -> None:
    left, right = differing_words(cited, recorded)
    assert [word for word, differs in left if differs] == marked_cited
    assert [word for word, differs in right if differs] == marked_recorded
    assert [word for word, _ in left] == cited.split()
