"""Processes that count and share nothing with a service.

    python -m benchmarks.web_control 4

The control of `benchmarks.web_load --jobs`: what they take from a look-up, the machine takes. Each
ends with the process that started it.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

STEPS = 100_000
"""Counted without a word in between: some milliseconds, as long as a reference."""


@contextmanager
def counting(processes: int) -> Iterator[None]:
    """Have so many processes count."""
    command = [sys.executable, "-m", "benchmarks.web_control", str(processes)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, start_new_session=True) as leader:
        try:
            assert leader.stdout
            if leader.stdout.readline() != b"counting\n":
                raise SystemExit("the processes of the control did not start")
            yield
        finally:
            os.killpg(leader.pid, signal.SIGKILL)


def main() -> None:
    """Count until whoever started this is gone."""
    for _ in range(int(sys.argv[1]) - 1):
        if not os.fork():
            break
    else:
        print("counting", flush=True)
    parent = os.getppid()
    while os.getppid() == parent:
        sum(1 for _ in range(STEPS))


if __name__ == "__main__":
    main()
