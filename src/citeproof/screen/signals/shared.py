"""Signals that papers share: the same wrong details, one wrong DOI of a title, and gaps of the database."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Hashable
from itertools import combinations
from typing import TYPE_CHECKING

from citeproof.model.codes import ReasonCode
from citeproof.model.reference import Reference
from citeproof.screen.signals import Groups, Kind, Signal
from citeproof.text.normalize import normalize_title

if TYPE_CHECKING:
    from citeproof.screen.results import Corpus, Finding

SHARED_FAULTS = 2
"""Minimum wrong details that two papers share. A single one may come from an export that many use."""
COMMON_FAULT = 50
"""Maximum papers of a wrong detail that links papers. A more frequent detail is common and links none."""
GAP_REFERENCES = 3
"""Minimum references to the venue and year of a gap."""
GAP_PAPERS = 2
"""Minimum papers that cite a gap; one paper says little about the database."""
MOST_GAPS = 200
"""Maximum gaps that are returned."""
GAP_HELD = 0.5
"""Minimum share of a volume that the database holds whose missing works are not a gap."""
_HELPFUL_SOURCES = (
    (r"\barxiv\b|\bcorr\b|preprint", "arXiv's metadata"),
    (r"\b(acl|emnlp|naacl|eacl|coling|lrec|conll|tacl|semeval)\b|computational linguistics", "the ACL Anthology"),
    (r"\b(proc|proceedings|conference|workshop|symposium)\b", "a newer DBLP dump, else Crossref"),
    (r"\b(journal|transactions|letters|review|annals|magazine)\b|\bj\.", "Crossref"),
    (r"\b(press|publishers?|springer|wiley|elsevier)\b", "Open Library"),
)
"""Regexes of venues and publishers, each with the source that may hold their works."""


def same_wrong_details(corpus: Corpus) -> list[Signal]:
    """Return groups of papers that share wrong details, largest first."""
    papers: defaultdict[Hashable, set[int]] = defaultdict(set)
    references: defaultdict[Hashable, set[int]] = defaultdict(set)
    for finding in corpus.open_findings():
        if finding.faults and finding.details["match"]:
            fault: Hashable = finding.details["match"]["key"], finding.faults
            papers[fault].update(corpus.papers_citing(finding.number))
            references[fault].add(finding.number)
    shared: defaultdict[tuple[int, int], set[Hashable]] = defaultdict(set)
    for fault, citing in papers.items():
        if len(citing) <= COMMON_FAULT:
            for pair in combinations(sorted(citing), 2):
                shared[pair].add(fault)
    close = {pair: faults for pair, faults in shared.items() if len(faults) >= SHARED_FAULTS}
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


def wrong_dois(corpus: Corpus) -> list[Signal]:
    """Return pairs of title and wrong DOI in two papers or more, those in most papers first."""
    cited: defaultdict[tuple[str, str], list[Finding]] = defaultdict(list)
    for finding in corpus.open_findings():
        if any(code.startswith("doi.") for code, _ in finding.faults):
            cited[normalize_title(finding.reference.title), finding.reference.doi].append(finding)
    found = []
    for (_, doi), findings in cited.items():
        papers = sorted({paper for finding in findings for paper in corpus.papers_citing(finding.number)})
        if len(papers) > 1:
            said = f"{len(papers)} papers cite {findings[0].reference.title[:120]!r} with the DOI {doi}."
            numbers = tuple(finding.number for finding in findings)
            found.append(Signal(tuple(papers), numbers, len(papers), said))
    return sorted(found, key=lambda signal: -signal.weight)


def database_gaps(corpus: Corpus) -> list[Signal]:
    """Return venues and years that the database lacks, those that most papers cite first."""
    references: defaultdict[tuple[str, int], list[int]] = defaultdict(list)
    papers: defaultdict[tuple[str, int], set[int]] = defaultdict(set)
    named: defaultdict[tuple[str, int], Counter[str]] = defaultdict(Counter)
    example: dict[tuple[str, int], Reference] = {}
    for finding in corpus.open_findings():
        cited = finding.reference
        missing = finding.reason in {ReasonCode.TITLE_NOT_FOUND, ReasonCode.FOUND_NOWHERE} and finding.held < GAP_HELD
        if missing and cited.venue and cited.year:
            gap = _plain(cited.venue, cited.year), cited.year
            references[gap].append(finding.number)
            papers[gap].update(corpus.papers_citing(finding.number))
            named[gap][cited.venue] += 1
            example.setdefault(gap, cited)
    found = []
    for gap, numbers in references.items():
        if len(numbers) >= GAP_REFERENCES and len(papers[gap]) >= GAP_PAPERS:
            ((venue, _),) = named[gap].most_common(1)
            counts = f"{len(numbers)} works were not found, cited by {len(papers[gap])} of the papers."
            said = f"{venue[:120]} {gap[1]}: {counts} {_source(example[gap])} may hold them."
            found.append(Signal(tuple(sorted(papers[gap])), tuple(numbers), len(papers[gap]), said))
    return sorted(found, key=lambda signal: (-signal.weight, -len(signal.references)))[:MOST_GAPS]


def _plain(venue: str, year: int) -> str:
    """Return the name of a venue in lower case, without the year and other numbers of the edition."""
    return " ".join(re.sub(rf"\b{year}\b|\b\d+(st|nd|rd|th)\b|[^\w\s]", " ", venue.lower()).split())


def _source(reference: Reference) -> str:
    said = f"{reference.venue} {reference.publisher}".lower()
    name = next((source for pattern, source in _HELPFUL_SOURCES if re.search(pattern, said)), "Crossref")
    return name[0].upper() + name[1:]


SAME_WRONG_DETAILS = Kind(
    "same_wrong_details",
    "Several papers have the same wrong details in two references or more. Such entries mostly have one origin: an "
    "earlier paper, a shared bibliography, or what a publisher or a search engine exports. Records may be wrong too.",
    same_wrong_details,
)
WRONG_DOIS = Kind(
    "wrong_dois",
    "Several papers cite a title with a DOI that is another work's, or that cannot be. It mostly comes from where the "
    "entry was exported, and is then no fault of those who cite.",
    wrong_dois,
)
DATABASE_GAPS = Kind(
    "database_gaps",
    "References to one venue and year were not found, and the database holds little of it: this says something about "
    "the database, and nothing about those who cite.",
    database_gaps,
)
