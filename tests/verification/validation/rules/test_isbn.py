import pytest

from citeproof.model.record import Record
from citeproof.model.reference import Reference
from citeproof.verification.validation.rules.isbn import rule
from tests.verification.validation.cases import case, codes


@pytest.mark.parametrize(
    ("isbn", "expected"),
    [
        ("978-0-262-03384-8", []),
        ("0-8044-2957-X", []),
        ("978-0-262-03384-7", ["isbn.malformed"]),
        ("0-262-03384-5", ["isbn.malformed"]),
    ],
)
def test_rule_finds_wrong_check_digits_of_works_that_are_not_found(
    isbn: str, expected: list[str]
) -> None:
    reference = Reference("a", "A book", ("Ada Alma",), raw=f"@book{{a, isbn = {{{isbn}}}}}")
    assert codes(rule(case(reference))) == expected
    found = Record("k", "A book", ("Ada Alma",), source="dblp")
    assert codes(rule(case(reference, [found]))) == []
