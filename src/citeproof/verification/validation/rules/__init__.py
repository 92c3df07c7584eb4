"""The rules, one a module with the function ``rule(case)``, find differences between a reference and records."""

from collections.abc import Callable, Iterable, Mapping

from citeproof.verification.validation.case import Case
from citeproof.verification.validation.policy import Difference

from . import absence, authors, identifiers, isbn, pages, placeholders, title, venue, year

_MODULES = (absence, authors, identifiers, isbn, pages, placeholders, title, venue, year)
RULES: Mapping[str, Callable[[Case], Iterable[Difference]]] = {
    module.__name__.rpartition(".")[2]: module.rule for module in _MODULES
}
"""The rules by name, in alphabetical order."""


def differences(case: Case) -> list[Difference]:
    """Return the differences of all rules."""
    return [difference for rule in RULES.values() for difference in rule(case)]
