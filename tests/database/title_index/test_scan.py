"""Titles are read in parts, and no boundary between parts loses one."""

import random
from fractions import Fraction

import pytest

from citeproof.database.title_index import scan as scanning
from citeproof.database.title_index.scan import Ranges, scan
from tests.database.title_index.titles import Titles, expected


@pytest.fixture(scope="module")
def titles(tmp_path_factory: pytest.TempPathFactory) -> Titles:
    return Titles(tmp_path_factory.mktemp("titles") / "x.titles", random.Random(21))


@pytest.mark.parametrize(
    ("chunk", "room", "gathered"), [(1 << 17, 1 << 21, 1 << 15), (7, 20, 3), (1, 1, 1)]
)
def test_scan_what_is_near_enough_comes_once_with_its_length(
    titles: Titles, monkeypatch: pytest.MonkeyPatch, chunk: int, room: int, gathered: int
) -> None:
    for name, size in (("_CHUNK", chunk), ("_ROOM", room), ("_GATHERED", gathered)):
        monkeypatch.setattr(scanning, name, size)
    rng = random.Random(22)
    held = 0
    for _ in range(25):
        query, difference = titles.query(rng), Fraction(rng.randint(1, 30), 100)
        ranges = Ranges(titles.index, query, difference)
        numbers: list[int] = []
        for some, lengths in scan(titles.index, ranges, range(len(ranges))):
            assert 0 < len(some) <= gathered
            assert ranges.lengths[lengths].tolist() == [
                len(titles.index.normalized(number)) for number in some.tolist()
            ]
            numbers += some.tolist()
        assert len(numbers) == len(set(numbers))
        near = {
            text
            for _, text in expected(titles.distinct, query, len(titles.distinct), 1 - difference)
        }
        assert near <= {titles.index.normalized(number) for number in numbers}
        held += len(near)
    assert held > 20


def test_scan_no_length_yields_nothing(titles: Titles) -> None:
    assert (
        list(scan(titles.index, Ranges(titles.index, "deep learning", Fraction(1, 10)), range(0)))
        == []
    )
