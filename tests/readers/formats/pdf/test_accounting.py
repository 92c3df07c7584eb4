"""What became of the lines of a list, and what may be lost."""

from citeproof.model.account import LineKind
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


def _behind(*texts: str, labels: str = "", count: int = 2) -> list[str]:
    """Return which of ``texts``, lines behind a list, may be lost references."""
    listed = _lines("Lee, A. 2001. A title. Journal 3.", "Fox, B. 2002. Another title. Journal 4.")
    behind = [Line(text, 1, bottom=500.0 - 12 * row) for row, text in enumerate(texts)]
    entries = [
        Entry((line,), labels[place : place + 1]) for place, line in enumerate(listed[:count])
    ]
    found = account("p.pdf", [*listed, *behind], [[*listed, *behind]], [entries])
    return [line.text for line in found.unread if line.lost]


NEXT = ("3. Ray, C. 2003. A third title. Journal 5.", "7. Ash, D. 2004. A fourth. Journal 6.")


def test_account_names_lines_behind_a_list_that_count_on() -> None:
    assert _behind(*NEXT, labels="12") == [*NEXT]
    assert _behind(NEXT[0].replace("3.", "7."), labels="12") == []
    assert _behind(NEXT[0].replace("3.", "2."), labels="12") == []
    assert _behind("3. The sheep of 2003.", labels="12") == []


def test_account_names_several_people_behind_a_list_without_numbers() -> None:
    people = [text[3:] for text in NEXT]
    assert _behind(*people) == people
    assert _behind(people[0]) == [], "a single name is probably an author of the paper"
    assert _behind(*NEXT) == [], "numbers belong to another list"


def test_account_watches_only_the_lines_just_behind_a_list() -> None:
    words = ["The sheep go on."] * 58
    people = [text[3:] for text in NEXT]
    assert _behind(*words, *people) == people
    assert _behind(*words, words[0], *people) == []


def test_account_names_what_stands_between_the_lines_of_a_list() -> None:
    first, note, last = _lines("Lee, A. 2001. A title.", "1 A footnote.", "Journal 3.")
    found = account("p.pdf", [first, note, last], [[first, last]], [[Entry((first, last))]])
    assert (found.references, found.read) == (1, 2)
    assert [(line.text, line.kind, line.lost, line.page) for line in found.unread] == [
        ("1 A footnote.", LineKind.FURNITURE, False, 1)
    ]
