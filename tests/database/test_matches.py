"""Which titles reach a threshold, and which is the nearest below it."""

from citeproof.database.matches import Match, compare


def test_compare_finds_a_similarity_equal_to_the_threshold() -> None:
    found, nearest = compare("h1b", {1: "1b"}, 0.8)
    assert found == (Match(0.8, 1),)
    assert nearest is None


def test_compare_names_the_first_of_equally_near_titles() -> None:
    assert compare("graph", {4: "xx", 7: "grape", 2: "grapa"}, 0.9) == ((), Match(0.8, 7))
