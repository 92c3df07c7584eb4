"""A session:  the order of the chain, which database is taken, and what is said about it."""

from __future__ import annotations

import gc
import sqlite3
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import pytest

from citeproof import session
from citeproof.bibdb import brute_force
from citeproof.bibdb.build import build
from citeproof.bibdb.database import Database
from citeproof.errors import ConfigurationError, DatabaseError, InputError
from citeproof.inputs import open_documents
from citeproof.models import (
    Bibliography,
    Diagnostic,
    Findings,
    Inquiry,
    Outcome,
    Place,
    Reference,
    Severity,
    Status,
    Verdict,
)
from citeproof.papers import papers_of
from citeproof.pipeline import Pipeline
from citeproof.results import Ending
from citeproof.server_address import ServerAddress
from citeproof.session import SAMPLE_NOTE, Session, choose_database, open_database, open_session
from citeproof.settings import default_cache, default_database, load
from citeproof.unsupported import UnsupportedError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from citeproof.online_chain import OnlineChain

DUMP = Path(__file__).parent / "data" / "bibdb" / "small.xml"


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Live in a home of one's own, with the sample of a file that is quickly built."""
    monkeypatch.chdir(tmp_path)
    for name in ("DATA", "CACHE", "STATE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name.lower()))
    sample = tmp_path / "sample.db"
    build([DUMP], sample)
    monkeypatch.setattr(session, "sample_database", lambda: sample)


def test_the_default_chain_is_the_database_other_readings_and_the_cache() -> None:
    with open_session(load()) as opened:
        assert opened.pipeline.strategies == ("bibliographic_database", "readings", "cache")
    with open_session(load(disable_bib=True)) as opened:
        assert opened.pipeline.strategies == ("cache",)
        assert opened.describe_database() == {}


def test_the_sample_answers_with_a_note_only_where_there_is_no_other(tmp_path: Path) -> None:
    assert choose_database(load()) == (tmp_path / "sample.db", (SAMPLE_NOTE,))
    default_database().parent.mkdir(parents=True)
    build([DUMP], default_database())
    assert choose_database(load()) == (default_database(), ())
    assert choose_database(load(bib_db=tmp_path / "named.db")) == (tmp_path / "named.db", ())


def test_a_named_database_that_is_missing_ends_the_run(tmp_path: Path) -> None:
    with pytest.raises(DatabaseError, match=r"named\.db"):
        open_session(load(bib_db=tmp_path / "named.db"))


def test_only_a_cache_that_was_named_must_work(tmp_path: Path) -> None:
    default_cache().mkdir(parents=True)
    with open_session(load()) as opened:
        assert opened.pipeline.strategies == ("bibliographic_database", "readings")
        assert any("cache is not used" in note for note in opened.notes)
    with pytest.raises(DatabaseError):
        open_session(load(cache=tmp_path))


def test_what_cannot_go_online_says_so_once_and_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise ImportError("no such module", name="httpx2")

    monkeypatch.setattr("citeproof.online_chain.build_online", refuse)
    with open_session(load(enable_online=True)) as opened:
        assert opened.pipeline.strategies == ("bibliographic_database", "readings", "cache")
        assert len(opened.warnings) == 1
        assert "httpx2" in opened.warnings[0]
        assert "pip install '.[online]'" in opened.warnings[0]
    with open_session(load(enable_online=True, offline=True)) as opened:
        assert opened.warnings == (session.OFFLINE_NOTE,)


@pytest.mark.parametrize("name", ["bib_db", "bib_index_dir"])
def test_a_database_server_in_place_of_a_file_is_refused_without_its_password(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(f"CITEPROOF_{name.upper()}", "postgresql://me:secret@host/db")
    with pytest.raises(UnsupportedError, match=f"^setting {name}: is a file and cannot be on a") as caught:
        load()
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("name", ["cache", "runtime_store"])
def test_a_store_may_be_on_a_server(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(f"CITEPROOF_{name.upper()}", "postgresql://me:secret@host/db")
    settings = load()
    assert getattr(settings, name) == ServerAddress("postgresql://me:secret@host/db")
    assert "secret" not in repr(settings)


def test_a_source_that_does_not_exist_is_bad_usage() -> None:
    with pytest.raises(ConfigurationError, match="nowhere"):
        open_session(load(enable_online=True, sources="nowhere"))


def test_a_run_on_the_command_line_keeps_no_titles_in_memory(tmp_path: Path) -> None:
    path = tmp_path / "bare.db"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE publications (id INTEGER PRIMARY KEY, title TEXT)")
        connection.execute("INSERT INTO publications (title) VALUES ('Lamp Trees')")
    database, _ = open_database(load(bib_db=path))
    with database:
        assert database.look_up("Lamp Trees").found
    assert [in_memory for held, in_memory in brute_force._ENTRIES if held == path.resolve()] == [False]


class ErrorWhenFailed:
    """A validator that knows ERROR and VALID alone."""

    def decide(self, reference: Reference, findings: Findings) -> Verdict:
        failed = any(inquiry.outcome is Outcome.FAILED for inquiry in findings.inquiries)
        status = Status.ERROR if failed else Status.VALID
        return Verdict(reference, status, "because", 1.0, evidence=findings.inquiries)

    def explain(self, verdict: Verdict, findings: Findings) -> Verdict:
        return verdict


class Source:
    """A link that fails for the references ``down`` until it is asked a second time."""

    name = "api"

    def __init__(self, *down: str) -> None:
        self.down = set(down)

    def search(self, reference: Reference) -> Findings:
        failed = reference.key in self.down
        return Findings(inquiries=(Inquiry("crossref", Outcome.FAILED, "refused"),)) if failed else Findings()

    def reopen(self) -> bool:
        self.down.clear()
        return True

    def stop(self) -> None:
        """Nothing waits."""


def session_over(source: Source, **parts: Any) -> Session:
    pipeline = Pipeline((source,), ErrorWhenFailed(), outside=source)
    return Session(pipeline, online=cast("OnlineChain", SimpleNamespace(sent=tuple, cache=None)), **parts)


REFERENCES = [Reference("a"), Reference("b"), Reference("c")]


def test_a_run_asks_a_failed_source_once_more_and_keeps_the_order() -> None:
    run = session_over(Source("a", "c"), notes=("a note",)).check(REFERENCES)
    assert [(verdict.reference.key, verdict.status) for verdict in run.verdicts] == [
        ("a", "VALID"),
        ("b", "VALID"),
        ("c", "VALID"),
    ]
    assert run.notes == ("a note",)
    assert run.ending is Ending.COMPLETE


def test_a_stream_gives_what_a_failed_source_left_open_last_and_once() -> None:
    verdicts = list(session_over(Source("a")).stream(REFERENCES))
    assert [verdict.reference.key for verdict in verdicts] == ["b", "c", "a"]
    assert {verdict.status for verdict in verdicts} == {Status.VALID}


def test_progress_sees_each_verdict_and_how_many_there_are() -> None:
    seen: list[tuple[str, int]] = []
    broken = Diagnostic(Place("refs.bib", 9), "bibtex.unbalanced", "never closed")
    guessed = Diagnostic(Place("refs.bib"), "document.guessed_encoding", "is cp1252", severity=Severity.NOTE)
    papers: list[Bibliography | Reference | Diagnostic] = [
        Bibliography((REFERENCES[0], broken), (guessed,)),
        REFERENCES[1],
    ]
    run = session_over(Source()).check(papers, lambda verdict, total: seen.append((verdict.status.value, total)))
    assert seen == [("VALID", 3), ("ERROR", 3), ("VALID", 3)]
    assert run.notes == ("refs.bib: is cp1252",)


def test_an_interrupt_leaves_a_run_of_what_is_done() -> None:
    def stop_at_the_second(verdict: Verdict, total: int) -> None:
        if verdict.reference.key == "b":
            raise KeyboardInterrupt

    run = session_over(Source()).check(REFERENCES, stop_at_the_second)
    assert [verdict.reference.key for verdict in run.verdicts] == ["a", "b"]
    assert run.ending is Ending.INTERRUPTED
    assert run.notes == ("Interrupted: 2 of 3 entries were checked.",)
    assert run.statistics.entries == 2


def test_a_fault_of_the_run_costs_no_verdict_that_is_done() -> None:
    def fail_at_the_second(verdict: Verdict, total: int) -> None:
        if verdict.reference.key == "b":
            raise DatabaseError("refs.db: unable to open database file")

    run = session_over(Source()).check(REFERENCES, fail_at_the_second)
    assert [verdict.status for verdict in run.verdicts] == [Status.VALID] * 2
    assert run.ending is Ending.FAILED
    assert run.notes == ("The run ended early: refs.db: unable to open database file. 2 of 3 entries were checked.",)


@pytest.mark.parametrize("fault", [AttributeError("no transport"), RuntimeError("a\nb"), ValueError("bad port")])
def test_whatever_fails_inside_a_library_degrades_to_the_local_chain(
    monkeypatch: pytest.MonkeyPatch, fault: Exception
) -> None:
    def refuse(*_: object) -> None:
        raise fault

    monkeypatch.setattr("citeproof.online_chain.build_online", refuse)
    with open_session(load(enable_online=True)) as opened:
        assert opened.pipeline.strategies == ("bibliographic_database", "readings", "cache")
        (warning,) = opened.warnings
        assert type(fault).__name__ in warning
        assert "\n" not in warning


def test_a_session_closes_what_it_opened_and_no_database_of_another(tmp_path: Path) -> None:
    with Database.open(choose_database(load())[0]) as database:
        with Session.over(database) as session:
            assert session.verify(Reference("x", "Nothing of the kind")).status is Status.UNVERIFIED
        assert database.describe()["records"] > 0, "it is still open"
    with open_session(load()) as opened:
        held = opened.database
    assert held
    with pytest.raises(DatabaseError, match="closed"):
        held.look_up("anything")


def test_one_document_that_cannot_be_read_costs_no_other(tmp_path: Path) -> None:
    (tmp_path / "right.bib").write_text("@article{right, title = {Lamps}}")
    papers = papers_of(open_documents([str(tmp_path / "right.bib"), str(tmp_path / "missing.bib")]))
    run = session_over(Source()).check(papers)
    assert [(verdict.status, verdict.reason) for verdict in run.verdicts] == [
        (Status.VALID, "because"),
        (Status.ERROR, "unreadable_entry"),
    ]
    assert run.exit_code(()) == 3
    with pytest.raises(InputError, match=r"missing\.bib: No such file"):
        session_over(Source()).check(papers_of(open_documents([str(tmp_path / "missing.bib")])))


def test_followed_verdicts_are_handed_over_and_not_kept() -> None:
    taken: list[Verdict] = []
    run = session_over(Source("a"), notes=("a note",)).follow(REFERENCES, taken.append)
    assert [verdict.reference.key for verdict in taken] == ["b", "c", "a"]
    assert (run.verdicts, run.notes, run.statistics.entries) == ((), ("a note",), 3)


def test_neither_the_first_verdict_nor_memory_waits_for_all_papers() -> None:
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


def test_an_interrupt_ends_what_is_followed_with_what_is_done() -> None:
    def stop_at_the_second(verdict: Verdict, total: int) -> None:
        if verdict.reference.key == "b":
            raise KeyboardInterrupt

    taken: list[Verdict] = []
    run = session_over(Source()).follow(REFERENCES, taken.append, stop_at_the_second)
    assert [verdict.reference.key for verdict in taken] == ["a", "b"]
    assert (run.ending, run.statistics.entries) == (Ending.INTERRUPTED, 2)
    assert run.notes == ("Interrupted: 2 of 3 entries were checked.",)


def test_what_cannot_be_written_ends_the_run() -> None:
    def full(_: Verdict) -> None:
        raise OSError("no space left on device")

    with pytest.raises(OSError, match="no space"):
        session_over(Source()).follow(REFERENCES, full)


def test_followed_documents_are_refused_like_checked_ones(tmp_path: Path) -> None:
    (tmp_path / "right.bib").write_text("@article{right, title = {Lamps}}")
    taken: list[Verdict] = []
    papers = [str(tmp_path / "missing.bib"), str(tmp_path / "right.bib")]
    session_over(Source()).follow(papers_of(open_documents(papers)), taken.append)
    assert [verdict.status for verdict in taken] == [Status.ERROR, Status.VALID]
    with pytest.raises(InputError, match=r"missing\.bib: No such file"):
        session_over(Source()).follow(papers_of(open_documents(papers[:1])), taken.append)
