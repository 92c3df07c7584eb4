"""Titles in a temporary file, by length and bytes per letter."""

import io

import pytest

from citeproof.database.building.title_spill import Spill

TITLES = [("abc", 1, 0), ("wxyz", 2, 2), ("déf", 3, 0), ("日本語", 4, 0), ("xyz", 5, 1)]


def _all(spill: Spill) -> list[tuple[int, int, list[int], list[int]]]:
    found = []
    for length, width in spill.counts():
        titles = spill.read(length, width)
        found.append((length, width, titles["id"].tolist(), titles["main"].tolist()))
    return found


@pytest.mark.parametrize("memory", [1, 30, 1 << 20])
def test_read_returns_titles_of_one_length_and_width_in_their_order(memory: int) -> None:
    spill = Spill(io.BytesIO(), memory)
    for title in TITLES:
        spill.add(*title)
    assert spill.counts() == {(3, 1): 3, (3, 2): 1, (4, 1): 1}
    assert _all(spill) == [
        (3, 1, [1, 3, 5], [0, 0, 1]),
        (3, 2, [4], [0]),
        (4, 1, [2], [2]),
    ]
    assert spill.read(3, 1)["text"].tobytes() == "abcdéfxyz".encode("latin-1")
    assert len(spill.read(9, 1)) == 0


def test_read_of_a_share_takes_the_beginning_of_each_part() -> None:
    spill = Spill(io.BytesIO())
    for part in (range(4), range(4, 8)):
        for number in part:
            spill.add("abc", number, 0)
        spill.counts()
    assert spill.read(3, 1, 0.5)["id"].tolist() == [0, 1, 4, 5]
    assert spill.read(3, 1, 0.3)["id"].tolist() == [0, 1, 4, 5]
    assert spill.read(3, 1)["id"].tolist() == list(range(8))


class _File(io.BytesIO):
    """A file in memory that can be flushed to a disk that it has not."""

    def fileno(self) -> int:
        return 0


def test_checkpoint_lets_another_spill_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.fsync", lambda _: None)
    file = _File()
    first = Spill(file)
    first.add("abc", 1, 0)
    first.add("日本語", 2, 0)
    chunks = first.checkpoint()
    first.add("abc", 9, 0)  # is lost with the process
    again = Spill(file, chunks=chunks)
    again.add("xyz", 3, 0)
    assert [ids for *_, ids, _ in _all(again)] == [[1, 3], [2]]
