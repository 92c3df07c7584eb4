"""Signals: observations that only many papers together show.

A signal states what was seen, with its numbers, and accuses nobody. The package reads the results of a screening; it
checks nothing and writes nothing.
"""

from collections.abc import Callable
from typing import NamedTuple

from citeproof.screen.results import Results, Signal
from citeproof.screen.signals.failing_together import failing_together
from citeproof.screen.signals.shared import alike_not_found, database_gaps, same_wrong_details, wrong_dois


class Kind(NamedTuple):
    """One kind of signal."""

    name: str
    meaning: str
    """What a signal of this kind is, and what else may explain it."""
    find: Callable[[Results], list[Signal]]


KINDS = (
    Kind(
        "alike_not_found",
        "Several papers cite a work that was found nowhere, under titles that are alike, and no more than half of them "
        "agree on its people and on the words of its title. Citations of a real work that the database lacks mostly "
        "do.",
        alike_not_found,
    ),
    Kind(
        "database_gaps",
        "References to one venue and year were not found, and the database holds little of it: this says something "
        "about the database, and nothing about those who cite.",
        database_gaps,
    ),
    Kind(
        "failing_together",
        "Of a paper's references to venues that the database holds, more than chance allows were not found, join the "
        "title of one work to the people of another, or have an identifier that cannot be. Compared is with the other "
        "papers' references to venues held as far, of the same years.",
        failing_together,
    ),
    Kind(
        "same_wrong_details",
        "Several papers have the same wrong details in two references or more. Such entries mostly have one origin: an "
        "earlier paper, a shared bibliography, or what a publisher or a search engine exports. Records may be wrong "
        "too.",
        same_wrong_details,
    ),
    Kind(
        "wrong_dois",
        "Several papers cite a title with a DOI that is another work's, or that cannot be. It mostly comes from where "
        "the entry was exported, and is then no fault of those who cite.",
        wrong_dois,
    ),
)
"""All kinds of signals, by name."""
