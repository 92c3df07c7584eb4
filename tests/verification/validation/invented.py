"""Invented references and records, and what every rule says of them.

``tests/data/verdict/invented.jsonl`` has a case in each line: a reference, what was found, and what
the venue table answers. They were drawn at random from few names, titles and venues, and those were
kept of which each shows a condition that the others do not. ``python -m
tests.verification.validation.invented`` writes what is said anew after a rule was changed; the diff
shows what the rule does.
"""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any, cast

from citeproof.verification.evidence.line import AskedVenues, Evidence, Figures
from citeproof.verification.validation.compare.venues import Venues
from citeproof.verification.validation.identity import identify
from citeproof.verification.validation.policy import DEFAULT
from citeproof.verification.validation.rules import RULES
from citeproof.verification.validator import Validator

DATA = Path(__file__).parents[2] / "data" / "verdict" / "invented.jsonl"
_COMMON = {
    "program": "",
    "rules": "",
    "day": "2026-11-20",
    "database": {},
    "policy": Figures.of(DEFAULT),
    "verdict": {"status": "VALID", "reason": "", "confidence": 0.5},
}


def cases() -> list[dict[str, Any]]:
    """Return the cases, as the file has them."""
    return [json.loads(line) for line in DATA.read_text("utf-8").splitlines()]


def says(case: dict[str, Any]) -> dict[str, Any]:
    """Return what is decided on a case: the verdict, the differences by rule, and what each record
    is to the reference. A code in brackets is a note.
    """
    given = {name: case[name] for name in ("reference", "findings", "venues")}
    evidence = Evidence.model_validate({**_COMMON, **given})
    reference, findings = evidence.reference, evidence.findings
    venues = cast("Venues", AskedVenues(answers=evidence.answers()))
    validator = Validator(venues, today=lambda: date(2026, 11, 20))
    verdict = validator.decide(reference, findings)
    examined = validator.case(reference, findings)
    codes = (one.code if one.counts else f"({one.code})" for one in verdict.issues)
    best = [verdict.best_match.record.key] if verdict.best_match else []
    found = {
        name: [f"{one.code}: {one.cited} -> {one.recorded}" for one in rule(examined)]
        for name, rule in RULES.items()
    }
    return {
        "verdict": " ".join((verdict.status.value, verdict.reason, *codes, *best)),
        "rules": {name: said for name, said in found.items() if said},
        "records": {item.record.key: identify(item).name for item in examined.compared},
        "work": [item.record.key for item in examined.work],
    }


def main() -> None:
    """Write what is said of each case anew."""
    lines = (json.dumps({**case, "says": says(case)}, ensure_ascii=False) for case in cases())
    DATA.write_text("".join(f"{line}\n" for line in list(lines)), "utf-8")


if __name__ == "__main__":
    main()
