"""All rules together."""

from dataclasses import replace
from pathlib import Path

from citeproof.verification.validation import rules
from tests.verification.validation.cases import case, codes
from tests.verification.validation.conferences import CLAIM, KNOWN, PAPER


def test_rules_are_the_modules_of_the_package() -> None:
    files = Path(rules.__file__).parent.glob("[!_]*.py")
    assert list(rules.RULES) == sorted(path.stem for path in files)


def test_differences_are_those_of_every_rule_in_order() -> None:
    wrong = replace(CLAIM, authors=("Ann Alma", "Xu Yang"), year=2030, doi="12345")
    made = case(wrong, (PAPER,), venues=KNOWN)
    found = rules.differences(made)
    assert found == [one for rule in rules.RULES.values() for one in rule(made)]
    fields = [code.partition(".")[0] for code in codes(found)]
    assert fields == ["version", "doi", "venue", "year"]
