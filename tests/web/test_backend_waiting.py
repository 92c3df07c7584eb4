"""Requests wait for their events, and the loop is woken once for many."""

from __future__ import annotations

import asyncio
from concurrent.futures import Future
from threading import Thread
from unittest.mock import Mock

import pytest

from citeproof.web.backend import Waiting


def settle(events: list[Future[None]]) -> None:
    """Complete ``events`` in another thread, as the runtime store does."""

    def work() -> None:
        for event in events:
            event.set_result(None)

    thread = Thread(target=work)
    thread.start()
    thread.join()


async def started(waiting: Waiting, events: list[Future[None]]) -> list[asyncio.Task[None]]:
    tasks = [asyncio.ensure_future(waiting.until(event)) for event in events]
    await asyncio.sleep(0)
    return tasks


def test_until_wakes_the_loop_once_for_many_events(monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> int:
        loop = asyncio.get_running_loop()
        wake = Mock(wraps=loop.call_soon_threadsafe)
        monkeypatch.setattr(loop, "call_soon_threadsafe", wake)
        events = [Future[None]() for _ in range(50)]
        tasks = await started(Waiting(), events)
        settle(events)
        await asyncio.gather(*tasks)
        return wake.call_count

    assert asyncio.run(main()) == 1


def test_until_waits_for_its_own_event() -> None:
    async def main() -> None:
        early, late = Future[None](), Future[None]()
        waiting = Waiting()
        first, second = await started(waiting, [early, late])
        settle([early])
        await first
        assert not second.done()
        settle([late])
        await second

    asyncio.run(main())


def test_until_returns_at_once_for_a_completed_event() -> None:
    event = Future[None]()
    event.set_result(None)
    asyncio.run(Waiting().until(event))


def test_until_raises_the_exception_of_its_event() -> None:
    async def main() -> None:
        event = Future[None]()
        (task,) = await started(Waiting(), [event])
        event.set_exception(KeyError("x"))
        with pytest.raises(KeyError):
            await task

    asyncio.run(main())


def test_until_that_is_cancelled_does_not_disturb_others() -> None:
    async def main() -> None:
        events = [Future[None](), Future[None]()]
        given_up, other = await started(Waiting(), events)
        given_up.cancel()
        await asyncio.sleep(0)
        settle(events)
        await other
        assert given_up.cancelled()

    asyncio.run(main())


def test_until_allows_the_loop_to_end_before_the_event() -> None:
    async def main() -> None:
        (task,) = await started(waiting, [event])
        task.cancel()

    waiting, event = Waiting(), Future[None]()
    asyncio.run(main())
    settle([event])
    asyncio.run(waiting.until(event))
