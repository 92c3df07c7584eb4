"""Find observations about several papers: works that were not found, equal wrong details, wrong
DOIs, and gaps in the database.
"""

import re
import tempfile
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import combinations
from pathlib import Path
from typing import TypeVar

from citeproof.database.building.title_index import TitleIndexBuilder
from citeproof.database.title_index.mapped import TitleIndex
from citeproof.database.title_index.search import top
from citeproof.model.codes import ReasonCode
from citeproof.model.record import Record
from citeproof.model.reference import Reference
from citeproof.screen.results import NOWHERE, Finding, Results, Signal
from citeproof.text.normalize import normalize_title
from citeproof.verification.validation.compare.authors import compare_authors
from citeproof.verification.validation.compare.titles import compare_titles

T = TypeVar("T", bound=Hashable)

_ALIKE = 0.8  # minimum similarity, 0 to 1, of two titles that are grouped
_LEAST_WORDS = 4  # minimum number of words of a title that is grouped
# minimum number of characters of a title that is grouped; shorter titles are alike by coincidence
_LEAST_LETTERS = 24
_MOST_ALIKE = 50  # maximum number of similar titles that are grouped with a title
_LEAST_PEOPLE = 2  # minimum number of authors of a reference whose authors are compared
# entry types of volumes
_COLLECTIONS = frozenset({"proceedings", "book", "collection", "periodical", "conference"})
_MOST_COMPARED = 100  # maximum number of references of a group that are compared with each other
_FEW_PAPERS = 2  # minimum number of papers that cite similar titles, for these to be reported
_SHARED_FAULTS = 2  # minimum number of wrong details that papers must share to be reported
# maximum number of papers that share a wrong detail; more common details are ignored
_COMMON_FAULT = 50
# minimum number of references to a venue and year that were not found, for a gap to be reported
_GAP_REFERENCES = 3
_GAP_PAPERS = 2  # minimum number of papers that cite a venue and year, for a gap to be reported
_MOST_GAPS = 200  # maximum number of gaps in the database that are reported
# a volume is reported as a gap if the database has less than this share of the volume, 0 to 1
_GAP_HELD = 0.5
_HELPFUL_SOURCES = (
    (r"\barxiv\b|\bcorr\b|preprint", "arXiv's metadata"),
    (
        r"\b(acl|emnlp|naacl|eacl|coling|lrec|conll|tacl|semeval)\b|computational linguistics",
        "the ACL Anthology",
    ),
    (r"\b(proc|proceedings|conference|workshop|symposium)\b", "a newer DBLP dump, else Crossref"),
    (r"\b(journal|transactions|letters|review|annals|magazine)\b|\bj\.", "Crossref"),
    (r"\b(press|publishers?|springer|wiley|elsevier)\b", "Open Library"),
)  # pairs: regex for venues or publishers, and the source that may have their works


def alike_not_found(results: Results) -> Iterator[Signal]:
    """Several papers cite similar titles that were found nowhere.

    At most half of these papers agree on the authors and the words of the title. If the database
    merely lacks a real work, most citations of the work agree.
    """
    by_title: defaultdict[str, list[Finding]] = defaultdict(list)
    for finding in results.open_findings():
        title = normalize_title(finding.reference.title)
        long = len(title) >= _LEAST_LETTERS and len(title.split()) >= _LEAST_WORDS
        if long and finding.reason in NOWHERE and finding.reference.entry_type not in _COLLECTIONS:
            by_title[title].append(finding)
    for titles in connected(_alike(list(by_title))):
        findings = [finding for title in titles for finding in by_title[title]][:_MOST_COMPARED]
        if len(papers := _papers(findings)) < _FEW_PAPERS:
            continue
        most = max(len(_papers(group)) for group in _agreeing(findings))
        differ_in_both = any(
            _other_people(*pair) and not _same_title(*pair) for pair in combinations(findings, 2)
        )
        if 2 * most <= len(papers) and (len(papers) > _FEW_PAPERS or differ_in_both):
            agree = "no two of them agree" if most == 1 else f"at most {most} of them agree"
            said = (
                f"{len(papers)} papers cite a title like {findings[0].reference.title[:120]!r},"
                f" which no source has; {agree} on authors and title."
                " Different works may have similar titles, so compare these references."
            )
            yield Signal(
                papers, tuple(sorted(finding.number for finding in findings)), len(papers), said
            )


def _papers(findings: Iterable[Finding]) -> tuple[int, ...]:
    return tuple(sorted(frozenset().union(*(finding.papers for finding in findings))))


def _alike(titles: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield each pair of similar titles in ``titles``. Each title is also paired with itself."""
    if not titles:
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "titles"
        with TitleIndexBuilder(path) as builder:
            for number, title in enumerate(titles):
                builder.add(number, title, title)
            builder.finish({})
        index = TitleIndex(path)
        for title in titles:
            for match in top(index, title, _MOST_ALIKE, _ALIKE).matches:
                yield match.text, title


def connected(pairs: Iterable[tuple[T, T]]) -> list[list[T]]:
    """Return the connected components of the graph with the edges ``pairs``. The edges (1, 2), (4,
    5), (2, 3) give [1, 2, 3] and [4, 5].
    """
    component: dict[T, set[T]] = {}
    for pair in pairs:
        smaller, larger = sorted((component.setdefault(each, {each}) for each in pair), key=len)
        if smaller is not larger:
            larger |= smaller
            component.update(dict.fromkeys(smaller, larger))
    found: defaultdict[int, list[T]] = defaultdict(list)
    for each, members in component.items():
        found[id(members)].append(each)
    return list(found.values())


def _agreeing(findings: Sequence[Finding]) -> list[list[Finding]]:
    """Return groups of findings whose references probably cite the same work: the words of their
    titles are equal, and their authors are similar.
    """
    groups: list[list[Finding]] = []
    for one in findings:
        same = (
            group
            for group in groups
            if not _other_people(group[0], one) and _same_title(group[0], one)
        )
        if group := next(same, None):
            group.append(one)
        else:
            groups.append([one])
    return groups


def _same_title(one: Finding, other: Finding) -> bool:
    return compare_titles(one.reference.title, other.reference.title).same


def _other_people(one: Finding, other: Finding) -> bool:
    if min(len(one.reference.authors), len(other.reference.authors)) < _LEAST_PEOPLE:
        return False
    match = compare_authors(one.reference, Record("", "", other.reference.authors))
    return match.comparable and not match.agreeing


def same_wrong_details(results: Results) -> Iterator[Signal]:
    """Several papers have the same wrong details in two references or more.

    Most of these entries have one origin: an earlier paper, a shared bibliography, or the export of
    a publisher or a search engine. Records may be wrong too.
    """
    found_in: defaultdict[Hashable, list[Finding]] = defaultdict(list)
    for finding in results.open_findings():
        if finding.details["match"] and (details := _wrong_details(finding)):
            found_in[finding.details["match"]["key"], details].append(finding)
    shared: defaultdict[tuple[int, int], set[Hashable]] = defaultdict(set)
    for fault, findings in found_in.items():
        if len(papers := _papers(findings)) <= _COMMON_FAULT:
            for pair in combinations(papers, 2):
                shared[pair].add(fault)
    close = {pair: faults for pair, faults in shared.items() if len(faults) >= _SHARED_FAULTS}
    for members in connected((other, one) for one, other in close):
        faults = set().union(
            *(faults for pair, faults in close.items() if set(members).issuperset(pair))
        )
        numbers = sorted(finding.number for fault in faults for finding in found_in[fault])
        first = min(
            (each for fault in faults for each in found_in[fault]), key=lambda one: one.number
        )
        said = (
            f"{len(members)} papers describe {len(faults)} works in the same way, but not as the"
            f" records do; one of them is {first.reference.title[:120]!r}."
        )
        yield Signal(tuple(sorted(members)), tuple(numbers), len(members) * len(faults), said)


def _wrong_details(finding: Finding) -> tuple[tuple[str, str], ...]:
    """Return the details that the reference states wrongly, as pairs of issue code and cited value.

    If another version of the work may be cited, no difference affects the verdict. All differences
    are returned anyway if the record lacks a cited author, because another version would have the
    same authors.
    """
    recorded = Record("", "", tuple(finding.details["match"].get("authors", ())))
    if finding.faults or not compare_authors(finding.reference, recorded).absent:
        return finding.faults
    return tuple(sorted((one["code"], one["cited"]) for one in finding.details["issues"]))


def wrong_dois(results: Results) -> Iterator[Signal]:
    """Several papers cite a title with the DOI of another work, or with an impossible DOI.

    In most cases the DOI comes from the site that exported the entry, and is not a fault of the
    authors who cite it.
    """
    cited: defaultdict[tuple[str, str], list[Finding]] = defaultdict(list)
    for finding in results.open_findings():
        if any(code.startswith("doi.") for code, _ in finding.faults):
            cited[normalize_title(finding.reference.title), finding.reference.doi].append(finding)
    for (_, doi), findings in cited.items():
        if len(papers := _papers(findings)) > 1:
            said = (
                f"{len(papers)} papers cite {findings[0].reference.title[:120]!r} with the DOI"
                f" {doi}."
            )
            yield Signal(papers, tuple(finding.number for finding in findings), len(papers), said)


def database_gaps(results: Results) -> list[Signal]:
    """References to one venue and year were not found, and the database has less than half of this
    volume.

    The cause is the database, not the papers.
    """
    missing: defaultdict[tuple[str, int], list[Finding]] = defaultdict(list)
    for finding in results.open_findings():
        cited = finding.reference
        unfound = finding.reason in {ReasonCode.TITLE_NOT_FOUND, ReasonCode.FOUND_NOWHERE}
        if unfound and finding.details["held"] < _GAP_HELD and cited.venue and cited.year:
            missing[_plain(cited.venue, cited.year), cited.year].append(finding)
    found = []
    for (_, year), findings in missing.items():
        papers = _papers(findings)
        if len(findings) >= _GAP_REFERENCES and len(papers) >= _GAP_PAPERS:
            ((venue, _),) = Counter(finding.reference.venue for finding in findings).most_common(1)
            counts = f"{len(findings)} works were not found, cited by {len(papers)} of the papers."
            said = f"{venue[:120]} {year}: {counts} {_source(findings[0].reference)} may have them."
            found.append(
                Signal(papers, tuple(finding.number for finding in findings), len(papers), said)
            )
    return sorted(found, key=lambda signal: (-signal.weight, -len(signal.references)))[:_MOST_GAPS]


def _plain(venue: str, year: int) -> str:
    """Return the name of a venue without years, ordinal numbers and punctuation:
    ``proc of the icml`` for ``Proc. of the 12th ICML 2019``.
    """
    return " ".join(re.sub(rf"\b{year}\b|\b\d+(st|nd|rd|th)\b|[^\w\s]", " ", venue.lower()).split())


def _source(reference: Reference) -> str:
    said = f"{reference.venue} {reference.publisher}".lower()
    name = next(
        (source for pattern, source in _HELPFUL_SOURCES if re.search(pattern, said)), "Crossref"
    )
    return name[0].upper() + name[1:]
