"""Sources are asked side by side, cheap and authoritative ones first, and no more than needed."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from threading import Barrier
from typing import TYPE_CHECKING, Any

import pytest

from citeproof.model.findings import Findings, Inquiry, Outcome
from citeproof.model.record import Candidate, MatchKind, Record
from citeproof.model.reference import Reference
from citeproof.verification.strategies.online import ApiStrategy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

REFERENCE = Reference("r", "Ribbon tables for cold storage", ("Winter, Ada",), year=2011)
WITH_DOI = Reference("r", REFERENCE.title, REFERENCE.authors, year=2011, doi="10.1234/ribbon")


@dataclass
class Source:
    name: str
    order: int | None
    record: dict[str, Any] | None = None
    match: MatchKind = MatchKind.TITLE
    outcome: Outcome = Outcome.ANSWERED
    asked: list[Reference] = field(default_factory=list)
    meet: Barrier | None = None

    def rank(self, reference: Reference) -> int | None:
        return self.order

    def search(self, reference: Reference) -> Findings:
        self.asked.append(reference)
        if self.meet:
            self.meet.wait(timeout=30)
        inquiry = Inquiry(self.name, self.outcome)
        if self.record is None:
            return Findings(inquiries=(inquiry,))
        fields = {"title": REFERENCE.title, "authors": ("Ada Winter",), **self.record}
        return Findings(
            (Candidate(Record("k", source=self.name, **fields), 1.0, self.match),), (inquiry,)
        )


@pytest.fixture
def asked(request: pytest.FixtureRequest) -> Iterator[Callable[..., list[str]]]:
    """Search with the given sources and return the names of those that were asked."""
    with ThreadPoolExecutor(4) as executor:

        def search(*sources: Source, reference: Reference = REFERENCE) -> list[str]:
            findings = ApiStrategy(sources, executor).search(reference)  # type: ignore[arg-type]
            names = [source.name for source in sources if source.asked]
            assert {inquiry.source for inquiry in findings.inquiries} == set(names)
            return names

        yield search


def test_search_two_agreeing_sources_end_it(asked: Callable[..., list[str]]) -> None:
    assert asked(Source("a", 1, {}), Source("b", 2, {}), Source("c", 3, {})) == ["a", "b"]


def test_search_they_are_asked_by_rank(asked: Callable[..., list[str]]) -> None:
    assert asked(Source("slow", 9, {}), Source("b", 2, {}), Source("a", 1, {})) == ["b", "a"]


def test_search_two_are_asked_side_by_side(asked: Callable[..., list[str]]) -> None:
    meet = Barrier(2)
    assert asked(Source("a", 1, {}, meet=meet), Source("b", 2, {}, meet=meet)) == ["a", "b"]


def test_search_a_source_that_cannot_know_the_work_is_not_asked(
    asked: Callable[..., list[str]],
) -> None:
    assert asked(Source("a", 1), Source("books", None, {}), Source("b", 2)) == ["a", "b"]


@pytest.mark.parametrize(
    "second",
    [
        None,
        {"title": "Ribbon tables for warm storage"},
        {"authors": ("Someone Else",)},
    ],
)
def test_search_one_source_alone_is_not_enough(
    asked: Callable[..., list[str]], second: dict[str, Any] | None
) -> None:
    assert asked(Source("a", 1, {}), Source("b", 2, second), Source("c", 3, {})) == ["a", "b", "c"]


def test_search_a_failed_source_makes_room_for_the_next(asked: Callable[..., list[str]]) -> None:
    assert asked(
        Source("a", 1, outcome=Outcome.FAILED), Source("b", 2, {}), Source("c", 3, {})
    ) == ["a", "b", "c"]


def test_doi_org_and_the_registrar_behind_it_are_one_witness(
    asked: Callable[..., list[str]],
) -> None:
    assert asked(Source("crossref", 1, {}), Source("doi_org", 2, {}), Source("c", 3, {})) == [
        "crossref",
        "doi_org",
        "c",
    ]


def test_search_a_cited_doi_is_looked_up_before_it_ends(asked: Callable[..., list[str]]) -> None:
    unsure = [Source("a", 1, {}), Source("b", 2, {}), Source("c", 3, {})]
    assert asked(*unsure, reference=WITH_DOI) == ["a", "b", "c"]
    confirmed = [Source("a", 1, {"doi": "10.1234/RIBBON"}), Source("b", 2, {}), Source("c", 3, {})]
    assert asked(*confirmed, reference=WITH_DOI) == ["a", "b"]
    looked_up = [Source("a", 1, {}, MatchKind.DOI), Source("b", 2, {}), Source("c", 3, {})]
    assert asked(*looked_up, reference=WITH_DOI) == ["a", "b"]
    denied = [Source("a", 1, {}), Source("doi_org", 2), Source("c", 3, {}), Source("d", 4, {})]
    assert asked(*denied, reference=WITH_DOI) == ["a", "doi_org", "c", "d"]


class Counter:
    def title_counts(self, words: Sequence[str]) -> tuple[tuple[str, int], ...]:
        return tuple((word, len(word)) for word in words)


@pytest.mark.parametrize(
    ("recorded", "counts"),
    [
        (REFERENCE.title, ()),
        ("Ribbon tables for cald storage", (("cold", 4), ("cald", 4))),
        ("Ribbon chairs for old storage", (("cold", 4), ("old", 3))),
    ],
)
def test_words_that_are_a_letter_apart_are_counted(
    recorded: str, counts: tuple[tuple[str, int], ...]
) -> None:
    with ThreadPoolExecutor(1) as executor:
        strategy = ApiStrategy([Source("a", 1, {"title": recorded})], executor, [Counter()])  # type: ignore[list-item]
        assert strategy.search(REFERENCE).title_counts == counts


def test_search_asks_no_arxiv_for_a_preprint_that_is_not_cited(
    asked: Callable[..., list[str]],
) -> None:
    def sources() -> list[Source]:
        known = {"arxiv_id": "1107.0001"}
        return [Source("a", 1, known), Source("b", 2, known), Source("arxiv", 3, {})]

    assert asked(*sources()) == ["a", "b"]
    other = replace(REFERENCE, arxiv_id="1107.0009")
    assert asked(*sources(), reference=other) == ["a", "b", "arxiv"]
