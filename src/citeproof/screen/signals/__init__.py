"""Signals: observations that become visible by comparing many papers, such as a wrong DOI that
several papers share.
"""

from citeproof.screen.results import Finder
from citeproof.screen.signals.failing_together import failing_together
from citeproof.screen.signals.shared import (
    alike_not_found,
    database_gaps,
    same_wrong_details,
    wrong_dois,
)

KINDS: dict[str, Finder] = {
    find.__name__: find
    for find in (failing_together, alike_not_found, same_wrong_details, wrong_dois, database_gaps)
}
"""Map from a kind of observation about papers, such as ``wrong_dois``, to the function that finds
these observations, the kinds that say most about papers first.

The overview page of a screening shows the docstrings of these functions to users.
"""
LABELS = {kind: kind.replace("_", " ").replace("dois", "DOIs") for kind in KINDS}
"""Map from a kind of observation to its name for people, such as ``wrong DOIs``."""
