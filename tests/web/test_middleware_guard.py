"""The bearer token and the rate limit."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import pytest
from starlette.routing import Route
from starlette.testclient import TestClient

from citeproof.web import middleware
from citeproof.web.app import create_app
from citeproof.web.middleware import Guard, allowed_hosts, limit_rate

if TYPE_CHECKING:
    from fastapi import FastAPI
    from starlette.types import Receive, Scope, Send

    from citeproof.store.runtime.store import RuntimeStore
    from citeproof.web.backend import Backend

SEARCH = "/api/search/title"
TITLE = {"title": "Attention"}


@pytest.fixture
def guarded(backend: Backend) -> TestClient:
    """Return a client of a service with a token."""
    return TestClient(create_app(backend, token="secret"))


@pytest.mark.parametrize(
    "header", [None, "Bearer wrong", "Bearer", "Basic secret", "secret", "Bearer sécret"]
)
def test_token_is_required_for_searches_and_metrics(
    guarded: TestClient, store: RuntimeStore, header: str | None
) -> None:
    headers = {"Authorization": header.encode()} if header else {}
    for method, path in (
        ("POST", SEARCH),
        ("POST", f"{SEARCH}/batch"),
        ("GET", "/api/runtime/stats"),
        ("GET", "/metrics"),
    ):
        answer = guarded.request(method, path, headers=headers)  # type: ignore[arg-type]
        assert answer.status_code == 401
        assert answer.headers["www-authenticate"] == "Bearer"
        assert answer.headers["content-type"] == "application/problem+json"
        assert answer.headers["x-request-id"]
    assert store.statistics().counters["single_search_requests"] == 0


def test_token_opens_searches_and_metrics(guarded: TestClient) -> None:
    headers = {"Authorization": "Bearer secret"}
    assert guarded.post(SEARCH, json=TITLE, headers=headers).status_code == 200
    assert guarded.get("/metrics", headers=headers).status_code == 200


@pytest.mark.parametrize("token", ["schlüssel", "ключ"])
@pytest.mark.parametrize("encoding", ["utf-8", "latin-1"])
def test_token_may_contain_non_ascii_letters(backend: Backend, token: str, encoding: str) -> None:
    client = TestClient(create_app(backend, token=token))
    right, wrong = (text.encode(encoding, "replace") for text in (token, token[:-1]))
    known = right.decode(encoding) == token
    answer = client.post(SEARCH, json=TITLE, headers={b"Authorization": b"Bearer " + right})
    assert answer.status_code == (200 if known else 401)
    assert (
        client.post(SEARCH, json=TITLE, headers={b"Authorization": b"Bearer " + wrong}).status_code
        == 401
    )


def test_token_is_not_required_for_the_page_health_and_docs(guarded: TestClient) -> None:
    for path in ("/", "/docs", "/openapi.json", "/api/health", "/api/ready"):
        assert guarded.get(path).status_code == 200
    answer = guarded.get("/", params=TITLE)
    assert answer.status_code == 401
    assert "needs a token" in answer.text


def test_describe_says_which_addresses_need_the_token(
    guarded: TestClient, client: TestClient
) -> None:
    document = guarded.get("/openapi.json").json()
    assert document["paths"][SEARCH]["post"]["security"] == [{"token": []}]
    assert "security" not in document["paths"]["/api/health"]["get"]
    assert "security" not in client.get("/openapi.json").json()["paths"][SEARCH]["post"]


class Clock:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


async def answer_ok(scope: Scope, receive: Receive, send: Send) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b""})


def client_at(app: Guard, address: str) -> TestClient:
    return TestClient(app, client=(address, 50000))


def test_rate_limit_says_how_long_to_wait() -> None:
    clock = Clock()
    client = client_at(Guard(answer_ok, [limit_rate(3, clock)]), "192.0.2.1")
    for _ in range(3):
        assert client.post(SEARCH).status_code == 200
        clock.now += 10
    refused = client.post(f"{SEARCH}/batch")
    assert refused.status_code == 429
    assert refused.headers["content-type"] == "application/problem+json"
    wait = int(refused.headers["retry-after"])
    assert 29 <= wait <= 31
    assert client.get("/").status_code == 200
    assert client.get("/?title=a").status_code == 429
    clock.now += wait
    assert client.post(SEARCH).status_code == 200


def test_rate_limit_counts_each_client_separately() -> None:
    app = Guard(answer_ok, [limit_rate(1, Clock())])
    assert client_at(app, "192.0.2.1").post(SEARCH).status_code == 200
    assert client_at(app, "192.0.2.1").post(SEARCH).status_code == 429
    assert client_at(app, "192.0.2.2").post(SEARCH).status_code == 200


def test_rate_limit_drops_clients_beyond_the_maximum(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(middleware, "_MAX_CLIENTS", 2)
    app = Guard(answer_ok, [limit_rate(1, Clock())])
    for number in (1, 2, 3):
        assert client_at(app, f"192.0.2.{number}").post(SEARCH).status_code == 200
    assert client_at(app, "192.0.2.1").post(SEARCH).status_code == 200
    assert client_at(app, "192.0.2.3").post(SEARCH).status_code == 429


def test_rate_limit_drops_the_client_that_was_idle_longest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(middleware, "_MAX_CLIENTS", 2)
    app = Guard(answer_ok, [limit_rate(1, Clock())])
    statuses = [
        client_at(app, f"192.0.2.{number}").post(SEARCH).status_code
        for number in (1, 2, 1, 3, 1, 2)
    ]
    assert statuses == [200, 200, 429, 200, 429, 200]


def test_rate_limit_is_off_by_default(client: TestClient) -> None:
    for _ in range(50):
        assert client.post(SEARCH, json=TITLE).status_code == 200


def test_create_app_applies_the_rate_limit(backend: Backend) -> None:
    client = TestClient(create_app(backend, rate_limit=2))
    answers = [client.post(SEARCH, json=TITLE) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert answers[2].headers["x-request-id"]


def test_rate_limit_ignores_searches_without_the_token(backend: Backend) -> None:
    client = TestClient(create_app(backend, token="secret", rate_limit=2))
    for _ in range(5):
        assert client.post(SEARCH, json=TITLE).status_code == 401
        assert client.get("/", params=TITLE).status_code == 401
    headers = {"Authorization": "Bearer secret"}
    statuses = [client.post(SEARCH, json=TITLE, headers=headers).status_code for _ in range(3)]
    assert statuses == [200, 200, 429]


@pytest.mark.parametrize(
    ("host", "token", "named", "found"),
    [
        ("127.0.0.1", "", (), {"localhost", "127.0.0.1", "::1"}),
        ("127.0.0.9", "", (), {"localhost", "127.0.0.1", "::1", "127.0.0.9"}),
        ("::1", "", ("Cite.Example.org",), {"localhost", "127.0.0.1", "::1", "cite.example.org"}),
        ("localhost", "", (), {"localhost", "127.0.0.1", "::1"}),
        ("127.0.0.1", "secret", (), set()),
        ("0.0.0.0", "", (), set()),
        ("0.0.0.0", "", ("a.example",), {"localhost", "127.0.0.1", "::1", "0.0.0.0", "a.example"}),
    ],
)
def test_allowed_hosts(host: str, token: str, named: tuple[str, ...], found: set[str]) -> None:
    assert allowed_hosts(host, token, named) == found


@pytest.fixture
def local(backend: Backend) -> TestClient:
    """Return a client of a service without a token on the loopback interface, behind a proxy for
    one name.
    """
    return TestClient(
        create_app(backend, hosts=allowed_hosts("127.0.0.1", "", ["cite.example.org"]))
    )


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "127.0.0.1:8092"}, 200),
        ({"Host": "localhost:8092"}, 200),
        ({"Host": "[::1]:8092"}, 200),
        ({"Host": "cite.example.org", "Origin": "https://cite.example.org"}, 200),
        ({"Host": "127.0.0.1:8092", "Origin": "http://127.0.0.1:8092"}, 200),
        # the proxy does not keep the host
        ({"Host": "127.0.0.1:8092", "Origin": "https://cite.example.org"}, 200),
        ({"Host": "evil.example"}, 403),
        ({"Host": "evil.example:8092", "Origin": "http://evil.example:8092"}, 403),
        ({"Host": "127.0.0.1.evil.example"}, 403),
        ({"Host": ""}, 403),
        ({"Host": "["}, 403),
        ({"Host": "127.0.0.1:8092", "Origin": "https://evil.example"}, 403),
        ({"Host": "127.0.0.1:8092", "Origin": "http://localhost:3000"}, 403),
        ({"Host": "127.0.0.1:8092", "Origin": "null"}, 403),
    ],
)
def test_allowed_hosts_refuse_a_foreign_host_or_origin(
    local: TestClient, headers: dict[str, str], status: int
) -> None:
    for answer in (
        local.post(SEARCH, json=TITLE, headers=headers),
        local.get("/api/health", headers=headers),
    ):
        assert answer.status_code == status, answer.text
    if status == 403:
        assert "--allowed-hosts" in answer.json()["detail"]


@pytest.mark.parametrize(
    "headers",
    [{"Host": "evil.example"}, {"Host": "127.0.0.1:8092", "Origin": "https://evil.example"}],
)
def test_allowed_hosts_guard_every_address(
    local: TestClient, store: RuntimeStore, headers: dict[str, str]
) -> None:
    routes = cast("FastAPI", local.app).router.routes
    asked = [
        (method, route.path)
        for route in routes
        if isinstance(route, Route)
        for method in route.methods or ()
    ]
    assert len(asked) > 15
    for method, path in [*asked, ("GET", "/nowhere"), ("PUT", "/")]:
        answer = local.request(method, path.replace("{", "").replace("}", ""), headers=headers)
        assert answer.status_code == 403, (method, path)
    counters = store.statistics().counters
    assert set(counters.values()) == {0}, counters


def test_allowed_hosts_refuse_a_cross_site_form(local: TestClient) -> None:
    headers = {"Host": "127.0.0.1:8092", "Origin": "https://evil.example"}
    assert local.post("/", files={"text": (None, "x")}, headers=headers).status_code == 403
    content_type = {"Content-Type": "text/plain"}
    assert (
        local.post(
            "/api/verify", content='{"text": "x"}', headers=headers | content_type
        ).status_code
        == 403
    )


EMBEDDED = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image"}
FOLLOWED = EMBEDDED | {"Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        (EMBEDDED, 403),
        (EMBEDDED | {"Sec-Fetch-Site": "same-site"}, 403),
        (FOLLOWED | {"Sec-Fetch-Dest": "iframe"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        (FOLLOWED, 200),
        (EMBEDDED | {"Sec-Fetch-Site": "same-origin"}, 200),
        (EMBEDDED | {"Sec-Fetch-Site": "none"}, 200),
        ({}, 200),
    ],
)
def test_refuse_embedding_records_no_title_for_another_web_site(
    client: TestClient, store: RuntimeStore, headers: dict[str, str], status: int
) -> None:
    assert client.get("/", params=TITLE, headers=headers).status_code == status
    assert store.statistics().counters["single_search_requests"] == (status == 200)
