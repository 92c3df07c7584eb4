"""Reference lists among the paragraphs of a document."""

from __future__ import annotations

from citeproof.readers.lists.paragraphs import Paragraph, as_text, listed


def test_a_list_ends_at_the_next_heading_and_several_are_one() -> None:
    said = ["Text", "References", "A", " ", "B\nb", "*Next", "Text", "Bibliography", "C", "Appendix A", "D"]
    found = listed(
        Paragraph(text.removeprefix("*"), line, heading=text[0] == "*") for line, text in enumerate(said, start=1)
    )
    assert as_text(found) == "A\nB b\nC"
    assert [paragraph.line for paragraph in found] == [3, 5, 9]


def test_the_lines_of_a_single_paragraph_are_the_entries() -> None:
    assert as_text(listed([Paragraph("References", 1), Paragraph("A\n\nB", 2)])) == "A\nB"
