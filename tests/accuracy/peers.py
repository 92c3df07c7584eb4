"""citecheck-refs and paper-preflight beside citeproof on HALLMARK's development split, as a table.

usage: python -m tests.accuracy.peers --bib-db DB [--citecheck PROGRAM --dump DUMP]
    [--paper-preflight PROGRAM]

Install each tool in an environment of its own, and name its program: ``citecheck`` of
citecheck-refs 0.4.1, ``paper-preflight`` of paper-preflight 1.0.0. citecheck answers from its own
index of DUMP, a ``dblp.xml.gz``, and cannot go online; DB should be built from the same dump.
paper-preflight has no index of its own: it asks its online sources. A reference that it does not
find counts once as undecided [u], once as flagged [f].
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import citeproof
from citeproof.model.verdict import FLAGGED
from tests.accuracy import hallmark
from tests.accuracy.entries import read
from tests.conftest import SHARED

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

NOWHERE = "http://127.0.0.1:9"
"""A proxy that no program serves: every connection fails at once."""
CITECHECK = {
    "VERIFIED": "VALID",
    "CHECK": "HALLUCINATED",
    "MISMATCH": "HALLUCINATED",
    "NOT_FOUND": "HALLUCINATED",
    "ERROR": "UNCERTAIN",
}
"""Map from a verdict of citecheck-refs to a label of HALLMARK, as its README counts them."""
PREFLIGHT = {
    "verified": "VALID",
    "metadata_mismatch": "HALLUCINATED",
    "identifier_conflict": "HALLUCINATED",
    "not_found": "UNCERTAIN",
    "cannot_determine": "UNCERTAIN",
}
"""Map from a verdict of paper-preflight to a label of HALLMARK."""


def by_citecheck(report: Mapping[str, Any]) -> dict[str, tuple[str, float]]:
    """Return the label of each entry in a report of citecheck-refs."""
    return {one["key"]: (CITECHECK[one["verdict"]], 0.5) for one in report["results"]}


def by_preflight(
    report: Mapping[str, Any], *, not_found: str = "UNCERTAIN"
) -> dict[str, tuple[str, float]]:
    """Return the label of each entry in a report of paper-preflight."""
    labels = PREFLIGHT | {"not_found": not_found}
    return {one["key"]: (labels[one["verdict"]], 0.5) for one in report["references"]}


def run(*command: object, **environment: str) -> float:
    """Run a program; return its processor seconds. Its exit code says what it found."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [str(part) for part in command],
        check=False,
        env={**os.environ, **environment},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def rows(options: argparse.Namespace, folder: Path) -> Iterator[str]:
    """Yield the lines of the table."""
    tool = hallmark.scorer(SHARED)
    split = tool.load_split(str(SHARED / "gold" / "hallmark" / "dev_public.jsonl"))
    entries = hallmark.blind_entries(SHARED)
    asked, found = folder / "dev.bib", folder / "found.json"
    asked.write_text("\n".join(entries), "utf-8")

    def row(name: str, labels: Mapping[str, tuple[str, float]], seconds: float) -> str:
        score = tool.score(split, labels)
        figures = ("detection_rate", "false_positive_rate", "f1", "decided")
        cells = (name, *(f"{score[figure]:.3f}" for figure in figures), f"{seconds:.1f} s")
        return f"| {' | '.join(cells)} |"

    yield "| tool | detection | false positive rate | F1 | decided | processor time |"
    yield "|---|---|---|---|---|---|"
    with citeproof.open_session(bib_db=str(options.bib_db), no_cache=True) as session:
        before = sum(os.times()[:4])
        verdicts = list(session.stream(read(entries)))
        seconds = sum(os.times()[:4]) - before
    labels = hallmark.predictions(verdicts, FLAGGED)
    yield row(f"citeproof {citeproof.__version__}", labels, seconds)
    if options.citecheck:
        cut_off = {"http_proxy": NOWHERE, "https_proxy": NOWHERE, "XDG_CACHE_HOME": str(folder)}
        run(options.citecheck, "--build-dblp", options.dump, **cut_off)
        seconds = run(options.citecheck, asked, "--all", "--no-cache", "--json", found, **cut_off)
        labels = by_citecheck(json.loads(found.read_text("utf-8")))
        yield row("citecheck-refs, no network", labels, seconds)
    if options.paper_preflight:
        seconds = run(options.paper_preflight, "check", asked, "-f", "json", "-o", found)
        report = json.loads(found.read_text("utf-8"))
        labels = by_preflight(report, not_found="HALLUCINATED")
        yield row("paper-preflight, online [u]", by_preflight(report), seconds)
        yield row("paper-preflight, online [f]", labels, seconds)
        if all(label == "UNCERTAIN" for label, _ in labels.values()):
            yield "\npaper-preflight decided nothing: none of its sources answered."


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bib-db", type=Path, required=True)
    parser.add_argument("--citecheck", type=Path)
    parser.add_argument("--dump", type=Path, help="the dblp.xml.gz for citecheck's index")
    parser.add_argument("--paper-preflight", type=Path)
    options = parser.parse_args()
    if options.citecheck and not options.dump:
        parser.error("--citecheck needs --dump")
    with tempfile.TemporaryDirectory() as folder:
        for line in rows(options, Path(folder)):
            print(line, flush=True)


if __name__ == "__main__":
    main()
