"""A session: runs, whole or followed, and what ends them early."""

from __future__ import annotations

import gc
from functools import partial
from threading import get_ident
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import pytest

from citeproof.model.errors import DatabaseError, InputError
from citeproof.model.findings import Findings, Inquiry, Outcome
from citeproof.model.reference import Bibliography, Diagnostic, Place, Reference, Severity
from citeproof.model.run import Ending
from citeproof.model.verdict import Status, Verdict
from citeproof.readers.document import Document
from citeproof.readers.opening import open_documents
from citeproof.readers.papers import papers_of
from citeproof.verification.pipeline import Pipeline, Strategy
from citeproof.verification.session import Session
from citeproof.verification.validator import Validator

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from citeproof.verification.online_chain import OnlineChain


class ErrorWhenFailed(Validator):
    """A validator that knows ERROR and VALID alone."""

    def decide(self, reference: Reference, findings: Findings) -> Verdict:
        failed = any(inquiry.outcome is Outcome.FAILED for inquiry in findings.inquiries)
        status = Status.ERROR if failed else Status.VALID
        return Verdict(reference, status, "because", 1.0, evidence=findings.inquiries)

    def explain(self, verdict: Verdict, findings: Findings) -> Verdict:
        return verdict


class Source(Strategy):
    """A link that fails for the references ``down`` until it is asked a second time."""

    name = "api"

    def __init__(self, *down: str) -> None:
        self.down = set(down)

    def search(self, reference: Reference) -> Findings:
        failed = reference.key in self.down
        return (
            Findings(inquiries=(Inquiry("crossref", Outcome.FAILED, "refused"),))
            if failed
            else Findings()
        )

    def reopen(self) -> bool:
        self.down.clear()
        return True

    def stop(self) -> None:
        """Nothing waits."""


def session_over(source: Source, **parts: Any) -> Session:
    pipeline = Pipeline((source,), ErrorWhenFailed(), online=source)
    return Session(
        pipeline, online=cast("OnlineChain", SimpleNamespace(sent=tuple, cache=None)), **parts
    )


REFERENCES = [Reference("a"), Reference("b"), Reference("c")]


def test_check_a_run_asks_a_failed_source_once_more_and_keeps_the_order() -> None:
    run = session_over(Source("a", "c"), notes=("a note",)).check(REFERENCES)
    assert [(verdict.reference.key, verdict.status) for verdict in run.verdicts] == [
        ("a", "VALID"),
        ("b", "VALID"),
        ("c", "VALID"),
    ]
    assert run.notes == ("a note",)
    assert run.ending is Ending.COMPLETE


def test_check_without_online_sources_uses_one_thread() -> None:
    threads: list[int] = []

    class Local(Source):
        def search(self, reference: Reference) -> Findings:
            threads.append(get_ident())
            return Findings()

    session = Session(Pipeline((Local(),), ErrorWhenFailed()))
    run = session.check([Reference(str(number)) for number in range(120)])
    assert [verdict.reference.key for verdict in run.verdicts] == [*map(str, range(120))]
    assert threads == [get_ident()] * 120


def test_stream_a_stream_gives_what_a_failed_source_left_open_last_and_once() -> None:
    verdicts = list(session_over(Source("a")).stream(REFERENCES))
    assert [verdict.reference.key for verdict in verdicts] == ["b", "c", "a"]
    assert {verdict.status for verdict in verdicts} == {Status.VALID}


def test_check_progress_sees_each_verdict_and_how_many_there_are() -> None:
    seen: list[tuple[str, int]] = []
    broken = Diagnostic(Place("refs.bib", 9), "bibtex.unbalanced", "never closed")
    guessed = Diagnostic(
        Place("refs.bib"), "document.guessed_encoding", "is cp1252", severity=Severity.NOTE
    )
    papers: list[Bibliography | Reference | Diagnostic] = [
        Bibliography((REFERENCES[0], broken), (guessed,)),
        REFERENCES[1],
    ]
    run = session_over(Source()).check(
        papers, lambda verdict, total: seen.append((verdict.status.value, total))
    )
    assert seen == [("VALID", 3), ("ERROR", 3), ("VALID", 3)]
    assert run.notes == ("refs.bib: is cp1252",)


def test_check_an_interrupt_leaves_a_run_of_what_is_done() -> None:
    def stop_at_the_second(verdict: Verdict, total: int) -> None:
        if verdict.reference.key == "b":
            raise KeyboardInterrupt

    run = session_over(Source()).check(REFERENCES, stop_at_the_second)
    assert [verdict.reference.key for verdict in run.verdicts] == ["a", "b"]
    assert run.ending is Ending.INTERRUPTED
    assert run.notes == ("Interrupted: 2 of 3 entries were checked.",)
    assert run.statistics.entries == 2


def test_check_a_fault_of_the_run_costs_no_verdict_that_is_done() -> None:
    def fail_at_the_second(verdict: Verdict, total: int) -> None:
        if verdict.reference.key == "b":
            raise DatabaseError("refs.db: unable to open database file")

    run = session_over(Source()).check(REFERENCES, fail_at_the_second)
    assert [verdict.status for verdict in run.verdicts] == [Status.VALID] * 2
    assert run.ending is Ending.FAILED
    assert run.notes == (
        "The run ended early: refs.db: unable to open database file. 2 of 3 entries were checked.",
    )


def test_one_document_that_cannot_be_read_costs_no_other(tmp_path: Path) -> None:
    (tmp_path / "right.bib").write_text("@article{right, title = {Lamps}}")
    papers = papers_of(open_documents([str(tmp_path / "right.bib"), str(tmp_path / "missing.bib")]))
    run = session_over(Source()).check(papers)
    assert [(verdict.status, verdict.reason) for verdict in run.verdicts] == [
        (Status.VALID, "because"),
        (Status.ERROR, "unreadable_entry"),
    ]
    assert run.exit_code((Status.ERROR,)) == 3
    with pytest.raises(InputError, match=r"missing\.bib: No such file"):
        session_over(Source()).check(papers_of(open_documents([str(tmp_path / "missing.bib")])))


def test_follow_followed_verdicts_are_handed_over_and_not_kept() -> None:
    taken: list[Verdict] = []
    run = session_over(Source("a"), notes=("a note",)).follow(REFERENCES, taken.append)
    assert [verdict.reference.key for verdict in taken] == ["b", "c", "a"]
    assert (run.verdicts, run.notes, run.statistics.entries) == ((), ("a note",), 3)


def test_follow_neither_the_first_verdict_nor_memory_waits_for_all_papers() -> None:
    read: list[int] = []
    ahead: list[int] = []
    kept: list[int] = []

    def papers() -> Iterator[Reference]:
        for number in range(3_000):
            read.append(number)
            yield Reference(str(number))

    def take(_: Verdict) -> None:
        ahead.append(len(read) - len(ahead))
        if len(ahead) % 500 == 0:
            kept.append(sum(isinstance(thing, Verdict) for thing in gc.get_objects()))

    run = session_over(Source()).follow(papers(), take)
    assert run.statistics.entries == len(read) == 3_000
    assert 1 <= max(ahead) <= 50
    assert len(kept) == 6
    assert max(kept) <= min(kept) + 50


def test_follow_an_interrupt_ends_what_is_followed_with_what_is_done() -> None:
    def stop_at_the_second(verdict: Verdict, total: int) -> None:
        if verdict.reference.key == "b":
            raise KeyboardInterrupt

    taken: list[Verdict] = []
    run = session_over(Source()).follow(REFERENCES, taken.append, stop_at_the_second)
    assert [verdict.reference.key for verdict in taken] == ["a", "b"]
    assert (run.ending, run.statistics.entries) == (Ending.INTERRUPTED, 2)
    assert run.notes == ("Interrupted: 2 of 3 entries were checked.",)


def test_follow_what_cannot_be_written_ends_the_run() -> None:
    def full(_: Verdict) -> None:
        raise OSError("no space left on device")

    with pytest.raises(OSError, match="no space"):
        session_over(Source()).follow(REFERENCES, full)


def test_follow_followed_documents_are_refused_like_checked_ones(tmp_path: Path) -> None:
    (tmp_path / "right.bib").write_text("@article{right, title = {Lamps}}")
    taken: list[Verdict] = []
    papers = [str(tmp_path / "missing.bib"), str(tmp_path / "right.bib")]
    session_over(Source()).follow(papers_of(open_documents(papers)), taken.append)
    assert [verdict.status for verdict in taken] == [Status.ERROR, Status.VALID]
    with pytest.raises(InputError, match=r"missing\.bib: No such file"):
        session_over(Source()).follow(papers_of(open_documents(papers[:1])), taken.append)


def test_follow_the_first_verdict_does_not_wait_until_a_document_is_read() -> None:
    entries = "".join(
        f"@article{{k{n}, title = {{Lamps {n}}}, author = {{A. B.}}, year = 2001}}\n"
        for n in range(2000)
    )
    read: list[int] = []
    run = session_over(Source()).follow(
        [Document.of_text(f"{entries}@article{{k0, title = {{Last}}}}", "refs.bib")],
        lambda _: None,
        lambda _, so_far: read.append(so_far),
    )
    assert len(read) == run.statistics.entries == 2001
    assert read[0] <= 50
    said = "refs.bib:2001: the key 'k0' is also that of the entry in line 1"
    assert said in run.notes, "what is said beside the entries is said all the same"


@pytest.mark.parametrize("name", ["a.jsonl", "a.txt"])
def test_follow_lists_are_checked_as_they_are_read_too(name: str) -> None:
    lines = "".join(
        f'{{"title": "Lamps {n}"}}\n' if name == "a.jsonl" else f"Lamps {n}\n" for n in range(500)
    )
    read: list[int] = []
    session_over(Source()).follow(
        [Document.of_text(lines, name)], lambda _: None, lambda _, so_far: read.append(so_far)
    )
    assert (len(read), read[0] <= 50) == (500, True)


def test_a_run_that_keeps_no_verdicts_knows_its_papers_and_what_failed() -> None:
    documents = [
        Document.of_text("@misc{k, title = {Lamps}}\n@misc{", f"{name}.bib") for name in "ab"
    ]
    kept = session_over(Source()).check(documents)
    run = session_over(Source()).follow(documents, lambda _: None)
    assert run.brief
    assert [(one.name, one.by_status) for one in run.brief.papers] == [
        (one.name, one.by_status) for one in kept.papers
    ]
    assert [one.entries for one in run.brief.papers] == [2, 2]


def test_stream_the_first_verdict_of_an_offline_run_does_not_wait_for_the_second_entry() -> None:
    read: list[str] = []

    def entries() -> Iterator[Reference]:
        for reference in REFERENCES:
            read.append(reference.key)
            yield reference

    verdicts = Session(Pipeline((Source(),), ErrorWhenFailed())).stream(entries())
    assert next(verdicts).reference.key == "a"
    assert read == ["a"]
    assert [verdict.reference.key for verdict in verdicts] == ["b", "c"]


@pytest.mark.parametrize("given", [42, None, REFERENCES[0]])
def test_stream_a_stream_of_something_not_iterable_is_an_input_error(given: Any) -> None:
    with pytest.raises(
        InputError, match=r"an iterable of references is needed.*not (int|NoneType|Reference)$"
    ):
        list(session_over(Source()).stream(given))


def test_repr_of_a_session_shows_no_password() -> None:
    address = "postgresql://ada:s3cret@db.example/work"
    processes: Any = partial(print, address)
    session = Session(Pipeline([], Validator()), settings_json=address, in_processes=processes)
    assert "s3cret" not in repr(session)
