"""Signals: observations from the comparison of many papers, such as a wrong DOI that several papers
share.
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
"""Map from the name of a kind of signal, such as ``wrong_dois``, to the function that finds its
signals. The kinds that say most about papers come first.

The overview page of a screening shows the docstrings of these functions to users.
"""
LABELS = {kind: kind.replace("_", " ").replace("dois", "DOIs") for kind in KINDS}
"""Map from the name of a kind of signal to the name that users see, such as ``wrong DOIs``."""
