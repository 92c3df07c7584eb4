"""The table of broad sources: whom a miss needs, by kind of work."""

from __future__ import annotations

from typing import Any

import pytest

from citeproof.models import Coverage, Reference
from citeproof.net.service import Access
from citeproof.online import coverage
from citeproof.online.coverage import COVERAGES, coverage_of
from citeproof.online.registry import SOURCES, chosen_sources
from citeproof.validation.scope import _KINDS

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
        (coverage.ARXIVS, {"entry_type": "misc", "arxiv_id": "2105.01234", "url": "https://arxiv.org/abs/2105.01234"}),
        (coverage.ARXIVS, {"doi": "10.48550/arXiv.2105.01234"}),
        (coverage.PREPRINTS, {"entry_type": "article", "venue": "bioRxiv"}),
        (coverage.ARTICLES, {"entry_type": "article", "venue": "Web History", "arxiv_id": "2105.01234"}),
        (coverage.PAPERS, {"entry_type": "inproceedings", "arxiv_id": "2105.01234"}),
    ],
)
def test_the_kind_of_a_reference(expected: Coverage, fields: dict[str, Any]) -> None:
    assert coverage_of(Reference("r", "A title", **fields)) == expected


def test_a_type_has_one_kind() -> None:
    named = [name for names in coverage._TYPES.values() for name in names.split()]
    assert sorted(named) == TYPES


def test_the_sources_exist_and_no_field_of_study_is_broad() -> None:
    broad = {name for item in COVERAGES for name in item.sources}
    assert broad < set(SOURCES)
    assert not {"europe_pmc", "doi_org"} & broad


def test_it_knows_every_type_that_databases_of_papers_need_not_hold() -> None:
    assert set(TYPES) >= _KINDS


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("changes", [{}, {"arxiv_id": "2105.01234"}, {"doi": "10.1234/x"}, {"venue": "arXiv"}])
def test_by_default_a_broad_source_is_asked_for_the_title(
    kind: str, changes: dict[str, str], manual_clock: Any
) -> None:
    """Without keys, whatever the kind: otherwise every miss of that kind would be an ERROR."""
    reference = Reference("r", "A title of some length", ("Winter, Ada",), entry_type=kind, **changes)  # type: ignore[arg-type]
    wanted = coverage_of(reference).sources
    sources = [SOURCES[name](UNUSED, manual_clock, Access()) for name in chosen_sources("", ()) if name in wanted]
    asked = [
        source.name
        for source in sources
        if source.rank(reference) is not None
        and any("title" in question.fields for question in source.questions(reference))
    ]
    assert asked or not wanted
