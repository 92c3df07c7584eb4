"""No title that is near enough is left out of the ranges."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

from citeproof.database.title_index.format import BITS
from citeproof.database.title_index.scan import Ranges
from tests.database.title_index.titles import ENGLISH, Titles, expected, write_index

if TYPE_CHECKING:
    from pathlib import Path

    from citeproof.database.title_index.mapped import TitleIndex


@pytest.fixture(scope="module")
def titles(tmp_path_factory: pytest.TempPathFactory) -> Titles:
    return Titles(tmp_path_factory.mktemp("titles") / "x.titles", random.Random(11))


def test_narrow_what_is_near_enough_lies_in_a_piece_of_its_length(titles: Titles) -> None:
    rng = random.Random(12)
    texts = [titles.index.normalized(number) for number in range(len(titles.index))]
    numbers = {text: number for number, text in enumerate(texts)}
    held = 0
    for _ in range(200):
        query, difference = titles.query(rng), Fraction(rng.randint(0, 50), 100)
        ranges = Ranges(titles.index, query, Fraction(1, 2))
        ranges.narrow(difference)
        pieces = dict(zip(ranges.lengths.tolist(), ranges.pieces, strict=True))
        for _, text in expected(titles.distinct, query, len(titles.distinct), 1 - difference):
            first, last = pieces[len(text)]
            assert first <= numbers[text] < last, (query, difference, text)
            held += 1
    assert held > 100


def test_lengths_come_by_the_least_share_that_differs(titles: Titles) -> None:
    ranges = Ranges(titles.index, "deep learning of graphs", Fraction(1, 4))
    own = len("deep learning of graphs")
    shares = [Fraction(abs(length - own), length + own) for length in ranges.lengths.tolist()]
    assert shares == sorted(shares)
    assert shares[-1] <= Fraction(1, 4)


def test_ranges_nothing_but_equal_titles_is_in_reach_of_no_difference(titles: Titles) -> None:
    text = titles.distinct[500]
    ranges = Ranges(titles.index, text, Fraction(0))
    assert ranges.lengths.tolist() == [len(text)]
    assert (ranges.deletions.tolist(), ranges.insertions.tolist(), ranges.edits) == ([0], [0], [0])


def test_ranges_a_threshold_of_many_decimals_does_not_overflow(tmp_path: Path) -> None:
    long = Titles(tmp_path / "x.titles", random.Random(13))
    ranges = Ranges(long.index, "x" * 3000, 1 - Fraction("0.87654321098765432"))
    assert 3000 in ranges.lengths.tolist()
    assert 0 < max(ranges.edits) < 1000
    assert ranges.deletions.max() == BITS


def test_titles_of_another_script_are_not_read(tmp_path: Path) -> None:
    rng = random.Random(14)
    english = sorted({" ".join(rng.choices(ENGLISH, k=rng.randint(2, 6))) for _ in range(400)})
    chinese = [
        "".join(chr(0x4E00 + rng.randrange(2500)) for _ in range(rng.randint(8, 40)))
        for _ in range(2000)
    ]
    alone, both = (
        write_index(tmp_path / "a.titles", english),
        write_index(tmp_path / "b.titles", english + chinese),
    )
    asked = [title for title in english if len(title) >= 12]
    read = [[_read(index, title) for title in asked] for index in (alone, both)]
    assert read[0] == read[1]
    assert min(read[0]) > 0
    assert _read(both, chinese[0]) > 100


def _read(index: TitleIndex, query: str) -> int:
    return sum(last - first for first, last in Ranges(index, query, Fraction(1, 10)).pieces)
