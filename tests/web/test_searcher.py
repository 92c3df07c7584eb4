"""The search process: what it answers, what becomes of those who wait when it ends, and when it ends."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import pytest

from citeproof.bibdb.database import Database
from citeproof.bibdb.title_index.attached import index_path
from citeproof.errors import DatabaseError
from citeproof.web import search_process
from citeproof.web.messages import Question, Unpacker, packed
from citeproof.web.searcher import ProcessEndedError, Searcher, command_for
from citeproof.web.shelf import DatabaseMissingError, open_shelf

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

MISSED = "Attention is all we want"
KILLED = [sys.executable, "-c", "import os, sys; sys.stdin.read(1); os.kill(os.getpid(), 9)"]


@asynccontextmanager
async def searching(*command: str) -> AsyncIterator[Searcher]:
    searcher = Searcher(command)
    try:
        yield searcher
    finally:
        await searcher.close()


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
    assert any("shelf.py" in note for note in raised.value.__notes__)


def test_an_error_that_cannot_be_sent_is_described(sample_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class LocalError(Exception):
        pass

    def fail(*_: object, **__: object) -> None:
        raise LocalError("no such luck")

    monkeypatch.setattr(Database, "look_up", fail)
    shelf = open_shelf(sample_path)
    reply = search_process.answer(shelf, Question(1, MISSED, 0.9, 1000))
    shelf.close()
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


def test_a_question_that_ends_two_processes_fails() -> None:
    async def ask() -> None:
        async with searching(*KILLED) as searcher:
            await searcher.look_up(MISSED, 0.9, 1000)

    with pytest.raises(ProcessEndedError):
        asyncio.run(ask())


def test_who_gave_up_is_not_waited_for(sample_path: Path) -> None:
    async def ask() -> None:
        async with searching(*command_for(sample_path, None)) as searcher:
            given_up = asyncio.create_task(searcher.look_up(MISSED, 0.9, 1000))
            await asyncio.sleep(0.01)
            given_up.cancel()
            assert (await searcher.look_up("Some title", 0.9, 1000)).query == "Some title"

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
    process.send_signal(signal.SIGINT)
    process.send_signal(signal.SIGTERM)
    ask(2)
    process.stdin.close()
    assert process.wait(10) == 0
    process.stdout.close()


def test_it_reads_the_index_of_another_folder(sample_path: Path, tmp_path: Path) -> None:
    command = command_for(sample_path, tmp_path)
    assert command[-2:] == [str(sample_path), str(tmp_path)]
    shelf = open_shelf(sample_path, tmp_path)
    with shelf.borrow() as database:
        assert str(index_path(sample_path, tmp_path)) in getattr(database, "warnings", [""])[0]
    shelf.close()
