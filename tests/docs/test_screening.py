"""``docs/screening.md`` names every column of every table, and every signal."""

import re
from pathlib import Path

from citeproof.screen.signals import KINDS
from citeproof.screen.tables import SCHEMAS

PAGE = (Path(__file__).parents[2] / "docs" / "screening.md").read_text("utf-8")


def test_every_column_has_its_line() -> None:
    documented: dict[str, list[str]] = {}
    table = ""
    for first, columns in re.findall(
        r"^\| ?(`\w+`|) ?\| ((?:`\w+`(?:, )?)+) \|", PAGE, re.MULTILINE
    ):
        table = first.strip("`") or table
        documented.setdefault(table, []).extend(re.findall(r"`(\w+)`", columns))
    assert {name: sorted(documented[name]) for name in SCHEMAS} == {
        name: sorted(columns) for name, columns in SCHEMAS.items()
    }


def test_every_signal_has_its_line() -> None:
    named = re.findall(
        r"^\| `(\w+)` \|", PAGE.partition("## Signals across papers")[2], re.MULTILINE
    )
    assert set(named) == set(KINDS)
    assert len(named) >= 4
