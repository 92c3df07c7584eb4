"""A proxy of the environment: it gets the requests and resolves the names; direct connections stay
guarded.
"""

from __future__ import annotations

import json
import socket
import ssl
import sys
import threading
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest
import trustme

from citeproof.model.errors import ConfigurationError
from citeproof.online.net.client import Client
from citeproof.online.net.service import Kind, Service, SourceError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

VARIABLES = ("http_proxy", "https_proxy", "all_proxy", "no_proxy")


class Proxy(ThreadingHTTPServer):
    """A proxy that leads every request to one server, under whatever name; it notes what it was
    asked for.
    """

    daemon_threads = True

    def __init__(self, port: int) -> None:
        super().__init__(("127.0.0.1", 0), ProxyHandler)
        self.target = port
        self.status = 200
        self.requests: list[tuple[str, str]] = []
        threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://me:s3cret@127.0.0.1:{self.server_address[1]}"


class ProxyHandler(BaseHTTPRequestHandler):
    server: Any

    def do_CONNECT(self) -> None:
        self.server.requests.append((self.path, self.headers["proxy-authorization"]))
        self.send_response(self.server.status)
        self.end_headers()
        if self.server.status == 200:
            with socket.create_connection(("127.0.0.1", self.server.target)) as server:
                back = threading.Thread(target=copy, args=(server, self.connection), daemon=True)
                back.start()
                copy(self.connection, server)
                back.join()

    def do_GET(self) -> None:
        self.server.requests.append((self.path, self.headers["proxy-authorization"]))
        with socket.create_connection(("127.0.0.1", self.server.target)) as server:
            server.sendall(f"GET {urlsplit(self.path).path} HTTP/1.0\r\n\r\n".encode())
            copy(server, self.connection)

    def log_message(self, *args: Any) -> None:
        """Log nothing."""


def copy(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(65536):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)


class Origin(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.end_headers()
        self.wfile.write(b'{"here": true}')

    def log_message(self, *args: Any) -> None:
        """Log nothing."""


@pytest.fixture
def clean(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    return monkeypatch


@pytest.fixture
def origin() -> Iterator[ThreadingHTTPServer]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Origin)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture
def proxy(origin: ThreadingHTTPServer) -> Iterator[Proxy]:
    server = Proxy(origin.server_address[1])
    yield server
    server.shutdown()
    server.server_close()


def here(clock: Any, url: str, **options: Any) -> Any:
    client = Client(clock, **options)
    try:
        return client.send(
            Service("library", url),
            "/works",
            read=lambda answer: json.loads(answer.data()),
            fields=(),
        )
    finally:
        client.close()


def failure(clock: Any, url: str) -> SourceError:
    with pytest.raises(SourceError) as caught:
        here(clock, url)
    return caught.value


CREDENTIALS = "Basic bWU6czNjcmV0"


@pytest.mark.parametrize("variable", ["http_proxy", "HTTP_PROXY", "ALL_PROXY"])
def test_get_leaves_names_to_the_proxy(
    manual_clock: Any, proxy: Proxy, clean: Any, variable: str
) -> None:
    clean.setenv(variable, proxy.url)
    assert here(manual_clock, "http://api.library.invalid") == {"here": True}
    assert proxy.requests == [("http://api.library.invalid/works", CREDENTIALS)]


def test_get_tunnels_tls_through_the_proxy(
    manual_clock: Any, origin: ThreadingHTTPServer, proxy: Proxy, clean: Any, tmp_path: Path
) -> None:
    authority = trustme.CA()
    authority.cert_pem.write_to_path(tmp_path / "authority.pem")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("api.library.invalid").configure_cert(context)
    origin.socket = context.wrap_socket(origin.socket, server_side=True)
    clean.setenv("HTTPS_PROXY", proxy.url.removeprefix("http://"))
    reason = failure(manual_clock, "https://api.library.invalid")
    assert "api.library.invalid through the proxy 127.0.0.1: its certificate is refused" in str(
        reason
    )
    clean.setenv("SSL_CERT_FILE", str(tmp_path / "authority.pem"))
    proxy.requests.clear()
    assert here(manual_clock, "https://api.library.invalid") == {"here": True}
    assert proxy.requests == [("api.library.invalid:443", CREDENTIALS)]


def test_get_says_that_the_proxy_refuses(manual_clock: Any, proxy: Proxy, clean: Any) -> None:
    clean.setenv("HTTPS_PROXY", proxy.url)
    proxy.status = 407
    reason = failure(manual_clock, "https://api.library.invalid")
    assert reason.kind is Kind.CONNECTION
    assert (
        str(reason) == "no connection: api.library.invalid through the proxy 127.0.0.1: 407 Proxy"
        " Authentication Required"
    )


def test_get_says_that_the_proxy_is_not_there(manual_clock: Any, clean: Any) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    clean.setenv("HTTPS_PROXY", f"http://127.0.0.1:{port}")
    assert str(failure(manual_clock, "https://api.library.invalid")).endswith(
        "proxy 127.0.0.1: connection refused"
    )


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1"])
def test_get_reaches_loopback_directly(
    manual_clock: Any, origin: ThreadingHTTPServer, proxy: Proxy, clean: Any, host: str
) -> None:
    clean.setenv("ALL_PROXY", proxy.url)
    url = f"http://{host}:{origin.server_address[1]}"
    assert failure(manual_clock, url).kind is Kind.FORBIDDEN_ADDRESS
    assert here(manual_clock, url, configured_hosts={host}) == {"here": True}
    assert proxy.requests == []


def test_get_guards_a_host_of_no_proxy(manual_clock: Any, proxy: Proxy, clean: Any) -> None:
    clean.setenv("ALL_PROXY", proxy.url)
    clean.setenv("NO_PROXY", "10.0.0.1,.internal.invalid")
    assert failure(manual_clock, "http://10.0.0.1").kind is Kind.FORBIDDEN_ADDRESS
    assert failure(manual_clock, "http://mirror.internal.invalid").kind is Kind.CONNECTION
    assert proxy.requests == []


@pytest.mark.parametrize("url", ["ftp://127.0.0.1:9", "http://127.0.0.1:port"])
def test_client_refuses_what_is_no_proxy(manual_clock: Any, clean: Any, url: str) -> None:
    clean.setenv("HTTPS_PROXY", url)
    with pytest.raises(ConfigurationError, match="a proxy of the environment"):
        Client(manual_clock)


def test_client_says_what_a_socks_proxy_needs(manual_clock: Any, clean: Any) -> None:
    clean.setenv("ALL_PROXY", "socks5://127.0.0.1:9")
    clean.setitem(sys.modules, "socksio", None)
    with pytest.raises(ConfigurationError, match="socksio"):
        Client(manual_clock)
