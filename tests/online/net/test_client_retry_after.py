from typing import Any

import pytest

from citeproof.online.net.client import retry_after

NOON = 1_772_366_400.0  # 2026-03-01 12:00:00 UTC


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("5", 5.0),
        (" 54000 ", 54000.0),
        ("5, 5", 5.0),
        ("Sun, 01 Mar 2026 12:00:30 GMT", 30.0),
        ("Sun, 01 Mar 2026 11:00:00 GMT", 0.0),
        ("", None),
        ("soon", None),
        ("-3", None),
    ],
)
def test_retry_after(header: Any, seconds: Any) -> None:
    assert retry_after(header, NOON) == seconds
