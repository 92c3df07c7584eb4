"""Marks that turn text round."""

from __future__ import annotations

import unicodedata

from citeproof.text.direction import without_marks


def test_every_mark_of_direction_goes_and_nothing_else() -> None:
    marks = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
    turning = [chr(code) for code in range(0x11000) if unicodedata.bidirectional(chr(code)) in marks]
    assert len(turning) == 9
    assert without_marks("a" + "".join(turning) + "\u200e\u200f\u061cb") == "ab"
    kept = "שלום עולם, Ünï\u200dcode"
    assert without_marks(kept) == kept
