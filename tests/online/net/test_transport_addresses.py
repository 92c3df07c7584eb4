import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import httpcore2
import pytest

from citeproof.online.net.client import Client
from citeproof.online.net.service import Clock, Kind, Service, SourceError
from citeproof.online.net.transport import GuardedBackend, is_public


@pytest.mark.parametrize("address", ["8.8.8.8", "2001:4860:4860::8888", "::ffff:8.8.8.8"])
def test_is_public_accepts_public_addresses(address: Any) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "10.1.2.3",
        "172.16.0.1",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "0.0.0.0",
        "224.0.0.1",
        "::1",
        "::",
        "fc00::1",
        "fe80::1%eth0",
        "ff02::1",
        "::ffff:127.0.0.1",
        "64:ff9b::7f00:1",
        "2002:7f00:1::",
    ],
)
def test_is_public_refuses_every_form_of_a_private_address(address: Any) -> None:
    assert not is_public(address)


class Connected(Exception):  # noqa: N818
    """Raised instead of connecting, with the IP address."""


class Recorder(httpcore2.NetworkBackend):
    def connect_tcp(
        self,
        host: Any,
        port: Any,
        timeout: Any = None,
        local_address: Any = None,
        socket_options: Any = None,
    ) -> Any:
        raise Connected(host)


def backend(*addresses: Any, configured: Any = ()) -> Any:
    return GuardedBackend(
        configured, Clock(), resolver=lambda host, port: addresses, inner=Recorder()
    )


def test_connect_tcp_refuses_a_public_name_with_a_private_address() -> None:
    with pytest.raises(PermissionError, match=r"api\.example has a private address"):
        backend("10.0.0.1").connect_tcp("api.example", 443)


def test_connect_tcp_refuses_one_private_address_among_public_ones() -> None:
    with pytest.raises(PermissionError):
        backend("8.8.8.8", "127.0.0.1").connect_tcp("api.example", 443)


def test_connect_tcp_connects_to_the_checked_address() -> None:
    with pytest.raises(Connected, match=r"8\.8\.8\.8"):
        backend("8.8.8.8").connect_tcp("api.example", 443)


def test_connect_tcp_accepts_a_private_address_of_a_configured_host() -> None:
    with pytest.raises(Connected, match=r"192\.168\.0\.7"):
        backend("192.168.0.7", configured={"searx.lan"}).connect_tcp("searx.lan", 80)


def test_connect_tcp_fails_for_an_unknown_name() -> None:
    def unknown(host: Any, port: Any) -> Any:
        raise OSError("no such name")

    with pytest.raises(httpcore2.ConnectError, match="no address"):
        GuardedBackend((), Clock(), resolver=unknown).connect_tcp("nowhere.example", 443)


@pytest.fixture
def port() -> Any:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = b'{"here": true}'
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    yield server.server_address[1]
    server.shutdown()
    server.server_close()


def test_get_refuses_loopback_unless_configured(manual_clock: Any, port: Any) -> None:
    service = Service("local", f"http://localhost:{port}")
    with pytest.raises(SourceError) as caught:
        Client(manual_clock).send(service, "/", read=lambda answer: answer.json_object(), fields=())
    assert caught.value.kind is Kind.FORBIDDEN_ADDRESS
    client = Client(manual_clock, configured_hosts={"localhost"})
    assert client.send(service, "/", read=lambda answer: answer.json_object(), fields=()) == {
        "here": True
    }
    client.close()
