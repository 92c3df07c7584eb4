from __future__ import annotations

import json
import socket
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import httpx2
import pytest

from citeproof.online.net.client import ATTEMPTS, Client
from citeproof.online.net.service import Kind, Pace, Response, Service, SourceError

if TYPE_CHECKING:
    from pathlib import Path


def same(answer: Response) -> Response:
    return answer


def recording(requests: list[httpx2.Request], status: int) -> Any:
    def handler(request: httpx2.Request) -> httpx2.Response:
        requests.append(request)
        return httpx2.Response(status, json={})

    return handler


def failing(client: Any, service: Any, **options: Any) -> Any:
    with pytest.raises(SourceError) as caught:
        client.send(service, "/works", read=same, fields=(), **options)
    return caught.value


def test_get_sends_the_project_and_the_contact(client_of: Any, service: Any) -> None:
    seen: list[httpx2.Request] = []
    client = client_of(recording(seen, 200), contact="me@example.org")
    answer = client.send(service, "/works", {"q": "a b"}, read=same, fields=("title",))
    assert answer.json_object() == {}
    assert str(seen[0].url) == "https://api.library.example/v1/works?q=a+b"
    assert seen[0].headers["user-agent"].startswith("citeproof/")
    assert "mailto:me@example.org" in seen[0].headers["user-agent"]


def test_get_returns_a_response_with_status_404(client_of: Any, service: Any) -> None:
    client = client_of(lambda _: httpx2.Response(404, text="Resource not found."))
    assert client.send(service, "/works/x", read=same, fields=()).not_found


@pytest.mark.parametrize(
    ("status", "kind", "asked"),
    [
        (429, Kind.RATE_LIMITED, ATTEMPTS),
        (500, Kind.SERVER_ERROR, ATTEMPTS),
        (503, Kind.SERVER_ERROR, ATTEMPTS),
        (400, Kind.BAD_REQUEST, 1),
        (403, Kind.REFUSED, 1),
    ],
)
def test_get_retries_only_errors_that_may_pass(
    client_of: Any, service: Any, manual_clock: Any, status: Any, kind: Any, asked: Any
) -> None:
    requests: list[httpx2.Request] = []
    client = client_of(recording(requests, status))
    assert failing(client, service).kind is kind
    assert len(requests) == asked
    assert (sum(manual_clock.slept) > 1) == (asked > 1)


@pytest.mark.parametrize(
    ("raised", "kind"),
    [
        (httpx2.ConnectError("refused"), Kind.CONNECTION),
        (httpx2.ReadTimeout("slow"), Kind.TIMEOUT),
        (httpx2.ConnectTimeout("slow"), Kind.CONNECTION),
        (httpx2.RemoteProtocolError("doubled content-length"), Kind.LOST),
        (httpx2.ReadError("reset"), Kind.LOST),
    ],
)
def test_get_raises_source_error_for_a_broken_connection(
    client_of: Any, service: Any, raised: Any, kind: Any
) -> None:
    def handler(request: Any) -> None:
        raise raised

    assert failing(client_of(handler), service).kind is kind


def test_get_waits_as_long_as_retry_after(client_of: Any, service: Any, manual_clock: Any) -> None:
    answers = [httpx2.Response(429, headers={"retry-after": "7"}), httpx2.Response(200, json={})]
    client = client_of(lambda _: answers.pop(0))
    assert (
        client.send(
            Service("s", "https://x.example", {"": Pace(100)}), "/", read=same, fields=()
        ).status
        == 200
    )
    assert manual_clock.slept == [7.0]


def test_get_disables_a_source_with_a_long_retry_after(
    client_of: Any, service: Any, manual_clock: Any
) -> None:
    requests = []

    def handler(request: Any) -> Any:
        requests.append(request)
        return httpx2.Response(429, headers={"retry-after": "54000"}, json={"error": "budget"})

    client = client_of(handler)
    assert failing(client, service).kind is Kind.RATE_LIMITED
    assert failing(client, service).kind is Kind.OUT_FOR_THE_RUN
    client.close_circuits()
    assert failing(client, service).kind is Kind.OUT_FOR_THE_RUN
    assert (len(requests), manual_clock.slept) == (1, [])


def test_get_disables_a_source_that_refuses_the_key(client_of: Any, service: Any) -> None:
    client = client_of(lambda _: httpx2.Response(401))
    assert failing(client, service).kind is Kind.REFUSED
    assert failing(client, service).kind is Kind.OUT_FOR_THE_RUN


def test_close_circuits_closes_a_circuit_opened_by_three_failures(
    client_of: Any, service: Any
) -> None:
    healthy = False
    requests = []

    def handler(request: Any) -> Any:
        requests.append(request)
        return httpx2.Response(200 if healthy else 500, json={})

    client = client_of(handler)
    for _ in range(3):
        assert failing(client, service).kind is Kind.SERVER_ERROR
    asked = len(requests)
    error = failing(client, service)
    assert (error.kind, len(requests)) == (Kind.CIRCUIT_OPEN, asked)
    assert "500" in str(error)
    healthy = True
    assert client.close_circuits()
    assert client.send(service, "/works", read=same, fields=()).status == 200
    assert not client.close_circuits()


def test_get_sends_one_trial_request_after_the_cool_down(
    client_of: Any, service: Any, manual_clock: Any
) -> None:
    client = client_of(lambda _: httpx2.Response(500))
    for _ in range(3):
        failing(client, service)
    manual_clock.advance(121)
    assert failing(client, service).kind is Kind.SERVER_ERROR
    assert failing(client, service).kind is Kind.CIRCUIT_OPEN


def test_get_gives_up_an_unreachable_host_after_three_attempts(
    client_of: Any, service: Any
) -> None:
    attempts = []

    def handler(request: Any) -> None:
        attempts.append(request)
        raise httpx2.ConnectError("no route to host")

    client = client_of(handler)
    assert failing(client, service).kind is Kind.CONNECTION
    assert failing(client, service).kind is Kind.CIRCUIT_OPEN
    assert len(attempts) == 3


def test_get_cancels_queued_requests_when_the_circuit_opens(client_of: Any) -> None:
    slow = Service("slow", "https://slow.example", {"": Pace(1, 3.0, connections=1)})
    attempts = []

    def handler(request: Any) -> None:
        attempts.append(request)
        raise httpx2.ConnectError("no route to host")

    client = client_of(handler)
    with ThreadPoolExecutor(10) as pool:
        kinds = {error.kind for error in pool.map(lambda _: failing(client, slow), range(30))}
    assert kinds <= {Kind.CONNECTION, Kind.CIRCUIT_OPEN}
    assert len(attempts) <= 3 + 10  # of 90; each thread may have been past the check


def test_get_has_one_circuit_per_source(client_of: Any, service: Any) -> None:
    client = client_of(lambda r: httpx2.Response(500 if "library" in r.url.host else 200, json={}))
    for _ in range(4):
        failing(client, service)
    assert (
        client.send(Service("other", "https://other.example"), "/", read=same, fields=()).status
        == 200
    )


def redirecting(location: Any) -> Any:
    def handler(request: Any) -> Any:
        if request.url.host == "api.library.example":
            return httpx2.Response(302, headers={"location": location})
        return httpx2.Response(
            200, json={"host": request.url.host, "headers": dict(request.headers)}
        )

    return handler


def test_get_follows_a_redirect_to_a_known_host_without_the_key(client_of: Any) -> None:
    client = client_of(redirecting("https://mirror.example/x"), known_hosts={"mirror.example"})
    service = Service(
        "library", "https://api.library.example", secret_headers={"x-api-key": "s3cret"}
    )
    answer = client.send(service, "/", read=same, fields=("doi",))
    assert answer.json_object()["host"] == "mirror.example"
    assert "x-api-key" not in answer.json_object()["headers"]
    assert [sent.host for sent in client.outgoing.by_host()] == [
        "api.library.example",
        "mirror.example",
    ]


@pytest.mark.parametrize(
    "location",
    [
        "https://evil.example/",
        "http://127.0.0.1/",
        "http://mirror.example/",
        "https:///",
        "//[broken",
    ],
)
def test_get_follows_no_redirect_to_an_unknown_host(
    client_of: Any, service: Any, location: Any
) -> None:
    client = client_of(redirecting(location), known_hosts={"mirror.example"})
    assert failing(client, service).kind in {
        Kind.UNKNOWN_HOST,
        Kind.FORBIDDEN_ADDRESS,
        Kind.BAD_ANSWER,
    }
    assert [sent.host for sent in client.outgoing.by_host()] == ["api.library.example"]


@pytest.mark.parametrize(
    "host",
    [
        "localhost",
        "127.0.0.1",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "2130706433",
        "0x7f.1",
        "169.254.169.254",
    ],
)
def test_get_follows_no_redirect_into_the_own_network(
    client_of: Any, service: Any, host: str
) -> None:
    configured = {"localhost", "127.0.0.1", "::1"}
    client = client_of(
        redirecting(f"https://{host}/"), known_hosts={"mirror.example"}, configured_hosts=configured
    )
    assert failing(client, service).kind is Kind.UNKNOWN_HOST
    assert [sent.host for sent in client.outgoing.by_host()] == ["api.library.example"]


def test_get_ends_circular_redirects(client_of: Any, service: Any) -> None:
    client = client_of(
        lambda _: httpx2.Response(302, headers={"location": "/again"}),
        known_hosts={"api.library.example"},
    )
    assert failing(client, service).kind is Kind.BAD_ANSWER


def test_get_shows_no_key_in_errors(client_of: Any) -> None:
    service = Service("library", "https://x.example", secret_params={"api_key": "s3cret"})
    assert "x.example" in repr(service)
    assert "s3cret" not in repr(service)
    error = failing(client_of(lambda _: httpx2.Response(500)), service)
    assert "s3cret" not in str(error)
    assert "s3cret" not in repr(error)


def test_by_host_counts_requests_and_fields(client_of: Any, service: Any) -> None:
    client = client_of(lambda _: httpx2.Response(200, json={}))
    client.send(service, "/", read=same, fields=("title", "authors"))
    client.send(service, "/", read=same, fields=("title", "doi"))
    (sent,) = client.outgoing.by_host()
    assert (sent.host, sent.requests) == ("api.library.example", 2)
    assert sent.fields == ("authors", "doi", "title")


@pytest.mark.parametrize(
    ("raised", "left"),
    [
        (httpx2.ConnectError("refused"), 0),
        (httpx2.ConnectTimeout("slow"), 0),
        (PermissionError("x.example has a private address"), 0),
        (httpx2.ReadTimeout("slow"), ATTEMPTS),
        (httpx2.ReadError("reset"), ATTEMPTS),
    ],
)
def test_by_host_counts_only_sent_requests(
    client_of: Any, service: Any, raised: Any, left: int
) -> None:
    def handler(request: Any) -> None:
        raise raised

    client = client_of(handler)
    failing(client, service)
    assert sum(sent.requests for sent in client.outgoing.by_host()) == left


def test_get_keeps_no_cookies(client_of: Any, service: Any) -> None:
    def handler(request: httpx2.Request) -> httpx2.Response:
        return httpx2.Response(
            200, json=[request.headers.get("cookie")], headers={"set-cookie": "who=you; Path=/"}
        )

    client = client_of(handler)
    for _ in range(2):
        assert client.send(
            service, "/", read=lambda answer: json.loads(answer.data()), fields=()
        ) == [None]


def test_send_post_sends_json(client_of: Any, service: Any) -> None:
    client = client_of(lambda request: httpx2.Response(200, content=request.content))
    assert client.send(
        service, "/chat", read=same, fields=("raw",), body={"a": "ü"}
    ).json_object() == {"a": "ü"}


def test_get_counts_an_unreadable_response_as_a_failure(client_of: Any, service: Any) -> None:
    client = client_of(
        lambda _: httpx2.Response(200, text="<html>", headers={"content-type": "text/html"})
    )
    for _ in range(3):
        with pytest.raises(SourceError, match="HTML instead of data"):
            client.send(service, "/", read=Response.json_object, fields=())
    assert failing(client, service).kind is Kind.CIRCUIT_OPEN


def test_get_times_out(manual_clock: Any) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"http://127.0.0.1:{silent.getsockname()[1]}"
        client = Client(manual_clock, configured_hosts={"127.0.0.1"})
        error = failing(client, Service("silent", address, timeout=0.05))
    assert error.kind is Kind.TIMEOUT
    client.close()


def test_get_sends_the_key_to_a_redirect_on_the_same_host(client_of: Any) -> None:
    def handler(request: httpx2.Request) -> httpx2.Response:
        if request.url.path == "/old":
            return httpx2.Response(301, headers={"location": "/new"})
        return httpx2.Response(200, json=request.headers.get("x-api-key"))

    client = client_of(handler, known_hosts={"api.library.example"})
    service = Service(
        "library", "https://api.library.example", secret_headers={"x-api-key": "s3cret"}
    )
    assert (
        client.send(service, "/old", read=lambda answer: json.loads(answer.data()), fields=())
        == "s3cret"
    )


def test_get_resets_the_count_of_failures_after_a_success(client_of: Any, service: Any) -> None:
    statuses = [500] * 6 + [200] + [500] * 6 + [200]
    client = client_of(lambda _: httpx2.Response(statuses.pop(0), json={}))
    for _ in range(2):
        assert failing(client, service).kind is Kind.SERVER_ERROR
        assert failing(client, service).kind is Kind.SERVER_ERROR
        assert client.send(service, "/", read=same, fields=()).status == 200


def test_get_ignores_the_passwords_of_a_netrc_file(
    client_of: Any, service: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "netrc").write_text("machine api.library.example login me password s3cret\n")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    client = client_of(lambda request: httpx2.Response(200, json=dict(request.headers)))
    sent = client.send(service, "/", read=lambda answer: json.loads(answer.data()), fields=())
    assert sent["host"] == "api.library.example"
    assert "authorization" not in sent
