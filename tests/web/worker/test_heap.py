"""Threads share one heap, and look-ups leave no more small blocks to NumPy than it keeps from the start."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "mallinfo2"), reason="needs glibc 2.33 or newer")

SHARED = """
import ctypes, tempfile, threading
from pathlib import Path
from citeproof.web.worker.heap import bound_heap
{bound}
libc, kept, together = ctypes.CDLL(None), [], threading.Barrier(4)
def use():
    kept.append([bytearray(5_000) for _ in range(100)])
    together.wait()
threads = [threading.Thread(target=use) for _ in range(4)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
libc.fopen.restype = ctypes.c_void_p
libc.malloc_info.argtypes, libc.fclose.argtypes = [ctypes.c_int, ctypes.c_void_p], [ctypes.c_void_p]
with tempfile.NamedTemporaryFile() as file:
    out = libc.fopen(file.name.encode(), b"w")
    libc.malloc_info(0, out)
    libc.fclose(out)
    print(Path(file.name).read_text().count("<heap nr="))
"""
KEPT = """
import ctypes
import numpy as np
from citeproof.web.worker.heap import fill_numpy_cache
class Figures(ctypes.Structure):
    _fields_ = [(str(place), ctypes.c_size_t) for place in range(10)]
libc = ctypes.CDLL(None)
libc.mallinfo2.restype = Figures
used = lambda: getattr(libc.mallinfo2(), "7")
def look_up():
    for size in range(1, 1024):
        some = [np.zeros(size, np.uint8) for _ in range(7)]
{fill}
before = used()
look_up()
print(used() - before)
"""


def test_all_threads_share_one_heap() -> None:
    assert _said(SHARED.format(bound="")) > 1, "else this shows nothing"
    assert _said(SHARED.format(bound="bound_heap()")) == 1


def test_small_arrays_of_any_size_leave_nothing_more_to_numpy() -> None:
    assert _said(KEPT.format(fill="")) > 3_000_000, "else this shows nothing"
    assert _said(KEPT.format(fill="fill_numpy_cache()")) < 100_000


def _said(program: str) -> int:
    as_built = {name: value for name, value in os.environ.items() if not name.startswith(("MALLOC_", "GLIBC_"))}
    command = [sys.executable, "-c", program]
    return int(subprocess.run(command, check=True, capture_output=True, env=as_built, text=True).stdout)
