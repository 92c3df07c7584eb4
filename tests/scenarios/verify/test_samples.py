"""Real bibliographies: every entry of every file has a verdict."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.program import Program

# BibTeX knows no comment sign outside entries: an @ behind a % begins an entry.
ENTRY = re.compile(
    r"^[ \t%]*@[ \t]*(?!(?:string|preamble|comment)\b)[A-Za-z]\w*[ \t]*[{(]",
    re.MULTILINE | re.IGNORECASE,
)


@pytest.mark.slow
@pytest.mark.shared
def test_totals_add_up_to_the_entries_of_each_file(citeproof: Program, shared: Path) -> None:
    files = [
        path
        for path in sorted((shared / "samples" / "bib").glob("*.bib"))
        if ENTRY.search(text_of(path))
    ]
    done = citeproof("verify", *files, "--format", "json")
    report = json.loads(done.stdout)
    verdicts = Counter(Path(result["file"]).name for result in report["results"])
    assert {path.name: verdicts[path.name] for path in files} == {
        path.name: len(ENTRY.findall(text_of(path))) for path in files
    }
    assert sum(report["statistics"]["by_status"].values()) == sum(verdicts.values())


def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")
