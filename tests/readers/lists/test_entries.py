import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeproof.readers.lists import Line
from citeproof.readers.lists.entries import counting, entry_text, split_entries


def set_lines(*texts: str, leading: float = 12) -> list[Line]:
    """Set lines below each other; spaces before a line are its indent. A letter is 5 wide."""
    return [
        Line(
            text.strip(),
            1,
            left=6.0 * (len(text) - len(text.lstrip())),
            right=6.0 * (len(text) - len(text.lstrip())) + 5.0 * len(text.strip()),
            bottom=700 - leading * place,
        )
        for place, text in enumerate(texts)
    ]


def test_entry_text_labels_that_count_part_entries_and_a_year_at_a_lines_beginning_does_not() -> (
    None
):
    entries = split_entries(
        set_lines(
            "1. First of all, a title,",
            "1999. Press.",
            "2. Second title, 2001.",
            "3. Third title, 2002.",
        )
    )
    assert [entry.label for entry in entries] == ["1", "2", "3"]
    assert entry_text(entries[0]) == "First of all, a title, 1999. Press."


def test_split_entries_knows_raised_numbers() -> None:
    entries = split_entries(
        set_lines(
            "1A. Lee, Title, 2001.", "2B. Fox, Second", "title, 2002.", "3C. Ash, Third, 2003."
        )
    )
    assert [(entry.label, entry_text(entry)) for entry in entries] == [
        ("1", "A. Lee, Title, 2001."),
        ("2", "B. Fox, Second title, 2002."),
        ("3", "C. Ash, Third, 2003."),
    ]


def test_split_entries_labels_that_name() -> None:
    entries = split_entries(
        set_lines(
            "[Knu84] Literate programming.",
            "1984.",
            "[Tur50] Computing machinery.",
            "[Sha48a] A theory, 1948.",
        )
    )
    assert [entry.label for entry in entries] == ["Knu84", "Tur50", "Sha48a"]


def test_split_entries_a_hanging_indent() -> None:
    lines = [f"{'' if place % 3 == 0 else '   '}line {place}, 2001." for place in range(12)]
    assert [len(entry.lines) for entry in split_entries(set_lines(*lines))] == [3, 3, 3, 3]


def test_split_entries_an_indented_first_line() -> None:
    lines = [
        "   A begins",
        "and ends 2001.",
        "   B begins",
        "and goes on",
        "and ends 2001.",
        "   C begins",
        "ends 2002.",
    ]
    assert [len(entry.lines) for entry in split_entries(set_lines(*lines))] == [2, 3, 2]


def test_split_entries_wider_gaps() -> None:
    tops = [700, 690, 670, 660, 650, 630, 620]
    lines = [Line(f"line {top}, 2001.", 1, bottom=top) for top in tops]
    assert [len(entry.lines) for entry in split_entries(lines)] == [2, 3, 2]


def test_split_entries_takes_no_number_inside_an_entry_for_its_label() -> None:
    entries = split_entries(
        set_lines(
            "1. A. Lee // Journal. 2001. No",
            "  2. Pp. 4.",
            "2. B. Fox // Journal. 2002. No",
            "  3. Pp. 5.",
            "3. C. Ash. 2003.",
        )
    )
    assert [(entry.label, len(entry.lines)) for entry in entries] == [("1", 2), ("2", 2), ("3", 1)]


def test_split_entries_at_gaps_hardly_wider_than_others_if_sentences_end_there() -> None:
    texts = ("Ann Lee and Bo Fox. 2001.", "A title that goes", "on. Journal, 12.") * 4
    tops = [700 - 10 * place - 1.5 * (place // 3) for place in range(12)]
    lines = [Line(text, 1, bottom=top) for text, top in zip(texts, tops, strict=True)]
    assert [len(entry.lines) for entry in split_entries(lines)] == [3, 3, 3, 3]


def test_split_entries_of_one_line_each() -> None:
    texts = [
        f"The Society of {name}. A title. Press, 200{year}." for year, name in enumerate("ABCD")
    ]
    texts[2:2] = ["The Society of Z. 1999. A long title. Journal Syst.", "Letters."]
    assert [len(entry.lines) for entry in split_entries(set_lines(*texts))] == [1, 1, 2, 1, 1]


def test_split_entries_at_gaps_wider_than_the_leading_even_if_most_are_wide() -> None:
    tops = [700, 680, 660, 640, 630, 610, 590, 570, 560, 540]
    lines = [Line(f"The line at {top} of the year 2001", 1, bottom=top) for top in tops]
    assert [len(entry.lines) for entry in split_entries(lines)] == [1, 1, 1, 2, 1, 1, 2, 1]


def test_split_entries_by_their_words_if_nothing_else_tells_them() -> None:
    texts = (
        "Ann Lee, Bo Fox, and C.",
        "Kim. 2001. The title.",
        "In Proceedings, 4-5.",
        "Dan Ash and Eve Bo. 2002. A",
        "title. Journal of it, 3.",
        "https://doi.org/10.1000/1005-1098(95)00080-",
        "00081-g",
        "Fay Lee. 2003. The last.",
    )
    lines = [Line(text, 1, bottom=700.0 - 10 * place) for place, text in enumerate(texts)]
    assert [len(entry.lines) for entry in split_entries(lines)] == [3, 4, 1]


def test_split_entries_behind_a_line_into_which_the_next_word_would_have_fitted() -> None:
    lines = set_lines(
        "Özdemir A, Fox C. On the counting of sheep.",
        "Journal of Fields 12, 2001: 4.",
        "Society of Shepherds. Counting on: sheep in",
        "old towns. 2002: 77.",
        "Öhman B. Where sheep sleep in the winter of",
        "the year. Proc. IEEE",
        "T. Sheep Technology 34(5), 2003: 254–266.",
        "KIM D Æ. A shepherd in town. Towns 2004: 9.",
    )
    assert [len(entry.lines) for entry in split_entries(lines)] == [2, 2, 3, 1]


@pytest.mark.parametrize("second", ["von Fox C. Lambs", "VON FOX C-D. Lambs", "de la Fox C. Lambs"])
def test_split_entries_begins_at_a_particle_of_a_family_name(second: str) -> None:
    lines = set_lines(
        "Ash D. Counting of sheep in towns.",
        "International J. of Snow. 2012;14(3):114–126.",
        f"{second} and sheep in the hills. In:",
        "Sheep and goats; 1997. p. 121–133.",
        "Kim D. A shepherd in a town. Snow and",
        "Ice. 2004;9:1–9.",
    )
    assert [len(entry.lines) for entry in split_entries(lines)] == [2, 2, 2]


def test_split_entries_of_authors_and_year_keeps_the_venue_behind_the_title() -> None:
    lines = set_lines(
        "Fox, C. (2001). On the counting of sheep.",
        "Management Science, 29(6), 219–231.",
        "Lee, A. and Ray, B. (2002). Sheep in a town",
        "of old. Snow, 77(1).",
        "Ash, D. E., Hill, B., Kim, F., & Szabo, F. (",
        "2003).",
        "Counting On Sheep, Lambs and Rams. Snow, 4.",
    )
    assert [len(entry.lines) for entry in split_entries(lines)] == [2, 2, 3]


def test_split_entries_tells_names_from_what_goes_on() -> None:
    lines = set_lines(
        "Lee, A. Sheep in all of the towns of old.",
        "In Fox, C. (Ed.), A Book of Sheep, 2001, 4.",
        "Ann Kim and Bo Ray. 2002. Lambs in fields.",
        "Journal of Lambs, 4.",
        "Ash, D. Notes of a shepherd.",
        "The shepherds of the town. Notes on wool.",
    )
    assert [len(entry.lines) for entry in split_entries(lines)] == [2, 2, 2]


@pytest.mark.parametrize(
    ("first", "second"), [("Lee, Ann:", "Sheep"), ("Lee, Ann 2001", "Sheep"), ("Lee and", "sheep")]
)
def test_split_entries_adds_no_full_stop_to_other_short_lines(first: str, second: str) -> None:
    rows = [first, f"   {second} in the towns of old and in their fields, 2001. Snow."] * 3
    assert {entry_text(entry) for entry in split_entries(set_lines(*rows))} == {
        f"{first} {second} in the towns of old and in their fields, 2001. Snow."
    }


def test_split_entries_begins_at_an_author_with_others_on_top_of_a_column() -> None:
    plain, others = "Lee B, Fox C. 2001. A title.", "Qiu B-C et al. 2003. A title."
    drawn = [
        Line(text, 1, bottom=top - 10 * row, column=column)
        for begin, column, top in (
            (plain, 0, 700),
            (plain, 0, 670),
            (others, 1, 700),
            (plain, 1, 670),
        )
        for row, text in enumerate((begin, "Journal, 12."))
    ]
    assert [len(entry.lines) for entry in split_entries(drawn)] == [2, 2, 2, 2]


def test_split_entries_ends_people_on_a_line_of_their_own_with_a_full_stop() -> None:
    entries = [
        ("2001 Lee, Ann, and Bo Ray", 700),
        ("   Sheep in the Towns of Old, and in Other", 684),
        ("   Towns. Snow 5: 4.", 674),
        ("2002 Fox, Carl", 658),
        ("   Lambs. Snow 6: 1–2.", 642),
        ("2004 Ash, Dan, Eve Hill, Fay Kim, and Gus Ott", 626),
        ("   Rams in All Towns of Old, and in Villages", 610),
        ("   Nearby. Snow 7: 8.", 600),
    ]
    lines = [
        Line(text.strip(), 1, 6.0 * text.count("   "), 5.0 * len(text), bottom)
        for text, bottom in entries
    ]
    assert [entry_text(entry) for entry in split_entries(lines)] == [
        "2001 Lee, Ann, and Bo Ray. Sheep in the Towns of Old, and in Other Towns. Snow 5: 4.",
        "2002 Fox, Carl. Lambs. Snow 6: 1–2.",
        "2004 Ash, Dan, Eve Hill, Fay Kim, and Gus Ott. Rams in All Towns of Old, and in Villages"
        " Nearby. Snow 7: 8.",
    ]


@given(
    st.lists(
        st.tuples(st.text(max_size=30), st.floats(0, 600), st.floats(0, 800), st.integers(1, 3)),
        max_size=40,
    )
)
def test_split_entries_any_lines_are_parted_without_a_fault(
    drawn: list[tuple[str, float, float, int]],
) -> None:
    lines = [Line(text, page, left=left, bottom=bottom) for text, left, bottom, page in drawn]
    assert sum(len(entry.lines) for entry in split_entries(lines)) <= len(lines)


def test_lines_that_share_no_left_edge_are_parted_too() -> None:
    lines = [
        Line(
            f"A. Lee. A title about snow {place}. 2001.", 1, left=7.0 * place, bottom=700.0 - place
        )
        for place in range(60)
    ]
    assert sum(len(entry.lines) for entry in split_entries(lines)) == 60


def test_split_entries_takes_numbers_for_labels_on_one_line_of_twelve() -> None:
    entry = ["{0}. Ann Lee, The title, 2001,"] + ["continued here,"] * 11
    lines = [line.format(number) for number in (1, 2, 3) for line in entry]
    assert [entry.label for entry in split_entries(set_lines(*lines))] == ["1", "2", "3"]
    longer = [*lines, "and still continued,"]
    assert [entry.label for entry in split_entries(set_lines(*longer))] != ["1", "2", "3"]


def test_split_entries_takes_names_for_labels_on_one_line_of_twelve() -> None:
    entry = ["[{0}] Ann Lee, The title, 2001,"] + ["continued here,"] * 11
    lines = [line.format(label) for label in ("Lee01", "Lee02", "Fox03") for line in entry]
    assert [entry.label for entry in split_entries(set_lines(*lines))] == [
        "Lee01",
        "Lee02",
        "Fox03",
    ]
    longer = [*lines, "and still continued,"]
    assert "Lee02" not in [entry.label for entry in split_entries(set_lines(*longer))]


@pytest.mark.parametrize(
    ("numbers", "places"),
    [
        ([5, 6, 1, 2, 3], [2, 3, 4]),
        ([1, 2, 3, 1, 2], [0, 1, 2]),
        ([2, 3, 4, 1, 2, 3, 9], [0, 1, 2]),
        ([7, 8, 9, 1, 2], [0, 1, 2]),
        ([1, 6, 2, 3], [0, 2, 3]),
        ([1, 5, 9, 14], [0, 1, 2]),
        ([3], [0]),
        ([], []),
    ],
)
def test_counting_is_the_longest_run_and_lists_from_one_around_it(
    numbers: list[int], places: list[int]
) -> None:
    assert counting(list(enumerate(numbers))) == places
