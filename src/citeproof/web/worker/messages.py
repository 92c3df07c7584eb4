"""How the service and its search process talk: questions and replies, pickled.

Both ends are citeproof and nobody else can write to the pipe, so what comes out of it is safe to unpickle.
"""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING, Any, NamedTuple

from citeproof.child_process import Unframer, framed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from citeproof.models import Lookup, Verdict
    from citeproof.runtime.jobs import JobDocument


class Question(NamedTuple):
    """A title to look up."""

    number: int
    """Names the question in its answer."""
    title: str
    threshold: float
    max_candidates: int


class Claim(NamedTuple):
    """A reference to verify."""

    number: int
    document: JobDocument
    """Holds that one reference."""
    threshold: float


class Reply(NamedTuple):
    """What came of a question: a look-up, a verdict, or the error that it ended with."""

    number: int
    outcome: Lookup | Verdict | Exception


def packed(message: Question | Claim | Reply) -> bytes:
    """Return ``message`` as it goes over the pipe."""
    return framed(pickle.dumps(message, pickle.HIGHEST_PROTOCOL))


class Unpacker:
    """Puts messages together again from the parts in which they arrive."""

    def __init__(self) -> None:
        self._unframer = Unframer()

    def feed(self, data: bytes) -> Iterator[Any]:
        """Yield the messages that ``data`` completes; raise what comes of anything that is none."""
        for content in self._unframer.feed(data):
            yield pickle.loads(content)  # noqa: S301 - see above
