"""The sources that hold most works of each kind."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from citeproof.model.reference import Reference
from citeproof.online import coverage
from citeproof.online.coverage import COVERAGES, coverage_of
from citeproof.online.net.service import Access
from citeproof.online.sources import SOURCES, chosen_sources
from citeproof.verification.validation.claim import OUTSIDE as _KINDS

if TYPE_CHECKING:
    from citeproof.model.findings import Coverage

TYPES = sorted(coverage._BY_TYPE)
UNUSED: Any = None


@pytest.mark.parametrize(
    ("expected", "fields"),
    [
        (coverage.ARTICLES, {"entry_type": "article", "venue": "Web History"}),
        (coverage.PAPERS, {"entry_type": "inproceedings"}),
        (coverage.CHAPTERS, {"entry_type": "incollection"}),
        (coverage.BOOKS, {"entry_type": "book"}),
        (coverage.OTHER_KINDS, {"entry_type": "phdthesis"}),
        (coverage.OTHER_KINDS, {"entry_type": "techreport", "venue": "Lab"}),
        (coverage.OTHER_KINDS, {"entry_type": "misc", "url": "https://x.example"}),
        (coverage.UNSTATED, {"entry_type": "misc"}),
        (coverage.UNSTATED, {}),
        (coverage.UNSTATED, {"entry_type": "something new"}),
        (coverage.ARXIVS, {"entry_type": "article", "venue": "arXiv preprint arXiv:2105.01234"}),
        (coverage.ARXIVS, {"entry_type": "article", "venue": "CoRR", "arxiv_id": "2105.01234"}),
        (
            coverage.ARXIVS,
            {
                "entry_type": "misc",
                "arxiv_id": "2105.01234",
                "url": "https://arxiv.org/abs/2105.01234",
            },
        ),
        (coverage.ARXIVS, {"doi": "10.48550/arXiv.2105.01234"}),
        (coverage.PREPRINTS, {"entry_type": "article", "venue": "bioRxiv"}),
        (
            coverage.ARTICLES,
            {"entry_type": "article", "venue": "Web History", "arxiv_id": "2105.01234"},
        ),
        (coverage.PAPERS, {"entry_type": "inproceedings", "arxiv_id": "2105.01234"}),
    ],
)
def test_coverage_of_returns_the_kind(expected: Coverage, fields: dict[str, Any]) -> None:
    assert coverage_of(Reference("r", "A title", **fields)) == expected


def test_types_have_one_kind() -> None:
    named = [name for names in coverage._TYPES.values() for name in names.split()]
    assert sorted(named) == TYPES


def test_coverages_name_existing_sources_of_all_fields() -> None:
    broad = {name for item in COVERAGES for name in item.sources}
    assert broad < set(SOURCES)
    assert not {"europe_pmc", "doi_org"} & broad


def test_types_include_those_outside_databases_of_papers() -> None:
    assert set(TYPES) >= _KINDS


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize(
    "changes", [{}, {"arxiv_id": "2105.01234"}, {"doi": "10.1234/x"}, {"venue": "arXiv"}]
)
def test_queries_of_a_default_source_with_most_works_include_the_title(
    kind: str, changes: dict[str, str], manual_clock: Any
) -> None:
    """Without keys. Otherwise every miss of that kind would be an ERROR."""
    fields: Any = {"entry_type": kind, **changes}
    reference = Reference("r", "A title of some length", ("Winter, Ada",), **fields)
    wanted = coverage_of(reference).sources
    sources = [
        SOURCES[name](UNUSED, manual_clock, Access())
        for name in chosen_sources("", ())
        if name in wanted
    ]
    asked = [
        source.name
        for source in sources
        if source.rank(reference) is not None
        and any("title" in question.subject.fields for question in source.queries(reference))
    ]
    assert asked or not wanted
