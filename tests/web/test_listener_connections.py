"""Time limits of a connection."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from uvicorn import Config
from uvicorn.server import ServerState

from citeproof.web import listener as connections
from citeproof.web.listener import Connection

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable


async def app(scope: Any, receive: Any, send: Any) -> None:
    await asyncio.sleep(0.2)  # longer than a header may take
    await send(
        {"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]}
    )
    await send({"type": "http.response.body", "body": b"ok"})


async def talk(
    speak: Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[bytes]],
) -> bytes:
    config = Config(app, log_config=None, lifespan="off")
    config.load()
    server = await asyncio.get_running_loop().create_server(
        lambda: Connection(config, ServerState(), {}), "127.0.0.1", 0
    )
    async with server:
        reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
        try:
            return await asyncio.wait_for(speak(reader, writer), 20)
        finally:
            writer.close()


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "_HEADER_SECONDS", 0.1)


@pytest.mark.parametrize("begun", [b"", b"GET / HTTP/1.1\r\nHost: x\r\n"])
def test_connection_is_closed_if_a_header_does_not_arrive(begun: bytes) -> None:
    async def speak(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        writer.write(begun)
        return await reader.read()

    assert asyncio.run(talk(speak)) == b""


def test_connection_is_closed_if_a_second_header_does_not_arrive() -> None:
    async def speak(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        writer.write(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        assert (await reader.readuntil(b"ok")).startswith(b"HTTP/1.1 200")
        writer.write(b"GET / HTTP/1.1\r\n")
        return await reader.read()

    assert asyncio.run(talk(speak)) == b""


def test_connection_stays_open_while_a_request_is_handled() -> None:
    async def speak(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        writer.write(b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        return await reader.read()

    assert asyncio.run(talk(speak)).endswith(b"ok")
