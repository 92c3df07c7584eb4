"""What a process beside a build says, and what is made of it when it fails."""

from __future__ import annotations

from io import BytesIO

import pytest

from citeproof.database.build.beside import receive, send
from citeproof.model.errors import BuildError


def test_values_arrive_as_they_were_sent() -> None:
    stream = BytesIO()
    for content in ((1, ["a", None]), None, 0.5):
        send(stream, content)
    stream.seek(0)
    assert [receive(stream, "stopped") for _ in range(3)] == [(1, ["a", None]), None, 0.5]


def test_a_text_says_what_is_wrong_and_silence_that_it_was_stopped() -> None:
    stream = BytesIO()
    send(stream, "a.xml: no such file")
    stream.seek(0)
    with pytest.raises(BuildError, match=r"a\.xml: no such file"):
        receive(stream, "stopped")
    with pytest.raises(BuildError, match="stopped"):
        receive(stream, "stopped")
