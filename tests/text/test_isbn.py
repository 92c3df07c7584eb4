import pytest

from citeproof.text.isbn import isbns_in


@pytest.mark.parametrize(
    ("entry", "found"),
    [
        ("@book{a, isbn = {0-262-03384-4}}", ["0262033844"]),
        ('isbn = "978-0-262-03384-8, 0-8044-2957-x"', ["9780262033848", "080442957X"]),
        ("ISBN={9780822349242 9780822349198}", ["9780822349242", "9780822349198"]),
        ("isbn = {978 0 262 03384 8 (hardcover)}", ["9780262033848"]),
        ('{"ISBN": "9780262033848"}', ["9780262033848"]),
        ("isbn = {0167-8191}", []),
        ("note = {ISBN 1234567890}", []),
    ],
)
def test_isbns_in_an_entry(entry: str, found: list[str]) -> None:
    assert list(isbns_in(entry)) == found
