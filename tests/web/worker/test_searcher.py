"""The search process: what it answers, what becomes of those who wait when it ends, and when it ends."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest

from citeproof.bibdb.database import Database
from citeproof.bibdb.title_index.format import index_path
from citeproof.errors import DatabaseError
from citeproof.models import Lookup
from citeproof.web.worker import search_process
from citeproof.web.worker.messages import Question, Unpacker, packed
from citeproof.web.worker.reloading_database import DatabaseMissingError, open_reloading
from citeproof.web.worker.searcher import ProcessEndedError, Searcher, command_for

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

MISSED = "Attention is all we want"
ENDS_AT_POISON = """
import os, sys
from citeproof.models import Lookup, Method
from citeproof.web.worker.messages import Reply, Unpacker, packed
unpacker = Unpacker()
while data := os.read(0, 65536):
    for question in unpacker.feed(data):
        if question.title == "poison":
            os.kill(os.getpid(), 9)
        lookup = Lookup(question.title, 0.9, (), None, Method.INDEXED, "title_index", 0, True, 1.0)
        os.write(1, packed(Reply(question.number, lookup)))
"""


def scripted(folder: Path, *lines: str) -> list[str]:
    """Return what starts a process that runs ``lines``."""
    script = folder / "process.py"
    script.write_text("\n".join(lines))
    return [sys.executable, str(script)]


PATIENCE = 5.0
"""Seconds that a search process may take to end."""


@asynccontextmanager
async def searching(*command: str) -> AsyncIterator[Searcher]:
    searcher = Searcher(command)
    try:
        yield searcher
    finally:
        await searcher.close(PATIENCE)


def test_it_answers_as_the_database_does(sample_path: Path) -> None:
    titles = [MISSED, "Attention is all you need", "Ééé", *(f"Some title {number}" for number in range(30))]

    async def ask() -> list[tuple[str, bool]]:
        async with searching(*command_for(sample_path, None)) as searcher:
            lookups = await asyncio.gather(*(searcher.look_up(title, 0.9, 1000) for title in titles))
            return [(lookup.query, lookup.found) for lookup in lookups]

    with Database.open(sample_path) as database:
        assert asyncio.run(ask()) == [(title, database.look_up(title).found) for title in titles]


def test_an_error_of_a_search_comes_back_with_its_place(tmp_path: Path) -> None:
    async def ask() -> None:
        async with searching(*command_for(tmp_path / "missing.db", None)) as searcher:
            await searcher.look_up(MISSED, 0.9, 1000)

    with pytest.raises(DatabaseMissingError) as raised:
        asyncio.run(ask())
    assert any("reloading_database.py" in note for note in raised.value.__notes__)


def test_an_error_that_cannot_be_sent_is_described(sample_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class LocalError(Exception):
        pass

    def fail(*_: object, **__: object) -> None:
        raise LocalError("no such luck")

    monkeypatch.setattr(Database, "look_up", fail)
    reloading = open_reloading(sample_path)
    reply = search_process.answer(reloading, Question(1, MISSED, 0.9, 1000))
    reloading.close()
    assert isinstance(reply.outcome, DatabaseError)
    assert str(reply.outcome) == "LocalError: no such luck"
    assert "fail" in reply.outcome.__notes__[-1]


def test_a_process_that_was_killed_is_started_again(sample_path: Path) -> None:
    async def ask() -> None:
        async with searching(*command_for(sample_path, None)) as searcher:
            first = await searcher.look_up(MISSED, 0.9, 1000)
            process = searcher._process
            assert process
            os.kill(process._transport.get_pid(), signal.SIGKILL)
            second = await searcher.look_up(MISSED, 0.9, 1000)
            assert first.query == second.query
            assert searcher._process is not process

    asyncio.run(ask())


DIES_FOUR_TIMES = """
import os, sys
from pathlib import Path
from citeproof.models import Lookup, Method
from citeproof.web.worker.messages import Reply, Unpacker, packed
deaths = Path(__file__).with_name("deaths")
unpacker = Unpacker()
while data := os.read(0, 1 << 16):
    for question in unpacker.feed(data):
        if len(deaths.read_text()) < 4:
            deaths.write_text(deaths.read_text() + "x")
            os._exit(9)
        lookup = Lookup(question.title, 0.9, (), None, Method.INDEXED, "title_index", 0, True, 0.1)
        os.write(1, packed(Reply(question.number, lookup)))
"""


def test_a_question_outlasts_a_process_that_is_killed_again_and_again(tmp_path: Path) -> None:
    (tmp_path / "deaths").write_text("")

    async def ask() -> Lookup:
        async with searching(*scripted(tmp_path, DIES_FOUR_TIMES)) as searcher:
            return await searcher.look_up(MISSED, 0.9, 1000)

    assert asyncio.run(ask()).query == MISSED
    assert (tmp_path / "deaths").read_text() == "xxxx"


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ask a question at which the process ends once more only."""
    monkeypatch.setattr("citeproof.web.worker.searcher._RETRY_SECONDS", 0.001)


@pytest.mark.usefixtures("impatient")
def test_a_question_that_ends_the_process_fails_and_costs_the_others_nothing(tmp_path: Path) -> None:
    async def ask() -> list[Any]:
        async with searching(*scripted(tmp_path, ENDS_AT_POISON)) as searcher:
            titles = ["poison", *(f"title {number}" for number in range(8)), "poison", "last"]
            questions = (searcher.look_up(title, 0.9, 1000) for title in titles)
            return await asyncio.gather(*questions, return_exceptions=True)

    outcomes = asyncio.run(ask())
    assert [type(outcome) for outcome in outcomes] == [
        ProcessEndedError, *[Lookup] * 8, ProcessEndedError, Lookup
    ]  # fmt: skip
    assert [outcome.query for outcome in outcomes if isinstance(outcome, Lookup)][-1] == "last"


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("sent", [b"text", b"\0\0\0\4nope"], ids=["text", "no pickle"])
def test_what_is_no_answer_keeps_nobody_waiting(tmp_path: Path, sent: bytes) -> None:
    process = f"import os, time; os.write(1, {sent!r}); time.sleep(60)"

    async def ask() -> None:
        async with searching(*scripted(tmp_path, process)) as searcher:
            await asyncio.wait_for(searcher.look_up(MISSED, 0.9, 1000), 20)

    with pytest.raises(ProcessEndedError):
        asyncio.run(ask())


def test_what_a_library_prints_is_no_answer(sample_path: Path, tmp_path: Path) -> None:
    printing = """
import sys
from citeproof.bibdb.database import Database
from citeproof.web.worker import search_process
look_up = Database.look_up
def loudly(*given, **named):
    print("a word from a library", flush=True)
    return look_up(*given, **named)
Database.look_up = loudly
search_process.main()
"""

    async def ask() -> None:
        async with searching(*scripted(tmp_path, printing), str(sample_path)) as searcher:
            assert (await searcher.look_up(MISSED, 0.9, 1000)).query == MISSED

    asyncio.run(ask())


def test_who_gave_up_is_passed_over(sample_path: Path) -> None:
    async def ask() -> None:
        async with searching(*command_for(sample_path, None)) as searcher:
            await searcher.start()
            process = searcher._process
            assert process
            given_up, waits = (asyncio.create_task(searcher.look_up(title, 0.9, 1000)) for title in (MISSED, "Other"))
            while len(process._waiting) < 2:
                await asyncio.sleep(0)
            given_up.cancel()
            assert (await waits).query == "Other"
            assert not process._waiting

    asyncio.run(ask())


def test_a_process_that_does_not_end_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(globals(), "PATIENCE", 0.05)

    async def ask() -> int:
        async with searching(*scripted(tmp_path, "import time; time.sleep(60)")) as searcher:
            await searcher.start()
            assert searcher._process
            pid = searcher._process._transport.get_pid()
        with pytest.raises(DatabaseError, match="was stopped"):
            await searcher.look_up(MISSED, 0.9, 1000)
        return pid

    pid = asyncio.run(ask())
    for _ in range(500):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return
        time.sleep(0.01)
    raise AssertionError("still there")


def test_modules_of_the_folder_it_runs_in_are_not_taken(
    sample_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "numpy.py").write_text("raise SystemExit('not this one')")
    monkeypatch.chdir(tmp_path)

    async def ask() -> None:
        async with searching(*command_for(sample_path, None)) as searcher:
            assert (await searcher.look_up(MISSED, 0.9, 1000)).query == MISSED

    asyncio.run(ask())


def test_it_ends_with_whoever_started_it_and_not_before(sample_path: Path) -> None:
    process = subprocess.Popen(command_for(sample_path, None), stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin
    assert process.stdout

    def ask(number: int) -> None:
        assert process.stdin
        assert process.stdout
        process.stdin.write(packed(Question(number, MISSED, 0.9, 1000)))
        process.stdin.flush()
        unpacker = Unpacker()
        while not (replies := list(unpacker.feed(os.read(process.stdout.fileno(), 1000)))):
            pass
        assert replies[0].number == number

    ask(1)
    process.send_signal(signal.SIGTERM)
    ask(2)
    process.stdin.close()
    assert process.wait(10) == 0
    process.stdout.close()


def test_it_reads_the_index_of_another_folder(sample_path: Path, tmp_path: Path) -> None:
    command = command_for(sample_path, tmp_path)
    assert command[-2:] == [str(sample_path), str(tmp_path)]
    reloading = open_reloading(sample_path, tmp_path)
    with reloading.borrow() as database:
        assert str(index_path(sample_path, tmp_path)) in getattr(database, "warnings", [""])[0]
    reloading.close()
