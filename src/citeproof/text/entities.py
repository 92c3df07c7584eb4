"""Character entities of HTML and XML, as text."""

from __future__ import annotations

import html

from citeproof.text.encodings import without_controls


def resolve_entities(text: str) -> str:
    """Return ``text`` with ``&amp;``, ``&#233;`` and the like resolved, control characters as spaces; never raises.

    The standard library refuses a number of thousands of digits; a text that holds one comes back unchanged.
    """
    if "&" not in text:
        return text
    try:
        resolved = html.unescape(text)
    except ValueError:
        return text
    return without_controls(resolved)
