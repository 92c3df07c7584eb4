"""Streamable HTTP on loopback: the SDK's client, the token, and DNS rebinding."""

from __future__ import annotations

import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

import anyio
import httpx2
import pytest
import uvicorn

pytest.importorskip("mcp", reason="needs the extra mcp")
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from citeproof.agents.server import PATH, build_server, http_app
from tests.agents.conversation import ESSENTIAL, every_tool

if TYPE_CHECKING:
    from collections.abc import Iterator

    from citeproof.verification.session import Session

TOKEN = "a token of the tests"


@contextmanager
def served(session: Session, token: str) -> Iterator[str]:
    """Serve the tools on a free port of the loopback address; return the URL."""
    app = http_app(build_server(session), "127.0.0.1", token)
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="error"))
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    try:
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}{PATH}"
    finally:
        server.should_exit = True
        thread.join()


@pytest.fixture(scope="module")
def address(sample_session: Session) -> Iterator[str]:
    with served(sample_session, TOKEN) as address:
        yield address


def test_http_serves_every_tool_with_the_token(address: str) -> None:
    async def ask() -> dict[str, str]:
        headers = {"Authorization": f"Bearer {TOKEN}"}
        async with (
            httpx2.AsyncClient(headers=headers) as http,
            Client(streamable_http_client(address, http_client=http)) as client,
        ):
            return await every_tool(client)

    assert anyio.run(ask) == ESSENTIAL


@pytest.mark.parametrize("headers", [{}, {"Authorization": "Bearer wrong"}])
def test_http_refuses_requests_without_the_token(address: str, headers: dict[str, str]) -> None:
    answer = httpx2.post(
        address, headers=headers, json={"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    )
    assert answer.status_code == 401


def test_http_refuses_the_host_name_of_a_web_page(address: str) -> None:
    headers = {
        "Authorization": f"Bearer {TOKEN}",
        "Host": "evil.example",
        "Accept": "application/json",
    }
    answer = httpx2.post(
        address, headers=headers, json={"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    )
    assert answer.status_code == 421
