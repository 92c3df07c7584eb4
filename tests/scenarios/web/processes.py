"""The processes of a service, and what each of them is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


def family(pid: int) -> Iterator[int]:
    """Yield a process and all that it has started, and so on."""
    yield pid
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split()
    except OSError:  # it has just ended
        return
    for child in children:
        yield from family(int(child))


def role(pid: int) -> str:
    """Return what a process of a service is: ``worker``, ``search_process``, ``keeper``, ``job``; empty for others."""
    try:
        command = Path(f"/proc/{pid}/cmdline").read_text("utf-8", "replace")
        parent = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()[1]
        of_parent = Path(f"/proc/{parent}/cmdline").read_text("utf-8", "replace")
    except OSError:
        return ""
    if "jobs.keeper" in command:
        return "job" if "jobs.keeper" in of_parent else "keeper"
    if "search_process" in command:
        return "search_process"
    return "worker" if "spawn_main" in command else ""
