"""Decide whether a reference has too many small differences (notes), measured by how rare they are
among honest references.

A single note is usual. An honest reference seldom has notes of several kinds. The *joint share* of
several notes is the product of their shares: the shares of honest references that have the note. If
several notes are of one kind, such as volume and pages, only the rarest note is used, because such
notes occur together.

Example: 1.0 % of honest references have the authors in another order, 3.4 % have a year that is one
too early or too late, and 2.7 % have other pages. If these differences were independent, one
reference in 100,000 would have all three. This share is below :data:`LEAST`, so a reference
with all three is SUSPICIOUS (``details.many``).

``python -m tests.accuracy.notes --write`` counts the notes in bibliographies by other authors, and
writes ``notes.json``.
"""

import json
from collections.abc import Iterable, Mapping
from importlib.resources import files
from math import prod

_KINDS = {
    "title.subtitle": "edition",
    "year.edition": "edition",
    "pages.differ": "place",
    "volume.differs": "place",
    "number.differs": "place",
}
"""Map from the code of a note to its kind. For other codes, the kind is the part before the
point.
"""


FEWEST = 3
"""Minimum number of different kinds of notes that can make a reference SUSPICIOUS."""


_STORED = json.loads(files(__package__).joinpath("notes.json").read_text("utf-8"))
SHARES: Mapping[str, float] = {
    code: count / _STORED["references"] for code, count in _STORED["with"].items()
}
"""Map from the code of a note to the share of honest references that have the note, 0 to 1."""
LEAST: float = _STORED["least"]
"""Notes with a joint share below this value are too many. At most one honest reference in a
thousand has such notes.
"""


def kinds_of(codes: Iterable[str], of: Mapping[str, float]) -> dict[str, float]:
    """Return a map from each kind of note in ``codes`` to the share of its rarest note.

    ``of`` maps a code to the share of honest references that have the note. Codes that are not in
    ``of`` are left out.
    """
    rarest: dict[str, float] = {}
    for code in codes:
        if share := of.get(code):
            kind = _KINDS.get(code, code.partition(".")[0])
            rarest[kind] = min(share, rarest.get(kind, 1.0))
    return rarest


def are_too_many(codes: Iterable[str]) -> bool:
    """Return whether hardly any honest reference has notes with all of these ``codes``.

    False for notes of fewer than three kinds.
    """
    rarest = kinds_of(codes, SHARES)
    return len(rarest) >= FEWEST and prod(rarest.values()) < LEAST
