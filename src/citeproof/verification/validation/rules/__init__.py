"""The rules find differences between a reference and the records of its work. Each module is one rule.

A module has ``CODES``, the codes of its differences with their meanings, and ``rule(case)``, which returns the
differences and looks nothing up. The policy weighs them. To add a rule, add a module: :func:`differences` finds it.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Protocol, cast

if TYPE_CHECKING:
    from citeproof.verification.validation.case import Case
    from citeproof.verification.validation.difference import Difference


class Rule(Protocol):
    """Interface of the modules of this package."""

    CODES: Mapping[str, str]

    def rule(self, case: Case) -> tuple[Difference, ...]:
        """Return the differences of ``case`` that this rule finds."""


@cache
def rules() -> tuple[Rule, ...]:
    """Return the modules of this package, sorted by name."""
    names = sorted(module.name for module in pkgutil.iter_modules(__path__))
    return tuple(cast("Rule", importlib.import_module(f"{__name__}.{name}")) for name in names)


def differences(case: Case) -> list[Difference]:
    """Return the differences of all rules."""
    return [difference for module in rules() for difference in module.rule(case)]
