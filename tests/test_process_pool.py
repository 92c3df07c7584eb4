"""Results come in order, a death costs the item that it came from, and no process outlives its parent."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from citeproof.process_pool import Lost, ProcessPool, call_in_order

if TYPE_CHECKING:
    from collections.abc import Iterator

ITEMS = 40


@pytest.fixture(scope="module")
def pool() -> Iterator[ProcessPool]:
    with ProcessPool(2) as opened:
        yield opened


def doubled(items: list[int]) -> list[int]:
    return [2 * item for item in items]


def deadly(items: list[int]) -> list[int]:
    """Die of the items 7 and 30, as of a crash in a library."""
    if {7, 30} & set(items):
        os.kill(os.getpid(), signal.SIGKILL)
    return doubled(items)


def sleepy(items: list[int]) -> list[int]:
    """Take a while, and return the number of the process."""
    time.sleep(0.2)
    return [os.getpid()] * len(items)


def faulty(items: list[int]) -> list[int]:
    raise ValueError(f"what is wrong with {items[0]}")


def test_results_come_in_the_order_of_the_items(pool: ProcessPool) -> None:
    results = call_in_order(pool, doubled, range(ITEMS), 3)
    assert list(results) == [2 * item for item in range(ITEMS)]


def test_a_death_costs_the_item_it_came_from(pool: ProcessPool) -> None:
    results = call_in_order(pool, deadly, range(ITEMS), 4)
    found = list(results)
    lost = {place: result.item for place, result in enumerate(found) if isinstance(result, Lost)}
    assert lost == {7: 7, 30: 30}
    assert [result for result in found if not isinstance(result, Lost)] == [
        2 * item for item in range(ITEMS) if item not in {7, 30}
    ]


@pytest.mark.slow
@pytest.mark.timeout(60)
def test_workers_that_end_with_a_run_that_was_left_complain_of_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    complaints: list[object] = []
    monkeypatch.setattr(threading, "excepthook", complaints.append)
    before = set(threading.enumerate())
    with ProcessPool(2) as pool:
        results = call_in_order(pool, sleepy, range(ITEMS), 4)
        process = next(results)
        del results  # nobody wants the rest
        os.kill(int(str(process)), signal.SIGTERM)
        for thread in set(threading.enumerate()) - before:
            thread.join(20)
    assert complaints == []


def test_what_the_function_raises_is_raised_here(pool: ProcessPool) -> None:
    results = call_in_order(pool, faulty, range(ITEMS), 4)
    with pytest.raises(ValueError, match="what is wrong with 0"):
        next(results)


def test_items_are_taken_as_they_are_needed(pool: ProcessPool) -> None:
    taken = 0

    def items() -> Iterator[int]:
        nonlocal taken
        for item in range(10_000):
            taken += 1
            yield item

    results = call_in_order(pool, doubled, items(), 5)
    assert next(results) == 0
    results.close()  # type: ignore[attr-defined]
    assert taken <= 100


_PARENT = """
import os, time
from citeproof.process_pool import ProcessPool
def pid(items):
    return [os.getpid()]
if __name__ == "__main__":
    print(ProcessPool(2).submit(pid, [0]).result()[0], flush=True)
    time.sleep(60)
"""


@pytest.mark.slow
def test_the_processes_end_when_their_parent_is_killed(tmp_path: Path) -> None:
    script = tmp_path / "parent.py"
    script.write_text(_PARENT)
    with subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout
        child = int(parent.stdout.readline())
        parent.kill()
    deadline = time.monotonic() + 30
    while Path(f"/proc/{child}").exists() and _state(child) != "Z" and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not Path(f"/proc/{child}").exists() or _state(child) == "Z"


def _state(process: int) -> str:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return "Z"
