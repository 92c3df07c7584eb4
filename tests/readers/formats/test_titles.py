"""Plain titles, one per line."""

from hypothesis import given
from hypothesis import strategies as st

from citeproof.readers.document import Document
from citeproof.readers.formats import titles


def test_read_each_line_is_a_title() -> None:
    text = (
        "Attention Is All You Need\n\n# a remark\n  On {\\'e}t{\\'e} & <i>winter</i> \nC#: a"
        " language\n"
    )
    found = [
        (entry.key, entry.line, entry.title)
        for entry in titles.read(Document.of_text(text, "f")).references
    ]
    assert found == [
        ("1", 1, "Attention Is All You Need"),
        ("4", 4, "On été & winter"),
        ("5", 5, "C#: a language"),
    ]


@given(st.lists(st.text(alphabet="ab# é"), max_size=10))
def test_read_every_line_that_says_something_is_one_reference(lines: list[str]) -> None:
    said = [
        number
        for number, line in enumerate(lines, start=1)
        if line.strip() and not line.strip().startswith("#")
    ]
    assert [
        entry.line for entry in titles.read(Document.of_text("\n".join(lines))).references
    ] == said
