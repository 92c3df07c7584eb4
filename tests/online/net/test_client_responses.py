"""Responses of a hostile host over real connections: slow, too large or truncated."""

from __future__ import annotations

import gzip
import socket
import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest

from citeproof.online.net.client import Client
from citeproof.online.net.service import MAX_BODY, Kind, Service, SourceError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n"
MEGABYTE = 1 << 20


@pytest.fixture
def answered(manual_clock: Any) -> Iterator[Callable[..., Any]]:
    """Send a request to a host that responds with ``speak``; return the response or the
    SourceError.
    """
    listening = socket.create_server(("127.0.0.1", 0))
    client = Client(manual_clock, configured_hosts={"127.0.0.1"})
    service = Service("s", f"http://127.0.0.1:{listening.getsockname()[1]}", timeout=5.0)

    def ask(speak: Callable[[socket.socket], None]) -> Any:
        def serve() -> None:
            while True:
                try:
                    connection, _ = listening.accept()
                except OSError:
                    return
                with connection, suppress(OSError):
                    connection.recv(65536)
                    speak(connection)

        threading.Thread(target=serve, daemon=True).start()
        try:
            return client.send(service, "/", read=lambda answer: answer, fields=())
        except SourceError as failure:
            return failure

    yield ask
    client.close()
    listening.shutdown(socket.SHUT_RDWR)
    listening.close()


def chunks(*parts: bytes) -> bytes:
    return b"".join(f"{len(part):x}\r\n".encode() + part + b"\r\n" for part in parts)


@pytest.mark.parametrize(
    "head", [b"HTTP/1.1 200 OK\r\nx-slow: ", HEAD + b"content-length: 999999\r\n\r\n"]
)
def test_exchange_ends_a_response_after_a_minute(
    answered: Callable[..., Any], manual_clock: Any, head: bytes
) -> None:
    def drip(connection: socket.socket) -> None:
        connection.sendall(head)
        while True:
            manual_clock.advance(10)
            connection.sendall(b"x")

    failure = answered(drip)
    assert (failure.kind, str(failure)) == (
        Kind.TIMEOUT,
        "timed out: 127.0.0.1: no complete answer in 60 s",
    )


def test_exchange_limits_a_body_without_a_length(answered: Callable[..., Any]) -> None:
    def flood(connection: socket.socket) -> None:
        connection.sendall(HEAD + b"transfer-encoding: chunked\r\n\r\n")
        while True:
            connection.sendall(chunks(b" " * MEGABYTE))

    assert answered(flood).kind is Kind.TOO_LARGE


def test_exchange_accepts_a_body_of_the_maximum_size(answered: Callable[..., Any]) -> None:
    head = HEAD + f"content-length: {MAX_BODY}\r\n\r\n".encode()
    assert (
        len(answered(lambda connection: connection.sendall(head + b" " * MAX_BODY)).body)
        == MAX_BODY
    )


@pytest.mark.parametrize("times", [1, 2])
def test_exchange_limits_a_body_after_decompression(
    answered: Callable[..., Any], times: int
) -> None:
    bomb = b" " * (64 * MEGABYTE)
    for _ in range(times):
        bomb = gzip.compress(bomb, mtime=0)
    encoding = ", ".join(["gzip"] * times)
    head = HEAD + f"content-encoding: {encoding}\r\ncontent-length: {len(bomb)}\r\n\r\n".encode()
    assert answered(lambda connection: connection.sendall(head + bomb)).kind is Kind.TOO_LARGE


@pytest.mark.parametrize(
    ("reply", "kind", "reason"),
    [
        (
            HEAD + b"content-encoding: gzip\r\ncontent-length: 2\r\n\r\n{}",
            Kind.BAD_ANSWER,
            "invalid compression",
        ),
        (HEAD + b"content-length: 99\r\n\r\n{", Kind.LOST, "cut off, or not HTTP"),
        (
            HEAD + b"content-length: 1\r\ncontent-length: 2\r\n\r\n{}",
            Kind.LOST,
            "cut off, or not HTTP",
        ),
        (b"SSH-2.0-OpenSSH_9.9\r\n", Kind.LOST, "cut off, or not HTTP"),
        (HEAD + b"x-long: " + b"x" * 200_000 + b"\r\n\r\n", Kind.LOST, "127.0.0.1"),
        (b"", Kind.LOST, "127.0.0.1"),
    ],
)
def test_exchange_fails_on_a_truncated_or_invalid_response(
    answered: Callable[..., Any], reply: bytes, kind: Kind, reason: str
) -> None:
    failure = answered(lambda connection: connection.sendall(reply))
    assert failure.kind is kind
    assert reason in str(failure)


def test_by_host_exchange_says_why_the_connection_failed(manual_clock: Any) -> None:
    client = Client(manual_clock, configured_hosts={"127.0.0.1"})
    with pytest.raises(SourceError, match=r"^no connection: 127\.0\.0\.1: connection refused$"):
        client.send(Service("s", "http://127.0.0.1:9"), "/", read=lambda answer: answer, fields=())
    assert client.outgoing.by_host() == ()
    client.close()
