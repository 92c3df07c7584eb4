"""Venues and years that many papers cite, and the database does not hold."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from citeproof.screen.signals import Signal

if TYPE_CHECKING:
    from citeproof.models import Reference
    from citeproof.screen.corpus import Corpus

NAME = "database_gaps"
MEANING = (
    "References to one venue and year were not found, and the database holds little of it: this says something about "
    "the database, and nothing about those who cite."
)
LEAST_REFERENCES = 3
LEAST_PAPERS = 2
"""What one paper alone cites says little about the database."""
MOST = 200
"""So many gaps are named."""
HELD = 0.5
"""A volume of which more is held is no gap."""
_SOURCES = (
    (r"\barxiv\b|\bcorr\b|preprint", "arXiv's metadata"),
    (r"\b(acl|emnlp|naacl|eacl|coling|lrec|conll|tacl|semeval)\b|computational linguistics", "the ACL Anthology"),
    (r"\b(proc|proceedings|conference|workshop|symposium)\b", "a newer DBLP dump, else Crossref"),
    (r"\b(journal|transactions|letters|review|annals|magazine)\b|\bj\.", "Crossref"),
    (r"\b(press|publishers?|springer|wiley|elsevier)\b", "Open Library"),
)
"""What a venue's name is like, and which source would help."""


def find(corpus: Corpus) -> list[Signal]:
    """Return venues with their years, those that most papers cite first."""
    references: defaultdict[tuple[str, int], list[int]] = defaultdict(list)
    papers: defaultdict[tuple[str, int], set[int]] = defaultdict(set)
    named: defaultdict[tuple[str, int], Counter[str]] = defaultdict(Counter)
    example: dict[tuple[str, int], Reference] = {}
    for finding in corpus.open_findings():
        cited = finding.reference
        if (
            finding.reason in {"title_not_found", "found_nowhere"}
            and cited.venue
            and cited.year
            and finding.held < HELD
        ):
            gap = _plain(cited.venue, cited.year), cited.year
            references[gap].append(finding.number)
            papers[gap].update(corpus.papers_citing(finding.number))
            named[gap][cited.venue] += 1
            example.setdefault(gap, cited)
    found = []
    for gap, numbers in references.items():
        if len(numbers) >= LEAST_REFERENCES and len(papers[gap]) >= LEAST_PAPERS:
            ((venue, _),) = named[gap].most_common(1)
            counts = f"{len(numbers)} works were not found, cited by {len(papers[gap])} of the papers."
            said = f"{venue[:120]} {gap[1]}: {counts} {_source(example[gap])} may hold them."
            found.append(Signal(tuple(sorted(papers[gap])), tuple(numbers), len(papers[gap]), said))
    return sorted(found, key=lambda signal: (-signal.weight, -len(signal.references)))[:MOST]


def _plain(venue: str, year: int) -> str:
    """Return the name of a venue in lower case, without the year and other numbers of the edition."""
    return " ".join(re.sub(rf"\b{year}\b|\b\d+(st|nd|rd|th)\b|[^\w\s]", " ", venue.lower()).split())


def _source(reference: Reference) -> str:
    said = f"{reference.venue} {reference.publisher}".lower()
    name = next((source for pattern, source in _SOURCES if re.search(pattern, said)), "Crossref")
    return name[0].upper() + name[1:]
