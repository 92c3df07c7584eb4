"""The names of an author field: those that are right stay as they are written, the others become the recorded ones."""

from __future__ import annotations

import re

from citeproof.fields.authors import split_authors
from citeproof.fields.bibtex_entry import written_name
from citeproof.text.names import NameAgreement, compare_names, parse_name

_AND = re.compile(r"\s+and\s+", re.IGNORECASE)
_PARTICLE_LIST = """
van von der den de del della di da dos du la le ter ten zu af al el bin
"""
_PARTICLES = frozenset(_PARTICLE_LIST.split())


def corrected_names(written: str, recorded: tuple[str, ...], *, ascii_only: bool) -> str:
    """Return the author field ``written`` with exactly the people of ``recorded``, in the recorded order.

    ``Doe, J. and Smith, Ann`` with the record ``Jane Doe, Bob Jones`` becomes ``Doe, J. and Jones, Bob``.
    """
    pieces = [piece.strip() for piece in _parts(written)]
    free = [piece for piece in pieces if piece and piece.lower() != "others"]
    family_first = bool(free) and all("," in piece for piece in free)
    new = []
    for name in recorded:
        kept = next((piece for piece in free if _same(piece, name)), None)
        if kept is not None:
            free.remove(kept)
        new.append(kept if kept is not None else _in_style(name, family_first=family_first, ascii_only=ascii_only))
    return " and ".join(new)


def _parts(written: str) -> list[str]:
    """Cut a field at each ``and`` outside braces."""
    parts, start = [], 0
    for match in _AND.finditer(written):
        before = written[: match.start()]
        if before.count("{") == before.count("}"):
            parts.append(written[start : match.start()])
            start = match.end()
    return [*parts, written[start:]]


def _same(piece: str, name: str) -> bool:
    people, _ = split_authors(piece)
    if len(people) != 1:
        return False
    return compare_names(parse_name(people[0]), parse_name(name)) in {NameAgreement.SAME, NameAgreement.MISSPELT}


def _in_style(name: str, *, family_first: bool, ascii_only: bool) -> str:
    words = name.split()
    if not family_first or len(words) < 2:
        return written_name(name, ascii_only=ascii_only)
    cut = len(words) - 1
    while cut > 1 and words[cut - 1].lower() in _PARTICLES:
        cut -= 1
    given, family = (written_name(" ".join(part), ascii_only=ascii_only) for part in (words[:cut], words[cut:]))
    return f"{family}, {given}"
