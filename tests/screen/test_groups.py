from __future__ import annotations

from citeproof.screen.groups import Groups


def test_what_is_joined_by_others_is_one_group() -> None:
    groups = Groups[int]()
    for pair in [(1, 2), (3, 4), (5, 5), (2, 3)]:
        groups.join(*pair)
    assert sorted(map(sorted, groups.all())) == [[1, 2, 3, 4], [5]]
