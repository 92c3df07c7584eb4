"""Papers as PDF: lists of references from lines of text."""

import re
from dataclasses import replace

import pytest

from citeproof.model.reference import Bibliography
from citeproof.readers import formats
from citeproof.readers.document import Document
from tests.readers.formats.pdf.typeset import Text, column, pdf

ENTRIES = [
    "Leslie G. Valiant. 1984. A theory of the learnable. Communications",
    "  of the ACM, 27(11):1134-1142.",
    "Donald E. Knuth and Peter B. Bendix. 1970. Simple word problems in uni-",
    "  versal algebras. In Computational Problems in Abstract Algebra, pages",
    "  263-297. Pergamon Press.",
    "Alan M. Turing. 1950. Computing machinery and intelligence. Mind,",
    "  59(236):433-460.",
    "Claude E. Shannon. 1948. A mathematical theory of communication. The",
    "  Bell System Technical Journal, 27(3):379-423.",
]
TITLES = [
    "A theory of the learnable",
    "Simple word problems in universal algebras",
    "Computing machinery and intelligence",
    "A mathematical theory of communication",
]
HEADING = Text(72, 720, "References", size=13)


def read(data: bytes) -> Bibliography:
    return formats.read(Document.of("paper.pdf", data))


def titles(bibliography: Bibliography) -> list[str]:
    return [reference.title for reference in bibliography.references]


def test_read_paper_a_list_with_hanging_indents() -> None:
    body = [Text(72, 740 - 12 * line, f"Words of the paper, line {line}.") for line in range(1, 30)]
    bibliography = read(pdf([body, [HEADING, *column(ENTRIES)]]))
    assert titles(bibliography) == TITLES
    first = bibliography.references[0]
    assert (first.place.page, first.year, first.authors) == (2, 1984, ("Leslie G. Valiant",))
    assert first.from_text
    assert first.raw.startswith("Leslie G. Valiant. 1984.")


def test_read_paper_links_behind_a_reference_give_its_identifiers() -> None:
    first, *rest = column(ENTRIES)
    linked = replace(first, link="https://doi.org/10.1145/1968.1972")
    rest[1] = replace(rest[1], link="https://example.org/10")
    references = read(pdf([[HEADING, linked, *rest]])).references
    assert [reference.doi for reference in references] == ["10.1145/1968.1972", "", "", ""]
    assert references[0].title == TITLES[0]


def test_read_paper_marks_identifiers_that_only_a_link_has() -> None:
    first, *rest = column(ENTRIES)
    rest[0] = replace(rest[0], text=f"{rest[0].text} doi:10.1000/182")
    linked = [replace(line, link="https://doi.org/10.1000/182") for line in (first, rest[2])]
    references = read(pdf([[HEADING, linked[0], *rest[:2], linked[1], *rest[3:]]])).references
    assert [(one.doi, one.linked) for one in references[:2]] == [
        ("10.1000/182", False),
        ("10.1000/182", True),
    ]


def test_read_paper_links_to_two_works_give_none() -> None:
    first, second, *rest = column(ENTRIES)
    ones = [
        replace(first, link="https://arxiv.org/abs/2001.00001"),
        replace(second, link="https://arxiv.org/abs/2001.00002"),
    ]
    assert [
        reference.arxiv_id for reference in read(pdf([[HEADING, *ones, *rest]])).references
    ] == [""] * 4


def test_read_paper_two_columns_are_read_one_after_the_other() -> None:
    left = [Text(72, 720, "References", size=13), *column(ENTRIES[:5], size=7)]
    right = column(ENTRIES[5:], left=330, size=7)
    assert titles(read(pdf([[*right, *left]]))) == TITLES


def test_read_paper_an_address_that_overhangs_its_column_does_not_mix_the_columns() -> None:
    address = "  https://doi.org/10.1145/" + "an-address-" * 4 + "12345"
    words = column([f"Words of the paper, line {line}" for line in range(12)], top=780, size=7)
    entries = column([*ENTRIES[:2], address, *ENTRIES[2:5]], top=610, size=7.3)
    left = [*words, Text(72, 625, "References", size=13), *entries]
    right = column(ENTRIES[5:], left=330, top=610, size=7)
    bibliography = read(pdf([[*left, *right]]))
    assert titles(bibliography) == TITLES
    assert bibliography.references[0].doi.endswith("an-address-12345")


def test_read_paper_a_number_that_ends_an_address_is_no_page_number() -> None:
    lines = [*ENTRIES[:2], "  https://doi.org/10.1145/1968-", "  1972"]
    body = column([*lines, *ENTRIES[2:]], top=114)
    assert read(pdf([[HEADING, *body]])).references[0].doi == "10.1145/1968-1972"


def test_read_paper_numbered_entries_without_an_indent() -> None:
    lines = [
        "[1] L. G. Valiant, A theory of the learnable, Commun. ACM 27 (1984)",
        "1134-1142.",
        "[2] A. M. Turing, Computing machinery and intelligence, Mind 59 (1950)",
        "433-460.",
        "[3] C. E. Shannon, A mathematical theory of communication, Bell Syst. Tech. J. 27 (1948)",
        "379-423.",
    ]
    bibliography = read(pdf([[HEADING, *column(lines)]]))
    assert titles(bibliography) == [TITLES[0], *TITLES[2:]]
    assert [reference.key for reference in bibliography.references] == ["1", "2", "3"]


def test_read_paper_page_numbers_and_running_heads_are_no_part_of_an_entry() -> None:
    half = [*column(ENTRIES[:3], top=690), Text(300, 30, "7")]
    rest = [*column(ENTRIES[3:], top=690), Text(300, 30, "8")]
    head = Text(72, 760, "A Paper by Somebody")
    pages = [[head, HEADING, *half], [head, *rest], [head, Text(72, 600, "The end of it.")]]
    assert titles(read(pdf(pages)))[:4] == TITLES


def test_read_paper_an_appendix_ends_the_list() -> None:
    appendix = [Text(72, 560, "A Proofs of the theorems", size=13)]
    appendix += [
        Text(72, 540 - 12 * line, f"We prove theorem {line}.", size=11) for line in range(9)
    ]
    assert titles(read(pdf([[HEADING, *column(ENTRIES), *appendix]]))) == TITLES


def test_read_paper_line_numbers_of_a_review_copy_are_left_out() -> None:
    lines = [
        Text(40, 700 - 12 * number, f"{120 + number} {text.strip()}")
        for number, text in enumerate(ENTRIES)
    ]
    text = " ".join(reference.raw for reference in read(pdf([[HEADING, *lines]])).references)
    assert "Computing machinery and intelligence" in text
    assert "125" not in text


UNHEADED = [
    "[1] L. G. Valiant. A theory of the learnable. Commun. ACM, 1984.",
    "[2] A. M. Turing. Computing machinery and intelligence. Mind, 1950.",
    "[3] D. E. Knuth. Dynamic Huffman coding. J. Algorithms, 1985.",
    "[4] C. E. Shannon. A mathematical theory of communication. Bell Syst.",
    " Tech. J., 1948.",
    "[5] E. F. Codd. A relational model of data. Commun. ACM, 1970.",
]
BARE = [line[4:] if line.startswith("[") else line for line in UNHEADED]
FULL = ["Leslie Valiant and Ann Lee. 1984. A theory of", " the learnable. Commun. ACM."] * 5


NUMBERED = [
    f"{number} {name} A, Ray B. A study of {name.lower()} lamps. J Lamps 2001;{number}:1-9."
    for number, name in enumerate(
        (f"{first}{second}" for first in ("Ad", "Be", "Ci") for second in ("am", "on", "ur", "yl")),
        start=1,
    )
]


def test_read_paper_bare_numbers_of_entries_are_no_line_numbers() -> None:
    pages = [[HEADING, *column(NUMBERED[:2])], column(NUMBERED[2:], top=740)]
    references = read(pdf(pages)).references
    assert [one.key for one in references] == [str(number) for number in range(1, 13)]
    assert references[-1].authors == ("Ciyl, A.", "Ray, B.")


@pytest.mark.parametrize(
    "behind",
    [
        ["Received 5 May 2012; accepted 7 June 2013."],
        ["Ann Lee received the Ph.D. degree in 1999. Her interests are lamps of", "all kinds."],
        ["P-1 Ann Lee, Bo Kim (Hrsg.): Lampen 2001", "P-2 Cy Ray (Hrsg.): Neue Lampen 2002"],
        ["____________________"],
        ["Received 5 May 2012.", "1. Fox, B.: Lamps in Towns, 1999.", "2. Kim, C.: Rams, 2001."],
    ],
)
def test_read_paper_what_follows_a_list_without_a_heading_is_no_entry(behind: list[str]) -> None:
    found = read(pdf([[HEADING, *column([*ENTRIES, *behind])]]))
    assert titles(found) == TITLES
    assert found.account
    assert found.account.lost == ()


def test_read_paper_footnotes_between_entries_are_left_out() -> None:
    note = column(["goes on from the page before, 1999,", "and ends here."], top=90, size=8)
    pages = [[HEADING, *column(ENTRIES[:5], top=700), *note], column(ENTRIES[5:], top=740)]
    assert titles(read(pdf(pages))) == TITLES


def test_read_paper_entries_behind_the_end_of_a_list_are_lost_and_said() -> None:
    lines = [line.replace(" lamps.", " lamps and snow.") for line in NUMBERED]
    labelled = [re.sub(r"^(\d+) ", r"[\1] ", line) for line in lines]
    behind = ["Limitations", "We thank A. Lee for lamps of 1999.", *labelled[8:10]]
    found = read(pdf([[HEADING, *column([*labelled[:8], *behind])]]))
    assert found.account
    assert (found.account.references, found.account.read) == (8, 8)
    assert [line.text[:4] for line in found.account.lost] == ["[9] ", "[10]"]
    assert [line.page for line in found.account.lost] == [1, 1]


def test_read_paper_footnotes_in_a_list_are_page_furniture() -> None:
    note = column(["1 A note of 1999."], top=90, size=8)
    found = read(pdf([[HEADING, *column(ENTRIES[:5]), *note], column(ENTRIES[5:], top=740)]))
    assert found.account
    assert [(line.kind, line.lost) for line in found.account.unread] == [("page furniture", False)]


def test_read_paper_columns_below_a_text_of_full_width_are_read_one_after_the_other() -> None:
    body = [
        Text(72, 760 - 12 * line, "Words of the paper over both columns. " * 2) for line in range(8)
    ]
    left = [replace(HEADING, bottom=640), *column(ENTRIES[:5], top=620, size=6)]
    right = column(ENTRIES[5:], left=330, top=640, size=6)
    rows = [line for pair in zip(left, right, strict=False) for line in pair]
    rows += [*left[len(right) :], *right[len(left) :]]
    assert titles(read(pdf([[*body, *rows]]))) == TITLES


def test_read_paper_references_in_footnotes_are_read_and_said() -> None:
    cited = [f"{number} {entry}" for number, entry in enumerate(WEBER, start=1)]
    body = [Text(72, 740 - 12 * line, f"Words of the paper, line {line}.") for line in range(1, 30)]
    page = [*body, *column([*cited, "7 Ebd., S. 3."], top=150, size=8)]
    found = read(pdf([page]))
    assert [(one.authors[0], one.year) for one in found.references] == [
        (f"{name}, Max", 1919) for name in NAMES
    ]
    assert [note.code for note in found.diagnostics] == ["pdf.footnotes"]
    assert "6 of its 7 footnotes" in found.diagnostics[0].message


NAMES = ["Weber", "Maier", "Huber", "Bauer", "Lang", "Kurz"]
WEBER = [f"Vgl. {name}, Max (1919): Wissenschaft als Beruf. Berlin: Duncker." for name in NAMES]


@pytest.mark.parametrize("written", [UNHEADED, BARE, FULL])
def test_read_paper_a_list_without_a_heading_is_found_by_its_entries(written: list[str]) -> None:
    body = [
        Text(72, 740 - 12 * line, f"Words of the paper of 1984, line {line}.")
        for line in range(1, 30)
    ]
    bibliography = read(pdf([body, column(written)]))
    assert len(bibliography.references) == 5
    assert bibliography.references[0].title == "A theory of the learnable"
    notes = [note for note in bibliography.diagnostics if note.code.startswith("pdf.")]
    assert [(note.code, note.place.page) for note in notes] == [("pdf.no_heading", 2)]


def test_read_paper_a_text_that_names_people_is_no_list() -> None:
    body = ["A. M. Turing asked in 1950 whether machines think.", " That is known."] * 4
    (entry,) = read(pdf([column(body)])).entries
    assert getattr(entry, "code", "") == "pdf.without_list"
