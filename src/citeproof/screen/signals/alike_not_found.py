"""References found nowhere that stand in several papers, alike but not equal."""

from __future__ import annotations

import tempfile
from collections import defaultdict
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

from citeproof.bibdb.title_index.reader.mapped import TitleIndex
from citeproof.bibdb.title_index.reader.search import top
from citeproof.bibdb.title_index.writer.build import TitleIndexBuilder
from citeproof.models import Record
from citeproof.screen.groups import Groups
from citeproof.screen.signals import NOWHERE, Signal
from citeproof.text.normalize import normalize_title
from citeproof.validation.compare.authors import compare_authors
from citeproof.validation.compare.titles import compare_titles

if TYPE_CHECKING:
    from collections.abc import Sequence

    from citeproof.screen.corpus import Corpus, Finding

NAME = "alike_not_found"
MEANING = (
    "Several papers cite a work that was found nowhere, under titles that are alike, and no more than half of them "
    "agree on its people and on the words of its title. Citations of a real work that the database lacks mostly do."
)
ALIKE = 0.8
"""Similarity of two titles from which on they are looked at together."""
LEAST_WORDS = 4
LEAST_LETTERS = 24
"""Shorter titles are alike by chance."""
MOST_ALIKE = 50
"""So many titles are put together with one at a time; a stock phrase has more."""
LEAST_PEOPLE = 2
"""A single name may be that of a group, where another citation names its members."""
COLLECTIONS = frozenset({"proceedings", "book", "collection", "periodical", "conference"})
"""Entries of whole volumes, whose titles are alike from year to year."""
MOST_COMPARED = 100
"""So many references of one group are compared with each other; the first ones stand for the rest."""
FEW_PAPERS = 2
"""Of so few papers one may have erred: they must disagree on the people and on the title."""


def find(corpus: Corpus) -> list[Signal]:
    """Return the groups of alike references, those in most papers first."""
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
    """Return the groups of ``titles`` that are alike, and those that stand alone as groups of one."""
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
    """Put the citations together that may mean one work: somebody in common, and the same words in the title."""
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
