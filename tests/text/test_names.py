import pytest

from citeproof.text import names
from citeproof.text.names import parse_name


@pytest.mark.parametrize(
    "text",
    [
        "Ada Lovelace", "Guy L. Steele", "J. Smith", "J Smith", "Jun-Yan Zhu", "Wei Wang 0001", "Anne Smith-jones",
        "John Smith Jr", "Md. Kamrul Hasan", "Dr Ada Lovelace", "Open Source Team", "Ada Lovelace 00012", "Jr Phd",
        "Mary-Jane De-La Cruz 0017",
    ],
)  # fmt: skip
def test_parse_name_reads_plain_names_as_any_name_does(text: str) -> None:
    assert parse_name.__wrapped__(text) == names._any_name(text)
