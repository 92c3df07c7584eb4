"""Placeholders where authors should be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from citeproof.text.placeholders import is_placeholder
from citeproof.validation.codes import issue

if TYPE_CHECKING:
    from citeproof.models import Issue, Reference


def placeholder_issues(reference: Reference) -> tuple[Issue, ...]:
    """Return one issue where any cited name is a placeholder."""
    found = [name for name in reference.authors if is_placeholder(name)]
    if not found:
        return ()
    shown = "; ".join(found)
    return (issue("authors.placeholder", shown, "", f"not a person's name: {shown}"),)
