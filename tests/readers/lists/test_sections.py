from __future__ import annotations

import pytest

from citeproof.readers.lists.lines import Line
from citeproof.readers.lists.sections import is_heading, reference_lists


@pytest.mark.parametrize(
    "text",
    ["References", "REFERENCES", "7. References", "VII. REFERENCES", "R EFERENCES", "Bibliography:", "Works Cited",
     "Literaturverzeichnis", "References and Notes", "参考文献"],
)  # fmt: skip
def test_headings(text: str) -> None:
    assert is_heading(text)


@pytest.mark.parametrize("text", ["References to the gods", "See the references.", "A bibliography of Knuth", ""])
def test_other_lines_are_none(text: str) -> None:
    assert not is_heading(text)


def lines(*texts: str, height: float = 10) -> list[Line]:
    return [Line(text, 1, height=height) for text in texts]


def test_several_lists_of_one_document() -> None:
    document = lines("Text", "References", "one", "two", "References", "three")
    assert [[line.text for line in found] for found in reference_lists(document)[0]] == [["one", "two"], ["three"]]


def test_a_heading_behind_it_ends_a_list() -> None:
    document = [*lines("References", *"abcdef"), *lines("Supplementary Material", "figures")]
    assert [[line.text for line in found] for found in reference_lists(document)[0]] == [list("abcdef")]


def test_a_line_that_only_begins_like_a_heading_does_not() -> None:
    document = lines("References", *"abcdef", "Supplement Series, 165(2), 461-479.", "g")
    assert [len(found) for found in reference_lists(document)[0]] == [8]


def test_a_footnote_at_the_foot_of_a_column_is_left_out() -> None:
    document = [*lines("References", *"abcdef"), *lines("19The competition.", "See there.", height=8)]
    assert [len(found) for found in reference_lists(document)[0]] == [6]


def test_a_small_last_line_of_an_entry_stays() -> None:
    document = [*lines("References", *"abcdef"), *lines("of the ACM, 1984.", height=9)]
    assert [len(found) for found in reference_lists(document)[0]] == [7]
