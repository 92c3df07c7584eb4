"""An answer as a source's parser needs it: status, and a body that is what it claims to be."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from citeproof.net.failure import Kind, SourceError

SHAPE_ERRORS = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError)
"""What reading an answer raises where it has another shape than its source's: a missing key, a year of infinity..."""
MOST_RECORDS = 1000
"""Records of one answer that are looked at. Sources are asked for at most 100 hits, and the best come first."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A complete answer with a status below 400, or 404."""

    status: int
    content_type: str
    body: bytes
    host: str = ""
    """Who answered, after redirects."""

    @property
    def missing(self) -> bool:
        """The source says that it does not have what was asked for."""
        return self.status == 404

    def data(self) -> bytes:
        """Return the body; raises :class:`SourceError` where it is meant for a browser."""
        if "html" in self.content_type:
            raise SourceError(Kind.BAD_ANSWER, "HTML instead of data")
        return self.body

    def json(self) -> Any:
        """Return the body as JSON.

        Raises :class:`SourceError` for HTML (a bot challenge, a captive portal), an empty or a cut body.
        """
        try:
            return json.loads(self.data())
        except (ValueError, RecursionError) as error:
            reason = "empty body" if not self.body.strip() else "not JSON, or cut off"
            raise SourceError(Kind.BAD_ANSWER, reason) from error

    def json_object(self) -> dict[str, Any]:
        """Return the body as one JSON object; raises :class:`SourceError` for anything else."""
        value = self.json()
        if not isinstance(value, dict):
            raise SourceError(Kind.BAD_ANSWER, "not a JSON object")
        return value
