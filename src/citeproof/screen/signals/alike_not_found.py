"""References found nowhere that several papers cite under similar titles."""

from __future__ import annotations

import tempfile
from collections import defaultdict
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

from citeproof.database.build.title_index import TitleIndexBuilder
from citeproof.database.title_index.mapped import TitleIndex
from citeproof.database.title_index.search import top
from citeproof.model.record import Record
from citeproof.screen.signals import NOWHERE, Groups, Kind, Signal
from citeproof.text.normalize import normalize_title
from citeproof.verification.validation.compare.authors import compare_authors
from citeproof.verification.validation.compare.titles import compare_titles

if TYPE_CHECKING:
    from citeproof.screen.results import Corpus, Finding

ALIKE = 0.8
"""Minimum similarity of two titles of a group."""
LEAST_WORDS = 4
"""Minimum words of a title."""
LEAST_LETTERS = 24
"""Minimum characters of a title; shorter ones are similar by chance."""
MOST_ALIKE = 50
"""Maximum similar titles that are joined with a title; a stock phrase has more."""
LEAST_PEOPLE = 2
"""Minimum authors for a comparison; a single name may be a group."""
COLLECTIONS = frozenset({"proceedings", "book", "collection", "periodical", "conference"})
"""Entry types of whole volumes, whose titles are similar every year."""
MOST_COMPARED = 100
"""Maximum references of a group that are compared with each other."""
FEW_PAPERS = 2
"""Number of papers of a group that must differ in authors and in title. In larger groups one difference is enough."""


def find(corpus: Corpus) -> list[Signal]:
    """Return groups of similar references, those in most papers first."""
    by_title: defaultdict[str, list[Finding]] = defaultdict(list)
    for finding in corpus.open_findings():
        title = normalize_title(finding.reference.title)
        long = len(title) >= LEAST_LETTERS and len(title.split()) >= LEAST_WORDS
        if long and finding.reason in NOWHERE and finding.reference.entry_type not in COLLECTIONS:
            by_title[title].append(finding)
    found = []
    for titles in _alike(list(by_title)):
        findings = [finding for title in titles for finding in by_title[title]][:MOST_COMPARED]
        citing = {finding.number: set(corpus.papers_citing(finding.number)) for finding in findings}
        papers = sorted(set().union(*citing.values()))
        if len(papers) < FEW_PAPERS:
            continue
        most = max(len(set().union(*(citing[each.number] for each in group))) for group in _agreeing(findings))
        if 2 * most <= len(papers) and (len(papers) > FEW_PAPERS or _differ_in_both(findings)):
            said = _sentence(findings[0].reference.title, len(papers), most)
            found.append(Signal(tuple(papers), tuple(sorted(citing)), len(papers), said))
    return sorted(found, key=lambda signal: -signal.weight)


def _alike(titles: Sequence[str]) -> list[list[str]]:
    """Return ``titles`` in groups of similar ones."""
    if not titles:
        return []
    groups = Groups[str]()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "titles"
        with TitleIndexBuilder(path) as builder:
            for number, title in enumerate(titles):
                builder.add(number, title, title)
            builder.finish({})
        index = TitleIndex(path)
        for title in titles:
            for match in top(index, title, MOST_ALIKE, ALIKE).matches:
                groups.join(title, match.text)
    return groups.all()


def _agreeing(findings: Sequence[Finding]) -> list[list[Finding]]:
    """Group citations of the same work: they share an author and the words of the title."""
    groups: list[list[Finding]] = []
    for finding in findings:
        group = next((group for group in groups if _agree(group[0], finding)), None)
        if group is None:
            groups.append([finding])
        else:
            group.append(finding)
    return groups


def _agree(one: Finding, other: Finding) -> bool:
    return not _other_people(one, other) and _same_title(one, other)


def _differ_in_both(findings: Sequence[Finding]) -> bool:
    return any(_other_people(one, other) and not _same_title(one, other) for one, other in combinations(findings, 2))


def _same_title(one: Finding, other: Finding) -> bool:
    return compare_titles(one.reference.title, other.reference.title).same


def _other_people(one: Finding, other: Finding) -> bool:
    if min(len(one.reference.authors), len(other.reference.authors)) < LEAST_PEOPLE:
        return False
    match = compare_authors(one.reference, Record("", "", other.reference.authors))
    return match.comparable and not match.agreeing


def _sentence(title: str, papers: int, most: int) -> str:
    agree = "no two of them agree" if most == 1 else f"at most {most} of them agree"
    return (
        f"{papers} papers cite works that were found nowhere under titles like {title[:120]!r}; {agree} on people and "
        "title. Look at them side by side."
    )


ALIKE_NOT_FOUND = Kind(
    "alike_not_found",
    "Several papers cite a work that was found nowhere, under titles that are alike, and no more than half of them "
    "agree on its people and on the words of its title. Citations of a real work that the database lacks mostly do.",
    find,
)
