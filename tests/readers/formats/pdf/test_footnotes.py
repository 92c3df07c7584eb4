"""Footnotes of papers that have no reference list."""

import pytest

from citeproof.readers.formats.pdf.footnotes import footnotes, naming_works
from citeproof.readers.lists import Line
from citeproof.readers.lists.entries import Entry, entry_text

BODY = [Line("Words of the paper go on and on.", 1, height=10.0)] * 5


def noted(*texts: str, page: int = 1, height: float = 8.0) -> list[Line]:
    body = [line._replace(number=page) for line in BODY]
    return [*body, *(Line(text, page, height=height) for text in texts)]


def read(lines: list[Line]) -> list[tuple[str, str]]:
    return [(note.label, entry_text(note)) for note in footnotes(lines)]


def test_footnotes_begin_with_their_numbers_and_go_on() -> None:
    lines = noted("1 See A. Lee, On ice,", "2019.", "2. B. Ray, On snow, 2001.", "3C. Fox, 2002.")
    assert read(lines) == [
        ("1", "See A. Lee, On ice, 2019."),
        ("2", "B. Ray, On snow, 2001."),
        ("3", "C. Fox, 2002."),
    ]


def test_footnotes_are_small_lines_at_the_foot_of_a_column() -> None:
    assert read(noted("1 A. Lee, On ice, 2019.", height=9.5)) == []
    assert read(noted("1 A. Lee, On ice, 2019.", height=9.3)) == [("1", "A. Lee, On ice, 2019.")]
    above = [*noted("1 A. Lee, On ice, 2019."), *BODY]
    assert read(above) == []
    assert footnotes([]) == []


def test_footnotes_continue_their_numbers_on_the_next_page_or_begin_anew() -> None:
    first = noted("1 A. Lee, 2019.", "2 B. Ray, 2001.")
    assert [label for label, _ in read([*first, *noted("3 C. Fox, 2002.", page=2)])] == list("123")
    assert [label for label, _ in read([*first, *noted("1 C. Fox, 2002.", page=2)])] == list("121")


def test_footnotes_take_no_other_number_for_a_mark() -> None:
    lines = noted("1 A. Lee, On ice,", "12 letters on snow, 2019.", "2 B. Ray, 2001.")
    assert read(lines) == [
        ("1", "A. Lee, On ice, 12 letters on snow, 2019."),
        ("2", "B. Ray, 2001."),
    ]
    assert read(noted("7 letters on snow, 2019.")) == []
    assert read(noted("1 A. Lee,", "2.5 letters")) == [("1", "A. Lee, 2.5 letters")]


def note(*texts: str) -> Entry:
    return Entry(tuple(Line(text, 1) for text in texts), "1")


@pytest.mark.parametrize(
    ("written", "text"),
    [
        (("Lee, A.: On ice.", "Snow, 2019."), "Lee, A.: On ice. Snow, 2019."),
        (("Vgl. auch Lee, A.: On ice, 2019.",), "Lee, A.: On ice, 2019."),
        (("See, e.g., the ice of 2019.",), None),
        (("cf. Lee, A.: On ice, 2019.",), "Lee, A.: On ice, 2019."),
        (("Sokolov, A.: On ice, 2019.",), "Sokolov, A.: On ice, 2019."),
        (("See Lee, A.: On ice.",), None),
        (("The winter of 2019 was long.",), None),
    ],
)
def test_naming_works_are_notes_that_begin_with_a_reference(
    written: tuple[str, ...], text: str | None
) -> None:
    assert [entry_text(one) for one in naming_works([note(*written)])] == ([text] if text else [])
