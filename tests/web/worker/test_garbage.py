"""What is there at the start is never looked at again; garbage is still found."""

from __future__ import annotations

import subprocess
import sys

CHECK = """
import gc, weakref
from citeproof.web.worker.garbage import collect_rarely
collect_rarely()
assert gc.isenabled() and gc.get_freeze_count() > 1000
class Cycle:
    def __init__(self): self.own = self
seen = weakref.ref(Cycle())
kept = [[] for _ in range(30_000)]
assert seen() is None
"""


def test_garbage_is_collected_after_many_objects_and_what_was_loaded_never() -> None:
    subprocess.run([sys.executable, "-c", CHECK], check=True)
