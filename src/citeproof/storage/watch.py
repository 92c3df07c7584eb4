"""Files that may be replaced or written to at any time: what is on disk now?"""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from citeproof.storage.sqlite import identity

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from citeproof.storage.sqlite import Identity


class Watch:
    """Looks at a few files; usable from many threads."""

    def __init__(self, *paths: Path, seconds: float = 0.0, clock: Callable[[], float] = time.monotonic) -> None:
        """Watch ``paths``; what was seen less than ``seconds`` ago is not looked at again."""
        self._paths = tuple(map(os.fspath, paths))
        self._seconds = seconds
        self._clock = clock
        self._seen: tuple[float, tuple[Identity | None, ...]] = (float("-inf"), ())

    def look(self) -> tuple[Identity | None, ...]:
        """Return the identity of each file, None for one that is not there."""
        now = self._clock()
        when, found = self._seen
        if now - when >= self._seconds:
            found = tuple(map(_identity, self._paths))
            self._seen = now, found
        return found


def _identity(path: str) -> Identity | None:
    try:
        return identity(path)
    except OSError:
        return None
