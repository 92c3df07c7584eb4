"""Edits upon edits."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from citeproof.fix.patch import ByteEdit, composed


def edited(data: bytes, edits: tuple[ByteEdit, ...]) -> bytes:
    pieces, at = [], 0
    for start, end, new in edits:
        assert at <= start <= end <= len(data)
        pieces += [data[at:start], new]
        at = end
    return b"".join([*pieces, data[at:]])


@given(st.data())
def test_they_do_together_what_they_did_one_after_the_other(data: st.DataObject) -> None:
    old = now = b"0123456789abcdef"
    steps = []
    for _ in range(3):
        cuts = sorted(data.draw(st.lists(st.integers(0, len(now)), max_size=6)))
        news = data.draw(st.lists(st.sampled_from([b"", b"X", b"YZ"]), min_size=3, max_size=3))
        steps.append(tuple(zip(cuts[::2], cuts[1::2], news, strict=False)))
        now = edited(now, steps[-1])
    assert edited(old, composed(len(old), steps)) == now


def test_what_is_between_two_edits_is_not_edited() -> None:
    assert composed(6, [[(2, 4, b"XY")], [(1, 3, b"Z"), (6, 6, b"!")]]) == ((1, 4, b"ZY"), (6, 6, b"!"))
