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
    for find in (alike_not_found, database_gaps, failing_together, same_wrong_details, wrong_dois)
}
"""Map from a kind of observation about papers, such as ``wrong_dois``, to the function that finds
these observations.

The overview page of a screening shows the docstrings of these functions to users.
"""
