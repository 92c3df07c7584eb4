"""The heap of a process that answers many requests: as large after a day as after a minute.

Nothing of ours grows with the answers. What the allocators below Python keep for later does: each has a bound, but so
high that a service comes to it only after hours.
"""

from __future__ import annotations

import ctypes

import numpy as np

_MMAP_THRESHOLD, _ARENA_MAX = -3, -8
"""Numbers of ``mallopt(3)``."""
_LARGE_BYTES = 1 << 18
_NUMPY_KEEPS, _NUMPY_LARGEST = 7, 1023
"""NumPy keeps so many freed blocks of each size up to so many bytes (``numpy/_core/src/multiarray/alloc.c``)."""


def bound_heap() -> None:
    """Let all threads share one heap, and blocks of 256 KiB and more go back to the system when they are freed.

    To be called before there is another thread. Does nothing where the C library is not glibc. That gives each thread
    a heap of its own, and each of these keeps what the largest report needed that its thread has ever made: 540 reports
    of 100 references left 10.6 MB unused in ten heaps, and 2.2 MB in one. It also raises the size of a large block to
    that of the largest one freed, after which such blocks leave holes in the heap.
    """
    set_option = getattr(ctypes.CDLL(None), "mallopt", None)
    if set_option:
        set_option(_ARENA_MAX, 1)
        set_option(_MMAP_THRESHOLD, _LARGE_BYTES)


def fill_numpy_cache() -> None:
    """Have NumPy keep all the small blocks that it ever will, 3.7 MB, which lie side by side this way.

    For a process that looks titles up by NumPy: there each array of a size that was rare so far leaves one more block,
    300 bytes a look-up at first, 60 after 8,000.
    """
    blocks = [np.empty(size, np.uint8) for size in range(1, _NUMPY_LARGEST + 1) for _ in range(_NUMPY_KEEPS)]
    blocks.clear()
