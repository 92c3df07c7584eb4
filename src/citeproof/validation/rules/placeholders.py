"""Placeholders where authors should be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from citeproof.validation.difference import Difference

if TYPE_CHECKING:
    from citeproof.validation.case import Case

CODES = {"authors.placeholder": "A name is a placeholder, such as 'Anonymous' or 'Firstname Lastname'."}


def rule(case: Case) -> tuple[Difference, ...]:
    """Report the cited names that are no person's, as one difference."""
    if not case.placeholders:
        return ()
    shown = "; ".join(case.placeholders)
    return (Difference("authors.placeholder", shown, "", f"not a person's name: {shown}"),)
