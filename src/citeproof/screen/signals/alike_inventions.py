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

NAME = "alike_inventions"
MEANING = (
    "Several papers cite a work that was found nowhere, under titles that are alike, and the citations do not agree on "
    "its people or on the words of its title. Citations of one real work that the database lacks mostly agree on both."
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
LEAST_WORDINGS = 3
"""So many titles that differ by a word of content, in as many papers: one may be an error of one author."""


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
        findings = [finding for title in titles for finding in by_title[title]]
        papers = sorted({paper for finding in findings for paper in corpus.papers_citing(finding.number)})
        if len(papers) > 1 and (said := _disagreement(findings)):
            numbers = tuple(sorted(finding.number for finding in findings))
            found.append(Signal(tuple(papers), numbers, len(papers), _sentence(len(papers), findings, said)))
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


def _disagreement(findings: Sequence[Finding]) -> str:
    """Return on what the citations do not agree; empty where they may well mean one work."""
    if any(_other_people(one, other) for one, other in combinations(findings, 2)):
        return "the people they name have nobody in common"
    wordings = _wordings([finding.reference.title for finding in findings])
    if wordings >= LEAST_WORDINGS:
        return f"the title has {wordings} wordings"
    return ""


def _other_people(one: Finding, other: Finding) -> bool:
    if min(len(one.reference.authors), len(other.reference.authors)) < LEAST_PEOPLE:
        return False
    match = compare_authors(one.reference, Record("", "", other.reference.authors))
    return match.comparable and not match.agreeing


def _wordings(titles: Sequence[str]) -> int:
    """Return how many of ``titles`` differ from each other by a word of content."""
    different: list[str] = []
    for title in titles:
        if not any(compare_titles(title, known).same for known in different):
            different.append(title)
    return len(different)


def _sentence(papers: int, findings: Sequence[Finding], disagreement: str) -> str:
    title = findings[0].reference.title
    return (
        f"{papers} papers cite works that were found nowhere under titles like {title[:120]!r}; {disagreement}. "
        "Look at them side by side."
    )
