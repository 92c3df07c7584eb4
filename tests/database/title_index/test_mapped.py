"""A title index that is open for reading."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from citeproof.database.building.title_index import TitleIndexBuilder
from citeproof.database.title_index.format import UnusableIndexError
from citeproof.database.title_index.mapped import TitleIndex
from citeproof.database.title_index.signature import counts_of

if TYPE_CHECKING:
    from pathlib import Path

TITLES = {1: "lamp", 2: "post", 3: "lamp", 4: "ice and snow", 1 << 31: "far away"}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "a.titles"
    with TitleIndexBuilder(path) as builder:
        for number, title in TITLES.items():
            builder.add(number, title, title)
        builder.finish({})
    return path


def test_record_ids_are_all_records_of_a_title(path: Path) -> None:
    index = TitleIndex(path)
    held = {index.normalized(title): index.record_ids(title) for title in range(len(index))}
    assert held == {"lamp": (1, 3), "post": (2,), "ice and snow": (4,), "far away": (1 << 31,)}


def test_titles_and_pieces_are_ranges_of_length_and_balance(path: Path) -> None:
    index = TitleIndex(path)
    assert index.lengths.tolist() == [4, 8, 12]
    post, lamp = index.titles(4, 3), index.titles(4, 4)
    assert [index.normalized(title) for title in range(*post)] == ["post"]
    assert [index.normalized(title) for title in range(*lamp)] == ["lamp"]
    assert index.titles(4, 2) == (0, 0)
    assert index.titles(5, 0) == (2, 2)
    lengths = np.array([4, 4, 8, 99])
    lowest, highest = np.array([-3, 4, 0, 0]), np.array([3, 9, 9, 9])
    assert index.pieces(lengths, lowest, highest) == [(0, 1), (1, 2), (2, 3), (4, 4)]


def test_sign_is_one_word_a_length_and_that_of_the_title_itself(path: Path) -> None:
    index = TitleIndex(path)
    title = index.normalized(0)
    near, far = index.sign(np.array([len(title), 99]), counts_of(title))
    assert (near[0], far[0]) == (index.near.item(0), index.far.item(0))
    assert len(near) == len(far) == 2
    nothing = index.sign(np.array([], np.int64), counts_of(title))
    assert [len(words) for words in nothing] == [0, 0]


def test_verify_reads_every_block_and_finds_a_damaged_one(path: Path) -> None:
    index = TitleIndex(path)
    before = index.blocks_read
    index.verify()
    assert index.blocks_read > before
    data = bytearray(path.read_bytes())
    data[index.header.sections["near"].offset] ^= 1
    path.write_bytes(data)
    with pytest.raises(UnusableIndexError, match="damaged"):
        TitleIndex(path).verify()


def test_title_index_refuses_what_is_missing_cut_or_no_file(path: Path) -> None:
    with pytest.raises(UnusableIndexError, match="missing"):
        TitleIndex(path.with_name("none"))
    with pytest.raises(UnusableIndexError, match="not a regular file"):
        TitleIndex(path.parent)
    data = path.read_bytes()
    path.write_bytes(data[:-1])
    with pytest.raises(UnusableIndexError, match="cut short"):
        TitleIndex(path)


def test_title_index_refuses_titles_that_were_normalised_by_other_rules(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("citeproof.text.normalize.VERSION", 0)
    with pytest.raises(UnusableIndexError, match="compares titles differently"):
        TitleIndex(path)


def test_require_whole_notices_a_file_that_is_cut_while_in_use(path: Path) -> None:
    index = TitleIndex(path)
    index.require_whole()
    with path.open("r+b") as file:
        file.truncate(4096)
    with pytest.raises(UnusableIndexError, match="written over while in use"):
        index.require_whole()
