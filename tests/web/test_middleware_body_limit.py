"""Limits on the size and the time of bodies."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from citeproof.web import middleware as body_limit
from citeproof.web.middleware import BodyLimit

if TYPE_CHECKING:
    from starlette.types import Message, Receive, Scope, Send

SCOPE: dict[str, Any] = {
    "type": "http",
    "method": "POST",
    "path": "/api/search/title",
    "headers": [],
}


class App:
    """An application that records whether it was called."""

    called = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.called = True


def answered(*messages: Message) -> tuple[bool, list[Message]]:
    """Return whether the application was called after ``messages``, then silence, and what was
    sent.
    """
    arriving, sent, app = list(messages), list[Any](), App()

    async def receive() -> Message:
        if not arriving:
            await asyncio.Event().wait()
        return arriving.pop(0)

    async def send(message: Message) -> None:
        sent.append(message)

    asyncio.run(BodyLimit(app)(SCOPE, receive, send))
    return app.called, sent


def test_body_limit_answers_408_to_a_slow_body(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(body_limit, "PLAIN", (body_limit.PLAIN[0], 0.01, ""))
    called, sent = answered({"type": "http.request", "body": b"{", "more_body": True})
    assert not called
    assert sent[0]["status"] == 408
    assert (b"connection", b"close") in sent[0]["headers"]


def test_body_limit_does_not_answer_a_closed_connection() -> None:
    unfinished: Message = {"type": "http.request", "body": b"{", "more_body": True}
    assert answered(unfinished, {"type": "http.disconnect"}) == (False, [])


@pytest.mark.parametrize(
    ("path", "content_type", "limit"),
    [
        ("/api/search/title", "application/json", body_limit.PLAIN),
        ("/api/verify", "application/json", body_limit.JSON),
        ("/api/verify", "", body_limit.JSON),
        ("/", "text/plain", body_limit.JSON),
        ("/", "multipart/form-data; boundary=x", body_limit.UPLOAD),
        ("/api/verify", "Multipart/Form-Data;boundary=x", body_limit.UPLOAD),
    ],
)
def test_limit_of_a_path_and_content_type(
    path: str, content_type: str, limit: tuple[int, float, str]
) -> None:
    assert body_limit.limit_of(path, content_type) == limit
