"""Placeholders instead of authors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from citeproof.verification.validation.claim import Form
from citeproof.verification.validation.difference import Difference

if TYPE_CHECKING:
    from citeproof.verification.validation.case import Case

CODES = {"authors.placeholder": "A name is a placeholder, such as 'Anonymous' or 'Firstname Lastname'."}


def rule(case: Case) -> tuple[Difference, ...]:
    """Report all placeholders among the cited names as one difference; a book may have no known author."""
    if not case.placeholders or (case.form is Form.BOOK and len(case.reference.authors) == 1):
        return ()
    shown = "; ".join(case.placeholders)
    return (Difference("authors.placeholder", shown, "", f"not a person's name: {shown}"),)
