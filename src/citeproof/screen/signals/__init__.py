"""Signals: observations that only many papers together show. A signal has numbers, and accuses nobody."""

from collections.abc import Callable, Iterable

from citeproof.screen.results import Results, Signal
from citeproof.screen.signals.failing_together import failing_together
from citeproof.screen.signals.shared import alike_not_found, database_gaps, same_wrong_details, wrong_dois

KINDS: dict[str, Callable[[Results], Iterable[Signal]]] = {
    find.__name__: find for find in (alike_not_found, database_gaps, failing_together, same_wrong_details, wrong_dois)
}
"""Map from the name of a kind of signals to the function that returns them.

The overview shows the docstring of each function: what a signal of this kind is, and what else may explain it.
"""
