import pytest

from citeproof.readers.lists.described import described, is_field, table_row


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Authors: A. Lee", True),
        ("- **Authors:** A. Lee", True),
        ("  * Author(s): A. Lee", True),
        ("Published in: Nature", True),
        ("**Title**: On sheep", True),
        ("Authors:", False),
        ("The authors: A. Lee", False),
        ("Abstract: On sheep", False),
        ("A. Lee. On sheep: A survey", False),
    ],
)
def test_is_field_needs_a_known_label_and_a_value(line: str, *, expected: bool) -> None:
    assert is_field(line) is expected


def test_table_row_takes_the_cells_of_a_row() -> None:
    assert table_row(" | 1 | On sheep |  | 2019 | ") == ["1", "On sheep", "", "2019"]


def test_described_joins_labelled_lines_in_the_order_of_a_reference() -> None:
    lines = ["Year: 2019", "Title: On sheep.", "Authors: A. Lee and B. Fox", "Journal: J. Wool"]
    expected = "A. Lee and B. Fox. “On sheep.” J. Wool, 2019"
    assert described(lines) == expected
    assert described([*lines, "DOI: 10.1145/1.2"]) == f"{expected} 10.1145/1.2"
    assert described([*lines, "Pages: 11-29"]) == expected.replace("2019", "11-29, 2019")


def test_described_takes_a_line_without_label_for_the_title_or_else_for_the_venue() -> None:
    assert described(["3. **On sheep**", "Authors: A. Lee"]) == "A. Lee. “On sheep.”"
    assert described(["J. Wool", "Title: On sheep"]) == "“On sheep.” J. Wool"


def test_described_is_empty_without_a_label_of_people_or_title() -> None:
    assert described(["On sheep", "Year: 2019"]) == ""
    assert described([]) == ""


def test_described_reads_the_row_of_a_table() -> None:
    columns = ["#", "Title", "Author(s)", "Years", "Link"]
    row = ["1", "On sheep", "A. Lee", "2019", "https://doi.org/10.1145/1.2"]
    assert described(row, columns) == "A. Lee. “On sheep.” 2019 https://doi.org/10.1145/1.2"
    assert described(["7", "A. Lee. On sheep", "2019 "], ["#", "Reference", "Read"]) == (
        "A. Lee. On sheep"
    )
    assert described(row[:3], columns) == "A. Lee. “On sheep.”"
