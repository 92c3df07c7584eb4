"""Numbers of lines."""

from citeproof.text.lines import LineCounter, numbered_lines


def test_of_counts_lines_from_one() -> None:
    lines = LineCounter("a\nb\n\nc")
    assert [lines.of(position) for position in (0, 1, 2, 2, 5)] == [1, 1, 2, 2, 4]


def test_numbered_lines_leave_out_blank_lines_and_keep_offsets() -> None:
    text = "a\n \n\n b\n"
    assert list(numbered_lines(text)) == [(1, 0, "a"), (4, 5, " b")]
    assert [text[offset : offset + len(line)] for _, offset, line in numbered_lines(text)] == [
        "a",
        " b",
    ]
