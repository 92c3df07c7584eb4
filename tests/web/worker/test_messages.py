"""Messages come out of a pipe as they went in, however they were cut on the way."""

from __future__ import annotations

import pytest

from citeproof.errors import DatabaseError
from citeproof.web.worker.messages import Question, Reply, Unpacker, packed

QUESTIONS = [Question(number, f"Some title {number} " * number, 0.9, 1000) for number in range(5)]


@pytest.mark.parametrize("size", [1, 3, 50, 10_000])
def test_messages_survive_any_cut(size: int) -> None:
    stream = b"".join(map(packed, QUESTIONS))
    unpacker = Unpacker()
    parts = [stream[first : first + size] for first in range(0, len(stream), size)]
    assert [message for part in parts for message in unpacker.feed(part)] == QUESTIONS


def test_an_error_comes_with_its_notes() -> None:
    error = DatabaseError("x.db: is damaged")
    error.add_note("database.py:1 look_up")
    ((number, outcome),) = Unpacker().feed(packed(Reply(7, error)))
    assert number == 7
    assert isinstance(outcome, DatabaseError)
    assert (str(outcome), outcome.__notes__) == ("x.db: is damaged", ["database.py:1 look_up"])
