"""Keys and fields of BibTeX entries, and fields that entries inherit."""

import pytest

from citeproof.readers.formats.bibtex.fields import (
    MACROS,
    UnclosedQuoteError,
    inherited,
    is_circular,
    read_fields,
    read_key,
)


@pytest.mark.parametrize(
    ("body", "key", "rest"),
    [
        ("lee19, title = {On ice}", "lee19", " title = {On ice}"),
        (" {lee19} , title = {On ice}", "lee19", " title = {On ice}"),
        ("lee19", "lee19", ""),
        ("lee19 title = {On ice}", "lee19", "title = {On ice}"),
        ("lee lee title = {On ice}", "lee lee", "title = {On ice}"),
        ("title = {On ice}", "", "title = {On ice}"),
        (", title = {On ice}", "", " title = {On ice}"),
    ],
)
def test_read_key_with_and_without_a_comma(body: str, key: str, rest: str) -> None:
    found, end = read_key(body)
    assert (found, body[end:]) == (key, rest)


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        ("title = {On ice}, year = 2001", {"title": "On ice", "year": "2001"}),
        ('TITLE = "On {"}ice{"}"', {"title": 'On {"}ice{"}'}),
        ("title = {A {b {c {d} e}}}", {"title": "A {b {c {d} e}}"}),
        ("title = {A {b {c {d {e {f}}}}}}, a = 1", {"title": "A {b {c {d {e {f}}}}}", "a": "1"}),
        ('month = jan # "~1", year = 2001', {"month": "January~1", "year": "2001"}),
        ("month = 1 # {~} # feb", {"month": "1~February"}),
        ("journal = cacm", {"journal": MACROS["cacm"]}),
        ("journal = JACM", {"journal": MACROS["jacm"]}),
        ("journal = myj", {"journal": "myj"}),
        ("author = mypeople", {"author": ""}),
        ("author = {Lee} # mypeople", {"author": "Lee mypeople"}),
        ("title = {On} {ice}", {"title": "On ice"}),
        ("title = {On ice} year = 2001", {"title": "On ice", "year": "2001"}),
        ("title {On ice}, year = 2001", {"title": "On ice", "year": "2001"}),
        ("title = {On ice},, year = 2001,", {"title": "On ice", "year": "2001"}),
        ("title = {On ice}, % no = {more}\n year = 2001", {"title": "On ice", "year": "2001"}),
        ("year = {2001} % checked\n, pages = 1", {"year": "2001", "pages": "1"}),
        ("title = {}, title = {On ice}, title = {More}", {"title": "On ice"}),
        ('title = "On "thin" ice", year = 2001', {"title": 'On "thin" ice', "year": "2001"}),
        ("title = {On ice", {"title": "On ice"}),
        ("2title = {On ice}, year = 2001", {"year": "2001"}),
        ("title = , year = 2001", {"title": "", "year": "2001"}),
        ("", {}),
    ],
)
def test_read_fields_tolerates_what_bibtex_refuses(body: str, fields: dict[str, str]) -> None:
    assert read_fields(body, 0, MACROS)[0] == fields


@pytest.mark.parametrize(
    ("body", "values"),
    [
        ("title = {On ice}, year = 2001", ["{On ice}", "2001"]),
        ('title = "On ice" , month = jan # "~1" , a = 1', ['"On ice"', 'jan # "~1"', "1"]),
        ("title = {On} {ice} year = {2001}", ["{On} {ice}", "{2001}"]),
        ("title = {}, title = {On ice}", ["{On ice}"]),
    ],
)
def test_read_fields_says_where_each_value_is(body: str, values: list[str]) -> None:
    _, spans = read_fields(f"k, {body}", 2, MACROS, 100)
    text = " " * 100 + f"k, {body}"
    assert [text[span.start : span.end] for span in spans.values()] == values


def test_read_fields_refuses_a_quotation_that_never_ends() -> None:
    with pytest.raises(UnclosedQuoteError):
        read_fields('title = "On ice, year = 2001', 0, MACROS)


VOLUME = {
    "title": "SnowConf",
    "subtitle": "A winter",
    "editor": "E",
    "year": "1999",
    "doi": "10.1/v",
}


@pytest.mark.parametrize(
    ("kind", "child", "added"),
    [
        (
            "inproceedings",
            {"title": "On ice", "crossref": "V"},
            {"booktitle": "SnowConf", "booksubtitle": "A winter", "editor": "E", "year": "1999"},
        ),
        (
            "article",
            {"title": "On ice", "crossref": " v "},
            {
                "journaltitle": "SnowConf",
                "journalsubtitle": "A winter",
                "editor": "E",
                "year": "1999",
            },
        ),
        (
            "inproceedings",
            {"booktitle": "Other", "year": "2001", "crossref": "v"},
            {"editor": "E"},
        ),
        ("inproceedings", {"year": "", "xdata": "v, none"}, VOLUME),
        ("inproceedings", {"crossref": "none"}, {}),
        ("inproceedings", {}, {}),
    ],
)
def test_inherited_fields_of_a_volume_and_of_data(
    kind: str, child: dict[str, str], added: dict[str, str]
) -> None:
    own = {name: value for name, value in child.items() if value}
    assert inherited(kind, child, {"v": VOLUME}) == own | added


def test_inherited_authors_are_not_those_of_a_volume_with_papers() -> None:
    entries = {"v": {"author": "Ann Lee", "title": "All papers"}}
    assert "author" not in inherited("incollection", {"crossref": "v"}, entries)
    assert inherited("inbook", {"crossref": "v"}, entries)["author"] == "Ann Lee"


def test_inherited_fields_come_from_nearer_entries_first_and_from_their_data() -> None:
    entries = {
        "v": {"year": "1999", "crossref": "series", "xdata": "place"},
        "series": {"year": "1990", "publisher": "Ice Press", "crossref": "v"},
        "place": {"number": "4", "xdata": "house"},
        "house": {"publisher": "Snow Press"},
    }
    found = inherited("inproceedings", {"crossref": "v"}, entries)
    assert (found["year"], found["number"], found["publisher"]) == ("1999", "4", "Snow Press")


def test_inherited_values_and_chains_have_limits() -> None:
    long = {"v": {"year": "1" * 2000, "volume": "1" * 2001}}
    assert set(inherited("book", {"crossref": "v"}, long)) == {"crossref", "year"}
    chain = {f"e{number}": {"crossref": f"e{number + 1}"} for number in range(30)}
    for place, found in ((20, True), (21, False)):
        entries = chain | {f"e{place}": {"year": "1999"}}
        assert ("year" in inherited("book", {"crossref": "e1"}, entries)) is found


@pytest.mark.parametrize(
    ("parents", "circular"),
    [
        ({"a": "b", "b": "A"}, True),
        ({"a": "a"}, True),
        ({"a": "b", "b": "c"}, False),
        ({"a": "b", "b": "c", "c": "b"}, False),
        ({}, False),
    ],
)
def test_is_circular_if_crossref_leads_back(parents: dict[str, str], *, circular: bool) -> None:
    entries = {key: {"crossref": parent} for key, parent in parents.items()}
    assert is_circular("A", entries) is circular
