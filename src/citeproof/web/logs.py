"""Write log records as JSON objects to standard error, one per line."""

import json
import logging
import time
import traceback
from collections.abc import Callable
from typing import Any

from citeproof.model.stored import JsonObject

log = logging.getLogger("citeproof.web")
"""Logger of all modules of the service."""
_STANDARD = {
    *logging.LogRecord("", 0, "", 0, "", None, None).__dict__,
    "message",
    "asctime",
    "color_message",
}
"""Names of the attributes that every log record has.

Other attributes come from the argument ``extra``.
"""


def places(error: BaseException) -> list[str]:
    """Return the 8 innermost stack frames of ``error``, the innermost last. A frame is a text like
    ``/path/file.py:12 function``.
    """
    codes = ((frame.f_code, line) for frame, line in traceback.walk_tb(error.__traceback__))
    frames = [f"{code.co_filename}:{line} {code.co_name}" for code, line in codes]
    return (frames + getattr(error, "__notes__", []))[-8:]


class JsonLines(logging.Formatter):
    """Formats a log record as one line of JSON: time, level, logger, message, and the fields that
    were passed with ``extra``.
    """

    def format(self, record: logging.LogRecord) -> str:
        """Return ``record`` as a line of JSON. Exception messages are left out, because they may
        quote confidential titles.
        """
        line: JsonObject = {
            "time": f"{self.formatTime(record, '%Y-%m-%dT%H:%M:%S')}.{int(record.msecs):03d}",
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        line |= {name: value for name, value in record.__dict__.items() if name not in _STANDARD}
        if record.exc_info and record.exc_info[0]:
            line["error"] = record.exc_info[0].__name__
        # Only ASCII is written, because control characters and changes of text direction could make
        # a line look like another one.
        return json.dumps(line, default=str).replace("\x7f", r"\u007f")


class FewAlike(logging.Filter):
    """Logging filter that passes at most ``a_second`` records per second from the same line of
    code.
    """

    def __init__(self, a_second: int = 20, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._a_second, self._clock = a_second, clock
        self._seen: dict[tuple[str, int], tuple[int, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether ``record`` is to be written.

        Set ``record.left_out`` to the number of records from the same line of code that were
        dropped just before.
        """
        place, second = (record.pathname, record.lineno), int(self._clock())
        then, lines = self._seen.get(place, (second, 0))
        if then != second:
            if lines > self._a_second:
                record.left_out = lines - self._a_second
            lines = 0
        self._seen[place] = (second, lines + 1)
        return lines < self._a_second


def log_configuration(level: str = "INFO") -> dict[str, Any]:
    """Return the argument of :func:`logging.config.dictConfig` for a process of the web service."""
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
            "psycopg": few | {"level": "WARNING"},
            "asyncio": few,
        },
    }
