"""Log lines cannot be forged and do not fill the disk."""

import json
import logging

import pytest

from citeproof.web.logs import FewAlike, JsonLines


def line(path: str) -> str:
    record = logging.LogRecord("citeproof.access", logging.INFO, "file.py", 1, "request", (), None)
    record.path = path
    return JsonLines().format(record)


@pytest.mark.parametrize(
    "sign", ["\x1b", "\x7f", "\x9b", "\u202e", "\u2066", "\u2028", "\n", "\ud800"]
)
def test_json_lines_escape_control_and_direction_characters(sign: str) -> None:
    written = line(f"/a{sign}b")
    assert written.isascii()
    assert written.isprintable()
    assert json.loads(written)["path"] == f"/a{sign}b"


def test_few_alike_limits_the_lines_per_second() -> None:
    now = 5.0
    few = FewAlike(20, lambda: now)
    records = [
        logging.LogRecord("asyncio", logging.ERROR, "file.py", 1, "out of files", (), None)
        for _ in range(1001)
    ]
    assert sum(map(few.filter, records[:1000])) == 20
    other = logging.LogRecord("asyncio", logging.ERROR, "file.py", 2, "something else", (), None)
    assert few.filter(other)
    now = 6.0
    assert few.filter(records[1000])
    assert records[1000].__dict__["left_out"] == 980
