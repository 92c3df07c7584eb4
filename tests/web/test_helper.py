"""Child processes that answer requests. test_searcher.py tests the answers of search processes."""

import asyncio
import subprocess
import sys

import pytest

from citeproof.model.errors import DatabaseError
from citeproof.web.helper import Helper, NotReachedError, ProcessEndedError

CHECK = """
import gc, weakref
from citeproof.web.helper import collect_rarely
collect_rarely()
assert gc.isenabled() and gc.get_freeze_count() > 1000
class Cycle:
    def __init__(self): self.own = self
seen = weakref.ref(Cycle())
kept = [[] for _ in range(30_000)]
assert seen() is None
"""
ANSWER = """
import os, time
from citeproof.web.helper import answer_all

def answer(asked, stopped):
    if asked == "fail":
        raise ValueError("no number")
    if asked == "end":
        os._exit(1)
    if asked == "print":
        print("text in the pipe")
    if asked == "wait":
        time.sleep(600)
    return asked

answer_all(answer, lambda: None)
"""
COMMAND = (sys.executable, "-c", ANSWER)


def test_collect_rarely_still_collects_garbage_and_leaves_loaded_modules_alone() -> None:
    subprocess.run([sys.executable, "-c", CHECK], check=True)


def test_ask_returns_answers_in_order_and_raises_what_the_child_raised() -> None:
    async def asked() -> list[object]:
        helper = await Helper.start(COMMAND, 60)
        questions = (1, "print", "fail", 2)
        answers = await asyncio.gather(*map(helper.ask, questions), return_exceptions=True)
        await helper.close(5)
        with pytest.raises(NotReachedError):
            await helper.ask(3)
        return [*answers, helper.ended, helper.process.returncode]

    one, printed, failed, two, ended, code = asyncio.run(asked())
    assert (one, printed, two) == (1, "print", 2)
    assert isinstance(failed, ValueError)
    assert str(failed) == "no number"
    assert (ended, code) == (True, 0)


def test_ask_fails_the_request_at_which_the_process_ended_and_those_behind_it() -> None:
    async def asked() -> list[object]:
        helper = await Helper.start(COMMAND, 60)
        questions = (1, "end", 2)
        answers = await asyncio.gather(*map(helper.ask, questions), return_exceptions=True)
        await helper.close(5)
        return list(answers)

    one, ended, behind = asyncio.run(asked())
    assert one == 1
    assert isinstance(ended, ProcessEndedError)
    assert isinstance(behind, NotReachedError)


def test_ask_kills_a_process_that_gives_no_answer_in_time() -> None:
    async def asked() -> tuple[object, bool]:
        helper = await Helper.start(COMMAND, 60)
        assert await helper.ask(1) == 1  # it has started
        helper._limit = 0.01
        answers = await asyncio.gather(helper.ask("wait"), return_exceptions=True)
        await helper.close(5)
        return answers[0], helper.process.returncode != 0

    late, killed = asyncio.run(asked())
    assert isinstance(late, DatabaseError)
    assert str(late) == "no answer within 0.01 seconds"
    assert killed


def test_ask_has_no_time_out_while_nothing_is_asked() -> None:
    async def limits() -> list[bool]:
        helper = await Helper.start(COMMAND, 60)
        seen = [helper._patience.when() is None]
        waiting = [asyncio.ensure_future(helper.ask(number)) for number in (1, 2)]
        await asyncio.sleep(0)
        seen.append(helper._patience.when() is None)
        await asyncio.gather(*waiting)
        seen.append(helper._patience.when() is None)
        await helper.close(5)
        return seen

    assert asyncio.run(limits()) == [True, False, True]
