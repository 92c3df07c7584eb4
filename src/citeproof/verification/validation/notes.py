"""Small differences add up: how rare the notes on a reference are among honest references.

Each note is a usual difference. An honest reference seldom has several of different kinds. The
*joint share* of notes is the product of the shares of honest references that have them. Of notes of
one kind, such as volume and pages, only the rarest counts, because they occur together.

Example: 1.1 % of honest references have the authors in another order, 3.4 % a year that is one off,
2.7 % other pages. If these were independent, one in 100,000 would have all three. That is below
:attr:`Shares.least`, so a reference with all three is SUSPICIOUS (``details.many``).

``python -m tests.accuracy.notes --write`` counts ``notes.json`` on bibliographies of other people.
"""

import json
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from math import prod
from typing import NamedTuple

_KINDS = {
    "title.subtitle": "edition",
    "year.edition": "edition",
    "pages.differ": "place",
    "volume.differs": "place",
    "number.differs": "place",
}
"""Map from a code to its kind, if the part of the code before the point is not the kind."""


FEWEST = 3
"""Minimum number of kinds of notes that count together."""


class Shares(NamedTuple):
    """Shares of honest references, 0 to 1, that have a note."""

    of: Mapping[str, float]
    """Map from the code of a note to its share."""
    least: float
    """Joint share below which at most one honest reference in a thousand is."""


@cache
def shares() -> Shares:
    """Return the measured shares."""
    stored = json.loads(files(__package__).joinpath("notes.json").read_text("utf-8"))
    total = stored["references"]
    return Shares({code: count / total for code, count in stored["with"].items()}, stored["least"])


def kinds_of(codes: Iterable[str], of: Mapping[str, float]) -> dict[str, float]:
    """Return a map from each kind of note in ``codes`` to the share of its rarest note.

    Codes without a measured share are left out.
    """
    rarest: dict[str, float] = {}
    for code in codes:
        if share := of.get(code):
            kind = _KINDS.get(code, code.partition(".")[0])
            rarest[kind] = min(share, rarest.get(kind, 1.0))
    return rarest


def are_too_many(codes: Iterable[str]) -> bool:
    """Return whether hardly an honest reference has all of these notes.

    False for notes of fewer than three kinds.
    """
    measured = shares()
    rarest = kinds_of(codes, measured.of)
    return len(rarest) >= FEWEST and prod(rarest.values()) < measured.least
