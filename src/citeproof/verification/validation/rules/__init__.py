"""The rules find differences between a reference and records. Each module has a function
``rule(case)``, which returns or yields the differences of one kind.
"""

from collections.abc import Callable, Iterable, Mapping

from citeproof.verification.validation.case import Case
from citeproof.verification.validation.policy import Difference

from . import absence, authors, identifiers, isbn, pages, placeholders, title, venue, year

_MODULES = (absence, authors, identifiers, isbn, pages, placeholders, title, venue, year)
RULES: Mapping[str, Callable[[Case], Iterable[Difference]]] = {
    module.__name__.rpartition(".")[2]: module.rule for module in _MODULES
}
"""Map from the name of a rule to its function, in alphabetical order."""


def differences(case: Case) -> list[Difference]:
    """Return the differences that all rules find."""
    return [difference for rule in RULES.values() for difference in rule(case)]
