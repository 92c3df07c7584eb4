"""The search process: answers, retries after its end, and when it ends."""

from __future__ import annotations

import asyncio
import os
import pickle
import signal
import subprocess
import sys
import time
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest

from citeproof.database.lookup import Database
from citeproof.database.title_index.format import index_path
from citeproof.model.errors import DatabaseError
from citeproof.model.record import Lookup
from citeproof.processes import framed, read_message
from citeproof.store.runtime.jobs import JobDocument
from citeproof.web.helper import ProcessEndedError
from citeproof.web.reloading_database import DatabaseMissingError, open_reloading
from citeproof.web.searcher import Searcher, Searches, command_for

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

MISSED = "Attention is all we want"
ENDS_AT_POISON = """
import os, pickle, sys
from citeproof.model.record import Lookup, Method
from citeproof.processes import framed, read_message
while message := read_message(sys.stdin.buffer):
    _, (title, *_) = pickle.loads(message)
    if title == "poison":
        os.kill(os.getpid(), 9)
    os.write(1, framed(pickle.dumps(Lookup(title, 0.9, (), None, Method.INDEXED, "title_index", 0,
    True, 1.0))))
"""


def scripted(folder: Path, *lines: str) -> list[str]:
    """Return the command of a process that runs ``lines``."""
    script = folder / "process.py"
    script.write_text("\n".join(lines))
    return [sys.executable, str(script)]


PATIENCE = 5.0
"""Maximum time for the end of a search process, in seconds."""


@asynccontextmanager
async def searching(*command: str) -> AsyncIterator[Searcher]:
    searcher = Searcher(command)
    try:
        yield searcher
    finally:
        await searcher.close(PATIENCE)


def test_look_up_returns_the_answer_of_the_database(sample_path: Path) -> None:
    titles = [
        MISSED,
        "Attention is all you need",
        "Ééé",
        *(f"Some title {number}" for number in range(30)),
    ]

    async def ask() -> list[tuple[str, bool]]:
        async with searching(*command_for(sample_path, None)) as searcher:
            lookups = await asyncio.gather(
                *(searcher.ask(Searches.look_up, title, 0.9, 1000) for title in titles)
            )
            return [(lookup.query, lookup.found) for lookup in lookups]

    with Database.open(sample_path) as database:
        assert asyncio.run(ask()) == [(title, database.look_up(title).found) for title in titles]


def test_titles_are_told_from_other_text_and_nearest_finds_works_like_one(
    sample_path: Path,
) -> None:
    async def ask() -> list[object]:
        async with searching(*command_for(sample_path, None)) as searcher:
            texts = (
                "A Theory of the Learnable",
                "One title\nAnother title",
                "10.1109/CVPR.2016.90",
                "L. Valiant. Learning. 1984.",
            )
            taken = [
                await searcher.ask(Searches.titles, JobDocument(text.encode(), pasted=True))
                for text in texts
            ]
            return [
                *taken,
                [
                    work.record.title
                    for work in await searcher.ask(Searches.nearest, "A theory of the unlearnable")
                ],
            ]

    assert asyncio.run(ask()) == [
        ("A Theory of the Learnable",),
        ("One title", "Another title"),
        (),
        (),
        ["A Theory of the Learnable"],
    ]


def test_look_up_raises_an_error_of_the_search_with_its_place(tmp_path: Path) -> None:
    async def ask() -> None:
        async with searching(*command_for(tmp_path / "missing.db", None)) as searcher:
            await searcher.ask(Searches.look_up, MISSED, 0.9, 1000)

    with pytest.raises(DatabaseMissingError) as raised:
        asyncio.run(ask())
    assert any("reloading_database.py" in note for note in raised.value.__notes__)


def test_look_up_describes_an_error_that_cannot_be_pickled(tmp_path: Path) -> None:
    failing = """
from citeproof.web.helper import answer_all
class LocalError(Exception): ...
def fail(question, stopped):
    raise type("Unpicklable", (LocalError,), {})("no such luck")
answer_all(fail, lambda: None)
"""

    async def ask() -> None:
        async with searching(*scripted(tmp_path, failing)) as searcher:
            await searcher.ask(Searches.look_up, MISSED, 0.9, 1000)

    with pytest.raises(DatabaseError, match="Unpicklable: no such luck") as raised:
        asyncio.run(ask())
    assert "fail" in raised.value.__notes__[-1]


STALLS_AT_POISON = ENDS_AT_POISON.replace("os.kill(os.getpid(), 9)", "import time; time.sleep(600)")


def test_look_up_fails_at_a_stalled_process_and_retries_later_requests(tmp_path: Path) -> None:
    async def ask() -> list[Any]:
        searcher = Searcher(scripted(tmp_path, STALLS_AT_POISON), limit=2.0)
        titles = ["first", "poison", "behind it"]
        outcomes = await asyncio.gather(
            *(searcher.ask(Searches.look_up, title, 0.9, 9) for title in titles),
            return_exceptions=True,
        )
        await searcher.close(PATIENCE)
        return outcomes

    assert [type(outcome) for outcome in asyncio.run(ask())] == [Lookup, DatabaseError, Lookup]


def test_look_up_restarts_a_killed_process(sample_path: Path) -> None:
    async def ask() -> None:
        async with searching(*command_for(sample_path, None)) as searcher:
            first = await searcher.ask(Searches.look_up, MISSED, 0.9, 1000)
            process = searcher._process
            assert process
            os.kill(process.process.pid, signal.SIGKILL)
            second = await searcher.ask(Searches.look_up, MISSED, 0.9, 1000)
            assert first.query == second.query
            assert searcher._process is not process

    asyncio.run(ask())


DIES_FOUR_TIMES = """
import os, pickle, sys
from pathlib import Path
from citeproof.model.record import Lookup, Method
from citeproof.processes import framed, read_message
deaths = Path(__file__).with_name("deaths")
while message := read_message(sys.stdin.buffer):
    _, (title, *_) = pickle.loads(message)
    if len(deaths.read_text()) < 4:
        deaths.write_text(deaths.read_text() + "x")
        os._exit(9)
    os.write(1, framed(pickle.dumps(Lookup(title, 0.9, (), None, Method.INDEXED, "title_index", 0,
    True, 0.1))))
"""


def test_look_up_survives_several_kills_of_the_process(tmp_path: Path) -> None:
    (tmp_path / "deaths").write_text("")

    async def ask() -> Lookup:
        async with searching(*scripted(tmp_path, DIES_FOUR_TIMES)) as searcher:
            return await searcher.ask(Searches.look_up, MISSED, 0.9, 1000)

    assert asyncio.run(ask()).query == MISSED
    assert (tmp_path / "deaths").read_text() == "xxxx"


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Send a request at which the process ends once more."""
    monkeypatch.setattr("citeproof.web.searcher._RETRY_SECONDS", 0.001)


@pytest.mark.usefixtures("impatient")
def test_look_up_that_ends_the_process_fails_alone(tmp_path: Path) -> None:
    async def ask() -> list[Any]:
        async with searching(*scripted(tmp_path, ENDS_AT_POISON)) as searcher:
            titles = ["poison", *(f"title {number}" for number in range(8)), "poison", "last"]
            questions = (searcher.ask(Searches.look_up, title, 0.9, 1000) for title in titles)
            return await asyncio.gather(*questions, return_exceptions=True)

    outcomes = asyncio.run(ask())
    assert [type(outcome) for outcome in outcomes] == [
        ProcessEndedError,
        *[Lookup] * 8,
        ProcessEndedError,
        Lookup,
    ]
    assert [outcome.query for outcome in outcomes if isinstance(outcome, Lookup)][-1] == "last"


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("sent", [b"text", b"\0\0\0\4nope"], ids=["text", "no pickle"])
def test_look_up_fails_if_the_process_sends_no_answer(tmp_path: Path, sent: bytes) -> None:
    process = f"import os, time; os.write(1, {sent!r}); time.sleep(60)"

    async def ask() -> None:
        async with searching(*scripted(tmp_path, process)) as searcher:
            await asyncio.wait_for(searcher.ask(Searches.look_up, MISSED, 0.9, 1000), 20)

    with pytest.raises(ProcessEndedError):
        asyncio.run(ask())


def test_look_up_ignores_text_that_a_library_prints(sample_path: Path, tmp_path: Path) -> None:
    printing = """
import sys
from citeproof.database.lookup import Database
from citeproof.web import searcher
look_up = Database.look_up
def loudly(*given, **named):
    print("a word from a library", flush=True)
    return look_up(*given, **named)
Database.look_up = loudly
searcher.main()
"""

    async def ask() -> None:
        async with searching(*scripted(tmp_path, printing), str(sample_path)) as searcher:
            assert (await searcher.ask(Searches.look_up, MISSED, 0.9, 1000)).query == MISSED

    asyncio.run(ask())


def test_look_up_that_is_cancelled_does_not_disturb_others(sample_path: Path) -> None:
    async def ask() -> None:
        async with searching(*command_for(sample_path, None)) as searcher:
            await searcher.start()
            process = searcher._process
            assert process
            given_up, waits = (
                asyncio.create_task(searcher.ask(Searches.look_up, title, 0.9, 1000))
                for title in (MISSED, "Other")
            )
            while len(process._waiting) < 2:
                await asyncio.sleep(0)
            given_up.cancel()
            assert (await waits).query == "Other"
            assert not process._waiting

    asyncio.run(ask())


def test_close_kills_a_process_that_does_not_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(globals(), "PATIENCE", 0.05)

    async def ask() -> int:
        async with searching(*scripted(tmp_path, "import time; time.sleep(60)")) as searcher:
            await searcher.start()
            assert searcher._process
            pid = searcher._process.process.pid
        with pytest.raises(DatabaseError, match="was stopped"):
            await searcher.ask(Searches.look_up, MISSED, 0.9, 1000)
        return pid

    pid = asyncio.run(ask())
    for _ in range(500):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return
        time.sleep(0.01)
    raise AssertionError("still there")


def test_command_imports_no_modules_from_the_working_folder(
    sample_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "numpy.py").write_text("raise SystemExit('not this one')")
    monkeypatch.chdir(tmp_path)

    async def ask() -> None:
        async with searching(*command_for(sample_path, None)) as searcher:
            assert (await searcher.ask(Searches.look_up, MISSED, 0.9, 1000)).query == MISSED

    asyncio.run(ask())


def test_search_process_ends_with_its_parent(sample_path: Path) -> None:
    process = subprocess.Popen(
        command_for(sample_path, None), stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdin
    assert process.stdout

    def ask() -> None:
        assert process.stdin
        assert process.stdout
        process.stdin.write(framed(pickle.dumps(("look_up", (MISSED, 0.9, 1000)))))
        process.stdin.flush()
        message = read_message(process.stdout)
        assert message
        assert pickle.loads(message).query == MISSED

    ask()
    process.send_signal(signal.SIGTERM)
    ask()
    process.stdin.close()
    assert process.wait(10) == 0
    process.stdout.close()


def test_search_process_reads_the_index_of_another_folder(
    sample_path: Path, tmp_path: Path
) -> None:
    command = command_for(sample_path, tmp_path)
    assert command[-2:] == [str(sample_path), str(tmp_path)]
    reloading = open_reloading(sample_path, tmp_path)
    with reloading.borrow() as database:
        assert str(index_path(sample_path, tmp_path)) in getattr(database, "warnings", [""])[0]
    reloading.close()
