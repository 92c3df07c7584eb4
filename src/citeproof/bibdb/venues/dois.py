"""How the DOIs of a volume begin, by which a DOI tells the volume or the venue that it belongs to."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from citeproof.bibdb.venues.counting import commonest, counted

if TYPE_CHECKING:
    from collections.abc import Sequence

_LETTERS = re.compile(r"\D*")
_TO_SEPARATOR = re.compile(r"^(?:.*[./-])?", re.MULTILINE)
_TO_DIGIT = re.compile(r"^[^/\n]*/?[^\d\n]*", re.MULTILINE)
_STEM_SHARE = 0.9
"""A beginning is a volume's own when this share of its DOIs has it."""

_STEM_CHARS = 6
"""A beginning of fewer letters and digits behind the registrant (``10.1117/12.``) is that of many volumes."""


def stem(dois: Sequence[str]) -> str:
    """Return how nearly all DOIs of a volume begin, up to a separator; empty when they have nothing in common."""
    if len(dois) < 10:
        return ""
    stems = counted(_TO_SEPARATOR.findall("\n".join(dois)))
    found = commonest(stems)
    own = sum(char.isalnum() for char in found.partition("/")[2])
    return found if own >= _STEM_CHARS and stems[found] >= _STEM_SHARE * len(dois) else ""


def head(dois: Sequence[str]) -> str:
    """Return the commonest beginning of DOIs up to the first digit behind the registrant: ``10.1609/aaai.v``."""
    return doi_head(commonest(counted(_TO_DIGIT.findall("\n".join(dois))))) if dois else ""


def doi_head(doi: str) -> str:
    """Return a DOI up to the first digit behind its registrant."""
    registrant, _, suffix = doi.partition("/")
    return f"{registrant}/{_LETTERS.match(suffix)[0]}"  # type: ignore[index]
