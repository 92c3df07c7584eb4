"""TLS over loopback: the certificate must be for the host, and of an authority that this machine
trusts.
"""

from __future__ import annotations

import ssl
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

import pytest
import trustme

from citeproof.model.errors import ConfigurationError
from citeproof.online.net.client import Client
from citeproof.online.net.service import Kind, Service, SourceError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("content-length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *args: Any) -> None:
        """Log nothing."""


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore clients that refuse the certificate."""


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture
def served(authority: trustme.CA) -> Iterator[Callable[[str], str]]:
    """Serve over TLS on loopback with a certificate for ``name``; return the URL."""
    servers = []

    def serve(name: str) -> str:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        authority.issue_cert(name).configure_cert(context)
        server = Server(("127.0.0.1", 0), Handler)
        server.socket = context.wrap_socket(
            server.socket, server_side=True, do_handshake_on_connect=False
        )
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        servers.append(server)
        return f"https://localhost:{server.server_address[1]}"

    yield serve
    for server in servers:
        server.shutdown()
        server.server_close()


@pytest.fixture
def trusted(authority: trustme.CA, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Trust the test authority by ``SSL_CERT_FILE``, as a user with a private mirror would."""
    authority.cert_pem.write_to_path(tmp_path / "authority.pem")
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "authority.pem"))


def refusal(clock: Any, address: str) -> str:
    client = Client(clock, configured_hosts={"localhost"})
    with pytest.raises(SourceError) as caught:
        client.send(Service("mirror", address), "/", read=lambda answer: answer, fields=("title",))
    assert caught.value.kind is Kind.CONNECTION
    assert client.outgoing.by_host() == (), "no question was sent to a stranger"
    client.close()
    return str(caught.value)


def test_get_refuses_a_certificate_of_an_unknown_authority(served: Any, manual_clock: Any) -> None:
    reason = refusal(manual_clock, served("localhost"))
    assert reason.startswith(
        "no connection: localhost: its certificate is refused: unable to get local issuer"
    )


@pytest.mark.usefixtures("trusted")
def test_get_refuses_a_certificate_of_another_host(served: Any, manual_clock: Any) -> None:
    reason = refusal(manual_clock, served("api.library.example"))
    assert reason.startswith(
        "no connection: localhost: its certificate is refused: Hostname mismatch"
    )


@pytest.mark.usefixtures("trusted")
def test_get_accepts_a_certificate_of_a_trusted_authority(served: Any, manual_clock: Any) -> None:
    client = Client(manual_clock, configured_hosts={"localhost"})
    assert (
        client.send(
            Service("m", served("localhost")),
            "/",
            read=lambda a: a.json_object(),
            fields=("title",),
        )
        == {}
    )
    assert [sent.fields for sent in client.outgoing.by_host()] == [("title",)]
    client.close()


def test_get_refuses_a_host_without_tls(manual_clock: Any) -> None:
    server = Server(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    assert refusal(manual_clock, f"https://localhost:{server.server_address[1]}").endswith(
        "TLS fails"
    )
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize("content", [None, "no certificate"])
def test_guarded_transport_names_an_unreadable_certificate_file(
    manual_clock: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str | None
) -> None:
    if content:
        (tmp_path / "authority.pem").write_text(content)
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "authority.pem"))
    with pytest.raises(
        ConfigurationError, match=r"^variable SSL_CERT_FILE or SSL_CERT_DIR: cannot be read: "
    ):
        Client(manual_clock)
