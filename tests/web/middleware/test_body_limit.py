"""A body has to arrive, and in time."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from citeproof.web.middleware import body_limit
from citeproof.web.middleware.body_limit import BodyLimit

if TYPE_CHECKING:
    import pytest
    from starlette.types import Message, Receive, Scope, Send

SCOPE: dict[str, Any] = {"type": "http", "method": "POST", "path": "/api/search/title", "headers": []}


class App:
    """Remembers whether it was called."""

    called = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.called = True


def answered(*messages: Message) -> tuple[bool, list[Message]]:
    """Return whether the application was called after ``messages``, then silence, and what was sent."""
    arriving, sent, app = list(messages), list[Any](), App()

    async def receive() -> Message:
        if not arriving:
            await asyncio.Event().wait()
        return arriving.pop(0)

    async def send(message: Message) -> None:
        sent.append(message)

    asyncio.run(BodyLimit(app)(SCOPE, receive, send))
    return app.called, sent


def test_a_body_that_does_not_arrive_in_time_is_408(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(body_limit, "BODY_SECONDS", 0.01)
    called, sent = answered({"type": "http.request", "body": b"{", "more_body": True})
    assert not called
    assert sent[0]["status"] == 408
    assert (b"connection", b"close") in sent[0]["headers"]


def test_who_has_gone_is_not_answered() -> None:
    unfinished: Message = {"type": "http.request", "body": b"{", "more_body": True}
    assert answered(unfinished, {"type": "http.disconnect"}) == (False, [])
