"""One wrong DOI for one title in several papers."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from citeproof.screen.signals import Signal
from citeproof.text.normalize import normalize_title

if TYPE_CHECKING:
    from citeproof.screen.corpus import Corpus, Finding

NAME = "wrong_dois"
MEANING = (
    "Several papers cite a title with a DOI that is another work's, or that cannot be. It mostly comes from where the "
    "entry was exported, and is then no fault of those who cite."
)
LEAST_PAPERS = 2


def find(corpus: Corpus) -> list[Signal]:
    """Return the pairs of title and DOI, those in most papers first."""
    cited: defaultdict[tuple[str, str], list[Finding]] = defaultdict(list)
    for finding in corpus.open_findings():
        if any(code.startswith("doi.") for code, _ in finding.faults):
            cited[normalize_title(finding.reference.title), finding.reference.doi].append(finding)
    found = []
    for (_, doi), findings in cited.items():
        papers = sorted({paper for finding in findings for paper in corpus.papers_citing(finding.number)})
        if len(papers) >= LEAST_PAPERS:
            said = f"{len(papers)} papers cite {findings[0].reference.title[:120]!r} with the DOI {doi}."
            numbers = tuple(finding.number for finding in findings)
            found.append(Signal(tuple(papers), numbers, len(papers), said))
    return sorted(found, key=lambda signal: -signal.weight)
