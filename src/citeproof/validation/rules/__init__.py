"""The rules, one a file and all of one shape: what do a reference and what is known of the work not agree in?

A module here has ``CODES`` (the codes of the differences that it may bring, each with its meaning) and
``rule(case)``, which returns the differences and looks nothing up. What a difference weighs is the policy's to
say. A new rule is one more module; :func:`differences` finds it.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from typing import TYPE_CHECKING, Protocol, cast

if TYPE_CHECKING:
    from collections.abc import Mapping

    from citeproof.validation.case import Case
    from citeproof.validation.difference import Difference


class Rule(Protocol):
    """The shape of a module of this folder."""

    CODES: Mapping[str, str]

    def rule(self, case: Case) -> tuple[Difference, ...]:
        """Return in what the reference of ``case`` differs, as far as this rule looks."""


@cache
def rules() -> tuple[Rule, ...]:
    """Return the modules of this folder, by name."""
    names = sorted(module.name for module in pkgutil.iter_modules(__path__))
    return tuple(cast("Rule", importlib.import_module(f"{__name__}.{name}")) for name in names)


def differences(case: Case) -> list[Difference]:
    """Return what all rules bring."""
    return [difference for module in rules() for difference in module.rule(case)]
