"""Count how often honest references have each note, for ``validation/notes.json``.

usage: python -m tests.accuracy.notes [--write]   (databases: see ``tests.accuracy.wild``)

Honest references are the VALID entries of all bibliographies that others compiled.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections import Counter
from importlib.resources import files
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any

from citeproof.model.verdict import Status
from citeproof.verification.validation.codes import CODES
from citeproof.verification.validation.notes import FEWEST, kinds_of
from tests.accuracy import wild
from tests.conftest import SHARED

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from citeproof.model.verdict import Verdict

SMALL = ("title.", "authors.", "year.", "pages.", "volume.", "number.")
"""Beginnings of the codes of notes that add up."""
_RAREST = 3
"""Minimum number of references with a note whose share is counted."""


def counted(verdicts: Iterable[Verdict]) -> dict[str, Any]:
    """Return the content of ``notes.json``.

    ``least`` is the largest joint share, to two digits, below which at most one honest reference in
    a thousand is.
    """
    honest = [_notes(verdict) for verdict in verdicts if verdict.status is Status.VALID]
    found = Counter(code for codes in honest for code in codes)
    of = {code: count / len(honest) for code, count in found.items() if count >= _RAREST}
    joint = sorted(_joint(codes, of) for codes in honest)
    return {
        "references": len(honest),
        "with": {code: found[code] for code, _ in found.most_common() if code in of},
        "least": float(f"{min(joint[len(honest) // 1000], _usual(of)):.1e}"),
    }


def _notes(verdict: Verdict) -> set[str]:
    codes = {issue.code for issue in verdict.issues}
    return {code for code in codes if code.startswith(SMALL) and CODES[code].weight == "note"}


def _joint(codes: Iterable[str], of: dict[str, float]) -> float:
    rarest = kinds_of(codes, of)
    return prod(rarest.values()) if len(rarest) >= FEWEST else 1.0


def _usual(of: dict[str, float]) -> float:
    """Return the joint share of the commonest notes of three kinds, and a tenth more.

    No three kinds of notes are usual together: of 4,400 honest references two have them.
    """
    commonest: Sequence[float] = sorted(
        (max(share for code, share in of.items() if kind in kinds_of([code], of)))
        for kind in kinds_of(of, of)
    )
    return 1.1 * prod(commonest[-FEWEST:])


def main() -> None:
    """Print the shares, or write them."""
    verdicts: list[Verdict] = []
    for whole in (False, True):
        with (
            tempfile.TemporaryDirectory() as folder,
            wild.database(SHARED, Path(folder), whole=whole) as opened,
        ):
            bench = wild.bench_on(opened)
            verdicts += (wild.measured_anew if whole else wild.measured)(SHARED, bench).every
    text = json.dumps(counted(verdicts), indent=2) + "\n"
    if sys.argv[1:] == ["--write"]:
        path = files("citeproof.verification.validation").joinpath("notes.json")
        Path(str(path)).write_text(text, "utf-8")
    print(text, end="")


if __name__ == "__main__":
    main()
