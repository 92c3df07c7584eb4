import pytest

from citeproof.text import names
from citeproof.text.names import is_placeholder, parse_name


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
