import io
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest

from citeproof.database.building import key_pairs
from citeproof.database.building.key_pairs import RANGES, KeyPairs, keys_in_bytes


def listed(pairs: KeyPairs) -> list[tuple[int, int]]:
    """Return all pairs of key and id, in the order of the ranges."""
    numbers = np.concatenate(list(pairs.ranges()))
    return [(int(number) >> 32, int(number) & 0xFFFFFFFF) for number in numbers]


def test_ranges_sorts_pairs_and_drops_repetitions() -> None:
    pairs = KeyPairs(io.BytesIO())
    pairs.add(5, keys_in_bytes([7, 1 << 31, 7], [2, 1]))
    pairs.add(7, keys_in_bytes([7, 7, 3], [2, 1]))
    assert len(pairs) == 6
    assert listed(pairs) == [(3, 8), (7, 5), (7, 6), (7, 7), (1 << 31, 5)]


def test_ranges_divides_the_keys_evenly() -> None:
    pairs = KeyPairs(io.BytesIO())
    keys = [(1 << 32) // RANGES * part + part for part in range(RANGES)]
    pairs.add(1, keys_in_bytes(keys, [1] * RANGES))
    assert [len(part) for part in pairs.ranges()] == [1] * RANGES


def test_add_writes_pieces_that_are_put_together_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(key_pairs, "_PIECE", 10)
    file = io.BytesIO()
    pairs, expected = KeyPairs(file), defaultdict[int, set[int]](set)
    for record in range(1, 60):
        keys = [(record * 2654435761) % (1 << 32), record % 7]
        pairs.add(record, keys_in_bytes(keys, [2]))
        for key in keys:
            expected[key].add(record)
    assert len(file.getvalue()) > 0
    assert len(pairs) == 118
    assert listed(pairs) == [
        (key, one) for key in sorted(expected) for one in sorted(expected[key])
    ]


def test_checkpoint_gives_what_is_needed_to_go_on(tmp_path: Path) -> None:
    with (tmp_path / "pairs").open("w+b") as file:
        first = KeyPairs(file)
        first.add(1, keys_in_bytes([5, 6], [1, 1]))
        pieces = first.checkpoint()
        assert KeyPairs.size(pieces) == 16
        second = KeyPairs(file, pieces)
        second.add(3, keys_in_bytes([5], [1]))
        assert len(second) == 3
        assert listed(second) == [(5, 1), (5, 3), (6, 2)]
    assert KeyPairs.size(()) == 0
