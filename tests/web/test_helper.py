"""Garbage collection of child processes. test_searcher.py tests their answers."""

import subprocess
import sys

CHECK = """
import gc, weakref
from citeproof.web.helper import collect_rarely
collect_rarely()
assert gc.isenabled() and gc.get_freeze_count() > 1000
class Cycle:
    def __init__(self): self.own = self
seen = weakref.ref(Cycle())
kept = [[] for _ in range(30_000)]
assert seen() is None
"""


def test_collect_rarely_still_collects_garbage_and_leaves_loaded_modules_alone() -> None:
    subprocess.run([sys.executable, "-c", CHECK], check=True)
