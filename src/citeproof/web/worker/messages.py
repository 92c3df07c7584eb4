"""How the service and its search process talk over a pipe: Python's own values, each after its length.

Both ends are citeproof and nobody else can write to the pipe, so what comes out of it is safe to unpickle.
"""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from citeproof.models import Lookup

_LENGTH = 4
"""Bytes that say how long a message is."""
_MOST_BYTES = 1 << 27
"""No message is longer; any text that somebody prints into the pipe, read as a length, is."""


class Question(NamedTuple):
    """A title to look up."""

    number: int
    """Names the question in its answer."""
    title: str
    threshold: float
    max_candidates: int


class Reply(NamedTuple):
    """What came of a question: a look-up, or the error that it ended with."""

    number: int
    outcome: Lookup | Exception


def packed(message: Question | Reply) -> bytes:
    """Return ``message`` as it goes over the pipe."""
    content = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    return len(content).to_bytes(_LENGTH) + content


class Unpacker:
    """Puts messages together again from the parts in which they arrive."""

    def __init__(self) -> None:
        self._data = bytearray()

    def feed(self, data: bytes) -> Iterator[Any]:
        """Yield the messages that ``data`` completes; raise what comes of anything that is none."""
        self._data += data
        while len(self._data) >= _LENGTH:
            end = _LENGTH + int.from_bytes(self._data[:_LENGTH])
            if end > _MOST_BYTES:
                raise ValueError("not a message")
            if len(self._data) < end:
                return
            message = pickle.loads(self._data[_LENGTH:end])  # noqa: S301 - see above
            del self._data[:end]
            yield message
