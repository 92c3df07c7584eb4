"""One title beside many: the same quotients as one by one."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from citeproof.text.similarity import similarities, similarity

TITLES = st.text("ab 好", max_size=12)


@given(TITLES, st.lists(TITLES, min_size=1, max_size=5))
def test_many_are_compared_as_one_is(title: str, others: list[str]) -> None:
    assert similarities(title, others).tolist() == [similarity(title, other) for other in others]
