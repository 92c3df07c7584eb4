"""Report ISBNs with a wrong check digit. No book has such an ISBN."""

from collections.abc import Iterator

from citeproof.text.isbn import is_isbn, isbns_in
from citeproof.verification.validation.case import Case
from citeproof.verification.validation.policy import Difference, found


def rule(case: Case) -> Iterator[Difference]:
    """Report wrong check digits of ISBNs.

    If a record was found, nothing is reported, because the book itself may have the misprint.
    """
    for isbn in () if case.work else isbns_in(case.reference.raw):
        if not is_isbn(isbn):
            yield found("isbn.malformed", isbn)
