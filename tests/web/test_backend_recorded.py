"""Requests wait for their events."""

from __future__ import annotations

import asyncio
from concurrent.futures import Future
from threading import Thread
from typing import TYPE_CHECKING

import pytest

from citeproof.model.errors import DatabaseError, StoreBusyError
from citeproof.store.sql import CommitUnknownError
from citeproof.web import backend as texts
from citeproof.web.backend import NotRecordedError
from citeproof.web.problems import ProblemError

if TYPE_CHECKING:
    from citeproof.web.backend import Backend


def settle(*events: Future[None]) -> None:
    """Complete ``events`` in another thread, as the runtime store does."""

    def work() -> None:
        for event in events:
            event.set_result(None)

    thread = Thread(target=work)
    thread.start()
    thread.join()


async def started(backend: Backend, *events: Future[None]) -> list[asyncio.Task[None]]:
    tasks = [asyncio.ensure_future(backend.recorded(event)) for event in events]
    await asyncio.sleep(0)
    return tasks


def test_recorded_waits_for_its_own_events(backend: Backend) -> None:
    async def main() -> None:
        early, late = Future[None](), Future[None]()
        first, second = await started(backend, early, late)
        settle(early)
        await first
        assert not second.done()
        settle(late)
        await second

    asyncio.run(main())


def test_recorded_returns_at_once_for_a_completed_event(backend: Backend) -> None:
    event = Future[None]()
    event.set_result(None)
    asyncio.run(backend.recorded(event))


@pytest.mark.parametrize(
    ("cause", "raised", "detail"),
    [
        (StoreBusyError("locked"), NotRecordedError, texts.BUSY),
        (DatabaseError("full"), NotRecordedError, texts.UNWRITABLE),
        (CommitUnknownError("lost"), ProblemError, texts.UNKNOWN),
    ],
)
def test_recorded_raises_the_failure_of_its_event(
    backend: Backend, cause: Exception, raised: type[ProblemError], detail: str
) -> None:
    async def main() -> None:
        event = Future[None]()
        (task,) = await started(backend, event)
        event.set_exception(cause)
        with pytest.raises(ProblemError) as found:
            await task
        assert (type(found.value), found.value.status, found.value.detail) == (raised, 500, detail)

    asyncio.run(main())


def test_recorded_that_is_cancelled_does_not_disturb_others_nor_the_event(backend: Backend) -> None:
    async def main() -> None:
        events = Future[None](), Future[None]()
        given_up, other = await started(backend, *events)
        given_up.cancel()
        await asyncio.sleep(0)
        settle(*events)
        await other
        assert given_up.cancelled()

    asyncio.run(main())


def test_recorded_allows_the_loop_to_end_before_the_event(
    backend: Backend, caplog: pytest.LogCaptureFixture
) -> None:
    async def main() -> None:
        (task,) = await started(backend, event)
        task.cancel()

    event = Future[None]()
    asyncio.run(main())
    settle(event)
    assert event.result() is None
    assert caplog.text == ""
