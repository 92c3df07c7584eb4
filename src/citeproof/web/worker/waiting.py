"""Requests that wait until the runtime store has their events on disk, woken once for many."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop
    from concurrent.futures import Future


class Waiting:
    """The requests of one process that wait.

    :func:`asyncio.wrap_future` would wake the event loop for each event, but many are settled together: the first of
    them wakes the loop, which then looks which others are settled too.
    """

    def __init__(self) -> None:
        self._waiting: dict[AbstractEventLoop, list[tuple[Future[None], asyncio.Future[None]]]] = {}
        self._woken: set[AbstractEventLoop] = set()

    async def until(self, event: Future[None]) -> None:
        """Return when ``event`` is settled; raise what it failed with."""
        if not event.done():
            loop = asyncio.get_running_loop()
            waiter = loop.create_future()
            self._waiting.setdefault(loop, []).append((event, waiter))
            event.add_done_callback(partial(self._wake, loop))
            await waiter
        event.result()

    def _wake(self, loop: AbstractEventLoop, _: Future[None]) -> None:
        """Have ``loop`` look who need wait no longer; called by whichever thread settles an event."""
        if loop not in self._woken and not loop.is_closed():
            self._woken.add(loop)
            loop.call_soon_threadsafe(self._settle, loop)

    def _settle(self, loop: AbstractEventLoop) -> None:
        self._woken.discard(loop)  # before looking, so that whatever is settled from here on wakes the loop again
        waiting = self._waiting.pop(loop, [])
        still = []
        for event, waiter in waiting:
            if not event.done():
                still.append((event, waiter))
            elif not waiter.done():
                waiter.set_result(None)
        if still:
            self._waiting[loop] = still
