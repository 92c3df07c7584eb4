"""The processes of a service and their roles."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


def family(pid: int) -> Iterator[int]:
    """Yield a process and all its descendants."""
    yield pid
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split()
    except OSError:  # it has just ended
        return
    for child in children:
        yield from family(int(child))


def role(pid: int) -> str:
    """Return the role of a process of a service: ``worker``, ``search_process`` or ``job``; empty
    for others.
    """
    try:
        command = Path(f"/proc/{pid}/cmdline").read_text("utf-8", "replace")
    except OSError:
        return ""
    if "jobs.worker" in command:
        return "job"
    if "web.searcher" in command:
        return "search_process"
    return "worker" if "spawn_main" in command else ""
