"""One question at a time; others go their way."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

from citeproof.net.turns import Turns


def test_the_same_question_waits_and_another_does_not() -> None:
    turns = Turns()
    inside = threading.Event()
    asked: list[str] = []

    def ask(question: str) -> None:
        with turns.of(question):
            asked.append(question)
            inside.set()

    with ThreadPoolExecutor(2) as pool:
        with turns.of("one"):
            waiting = pool.submit(ask, "one")
            pool.submit(ask, "two").result(5)
            assert asked == ["two"]
        waiting.result(5)
    assert asked == ["two", "one"]
    assert not turns._asked


def test_a_question_that_failed_is_asked_by_the_next() -> None:
    turns = Turns()
    try:
        with turns.of("one"):
            raise ValueError
    except ValueError:
        pass
    with turns.of("one"):
        assert len(turns._asked) == 1
    assert not turns._asked
