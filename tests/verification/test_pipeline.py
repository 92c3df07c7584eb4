"""The walk along the chain: order, where it ends, what is remembered."""

import threading
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from citeproof.model.errors import DatabaseError
from citeproof.model.findings import Findings, Inquiry, Outcome
from citeproof.model.record import Candidate, MatchKind, Record
from citeproof.model.reference import Diagnostic, Place, Reference, Severity
from citeproof.model.verdict import Status, Verdict
from citeproof.verification.pipeline import Pipeline, Strategy
from citeproof.verification.validation import identity
from citeproof.verification.validation.comparison import Comparison
from citeproof.verification.validation.identity import compared
from citeproof.verification.validator import Validator

WORK = Candidate(Record("w", "A Work"), 1.0)


@dataclass
class Link(Strategy):
    """A strategy that brings what it was given and counts how often it was asked."""

    name: str
    findings: Findings = field(default_factory=Findings)
    asked: list[str] = field(default_factory=list)

    def search(self, reference: Reference) -> Findings:
        self.asked.append(reference.key)
        return self.findings


class Broken(Strategy):
    """A strategy with a fault of its own."""

    name = "broken"

    def search(self, reference: Reference) -> Findings:
        raise RuntimeError(f"no luck with {reference.key}\nsecond line")


class Silent(Validator):
    """A validator that explains nothing."""

    def explain(self, verdict: Verdict, findings: Findings) -> Verdict:
        return verdict


class ValidWhenFound(Silent):
    """A validator that is content with any candidate and passes the evidence on."""

    def decide(self, reference: Reference, findings: Findings) -> Verdict:
        status = Status.VALID if findings.candidates else Status.UNVERIFIED
        match = findings.candidates[0] if findings.candidates else None
        return Verdict(
            reference, status, "because", 1.0, best_match=match, evidence=findings.inquiries
        )


def test_verify_valid_ends_the_walk_and_is_remembered() -> None:
    first, second, third, kept = (
        Link("first"),
        Link("second", Findings((WORK,))),
        Link("third"),
        list[Verdict](),
    )
    verdict = Pipeline((first, second, third), ValidWhenFound(), kept.append).verify(Reference("a"))
    assert (verdict.status, verdict.decided_by) == (Status.VALID, "second")
    assert (first.asked, second.asked, third.asked) == (["a"], ["a"], [])
    assert kept == [verdict]


def test_verify_otherwise_every_link_is_asked_and_nothing_is_remembered() -> None:
    links, kept = (Link("first"), Link("second")), list[Verdict]()
    verdict = Pipeline(links, ValidWhenFound(), kept.append).verify(Reference("a"))
    assert verdict.status is Status.UNVERIFIED
    assert [link.asked for link in links] == [["a"], ["a"]]
    assert kept == []


def test_verify_the_link_that_changed_the_decision_has_made_it() -> None:
    class Counting(ValidWhenFound):
        def decide(self, reference: Reference, findings: Findings) -> Verdict:
            return Verdict(reference, Status.UNVERIFIED, f"after {len(findings.candidates)}", 1.0)

    links = (Link("idle"), Link("busy", Findings((WORK,))), Link("late"))
    assert Pipeline(links, Counting()).verify(Reference("a")).decided_by == "busy"
    assert Pipeline((links[0], links[2]), Counting()).verify(Reference("a")).decided_by == "idle"


def test_verify_the_last_decision_is_explained_once_from_everything_found() -> None:
    class Explaining(ValidWhenFound):
        def explain(self, verdict: Verdict, findings: Findings) -> Verdict:
            return replace(verdict, flags=(*verdict.flags, f"{len(findings.inquiries)} answers"))

    answered = Findings(inquiries=(Inquiry("s", Outcome.ANSWERED),))
    verdict = Pipeline((Link("first", answered), Link("second", answered)), Explaining()).verify(
        Reference("a")
    )
    assert verdict.flags == ("2 answers",)


def test_verify_each_link_decides_over_everything_found_so_far() -> None:
    inquiry = Inquiry("first", Outcome.ANSWERED)
    links = (Link("first", Findings(inquiries=(inquiry,))), Link("second", Findings((WORK,))))
    assert Pipeline(links, ValidWhenFound()).verify(Reference("a")).evidence == (inquiry,)


def test_verify_a_fault_in_one_link_is_evidence_and_the_walk_goes_on() -> None:
    verdict = Pipeline((Broken(), Link("next", Findings((WORK,)))), ValidWhenFound()).verify(
        Reference("a")
    )
    assert verdict.status is Status.VALID
    assert verdict.evidence == (Inquiry("broken", Outcome.FAILED, "RuntimeError: no luck with a"),)


def test_verify_compares_a_record_once_however_many_searches_follow(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = list[Record]()

    def counted(reference: Reference, candidate: Candidate, *more: Any) -> Comparison:
        made.append(candidate.record)
        return compared(reference, candidate, *more)

    monkeypatch.setattr(identity, "compared", counted)
    first, second = (Record(key, "Editorial", (f"Ada {key}",), 2001) for key in ("Ash", "Elm"))
    links = (
        Link("first", Findings((Candidate(first, 1.0),))),
        Link("second", Findings((Candidate(second, 1.0), Candidate(first, 1.0)))),
        Link("third", Findings(inquiries=(Inquiry("third", Outcome.ANSWERED),))),
    )
    verdict = Pipeline(links, Validator()).verify(
        Reference("a", "Editorial", ("Xu Yew",), year=1999)
    )
    assert verdict.status is Status.UNVERIFIED
    assert [work.record for work in verdict.meant] == [first, second]
    assert made == [first, second]


def test_verify_an_empty_chain_still_gives_a_verdict() -> None:
    assert Pipeline((), ValidWhenFound()).verify(Reference("a")).decided_by == ""


def test_verify_all_many_come_back_in_order_with_no_more_at_work_than_allowed() -> None:
    at_work, most, lock = 0, 0, threading.Lock()
    three_at_once = threading.Barrier(3)

    class Counting(Strategy):
        name = "counting"

        def search(self, reference: Reference) -> Findings:
            nonlocal at_work, most
            with lock:
                at_work += 1
                most = max(most, at_work)
            three_at_once.wait(timeout=30)
            with lock:
                at_work -= 1
            return Findings()

    references = [Reference(str(number)) for number in range(60)]
    verdicts = list(Pipeline((Counting(),), ValidWhenFound()).verify_all(references, concurrent=3))
    assert [verdict.reference for verdict in verdicts] == references
    assert most == 3


def test_verify_all_closing_early_drops_what_has_not_begun() -> None:
    link = Link("first")
    verdicts = Pipeline((link,), ValidWhenFound()).verify_all(
        (Reference(str(n)) for n in range(10_000)), concurrent=2
    )
    next(verdicts)
    verdicts.close()  # type: ignore[attr-defined]
    assert len(link.asked) < 100


def test_verify_all_an_entry_without_a_reference_is_an_error_unless_it_is_a_mere_note() -> None:
    broken = Diagnostic(Place("f.bib", 3), "bibtex.unbalanced", "check it", "@misc{", "k")
    control = Diagnostic(Place("f.bib", 7), "bibtex.not_a_work", "nothing", severity=Severity.NOTE)
    first, second = Pipeline((), ValidWhenFound()).verify_all((broken, control))
    assert (first.status, first.reason, first.issues[0].code) == (
        Status.ERROR,
        "unreadable_entry",
        broken.code,
    )
    assert (first.reference.file, first.reference.line, first.reference.key) == ("f.bib", 3, "k")
    assert (second.status, second.reason) == (Status.UNVERIFIED, "not_a_reference")


class Confused(Silent):
    """A validator with a fault of its own on one reference."""

    def decide(self, reference: Reference, findings: Findings) -> Verdict:
        if reference.key == "odd":
            raise TypeError("no year\nsecond line")
        return ValidWhenFound().decide(reference, findings)


def test_verify_all_a_fault_of_the_program_costs_one_reference_and_no_other() -> None:
    verdicts = Pipeline((Link("first"),), Confused()).verify_all(map(Reference, ("a", "odd", "b")))
    before, odd, after = verdicts
    assert (odd.status, odd.reason, odd.reference.key) == (Status.ERROR, "program_fault", "odd")
    assert odd.issues[0].explanation == "a fault of citeproof, please report it: TypeError: no year"
    assert Status.ERROR not in {before.status, after.status}


def test_verify_all_an_error_that_names_its_cause_ends_the_run() -> None:
    class Refused(Silent):
        def decide(self, reference: Reference, findings: Findings) -> Verdict:
            raise DatabaseError("dblp.db: gone")

    with pytest.raises(DatabaseError, match="gone"):
        list(Pipeline((), Refused()).verify_all([Reference("a")]))


@dataclass
class Wary(Link):
    """A last resort that is wanted only after a verdict of the given status."""

    after: Status = Status.UNVERIFIED

    def wanted(self, verdict: Verdict) -> bool:
        return verdict.status is self.after


@dataclass
class TwoStageLink(Link):
    """A link with a second look."""

    further: Findings = field(default_factory=Findings)
    asked_further: list[str] = field(default_factory=list)

    def search_further(self, reference: Reference, verdict: Verdict) -> Findings:
        self.asked_further.append(reference.key)
        return self.further


def test_verify_what_is_not_valid_is_looked_for_further_before_the_next_link() -> None:
    first, second = TwoStageLink("first", further=Findings((WORK,))), Link("second")
    verdict = Pipeline([first, second], ValidWhenFound()).verify(Reference("a"))
    assert verdict.status is Status.VALID
    assert verdict.decided_by == "first"
    assert (first.asked_further, second.asked) == (["a"], [])


def test_verify_what_is_valid_at_first_is_not_looked_for_further() -> None:
    link = TwoStageLink("first", Findings((WORK,)))
    assert Pipeline([link], ValidWhenFound()).verify(Reference("a")).status is Status.VALID
    assert link.asked_further == []


def test_verify_a_last_resort_is_asked_only_where_it_is_wanted() -> None:
    wanted, unwanted = Wary("wanted"), Wary("unwanted", after=Status.SUSPICIOUS)
    Pipeline((Link("first"), wanted, unwanted), ValidWhenFound()).verify(Reference("r"))
    assert (wanted.asked, unwanted.asked) == (["r"], [])


def test_verify_a_second_reading_takes_the_place_of_the_first() -> None:
    again = Reference("r", "read anew")
    verdict = Pipeline(
        (Link("reader", Findings(reparsed=again)), Link("last")), ValidWhenFound()
    ).verify(Reference("r"))
    assert verdict.reference == again


def test_verify_a_web_hit_is_not_remembered() -> None:
    kept = list[Verdict]()
    hit = Candidate(Record("https://x.example", "A Work"), 1.0, MatchKind.WEB)
    Pipeline((Link("web", Findings((hit,))),), ValidWhenFound(), kept.append).verify(Reference("r"))
    assert kept == []


class ErrorWhenFailed(Silent):
    """A validator that knows ERROR and VALID alone."""

    def decide(self, reference: Reference, findings: Findings) -> Verdict:
        failed = any(inquiry.outcome is Outcome.FAILED for inquiry in findings.inquiries)
        status = Status.ERROR if failed else Status.VALID
        return Verdict(reference, status, "because", 1.0, evidence=findings.inquiries)


def test_second_chance_a_source_that_was_given_up_gets_a_second_chance() -> None:
    down = Findings(inquiries=(Inquiry("crossref", Outcome.FAILED, "refused"),))
    source = Link("api", down)

    class Outside:
        def reopen(self) -> bool:
            source.findings = Findings()
            return True

        def stop(self) -> None:
            raise AssertionError("nothing was interrupted")

    pipeline = Pipeline((source,), ErrorWhenFailed(), online=Outside())
    broken = Diagnostic(Place("refs.bib", 9), "bibtex.unbalanced", "never closed")
    verdicts = list(pipeline.verify_all([Reference("a"), broken, Reference("b")]))
    assert [verdict.status for verdict in verdicts] == [Status.ERROR] * 3
    again = pipeline.second_chance(verdicts)
    assert [verdict.status for verdict in again] == [Status.VALID, Status.ERROR, Status.VALID]
    assert sorted(source.asked) == ["a", "a", "b", "b"]


def test_second_chance_without_a_given_up_source_nothing_is_asked_twice() -> None:
    source = Link("api", Findings(inquiries=(Inquiry("crossref", Outcome.FAILED, "refused"),)))
    pipeline = Pipeline((source,), ErrorWhenFailed())
    verdicts = [pipeline.verify(Reference("a"))]
    assert pipeline.second_chance(verdicts) == verdicts
    assert source.asked == ["a"]


def test_verify_all_an_interrupt_ends_what_is_under_way_outside() -> None:
    answered = threading.Event()

    class Silent(Strategy):
        name = "api"

        def search(self, reference: Reference) -> Findings:
            if reference.key == "b":
                assert answered.wait(30), "the run was not stopped"
            return Findings()

    class Outside:
        def reopen(self) -> bool:
            return False

        def stop(self) -> None:
            answered.set()

    verdicts = Pipeline((Silent(),), ValidWhenFound(), online=Outside()).verify_all(
        [Reference("a"), Reference("b")]
    )
    assert next(iter(verdicts)).reference.key == "a"
    with pytest.raises(KeyboardInterrupt):
        verdicts.throw(KeyboardInterrupt)  # type: ignore[attr-defined]
    assert answered.is_set()


@pytest.mark.parametrize(
    ("status", "match", "remembered"),
    [
        (Status.VALID, MatchKind.TITLE, True),
        (Status.VALID, MatchKind.WEB, False),
        (Status.SUSPICIOUS, MatchKind.TITLE, False),
        (Status.UNVERIFIED, MatchKind.TITLE, False),
    ],
)
def test_remember_keeps_what_records_confirm(
    status: Status, match: MatchKind, *, remembered: bool
) -> None:
    kept = list[Verdict]()
    verdict = Verdict(Reference("a"), status, "because", 1.0, best_match=replace(WORK, match=match))
    Pipeline((), ValidWhenFound(), kept.append).remember(verdict)
    Pipeline((), ValidWhenFound(), kept.append).remember(replace(verdict, best_match=None))
    assert kept == [verdict] * remembered
