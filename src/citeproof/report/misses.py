"""Kinds of works that were not found, such as theses, and for each kind the source that has most of
its works.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from citeproof.database.coverage import CoverageTable
from citeproof.model.codes import ReasonCode
from citeproof.model.reference import Reference
from citeproof.model.run import Run
from citeproof.model.verdict import Status, Verdict
from citeproof.online.coverage import (
    ARTICLES,
    ARXIVS,
    BOOKS,
    CHAPTERS,
    OTHER_KINDS,
    PAPERS,
    PREPRINTS,
    coverage_of,
)
from citeproof.verification.explanation import UNCOVERED

LEAST_OF_A_FIELD = 10
"""Minimum number of entries from venues that the database does not cover. With fewer entries, a
report does not say that the database lacks a field of research.
"""
_NOT_ASKED_BROADLY = {ReasonCode.TITLE_NOT_FOUND, ReasonCode.OUT_OF_SCOPE}
_NOT_FOUND = {*_NOT_ASKED_BROADLY, ReasonCode.FOUND_NOWHERE}


class Kind(NamedTuple):
    """A kind of works: its names in singular and plural, such as ``thesis`` and ``theses``, and the
    source that has most works of this kind.
    """

    one: str
    many: str
    source: str = ""


RFC = Kind("RFC", "RFCs", "rfc")
STANDARD = Kind("standard", "standards")
PATENT = Kind("patent", "patents")
THESIS = Kind("thesis", "theses", "openalex")
MODEL = Kind("model card", "model cards")
DATASET = Kind("dataset", "datasets")
SOFTWARE = Kind("software repository", "software repositories")
WEB_PAGE = Kind("web page", "web pages")
BOOK = Kind("book", "books", "open-library")
_RARE_KINDS = frozenset({RFC, STANDARD, PATENT, THESIS, MODEL, DATASET, SOFTWARE, WEB_PAGE, BOOK})
"""Kinds of works that few sources have, such as standards.

If such a work is not found, the advice names the kind.
"""
_BY_TYPE = {
    "patent": PATENT,
    "standard": STANDARD,
    "dataset": DATASET,
    "data": DATASET,
    "software": SOFTWARE,
    **dict.fromkeys(("phdthesis", "mastersthesis", "thesis", "dissertation"), THESIS),
    **dict.fromkeys(
        ("online", "www", "electronic", "webpage", "website", "post", "post-weblog"), WEB_PAGE
    ),
}
"""Map from an entry type of BibTeX, biblatex or CSL to the kind of works: ``phdthesis`` to
``THESIS``.
"""
_BY_TEXT = {
    RFC: r"\bRFC[ -]?\d{1,5}\b|\brfc-editor\.org\b|\bdatatracker\.ietf\.org\b",
    STANDARD: (
        r"\b(?:ISO|IEC|ITU-T|ETSI|ANSI|FIPS)[ /-]?[A-Z/]*[ -]?\d|\b(?:IEEE Std|W3C"
        r" Recommendation)\b"
    ),
    PATENT: r"\b(?:U\.?S\.?|European) [Pp]atent\b|\bpatents\.google\.com\b",
    MODEL: r"\bhuggingface\.co/(?!datasets/|papers/|spaces/|blog)[\w.-]+/[\w.-]+",
    DATASET: r"\bhuggingface\.co/datasets/|\bkaggle\.com/|\bfigshare\.com/",
    SOFTWARE: r"\b(?:github\.com|gitlab\.com|bitbucket\.org|pypi\.org|cran\.r-project\.org)/",
}
"""Map from a kind of works to a regex that entries match: ``SOFTWARE`` to ``github.com``.

The most reliable regex comes first.
"""
_BY_COVERAGE = {
    ARXIVS.kind: Kind("arXiv preprint", "arXiv preprints", "arxiv"),
    PREPRINTS.kind: Kind("other preprint", "other preprints", "openalex"),
    ARTICLES.kind: Kind("journal article", "journal articles", "openalex"),
    PAPERS.kind: Kind("conference paper", "conference papers", "openalex"),
    **dict.fromkeys((BOOKS.kind, CHAPTERS.kind), BOOK),
}
"""Map from the ``kind`` of a :class:`Coverage` to a :class:`Kind`, such as ``BOOKS.kind`` to
``BOOK``.
"""


def kind_of(reference: Reference) -> Kind:
    """Return the kind of the cited work, such as a thesis, judged only from the entry."""
    if kind := _BY_TYPE.get(reference.entry_type):
        return kind
    coverage = coverage_of(reference)
    if coverage == OTHER_KINDS or not (reference.venue or reference.doi or reference.arxiv_id):
        text = " ".join((reference.title, reference.url, reference.raw))
        matching = (kind for kind, regex in _BY_TEXT.items() if re.search(regex, text))
        if kind := next(matching, WEB_PAGE if reference.url else None):
            return kind
    return _BY_COVERAGE.get(coverage.kind, Kind("other work", "other works", "openalex"))


def kind_missed(verdict: Verdict) -> Kind | None:
    """Return the kind of the cited work if the work was not found and few sources have this kind,
    else None.
    """
    if verdict.status is not Status.UNVERIFIED or verdict.reason not in _NOT_ASKED_BROADLY:
        return None
    return kind if (kind := kind_of(verdict.reference)) in _RARE_KINDS else None


def miss_lines(run: Run) -> Iterator[str]:
    """Yield lines on the works that were not found, by kind: ``Not found: 3 theses (not
    queried: openalex).``
    """
    missed = [
        one for one in run.verdicts if one.status is Status.UNVERIFIED and one.reason in _NOT_FOUND
    ]
    if not missed:
        return
    yield from _field_lines(run, missed)
    asked = {inquiry.source for verdict in missed for inquiry in verdict.evidence}
    databases = (run.database, *run.database.get("further", ()))
    asked |= {source["name"] for one in databases for source in one.get("sources") or ()}
    said = []
    for kind, count in Counter(kind_of(verdict.reference) for verdict in missed).most_common():
        origin = ""
        if not kind.source:
            origin = f" (no source has {'them' if count > 1 else 'it'})"
        elif kind.source not in asked:
            origin = f" (not queried: {kind.source})"
        said.append(f"{count:,} {kind.one if count == 1 else kind.many}{origin}")
    yield f"Not found: {', '.join(said)}."


def _field_lines(run: Run, missed: Iterable[Verdict]) -> Iterator[str]:
    """Yield a sentence if most entries of ``run`` are from venues that the database does not cover,
    or else nothing. ``missed`` are the verdicts on works that were not found.
    """
    entries = sum(1 for verdict in run.verdicts if verdict.status is not Status.ERROR)
    uncovered = sum(1 for verdict in missed if UNCOVERED in verdict.searched)
    covered = CoverageTable({}, run.database.get("sources") or ()).all_sources()
    fields = {item.part for item in covered}
    if uncovered < LEAST_OF_A_FIELD or 2 * uncovered <= entries or len(fields) != 1 or "" in fields:
        return
    names = " and ".join(dict.fromkeys(item.source for item in covered))
    verb = "cover" if " and " in names else "covers"
    yield (
        f"{names[0].upper()}{names[1:]} {verb} {fields.pop()}; {uncovered:,} of these {entries:,}"
        " entries are from venues that no source at hand is known to cover. OpenAlex covers all"
        " fields: citeproof db download openalex, or --enable-online."
    )
