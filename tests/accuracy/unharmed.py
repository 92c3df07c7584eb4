"""What ``citeproof fix`` would change in bibliographies that others compiled, with the labels of
their flags.

usage: python -m tests.accuracy.unharmed   (``CITEPROOF_WILD_DB`` names a database that is built
already)
"""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from citeproof.fix.document import Change, Corrected, Corrector
from citeproof.fix.publication import ATTRIBUTES, agreements
from citeproof.model.verdict import Status
from citeproof.readers.document import Document
from citeproof.readers.formats import bibtex
from citeproof.verification.session import Session
from tests.accuracy import wild
from tests.conftest import SHARED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from citeproof.database.lookup import Database
    from citeproof.model.reference import Reference
    from citeproof.verification.pipeline import Examination

SETS = ("wild", "wild2")


@dataclass(frozen=True, slots=True)
class Judged:
    """A change, and what a person found of the entry."""

    bib: str
    change: Change
    status: Status
    """Status of the entry before the change."""
    label: str
    """``honest``, ``fault``, ``unsure`` or ``open``; empty if nobody has judged the entry."""
    is_whole: bool
    """Whether all that the changed entry says of its publication agrees with one record."""

    @property
    def harms(self) -> bool:
        """Whether the change may be of a right field: a misspelt word alone is no right one."""
        right = self.status is Status.VALID and self.change.codes != ("title.misspelt",)
        return right or self.label == "honest" or not self.is_whole

    def __str__(self) -> str:
        change = self.change
        return (
            f"{self.bib} {change.reference.key} ({self.label or 'not judged'}) {change.field}:"
            f" {change.before} -> {change.after}"
        )


def judged(shared: Path, database: Database) -> Iterator[Judged]:
    """Yield every change that a dry run of ``fix`` makes, with the label of the entry."""
    session, labels = Session.over(database), _labels(shared)
    for path in bibliographies(shared):
        examined: dict[str, Examination] = {}

        def examine(reference: Reference, kept: dict[str, Examination] = examined) -> Examination:
            return kept.setdefault(reference.raw, session.pipeline.examine(reference))

        result = corrected(Document.of(path.name, path.read_bytes()), session, examine)
        after = bibtex.read(Document.of(path.name, result.data)).references
        by_key = {one.key: one for one in after}
        for change in result.changes:
            now = examine(by_key[change.reference.key])
            yield Judged(
                path.name,
                change,
                examined[change.reference.raw].verdict.status,
                labels.get((path.stem, change.reference.key), ""),
                change.field not in ATTRIBUTES or _is_whole(session, now),
            )


def bibliographies(shared: Path) -> list[Path]:
    """Return the BibTeX files of both sets."""
    return [
        path for name in SETS for path in sorted((shared / "gold" / name / "bib").glob("*.bib"))
    ]


def corrected(document: Document, session: Session, examine: object = None) -> Corrected:
    """Return a dry run of ``fix`` on ``document``."""
    return Corrector(
        bibtex.read,
        examine or session.pipeline.examine,  # type: ignore[arg-type]
        session.validator,
    ).correct(document)


def _is_whole(session: Session, examination: Examination) -> bool:
    case = session.validator.case(examination.reference, examination.findings)
    return any(all(agreements(item).values()) for item in case.work)


def _labels(shared: Path) -> dict[tuple[str, str], str]:
    found = {}
    for name in SETS:
        lines = (shared / "gold" / name / "labels.jsonl").read_text("utf-8").splitlines()
        for row in map(json.loads, lines):
            found[row["bib"].removesuffix(".bib"), row["key"]] = row["label"]
    return found


def main() -> None:
    """Print every change, those that may do harm last."""
    with tempfile.TemporaryDirectory() as folder, wild.database(SHARED, Path(folder)) as opened:
        found = sorted(judged(SHARED, opened), key=lambda one: one.harms)
    for one in found:
        print("HARM" if one.harms else "    ", one)
    print(Counter(one.label or "not judged" for one in found))


if __name__ == "__main__":
    main()
