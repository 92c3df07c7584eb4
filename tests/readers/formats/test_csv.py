"""Tables of references."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeproof.readers.document import Document
from citeproof.readers.formats import csv


def test_read_the_separator_is_the_one_of_the_header() -> None:
    for sign in "\t;,":
        text = (
            sign.join(("Title", "Author", "Year"))
            + "\n"
            + sign.join(("On winter", "Ann Lee", "2019"))
            + "\n"
        )
        (one,) = csv.read(Document.of_text(text)).references
        assert (one.title, one.authors, one.year) == ("On winter", ("Ann Lee",), 2019)


TABLES = {
    "PubMed": (
        'PMID,Title,Authors,Journal/Book,Publication Year\n1,On winter,"Lee A, Ray B.",Ice,2019'
    ),
    "Lens": (
        "#,Lens ID,Title,Publication Year,Source Title,Author/s\n1,2,On winter,2019,Ice,Ann Lee;"
        " Bob Ray"
    ),
    "Dimensions": (
        '"About the data: x"\nTitle,Source title,PubYear,Authors\nOn winter,Ice,2019,"Lee, Ann;'
        ' Ray, Bob"'
    ),
    "sep": 'sep=;\nTitle;Authors;Year;Journal\nOn winter;"Lee, Ann; Ray, Bob"; 2019;Ice',
    "comment": (
        '# of the group\n\nTitle,Author,Year,Venue\nOn winter,"Lee, Ann and Ray, Bob",2019,Ice'
    ),
    "Web of Science": (
        "PT\tAU\tAF\tTI\tSO\tPY\nJ\tLee, A; Ray, B\tLee, Ann; Ray, Bob\tOn winter\tIce\t2019"
    ),
    "OpenAlex": (
        "id,title,publication_year,primary_location.source.display_name,authorships.author.display_name\nW1,On"
        " winter,2019,Ice,Ann Lee|Bob Ray"
    ),
}
WRITTEN = {
    "PubMed": ("Lee A", "Ray B."),
    "Lens": ("Ann Lee", "Bob Ray"),
    "OpenAlex": ("Ann Lee", "Bob Ray"),
}
"""How the people of a table are written, where it is not with the family name first."""


def test_read_takes_volume_number_and_pages_of_web_of_science() -> None:
    text = "PT\tAU\tTI\tPY\tVL\tIS\tBP\tEP\nJ\tLee, A\tOn winter\t2019\t7\t2\t3\t9\n"
    (one,) = csv.read(Document.of_text(text)).references
    assert (one.volume, one.number, one.pages) == ("7", "2", "3–9")


@pytest.mark.parametrize("source", TABLES)
def test_accepts_tables_of_databases(source: str) -> None:
    text = TABLES[source]
    document = Document.of_text(text + "\n", "table.txt")
    assert csv.accepts(document) == 2
    (one,) = csv.read(document).references
    assert (one.title, one.year, one.venue, one.line) == (
        "On winter",
        2019,
        "Ice",
        text.count("\n") + 1,
    )
    assert one.authors == WRITTEN.get(source, ("Lee, Ann", "Ray, Bob"))
    assert one.raw == text.rpartition("\n")[2]


def test_accepts_a_table_without_a_title_is_named() -> None:
    document = Document.of_text("name,age\nAnn,7\n", "people.csv")
    assert csv.accepts(document) == 0
    (entry,) = csv.read(document).entries
    assert (entry.line, getattr(entry, "code", "")) == (1, "csv.no_header")


def test_read_a_row_that_is_too_long_for_a_table_costs_itself() -> None:
    text = "title,year\nOne,2001\n" + "x" * 200_000 + ",2002\nThree,2003\n"
    one, two, three = csv.read(Document.of_text(text)).entries
    assert [getattr(one, "title", ""), getattr(three, "title", "")] == ["One", "Three"]
    assert (getattr(two, "code", ""), two.line) == ("csv.malformed", 3)


@given(st.lists(st.sampled_from(["a", ",", '"', "\n", " ", ";"]), max_size=60))
def test_read_every_row_is_within_the_document_and_in_order(pieces: list[str]) -> None:
    document = Document.of_text("title,authors\n" + "".join(pieces))
    spans = [entry.place.span for entry in csv.read(document).entries]
    starts = [span.start for span in spans if span]
    assert len(starts) == len(spans)
    assert starts == sorted(set(starts))
    assert all(span and span.end <= len(document.text) for span in spans)


@pytest.mark.parametrize(
    ("header", "row", "pages"),
    [
        ("Title,Page start,Page end", "On ice,3,9", "3–9"),
        ("Title,BP,EP", "On ice,3,", "3"),
        ("Title,First page,Last page", "On ice,,9", ""),
        ("Title,Pages,Page start,Page end", "On ice,1-2,3,9", "1-2"),
    ],
)
def test_read_pages_may_be_in_two_columns(header: str, row: str, pages: str) -> None:
    (one,) = csv.read(Document.of_text(f"{header}\n{row}\n")).references
    assert one.pages == pages


def test_read_a_row_may_be_short_or_blank_and_a_column_may_be_named_twice() -> None:
    text = "\n#c\nTitle;Year;Year;Author\nOn ice\n;;;\nOn snow;2001;2002;Ann Lee|Bo Ray\n"
    first, second = csv.read(Document.of_text(text)).references
    assert (first.title, first.year, first.line) == ("On ice", None, 4)
    assert (second.year, second.authors, second.line) == (2001, ("Ann Lee", "Bo Ray"), 6)


@pytest.mark.parametrize(
    ("header", "sure"),
    [("Title", 0), ("Title,Colour", 1), ("Title,Authors", 2), ("Name,Authors", 0), ("", 0)],
)
def test_accepts_a_table_with_titles_and_another_column(header: str, sure: int) -> None:
    assert csv.accepts(Document.of_text(f"{header}\nOn ice,x\n")) == sure
