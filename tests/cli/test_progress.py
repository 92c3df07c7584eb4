"""What the progress of a run says."""

import pytest

from citeproof.cli.progress import QUIET_SECONDS, Reading


def test_reading_says_what_is_read_when_nothing_was_said_for_long(
    capsys: pytest.CaptureFixture[str],
) -> None:
    now = 0.0
    reading = Reading(lambda: now)
    for number in range(5):
        reading(f"papers/{number}.pdf")
        now += QUIET_SECONDS / 2
    assert reading.said == "reading papers/4.pdf"
    said = [f"citeproof: reading papers/{number}.pdf" for number in (2, 4)]
    assert capsys.readouterr().err.splitlines() == said
