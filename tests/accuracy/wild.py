"""Count the flags on bibliographies that others compiled: on honest references and on references
with faults. A person has judged these flags.

usage: python -m tests.accuracy.wild [wild2]   (``CITEPROOF_WILD_DB`` names a database that is
already built, ``CITEPROOF_BIG_DB`` the one for the second set)

The database of the first set is built from both DBLP files of ``../shared/corpus``, that of the
second from all three. The output says for each labelled flag whether it is still raised, and lists
the flags that nobody has judged.
"""

from __future__ import annotations

import json
import lzma
import os
import shutil
import sys
import tempfile
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from citeproof.database.building.builder import build
from citeproof.database.building.title_indexer import TitleIndexer
from citeproof.database.lookup import Database
from citeproof.model.reference import Reference, Severity
from citeproof.model.verdict import FLAGGED, Status
from citeproof.readers.document import Document
from citeproof.readers.fields.from_python import accept
from citeproof.readers.formats import bbl, bibtex
from citeproof.verification.validator import Validator
from tests.accuracy.conftest import TODAY, Bench
from tests.conftest import SHARED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from citeproof.model.verdict import Verdict

BIBLIOGRAPHIES = ("udl", "cardoso", "akhirsch", "kiefer", "rubens", "carraher")
CORPUS = ("dblp-sample.xml.gz", "dblp-wild.xml.gz")
REST = "dblp-rest.xml.xz"
APACITE = "beren.bbl"
"""The bibliography of the second set whose style was not read when it was labelled."""


@dataclass(frozen=True, slots=True)
class Label:
    """What a person found of one flag."""

    bib: str
    key: str
    label: str
    """``honest``, ``fault`` or ``unsure``."""
    kind: str
    codes: tuple[str, ...]
    """Codes that the labelled version raised."""
    note: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """The verdicts on the six bibliographies beside the labels."""

    verdicts: dict[str, list[Verdict]]
    """Bibliography to its verdicts."""
    labels: tuple[Label, ...]

    @property
    def every(self) -> list[Verdict]:
        """All verdicts."""
        return [verdict for verdicts in self.verdicts.values() for verdict in verdicts]

    def labelled(self, label: str) -> list[Label]:
        """Return the labels of one kind."""
        return [each for each in self.labels if each.label == label]

    def verdict(self, label: Label) -> Verdict:
        """Return the verdict on a labelled entry."""
        return next(one for one in self.verdicts[label.bib] if one.reference.key == label.key)

    def still_flagged(self, label: str) -> list[Label]:
        """Return the labels of one kind whose entries are flagged."""
        return [each for each in self.labelled(label) if is_flagged(self.verdict(each))]

    def unlabelled(self) -> list[tuple[str, Verdict]]:
        """Return the flags that nobody has judged."""
        judged = {(each.bib, each.key) for each in self.labels}
        pairs = ((bib, verdict) for bib, verdicts in self.verdicts.items() for verdict in verdicts)
        return [
            (bib, one)
            for bib, one in pairs
            if is_flagged(one) and (bib, one.reference.key) not in judged
        ]

    def figures(self) -> dict[str, float]:
        """Return what the floors are about."""
        honest, faults = self.labelled("honest"), self.labelled("fault")
        decided = [verdict for verdict in self.every if is_decided(verdict)]
        return {
            "honest_gone": 1 - len(self.still_flagged("honest")) / len(honest),
            "faults_kept": len(self.still_flagged("fault")) / len(faults),
            "invalid": sum(verdict.status is Status.INVALID for verdict in self.every),
            "flagged": sum(map(is_flagged, decided)) / len(decided),
            "decided": len(decided),
        }


def is_flagged(verdict: Verdict) -> bool:
    """Whether a verdict accuses."""
    return verdict.status in FLAGGED


def is_decided(verdict: Verdict) -> bool:
    """Whether a verdict says anything."""
    return verdict.status in FLAGGED or verdict.status is Status.VALID


def codes_of(verdict: Verdict) -> tuple[str, ...]:
    """Return the codes that count against a reference."""
    return tuple(
        dict.fromkeys(issue.code for issue in verdict.issues if issue.severity is Severity.ISSUE)
    )


@contextmanager
def database(shared: Path, folder: Path, *, whole: bool = False) -> Iterator[Database]:
    """Open the database of both DBLP files, or of all three if ``whole``; build it in ``folder``
    unless one is named.
    """
    named = os.environ.get("CITEPROOF_BIG_DB" if whole else "CITEPROOF_WILD_DB")
    path = Path(named) if named else folder / "wild.db"
    if not named:
        dumps = [shared / "corpus" / name for name in CORPUS]
        if whole:
            dumps.append(folder / REST.removesuffix(".xz"))
            with lzma.open(shared / "corpus" / REST) as packed, dumps[-1].open("wb") as plain:
                shutil.copyfileobj(packed, plain)
        build(dumps, path, titles=TitleIndexer(path))
    with Database.open(path) as opened:
        yield opened


def bench_on(opened: Database) -> Bench:
    """Return what measures on ``opened``."""
    return Bench(opened, Validator(opened.venues, today=lambda: TODAY))


def checked(bench: Bench, path: Path) -> list[Verdict]:
    """Return the verdicts on the entries of a ``.bib`` or ``.bbl`` file."""
    reader = bbl if path.suffix == ".bbl" else bibtex
    return bench.measure(reader.read(Document.of(path.name, path.read_bytes())).references).verdicts


def labels(shared: Path, folder: str = "wild") -> tuple[Label, ...]:
    """Return the labels of the bibliographies in a folder."""
    text = (shared / "gold" / folder / "labels.jsonl").read_text("utf-8")
    return tuple(
        Label(
            row["bib"],
            row["key"],
            row["label"],
            row["class"],
            tuple(row["codes"]),
            row.get("note") or row["why"],
        )
        for row in map(json.loads, text.splitlines())
    )


def measured(shared: Path, bench: Bench) -> Outcome:
    """Return the verdicts on the six bibliographies."""
    folder = shared / "gold" / "wild" / "bib"
    return Outcome(
        {name: checked(bench, folder / f"{name}.bib") for name in BIBLIOGRAPHIES}, labels(shared)
    )


def measured_anew(shared: Path, bench: Bench) -> Outcome:
    """Return the verdicts on the 26 bibliographies of the second set."""
    paths = sorted((shared / "gold" / "wild2" / "bib").iterdir())
    return Outcome({path.name: checked(bench, path) for path in paths}, labels(shared, "wild2"))


def well_known(shared: Path, bench: Bench) -> list[Verdict]:
    """Return the verdicts on famous works as people export them."""
    return checked(bench, shared / "gold" / "wild" / "well_known.bib")


def invented(shared: Path, bench: Bench) -> list[Verdict]:
    """Return the verdicts on the references, as fields, that chairs named as not real."""
    rows = map(
        json.loads, (shared / "gold" / "wild" / "iclr2026.jsonl").read_text("utf-8").splitlines()
    )
    return bench.measure([of_row(row) for row in rows]).verdicts


def of_row(row: dict[str, Any]) -> Reference:
    return accept(
        Reference(**{"key": row.pop("id"), **{name: row[name] for name in row if name != "text"}})
    )


def _table(
    title: str, before: Sequence[Label], now: Sequence[Label], by: Callable[[Label], Sequence[str]]
) -> None:
    """Print how many flags there were and are, by class or code."""
    was, is_ = (Counter(name for label in each for name in by(label)) for each in (before, now))
    print(
        title, "  ".join(f"{name or '-'} {is_[name]}/{count}" for name, count in was.most_common())
    )


def _listed(
    title: str, pairs: Sequence[tuple[str, Verdict]], notes: dict[tuple[str, str], str]
) -> None:
    """Print flags, one per line."""
    print(f"\n{title}: {len(pairs)}")
    for bib, verdict in pairs:
        note = notes.get((bib, verdict.reference.key), "")
        print(
            f"  {verdict.status[:4]} {bib} {verdict.reference.key} {','.join(codes_of(verdict))} |"
            f" {note}"
        )


def main() -> None:
    """Print all figures, and the flags one by one."""
    second = sys.argv[1:] == ["wild2"]
    with (
        tempfile.TemporaryDirectory() as folder,
        database(SHARED, Path(folder), whole=second) as opened,
    ):
        bench = bench_on(opened)
        outcome = (measured_anew if second else measured)(SHARED, bench)
        famous, chairs = well_known(SHARED, bench), invented(SHARED, bench)
    for bib, verdicts in outcome.verdicts.items():
        decided = sum(map(is_decided, verdicts))
        print(
            f"{bib:10} entries {len(verdicts)}  decided {decided}  flagged"
            f" {sum(map(is_flagged, verdicts))}"
        )
    print("  ".join(f"{name} {value:.4g}" for name, value in outcome.figures().items()))
    for label in ("honest", "fault", "unsure"):
        before, now = outcome.labelled(label), outcome.still_flagged(label)
        print(f"\n{label}: {len(now)} of {len(before)} flagged")
        _table("  by class:", before, now, lambda each: (each.kind,))
        _table("  by code: ", before, now, lambda each: each.codes)
    notes = {(each.bib, each.key): f"{each.kind}: {each.note}" for each in outcome.labels}
    honest = [(each.bib, outcome.verdict(each)) for each in outcome.still_flagged("honest")]
    lost = [
        each for each in outcome.labelled("fault") if each not in outcome.still_flagged("fault")
    ]
    _listed("honest, flagged", honest, notes)
    _listed("faults, not flagged", [(each.bib, outcome.verdict(each)) for each in lost], notes)
    _listed("flags without a label", outcome.unlabelled(), notes)
    _listed("INVALID", [("", one) for one in outcome.every if one.status is Status.INVALID], notes)
    _listed("well known", [("", one) for one in famous if is_flagged(one)], notes)
    flags = [one for one in chairs if is_flagged(one)]
    print(f"\nnamed by chairs: {len(flags)} of {len(chairs)} flagged")
    print(Counter(code for one in flags for code in codes_of(one)).most_common())


if __name__ == "__main__":
    main()
