"""What a search brought back, held against a higher threshold."""

from __future__ import annotations

import pytest

from citeproof.bibdb.matches import Match, Matches, compare

NEAR, FAR = Match(0.95, 1), Match(0.88, 2)


@pytest.mark.parametrize(
    ("found", "threshold", "still_found", "nearest"),
    [
        ((NEAR, FAR), 0.9, (NEAR,), None),
        ((NEAR, FAR), 0.95, (NEAR,), None),
        ((NEAR, FAR), 0.96, (), NEAR),
        ((FAR,), 0.88, (FAR,), None),
        ((), 0.9, (), None),
    ],
)
def test_what_stays_below_a_higher_threshold_is_the_nearest(
    found: tuple[Match, ...], threshold: float, still_found: tuple[Match, ...], nearest: Match | None
) -> None:
    reaching = Matches(found, None, 7, complete=True).reaching(threshold)
    assert reaching == Matches(still_found, nearest, 7, complete=True)


def test_a_nearest_that_was_named_stays() -> None:
    matches = Matches((), FAR, 7, complete=False)
    assert matches.reaching(0.9) == matches


def test_a_similarity_equal_to_the_threshold_is_found() -> None:
    found, nearest = compare("h1b", {1: "1b"}, 0.8)
    assert found == (Match(0.8, 1),)
    assert nearest is None


def test_of_equally_near_titles_the_first_is_named() -> None:
    assert compare("graph", {4: "xx", 7: "grape", 2: "grapa"}, 0.9) == ((), Match(0.8, 7))
