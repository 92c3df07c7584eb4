import pytest

from citeproof.text import names
from citeproof.text.names import family_finder, is_anonymous, is_placeholder, parse_name


@pytest.mark.parametrize(
    "text",
    [
        "Ada Lovelace",
        "Guy L. Steele",
        "J. Smith",
        "J Smith",
        "Jun-Yan Zhu",
        "Wei Wang 0001",
        "Anne Smith-jones",
        "John Smith Jr",
        "Md. Kamrul Hasan",
        "Dr Ada Lovelace",
        "Open Source Team",
        "Ada Lovelace 00012",
        "Jr Phd",
        "Mary-Jane De-La Cruz 0017",
    ],
)
def test_parse_name_reads_plain_names_as_any_name_does(text: str) -> None:
    assert parse_name.__wrapped__(text) == names._any_name(text)


PLACEHOLDERS = [
    "Anonymous",
    "Anonymous Authors",
    "John Doe",
    "Doe, Jane",
    "Firstname Lastname",
    "Author One",
    "First Author",
]
PEOPLE = ["John Doerr", "Jane Smith", "Ann Author-Smith", "Donald E. Knuth", "Name Lee", "Ibn Sina"]


@pytest.mark.parametrize("name", PLACEHOLDERS)
def test_is_placeholder_accepts_placeholders(name: str) -> None:
    assert is_placeholder(name)


@pytest.mark.parametrize("name", PEOPLE)
def test_is_placeholder_refuses_people(name: str) -> None:
    assert not is_placeholder(name)


def test_is_anonymous_says_that_the_author_is_not_named() -> None:
    assert [is_anonymous(name) for name in ("Anonymous", "N/A", "John Doe")] == [True, True, False]


def test_family_finder_finds_a_family_name_although_spaces_were_lost() -> None:
    has = family_finder("A.Lovelace and Guy L. Steele, On lamps")
    assert [has(name) for name in ("Ada Lovelace", "Guy Steele", "Bo Lamp")] == [True, True, False]
    assert not has("")
