"""Titles with the words that are wrong replaced."""

from __future__ import annotations

import pytest

from citeproof.fix.edits import corrected_title


@pytest.mark.parametrize(
    ("written", "recorded", "corrected"),
    [
        ("{MapReduce}: Complex  Data", "MapReduce: Simplified Data", "{MapReduce}: Simplified Data"),
        ("The {\\emph{Go}} of Graphs", "The Go of Networks", "The {\\emph{Go}} of Networks"),
        ("{A Theory of Graphs}", "A Theory of LSTM Networks", "A Theory of {LSTM} Networks"),
    ],
)
def test_right_words_stay_as_they_are_written(written: str, recorded: str, corrected: str) -> None:
    assert corrected_title(written, recorded, ascii_only=True) == corrected
