import pytest

from citeproof.readers.lists import Line
from citeproof.readers.lists.sections import (
    Paragraph,
    is_heading,
    listed,
    reference_lists,
    unheaded_list,
)


@pytest.mark.parametrize(
    "text",
    [
        "References",
        "REFERENCES",
        "7. References",
        "VII. REFERENCES",
        "R EFERENCES",
        "Bibliography:",
        "Works Cited",
        "Literaturverzeichnis",
        "References and Notes",
        "参考文献",
        "VI. Quellen- und Literaturverzeichnis",
        "Zitierte Literatur",
        "Références bibliographiques",
    ],
)
def test_is_heading_headings(text: str) -> None:
    assert is_heading(text)


@pytest.mark.parametrize(
    "text", ["References to the gods", "See the references.", "A bibliography of Knuth", ""]
)
def test_is_heading_other_lines_are_none(text: str) -> None:
    assert not is_heading(text)


def lines(*texts: str, height: float = 10) -> list[Line]:
    return [Line(text, 1, height=height) for text in texts]


def test_reference_lists_several_lists_of_one_document() -> None:
    document = lines("Text", "References", "one", "two", "References", "three")
    assert [[line.text for line in found] for found in reference_lists(document)[0]] == [
        ["one", "two"],
        ["three"],
    ]


def test_reference_lists_a_heading_behind_it_ends_a_list() -> None:
    document = [*lines("References", *"abcdef"), *lines("Supplementary Material", "figures")]
    assert [[line.text for line in found] for found in reference_lists(document)[0]] == [
        list("abcdef")
    ]


@pytest.mark.parametrize(
    "heading", ["Anhang 2", "Anschrift des Verfassers:", "Abbildungsverzeichnis", "Annexes"]
)
def test_reference_lists_headings_of_other_languages_end_a_list(heading: str) -> None:
    document = lines("Literatur", *"abcdef", heading, "Text")
    assert [[line.text for line in found] for found in reference_lists(document)[0]] == [
        list("abcdef")
    ]


def test_reference_lists_a_line_that_only_begins_like_a_heading_does_not() -> None:
    document = lines("References", *"abcdef", "Supplement Series, 165(2), 461-479.", "g")
    assert [len(found) for found in reference_lists(document)[0]] == [8]


def test_reference_lists_a_footnote_at_the_foot_of_a_column_is_left_out() -> None:
    document = [
        *lines("References", *"abcdef"),
        *lines("19The competition.", "See there.", height=8),
    ]
    assert [len(found) for found in reference_lists(document)[0]] == [6]


def test_reference_lists_a_small_last_line_of_an_entry_stays() -> None:
    document = [*lines("References", *"abcdef"), *lines("of the ACM, 1984.", height=9)]
    assert [len(found) for found in reference_lists(document)[0]] == [7]


def test_reference_lists_keep_entries_in_a_lower_font_at_the_foot() -> None:
    bold = [*lines("1. Lee", height=11), *lines("plain", height=9), *lines(*"abcd", height=11)]
    document = [
        *lines("References"),
        *bold,
        *lines("4. Kim", "ends.", height=9),
        *lines("5 a footnote", height=7),
    ]
    assert [len(found) for found in reference_lists(document)[0]] == [8]


def test_names_in_small_capitals_do_not_make_the_next_lines_larger() -> None:
    names = [
        Line(text, 1, height=height)
        for text, height in (("[1] Lee, A.,", 10), ("Fox, B.,", 7), ("Kim, C.,", 7))
    ]
    document = [
        *lines("References"),
        *names,
        *names[1:],
        *lines("Snow and", "ice. Journal 3,", "1984.", height=9),
    ]
    assert [len(found) for found in reference_lists(document)[0]] == [8]


def test_listed_a_list_ends_at_the_next_heading_and_several_are_one() -> None:
    said = [
        "Text",
        "References",
        "A",
        " ",
        "B\nb",
        "*Next",
        "Text",
        "Bibliography",
        "C",
        "Appendix A",
        "D",
    ]
    found = listed(
        Paragraph(text.removeprefix("*"), line, heading=text[0] == "*")
        for line, text in enumerate(said, start=1)
    )
    assert [paragraph.text for paragraph in found] == ["A", "B b", "C"]
    assert [paragraph.line for paragraph in found] == [3, 5, 9]


def test_listed_the_lines_of_a_single_paragraph_are_the_entries() -> None:
    found = listed([Paragraph("References", 1), Paragraph("A\n\nB", 2)])
    assert [paragraph.text for paragraph in found] == ["A", "B"]


TEXT = ["Words of the paper.", "In 1984, D. Knuth said so.", "D. E. Knuth, in 1984, said so."]
NAMED = "Knuth, D. E. The art of programming. 1968."


@pytest.mark.parametrize(
    ("written", "place"),
    [
        ([*TEXT, *[NAMED] * 5], 2),
        ([*TEXT, *["plain words"] * 9, *[NAMED] * 5], 12),
        ([*TEXT, *["plain words"] * 9, *[NAMED] * 5, *["a figure"] * 30, *[NAMED] * 3], 12),
        (["[1] Knuth. The art", "of programming. 1968."] * 5, 0),
        ([*TEXT[:2], *["Donald Knuth and Ann Lee.", "1984. The art."] * 5], 2),
        ([*TEXT[:2], *["Weber, Max (1919): Wissenschaft", "als Beruf. München."] * 5], 2),
        ([*TEXT[:2], *["Lee, Ann/de Vos, Jan", "(Hg.) (1998): Die Akten. Köln."] * 5], 2),
        ([*TEXT[:2], *["Lee, Ann u. a.: Die Akten der", "Dörfer, Köln 1998."] * 5], 2),
        (TEXT * 4, None),
        ([NAMED] * 4, None),
        ([*["plain words"] * 9, NAMED] * 9, None),
        ([], None),
    ],
)
def test_unheaded_list_begins_where_five_lines_near_each_other_begin_as_references(
    written: list[str], place: int | None
) -> None:
    assert unheaded_list([Line(text, 1) for text in written]) == place


@pytest.mark.parametrize(
    ("text", "height", "ends"),
    [
        ("Appendix A", 10.0, True),
        ("Appendix A: Proofs of the theorems", 12.0, True),
        ("Supplementary tables of sheep", 12.0, True),
        ("Supplementary tables of sheep", 10.0, False),
        (f"Supplementary tables of {'sheep ' * 9}", 12.0, False),
        ("Sheep, goats and lambs,", 12.0, False),
    ],
)
def test_reference_lists_end_at_headings(text: str, height: float, *, ends: bool) -> None:
    def line(text: str, height: float = 10.0) -> Line:
        return Line(text, 1, height=height)

    entries = [line(f"A. Lee. On winter {year}. Snow, {year}.") for year in range(2001, 2009)]
    rest = [line("B. Ray. On sleds. Snow, 2010.")]
    (found,), beside = reference_lists(
        [line("References", 12.0), *entries, line(text, height), *rest]
    )
    assert (len(found) == len(entries)) is ends
    assert (rest[0] in beside) is ends
