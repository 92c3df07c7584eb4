"""Report placeholders instead of author names, such as "Anonymous"."""

from collections.abc import Iterator

from citeproof.text.names import is_anonymous, is_placeholder
from citeproof.verification.validation.case import Case
from citeproof.verification.validation.claim import Form
from citeproof.verification.validation.policy import Difference, found


def rule(case: Case) -> Iterator[Difference]:
    """Report all placeholders among the authors as one difference.

    Some papers are printed with the author "Anonymous". Therefore "Anonymous" is reported only if
    no other author is cited, a record of the work was found, no record has a placeholder, and the
    DOI does not agree. A book may have any placeholder as its only author.
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
