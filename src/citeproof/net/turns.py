"""One question at a time: whoever asks what is being asked already waits for that answer."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


class Turns:
    """A lock for each question, which is there as long as somebody asks it."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._asked: dict[str, tuple[threading.Lock, int]] = {}
        """Each question under way, with how many ask it."""

    @contextmanager
    def of(self, question: str) -> Iterator[None]:
        """Wait until nobody else is asking ``question``, and hold its turn in the block."""
        with self._guard:
            lock, askers = self._asked.get(question, (threading.Lock(), 0))
            self._asked[question] = lock, askers + 1
        try:
            with lock:
                yield
        finally:
            with self._guard:
                lock, askers = self._asked[question]
                if askers == 1:
                    del self._asked[question]
                else:
                    self._asked[question] = lock, askers - 1
