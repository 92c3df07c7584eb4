"""Report placeholders in place of author names, such as "Anonymous"."""

from collections.abc import Iterator

from citeproof.text.names import is_placeholder
from citeproof.verification.validation.case import Case
from citeproof.verification.validation.claim import Form, is_anonymous
from citeproof.verification.validation.policy import Difference, found


def rule(case: Case) -> Iterator[Difference]:
    """Report all placeholders among the authors as one difference.

    Some papers are printed as by "Anonymous". So this is reported only if a record of the work has
    people instead, and neither does the DOI agree nor is another author named. A book may have a
    placeholder as its only author.
    """
    names, authors = case.placeholders, case.reference.authors
    unnamed = len(names) == 1 and is_anonymous(names[0])
    printed = unnamed and (
        len(authors) > 1
        or not case.work
        or any(item.doi for item in case.work)
        or any(is_placeholder(name) for record in case.records for name in record.authors)
    )
    printed = printed or (case.form is Form.BOOK and len(authors) == 1)
    if names and not printed:
        yield found("authors.placeholder", "; ".join(names))
