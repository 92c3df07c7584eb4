"""What became of the lines of a list, and what may be lost."""

from citeproof.readers.formats.pdf.accounting import account
from citeproof.readers.lists import Line
from citeproof.readers.lists.entries import Entry


def _lines(*texts: str) -> list[Line]:
    return [Line(text, 1, bottom=700.0 - 12 * row) for row, text in enumerate(texts)]


def _lost(lines: list[Line], entry: Entry) -> list[str]:
    found = account("p.pdf", lines, [lines], [[entry]])
    assert found.read == len(lines)
    return [line.text for line in found.unread if line.lost]


def test_account_names_the_beginning_of_an_entry_inside_another() -> None:
    lines = _lines("Lee, A. 2001. A title.", "Journal 3.", "Fox, B. 2002. Another", "title.")
    assert _lost(lines, Entry(tuple(lines))) == ["Fox, B. 2002. Another"]


def test_account_names_none_inside_an_entry_with_a_label() -> None:
    lines = _lines("Lee, A. 2001. A title.", "Journal 3.", "Fox, B. 2002. Another", "title.")
    assert not _lost(lines, Entry(tuple(lines), "1"))


def test_account_names_no_authors_that_go_on() -> None:
    going_on = _lines("Lee, A., Ash, C.,", "Fox, B. 2002. A", "title.")
    editors = _lines("Lee, A. 2001. A title. In", "Fox, B., ed. Volume, 2001.")
    undated = _lines("Lee, A. A title.", "Fox, B. Another one.", "2001.")
    for lines in (going_on, editors, undated):
        assert not _lost(lines, Entry(tuple(lines)))
