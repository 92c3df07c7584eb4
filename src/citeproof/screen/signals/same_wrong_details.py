"""Papers that describe the same works wrongly in the same way."""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations
from typing import TYPE_CHECKING

from citeproof.screen.groups import Groups
from citeproof.screen.signals import Signal

if TYPE_CHECKING:
    from collections.abc import Hashable

    from citeproof.screen.corpus import Corpus

NAME = "same_wrong_details"
MEANING = (
    "Several papers have the same wrong details in two references or more. Such entries mostly have one origin: an "
    "earlier paper, a shared bibliography, or what a publisher or a search engine exports. Records may be wrong too."
)
LEAST_SHARED = 2
"""One wrong detail in common may come from the export that everybody uses."""
MOST_PAPERS = 50
"""A wrong detail of more papers is one that everybody has: it says nothing of any two of them."""


def find(corpus: Corpus) -> list[Signal]:
    """Return the groups of papers, those that share most first."""
    papers: defaultdict[Hashable, set[int]] = defaultdict(set)
    references: defaultdict[Hashable, set[int]] = defaultdict(set)
    for finding in corpus.open_findings():
        if finding.faults and finding.details["match"]:
            fault: Hashable = finding.details["match"]["key"], finding.faults
            papers[fault].update(corpus.papers_citing(finding.number))
            references[fault].add(finding.number)
    shared: defaultdict[tuple[int, int], set[Hashable]] = defaultdict(set)
    for fault, citing in papers.items():
        if len(citing) <= MOST_PAPERS:
            for pair in combinations(sorted(citing), 2):
                shared[pair].add(fault)
    close = {pair: faults for pair, faults in shared.items() if len(faults) >= LEAST_SHARED}
    groups = Groups[int]()
    for pair in close:
        groups.join(*pair)
    found = []
    for members in groups.all():
        inside = set(members)
        faults = set().union(*(faults for pair, faults in close.items() if inside.issuperset(pair)))
        numbers = sorted(number for fault in faults for number in references[fault])
        said = f"{len(members)} papers describe {len(faults)} works in the same way, and their records otherwise."
        found.append(Signal(tuple(sorted(members)), tuple(numbers), len(members) * len(faults), said))
    return sorted(found, key=lambda signal: -signal.weight)
