"""What an entry alone can tell: impossible identifiers, kinds that no database of papers need hold."""

from __future__ import annotations

from datetime import date

import pytest

from citeproof.models import Reference
from citeproof.validation.identifiers import arxiv_month, form_issues
from citeproof.validation.scope import out_of_scope


@pytest.mark.parametrize(
    ("arxiv_id", "month"),
    [
        ("1706.03762", (2017, 6)),
        ("0704.0001", (2007, 4)),
        ("cs/0112017", (2001, 12)),
        ("hep-th/9108001", (1991, 8)),
        ("1713.03762", None),
        ("0703.0001", None),
        ("1401.12345", None),
        ("1501.1234", None),
        ("hep-th/9001001", None),
        ("nonsense", None),
    ],
)
def test_when_an_arxiv_id_was_given(arxiv_id: str, month: tuple[int, int] | None) -> None:
    assert arxiv_month(arxiv_id) == month


@pytest.mark.parametrize(
    ("fields", "codes"),
    [
        ({"doi": "10.1109/cvpr.2016.90"}, []),
        ({"doi": "10.1000.10/123"}, []),
        ({"doi": "10/abc12"}, ["doi.short"]),
        ({"doi": "https://doi.org/abc12"}, ["doi.short"]),
        ({"doi": "https://example.org/10"}, ["doi.link"]),
        ({"doi": "10.99999/2020.11722"}, ["doi.unassigned"]),
        ({"doi": "cvpr.2016.90"}, ["doi.malformed"]),
        ({"doi": "http://hdl.handle.net/2065/29037"}, ["doi.link"]),
        ({"arxiv_id": "2713.00001"}, ["arxiv.malformed"]),
        ({"arxiv_id": "2612.00001"}, ["arxiv.malformed"]),
        ({"arxiv_id": "2310.01362", "year": 2022}, ["arxiv.after_year"]),
        ({"arxiv_id": "2310.01362", "year": 2022, "venue": "ICLR"}, []),
        ({"doi": "10.48550/arxiv.2310.01362", "year": 2021, "venue": "ICLR"}, ["arxiv.after_year"]),
    ],
)
def test_impossible_identifiers(fields: dict[str, object], codes: list[str]) -> None:
    reference = Reference("a", **fields)  # type: ignore[arg-type]
    assert [item.code for item in form_issues(reference, date(2026, 11, 20))] == codes


@pytest.mark.parametrize(
    ("reference", "outside"),
    [
        (Reference("a", entry_type="online"), True),
        (Reference("a", entry_type="book"), True),
        (Reference("a", entry_type="misc", url="https://example.org"), True),
        (Reference("a", entry_type="misc", url="https://example.org", venue="ICML"), False),
        (Reference("a", entry_type="article"), False),
    ],
)
def test_kinds_that_need_not_be_held(reference: Reference, *, outside: bool) -> None:
    assert out_of_scope(reference) is outside
