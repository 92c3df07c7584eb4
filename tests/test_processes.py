"""Worker processes: order of results, lost items, and the end of workers with their parent."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from citeproof.processes import (
    Lost,
    ProcessPool,
    call_in_order,
    command,
    environment,
    framed,
    read_message,
)

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
    """Kill the process for the items 7 and 30, as a crash in a library does."""
    if {7, 30} & set(items):
        os.kill(os.getpid(), signal.SIGKILL)
    return doubled(items)


def sleepy(items: list[int]) -> list[int]:
    """Sleep, and return the process id."""
    time.sleep(0.2)
    return [os.getpid()] * len(items)


def faulty(items: list[int]) -> list[int]:
    raise ValueError(f"what is wrong with {items[0]}")


def test_call_in_order_yields_results_in_the_order_of_the_items(pool: ProcessPool) -> None:
    results = call_in_order(pool, doubled, range(ITEMS), 3)
    assert list(results) == [2 * item for item in range(ITEMS)]


def test_call_in_order_loses_the_item_that_kills_its_worker_alone(pool: ProcessPool) -> None:
    results = call_in_order(pool, deadly, range(ITEMS), 4)
    found = list(results)
    lost = {place: result.item for place, result in enumerate(found) if isinstance(result, Lost)}
    assert lost == {7: 7, 30: 30}
    assert [result for result in found if not isinstance(result, Lost)] == [
        2 * item for item in range(ITEMS) if item not in {7, 30}
    ]


def test_call_in_order_calls_here_what_no_worker_has_begun() -> None:
    with ProcessPool(1) as pool:
        results = call_in_order(pool, sleepy, range(ITEMS), 2, lambda items: [0] * len(items))
        found = list(results)
    assert len(found) == ITEMS
    assert len(set(found)) == 2  # the worker, and 0
    assert found.count(0) > ITEMS / 2  # the worker sleeps


def test_call_in_order_loses_an_item_of_a_worker_with_help() -> None:
    with ProcessPool(1) as pool:
        results = call_in_order(pool, deadly, range(7, 20), 1, doubled)
        found = list(results)
    assert isinstance(found[0], Lost)
    assert found[1:] == [2 * item for item in range(8, 20)]


@pytest.mark.slow
@pytest.mark.timeout(60)
def test_process_pool_prints_nothing_when_a_worker_of_an_abandoned_run_ends(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
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
    assert set(threading.enumerate()) <= before
    assert complaints == []


def test_process_pool_close_waits_for_the_end_of_idle_workers() -> None:
    before = set(threading.enumerate())
    with ProcessPool(1) as pool:
        (process,) = pool.call(sleepy, [1])
        os.kill(process, 0)
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)
    assert set(threading.enumerate()) <= before


def endless(items: list[str]) -> list[None]:
    """Write the process id to the file that the item names, and go on for longer than a test."""
    Path(items[0]).write_text(str(os.getpid()))
    time.sleep(600)
    return [None]


@pytest.mark.timeout(60)
def test_process_pool_close_ends_a_worker_in_a_call(tmp_path: Path) -> None:
    named = tmp_path / "process"
    with ProcessPool(1) as pool:
        call = pool.submit(endless, [str(named)])
        while not (named.exists() and named.read_text()):
            time.sleep(0.01)
    with pytest.raises(ProcessPool.deaths):
        call.result()
    with pytest.raises(ProcessLookupError):
        os.kill(int(named.read_text()), 0)


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="open files are counted on Linux")
def test_process_pool_keeps_no_files_of_workers_that_died(pool: ProcessPool) -> None:
    def open_files_after(deaths: int) -> int:
        for _ in range(deaths):
            with pytest.raises(ProcessPool.deaths):
                pool.call(deadly, [7])
        gc.collect()
        return len(list(Path("/proc/self/fd").iterdir()))

    assert open_files_after(8) <= open_files_after(1) + 2


def test_call_in_order_raises_what_the_function_raises(pool: ProcessPool) -> None:
    results = call_in_order(pool, faulty, range(ITEMS), 4)
    with pytest.raises(ValueError, match="what is wrong with 0"):
        next(results)


def test_process_pool_submit_from_several_threads_uses_the_same_workers() -> None:
    with ProcessPool(2) as pool, ThreadPoolExecutor(8) as threads:
        calls = list(threads.map(lambda _: pool.submit(sleepy, [0]), range(8)))
        used = {call.result()[0] for call in calls}
    assert len(used) == 2


def test_process_pool_call_that_waits_survives_the_death_of_another(pool: ProcessPool) -> None:
    calls = [pool.submit(deadly, [item]) for item in (7, 1, 2, 30, 3, 4)]
    failed = [isinstance(call.exception(), pool.deaths) for call in calls]
    assert failed == [True, False, False, True, False, False]


def test_call_in_order_takes_few_items_ahead(pool: ProcessPool) -> None:
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
import time
from citeproof.processes import ProcessPool
from tests.test_processes import sleepy
print(ProcessPool(2).submit(sleepy, [0]).result()[0], flush=True)
time.sleep(60)
"""


@pytest.mark.slow
def test_process_pool_ends_its_workers_when_the_parent_is_killed() -> None:
    asked = [sys.executable, "-c", _PARENT]
    with subprocess.Popen(asked, stdout=subprocess.PIPE, text=True, env=environment()) as parent:
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


CONTENTS = [b"", b"one", b"two" * 1000]


def test_read_message_reads_one_message_after_another() -> None:
    stream = BytesIO(b"".join(map(framed, CONTENTS)))
    assert [read_message(stream) for _ in range(4)] == [*CONTENTS, None]


@pytest.mark.parametrize("size", range(1, 7))
def test_read_message_of_a_message_that_is_cut_off_is_none(size: int) -> None:
    assert read_message(BytesIO(framed(b"one")[:size])) is None


def test_command_imports_no_module_of_the_working_folder(tmp_path: Path) -> None:
    (tmp_path / "platform.py").write_text("raise SystemExit('not this one')")
    done = subprocess.run(
        command("platform"), env=environment(), cwd=tmp_path, capture_output=True, check=False
    )
    assert done.returncode == 0


@pytest.mark.skipif(sys.platform == "win32", reason="there are no groups of processes there")
def test_no_worker_is_in_the_group_that_ctrl_c_interrupts(pool: ProcessPool) -> None:
    (process,) = pool.call(sleepy, [0])
    assert os.getpgid(process) == process != os.getpgid(0)


def unspeakable(_items: list[int]) -> list[int]:
    """Raise an exception that cannot be pickled."""

    class OwnError(Exception):
        pass

    raise OwnError("what is wrong")


def test_process_pool_call_raises_what_cannot_be_pickled_as_another(pool: ProcessPool) -> None:
    with pytest.raises(RuntimeError, match="OwnError: what is wrong"):
        pool.call(unspeakable, [1])


def test_a_worker_collects_garbage_as_rarely_as_its_parent() -> None:
    before = gc.get_threshold()
    gc.set_threshold(12_345, 6, 7)
    try:
        with ProcessPool(1) as pool:
            assert pool.call(collecting, [0]) == [(12_345, 6, 7)]
    finally:
        gc.set_threshold(*before)


def collecting(items: list[int]) -> list[tuple[int, int, int]]:
    return [gc.get_threshold() for _ in items]
