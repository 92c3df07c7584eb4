from __future__ import annotations

from citeproof.screen.signals import Groups


def test_groups_are_connected_components() -> None:
    groups = Groups[int]()
    for pair in [(1, 2), (3, 4), (5, 5), (2, 3)]:
        groups.join(*pair)
    assert sorted(map(sorted, groups.all())) == [[1, 2, 3, 4], [5]]
