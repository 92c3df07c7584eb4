"""Peak memory of a program and of its child processes, from ``/proc`` on Linux.

``ru_maxrss`` is not used, because a new process inherits the value of its parent.
"""

from __future__ import annotations

import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

INTERVAL = 0.05
_PROC = Path("/proc")


@dataclass(slots=True)
class Peak:
    """Peak memory of one process in megabytes (2**20 bytes)."""

    total: float = 0.0
    """Resident memory including mapped files."""
    private: float = 0.0
    """Private memory, sampled twenty times a second."""


def watched(command: Sequence[str]) -> tuple[bytes, list[Peak]]:
    """Run ``command``; return its output, and the peaks of its process and then of all that came
    from it.

    The output must fit into a pipe (64 KB). Raises :class:`subprocess.CalledProcessError` when it
    fails.
    """
    peaks: dict[int, Peak] = {}
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout
        while process.poll() is None:
            for pid in family(process.pid):
                update(peaks.setdefault(pid, Peak()), pid)
            time.sleep(INTERVAL)
        output = process.stdout.read()
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    return output, list(peaks.values())


def private(pid: int) -> float:
    """Return the private memory of a process in megabytes; 0 if it has ended."""
    peak = Peak()
    update(peak, pid)
    return peak.private


def family(pid: int) -> Iterator[int]:
    """Yield a process and all its descendants."""
    yield pid
    for child in _children(pid):
        yield from family(child)


def _children(pid: int) -> Iterator[int]:
    for path in _PROC.glob(f"{pid}/task/*/children"):
        try:
            yield from map(int, path.read_text().split())
        except OSError:  # it has just ended
            continue


def update(peak: Peak, pid: int) -> None:
    """Raise ``peak`` to the present memory of a process, if it has not ended."""
    try:
        status = (_PROC / str(pid) / "status").read_text()
    except OSError:
        return
    values = dict(line.split(":", 1) for line in status.splitlines())
    peak.total = max(peak.total, _megabytes(values.get("VmHWM", "0 kB")))
    peak.private = max(peak.private, _megabytes(values.get("RssAnon", "0 kB")))


def _megabytes(value: str) -> float:
    return int(value.split(maxsplit=1)[0]) / 1024
