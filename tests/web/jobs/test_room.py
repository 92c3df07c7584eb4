"""Long jobs are kept off one processor while titles are looked up, and no longer."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from citeproof.web.jobs.room import ROOM_SECONDS, Room

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.skipif(
    not hasattr(os, "sched_getaffinity") or len(os.sched_getaffinity(0)) < 2, reason="needs Linux and two processors"
)
TWO_THREADS = """
import threading, time
threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
print("started", flush=True)
time.sleep(60)
"""


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture(scope="module")
def job() -> Iterator[int]:
    """Return a process with two threads."""
    with subprocess.Popen([sys.executable, "-c", TWO_THREADS], stdout=subprocess.PIPE) as process:
        assert process.stdout
        process.stdout.readline()
        yield process.pid
        process.kill()


def processors(process: int) -> list[set[int]]:
    """Return what each thread of ``process`` may run on."""
    found = [os.sched_getaffinity(int(thread)) for thread in os.listdir(f"/proc/{process}/task")]  # noqa: PTH208
    assert len(found) == 2
    return found


def test_all_threads_leave_one_processor_until_some_time_after_the_last_look_up(job: int) -> None:
    clock = Clock()
    room = Room(clock)
    everything = os.sched_getaffinity(0)
    assert room.seconds_left() is None
    room.give([job])
    assert processors(job) == 2 * [everything - {min(everything)}]
    clock.now += ROOM_SECONDS - 0.5
    room.give([job])
    clock.now += 0.6
    room.end([job])
    assert processors(job) == 2 * [everything - {min(everything)}], "a look-up came meanwhile"
    clock.now += ROOM_SECONDS
    room.end([job])
    assert processors(job) == 2 * [everything]
    assert room.seconds_left() is None


def test_a_process_that_has_ended_costs_the_others_nothing(job: int) -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    Room().give([ended.pid, job])
    everything = os.sched_getaffinity(0)
    assert processors(job) == 2 * [everything - {min(everything)}]
