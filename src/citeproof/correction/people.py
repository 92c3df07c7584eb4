"""The names of an author field: those that are right stay as they are written, the others become the recorded ones."""

from __future__ import annotations

import re

from citeproof.fields.authors import split_authors
from citeproof.fields.bibtex_entry import written_name
from citeproof.text.names import Name, NameAgreement, parse_name
from citeproof.validation.compare.authors import pair_names, people_of

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
    pieces = [piece for piece in pieces if piece and piece.lower() != "others"]
    family_first = bool(pieces) and all("," in piece for piece in pieces)
    kept = _kept(pieces, recorded)
    new = (
        pieces[kept[place]] if place in kept else _in_style(name, family_first=family_first, ascii_only=ascii_only)
        for place, name in enumerate(recorded)
    )
    return " and ".join(new)


def _kept(pieces: list[str], recorded: tuple[str, ...]) -> dict[int, int]:
    """Return for places of ``recorded`` the place of the piece that is this person's name.

    Equal names come before those that may be equal: ``Yi-min Yang`` could be ``Yi-min Xia`` with the family name first,
    and is ``Yi-min Yang``.
    """
    names = [parse_name(name) for name in recorded]
    people = {place: name for place, piece in enumerate(pieces) if (name := _one_person(piece, names))}
    kept: dict[int, int] = {}
    for place, name in enumerate(names):
        alike = [own for own, person in people.items() if person.words == name.words]
        if alike:
            kept[place] = min(alike, key=lambda own: abs(own - place))
            del people[kept[place]]
    own_places, free = list(people), [place for place in range(len(names)) if place not in kept]
    pairs = pair_names([people[own] for own in own_places], [names[place] for place in free])
    sure = {NameAgreement.SAME, NameAgreement.MISSPELT}
    return kept | {free[other]: own_places[own] for own, (other, agreement) in pairs.items() if agreement in sure}


def _parts(written: str) -> list[str]:
    """Cut a field at each ``and`` outside braces."""
    parts, start = [], 0
    for match in _AND.finditer(written):
        before = written[: match.start()]
        if before.count("{") == before.count("}"):
            parts.append(written[start : match.start()])
            start = match.end()
    return [*parts, written[start:]]


def _one_person(piece: str, recorded: list[Name]) -> Name | None:
    """Return the name of ``piece``; None where it names several people, also two of the record, parted by a comma."""
    people, _ = split_authors(piece)
    both = [parse_name(person) for name in people for person in people_of(name)]
    if len(both) > len(people) and len(pair_names(both, recorded)) == len(both):
        return None
    return parse_name(people[0]) if len(people) == 1 else None


def _in_style(name: str, *, family_first: bool, ascii_only: bool) -> str:
    words = name.split()
    if not family_first or len(words) < 2:
        return written_name(name, ascii_only=ascii_only)
    cut = len(words) - 1
    while cut > 1 and words[cut - 1].lower() in _PARTICLES:
        cut -= 1
    given, family = (written_name(" ".join(part), ascii_only=ascii_only) for part in (words[:cut], words[cut:]))
    return f"{family}, {given}"
