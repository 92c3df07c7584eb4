from dataclasses import dataclass, field
from datetime import date
from typing import Any

import pytest

from citeproof.model.findings import Findings, Inquiry, Outcome
from citeproof.model.record import Candidate, MatchKind, Record
from citeproof.model.reference import Reference
from citeproof.model.verdict import FLAGGED, Status, Verdict
from citeproof.verification.pipeline import Pipeline, Strategy
from citeproof.verification.strategies.online import WebSearchStrategy
from citeproof.verification.validator import Validator

REFERENCE = Reference("r", "Counting sheep with interval trees", ("Hail, Fritz",), year=2003)


@dataclass
class Engine:
    """An engine that finds hits with ``facts``; None: it fails."""

    name: str
    facts: list[tuple[str, ...]] | None
    asked: int = 0

    def search(self, reference: Reference) -> Findings:
        self.asked += 1
        if self.facts is None:
            return Findings(inquiries=(Inquiry(self.name, Outcome.FAILED, "timed out"),))
        record = Record(
            "https://x.example", reference.title, url="https://x.example", source=self.name
        )
        hits = tuple(Candidate(record, 1.0, MatchKind.WEB, facts) for facts in self.facts)
        return Findings(hits, (Inquiry(self.name, Outcome.ANSWERED),))


@dataclass
class Answered(Strategy):
    """A link that answers, and finds what it is told to."""

    findings: Findings = field(default_factory=Findings)
    name: str = "api"

    def search(self, reference: Reference) -> Findings:
        return self.findings + Findings(inquiries=(Inquiry(self.name, Outcome.ANSWERED),))


def verify(*engines: Any, before: Any = None, memory: Any = None) -> Verdict:
    links = (before or Answered(), WebSearchStrategy(engines))
    return Pipeline(links, Validator(today=lambda: date(2026, 11, 20)), memory).verify(REFERENCE)


def test_web_search_strategy_a_title_and_a_fact_are_valid_with_a_flag() -> None:
    verdict = verify(Engine("brave", [("author",)]))
    assert (verdict.status, verdict.reason, verdict.flags) == (
        Status.VALID,
        "weak_web_match",
        ("weak_web_match",),
    )
    assert verdict.best_match
    assert verdict.best_match.record.url == "https://x.example"
    assert verdict.decided_by == "web_search"


def test_web_search_strategy_a_title_alone_stays_unverified_with_the_link_shown() -> None:
    verdict = verify(Engine("brave", [()]))
    assert (verdict.status, verdict.flags) == (Status.UNVERIFIED, ())
    assert verdict.meant[0].record.url == "https://x.example"


def test_web_search_strategy_a_weak_match_is_not_remembered() -> None:
    kept = list[Verdict]()
    verify(Engine("brave", [("author",)]), memory=kept.append)
    assert kept == []


def test_web_search_strategy_the_next_engine_is_asked_only_if_need_be() -> None:
    first, second = Engine("searxng", [("year",)]), Engine("brave", [("author",)])
    verify(first, second)
    assert (first.asked, second.asked) == (1, 0)
    first = Engine("searxng", [])
    verify(first, second)
    assert (first.asked, second.asked) == (1, 1)


def test_web_search_strategy_one_failed_engine_does_not_cost_the_answer_of_another() -> None:
    assert verify(Engine("searxng", None), Engine("brave", [("author",)])).status is Status.VALID


def test_web_search_strategy_a_failed_engine_is_an_error_where_the_others_found_nothing() -> None:
    assert verify(Engine("searxng", None), Engine("brave", [()])).status is Status.ERROR


def test_web_search_strategy_the_web_is_the_fallback_for_a_source_that_failed() -> None:
    failed = Answered(Findings(inquiries=(Inquiry("crossref", Outcome.FAILED, "refused"),)))
    engine = Engine("brave", [("author",)])
    verdict = verify(engine, before=failed)
    assert (verdict.status, verdict.reason, engine.asked) == (Status.VALID, "weak_web_match", 1)
    nothing = verify(Engine("brave", []), before=failed)
    assert (nothing.status, nothing.reason) == (Status.ERROR, "source_failed")


@pytest.mark.parametrize("changes", [{"authors": ("Someone Else",)}, {"authors": ("Fritz Zorn",)}])
def test_web_search_strategy_a_contradicted_reference_is_not_searched_for(
    changes: dict[str, Any],
) -> None:
    fields: dict[str, Any] = {"authors": ("Fritz Hail",), "year": 2003, **changes}
    record = Record("k", REFERENCE.title, source="dblp", **fields)
    engine = Engine("brave", [("author", "year")])
    verdict = verify(engine, before=Answered(Findings((Candidate(record, 1.0),))))
    assert verdict.status in FLAGGED
    assert engine.asked == 0


def test_web_search_strategy_finds_nothing_that_counts_as_local() -> None:
    """A failed source would otherwise hide nothing: what a page says is not at hand."""
    engines: list[Any] = [Engine("brave", [()])]
    links = (Answered(), WebSearchStrategy(engines))
    findings = Pipeline(links, Validator()).examine(REFERENCE).findings
    assert (len(findings.candidates), findings.local) == (1, 0)
