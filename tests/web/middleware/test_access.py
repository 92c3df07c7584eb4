"""The bearer token and the rate limit."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from starlette.testclient import TestClient

from citeproof.web.app import create_app
from citeproof.web.middleware import rate_limit
from citeproof.web.middleware.rate_limit import RateLimit

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

    from citeproof.runtime import RuntimeStore
    from citeproof.web.backend import Backend

SEARCH = "/api/search/title"
TITLE = {"title": "Attention"}


@pytest.fixture
def guarded(backend: Backend) -> TestClient:
    """Return a client of a service with a token."""
    return TestClient(create_app(backend, token="secret"))


@pytest.mark.parametrize("header", [None, "Bearer wrong", "Bearer", "Basic secret", "secret", "Bearer sécret"])
def test_searches_and_figures_need_the_token(guarded: TestClient, store: RuntimeStore, header: str | None) -> None:
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


def test_with_the_token_they_answer(guarded: TestClient) -> None:
    headers = {"Authorization": "Bearer secret"}
    assert guarded.post(SEARCH, json=TITLE, headers=headers).status_code == 200
    assert guarded.get("/metrics", headers=headers).status_code == 200


@pytest.mark.parametrize("token", ["schlüssel", "ключ"])
@pytest.mark.parametrize("encoding", ["utf-8", "latin-1"])
def test_a_token_may_have_letters_beyond_ascii(backend: Backend, token: str, encoding: str) -> None:
    client = TestClient(create_app(backend, token=token))
    right, wrong = (text.encode(encoding, "replace") for text in (token, token[:-1]))
    known = right.decode(encoding) == token
    answer = client.post(SEARCH, json=TITLE, headers={b"Authorization": b"Bearer " + right})
    assert answer.status_code == (200 if known else 401)
    assert client.post(SEARCH, json=TITLE, headers={b"Authorization": b"Bearer " + wrong}).status_code == 401


def test_the_page_health_and_docs_are_open(guarded: TestClient) -> None:
    for path in ("/", "/docs", "/openapi.json", "/api/health", "/api/ready"):
        assert guarded.get(path).status_code == 200
    answer = guarded.get("/", params=TITLE)
    assert answer.status_code == 401
    assert "asks for a token" in answer.text


def test_the_document_says_so(guarded: TestClient, client: TestClient) -> None:
    document = guarded.get("/openapi.json").json()
    assert document["paths"][SEARCH]["post"]["security"] == [{"token": []}]
    assert "security" not in document["paths"]["/api/health"]["get"]
    assert "security" not in client.get("/openapi.json").json()["paths"][SEARCH]["post"]


class Clock:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


async def answer_ok(scope: Scope, receive: Receive, send: Send) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b""})


def client_at(app: RateLimit, address: str) -> TestClient:
    return TestClient(app, client=(address, 50000))


def test_a_client_waits_as_long_as_it_is_told() -> None:
    clock = Clock()
    client = client_at(RateLimit(answer_ok, 3, clock), "192.0.2.1")
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


def test_each_client_has_its_own_share() -> None:
    app = RateLimit(answer_ok, 1, Clock())
    assert client_at(app, "192.0.2.1").post(SEARCH).status_code == 200
    assert client_at(app, "192.0.2.1").post(SEARCH).status_code == 429
    assert client_at(app, "192.0.2.2").post(SEARCH).status_code == 200


def test_clients_beyond_the_most_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limit, "MAX_CLIENTS", 2)
    app = RateLimit(answer_ok, 1, Clock())
    for number in (1, 2, 3):
        assert client_at(app, f"192.0.2.{number}").post(SEARCH).status_code == 200
    assert client_at(app, "192.0.2.1").post(SEARCH).status_code == 200
    assert client_at(app, "192.0.2.3").post(SEARCH).status_code == 429


def test_without_a_limit_there_is_none(client: TestClient) -> None:
    for _ in range(50):
        assert client.post(SEARCH, json=TITLE).status_code == 200


def test_the_service_applies_its_limit(backend: Backend) -> None:
    client = TestClient(create_app(backend, rate_limit=2))
    answers = [client.post(SEARCH, json=TITLE) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert answers[2].headers["x-request-id"]


def test_a_search_without_the_token_does_not_use_the_limit_up(backend: Backend) -> None:
    client = TestClient(create_app(backend, token="secret", rate_limit=2))
    for _ in range(5):
        assert client.post(SEARCH, json=TITLE).status_code == 401
        assert client.get("/", params=TITLE).status_code == 401
    headers = {"Authorization": "Bearer secret"}
    statuses = [client.post(SEARCH, json=TITLE, headers=headers).status_code for _ in range(3)]
    assert statuses == [200, 200, 429]
