"""Log lines as JSON objects on standard error, one a line."""

from __future__ import annotations

import json
import logging
import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

LINES_A_SECOND = 20
"""So many lines that are logged at one place are written in a second. Requests are not limited."""
_STANDARD = frozenset(logging.LogRecord("", 0, "", 0, "", None, None).__dict__) | {
    "message",
    "asctime",
    "color_message",
}


class JsonLines(logging.Formatter):
    """Time, level, logger and message, then whatever the line was given with ``extra``."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line; an exception's own message is left out, because it may quote a confidential title."""
        line: dict[str, Any] = {
            "time": f"{self.formatTime(record, '%Y-%m-%dT%H:%M:%S')}.{int(record.msecs):03d}",
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        line |= {name: value for name, value in record.__dict__.items() if name not in _STANDARD}
        if record.exc_info and record.exc_info[0]:
            line["error"] = record.exc_info[0].__name__
        # All but ASCII is escaped: a control character or one that turns the direction of text could forge a line.
        return json.dumps(line, default=str).replace("\x7f", r"\u007f")


class FewAlike(logging.Filter):
    """Lets through so many lines a second that were logged at one place; the next second's first says what is missing.

    A fault that hits every connection must not fill a disk.
    """

    def __init__(self, a_second: int = LINES_A_SECOND, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._a_second = a_second
        self._clock = clock
        self._seen: dict[tuple[str, int], tuple[int, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Say whether ``record`` is written."""
        place, second = (record.pathname, record.lineno), int(self._clock())
        then, lines = self._seen.get(place, (second, 0))
        if then != second:
            if lines > self._a_second:
                record.left_out = lines - self._a_second
            lines = 0
        self._seen[place] = (second, lines + 1)
        return lines < self._a_second


def log_configuration(level: str = "INFO") -> dict[str, Any]:
    """Return the configuration of the ``logging`` module for a server process."""
    few = {"handlers": ["few"], "level": level, "propagate": False}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"lines": {"()": JsonLines}},
        "filters": {"few": {"()": FewAlike}},
        "handlers": {
            "all": {"class": "logging.StreamHandler", "formatter": "lines"},
            "few": {"class": "logging.StreamHandler", "formatter": "lines", "filters": ["few"]},
        },
        "loggers": {
            "citeproof": few,
            "citeproof.access": few | {"handlers": ["all"]},
            "uvicorn": few,
            "asyncio": few,
        },
    }
