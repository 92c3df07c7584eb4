"""Report placeholders in place of author names, such as "Anonymous"."""

from collections.abc import Iterator

from citeproof.verification.validation.case import Case
from citeproof.verification.validation.claim import Form
from citeproof.verification.validation.policy import Difference


def rule(case: Case) -> Iterator[Difference]:
    """Report all placeholders among the authors as one difference.

    A book may have a placeholder as its only author.
    """
    if case.placeholders and not (case.form is Form.BOOK and len(case.reference.authors) == 1):
        shown = "; ".join(case.placeholders)
        yield Difference("authors.placeholder", shown, "", f"not a person's name: {shown}")
