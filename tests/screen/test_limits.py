"""A reader that takes too long or too much memory is stopped, and what it may take is set back."""

from __future__ import annotations

import resource
import signal
import time

import pytest

from citeproof.screen.limits import Limits, OverTime


def test_a_block_that_takes_too_long_is_stopped() -> None:
    start, before = time.monotonic(), signal.getsignal(signal.SIGALRM)
    with pytest.raises(OverTime), Limits(seconds=0.05).kept():
        time.sleep(30)
    assert time.monotonic() < start + 30
    assert signal.getsignal(signal.SIGALRM) is before
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)


def test_a_block_that_needs_too_much_memory_is_stopped() -> None:
    before = resource.getrlimit(resource.RLIMIT_DATA)
    with pytest.raises(MemoryError), Limits(megabytes=4096).kept():
        bytearray(8 << 30)
    assert resource.getrlimit(resource.RLIMIT_DATA) == before


def test_a_block_within_its_limits_is_left_alone() -> None:
    with Limits().kept():
        done = sum(range(10))
    assert done == 45
