"""Headers, request ids and log lines of every answer."""

from __future__ import annotations

import json
import logging
from typing import TYPE_CHECKING, Any

import pytest

from citeproof.web.middleware import HEADERS

if TYPE_CHECKING:
    from starlette.testclient import TestClient

REQUESTS = [
    ("GET", "/", 200),
    ("GET", "/?title=Attention", 200),
    ("GET", "/?title=+", 422),
    ("GET", "/?title=fail", 500),
    ("HEAD", "/", 200),
    ("GET", "/docs", 200),
    ("GET", "/openapi.json", 200),
    ("GET", "/api/health", 200),
    ("HEAD", "/api/health", 200),
    ("GET", "/api/runtime/stats", 200),
    ("GET", "/metrics", 200),
    ("GET", "/nowhere", 404),
    ("POST", "/nowhere", 404),
    ("GET", "/api/search/title", 405),
    ("DELETE", "/api/search/title/batch", 405),
    ("PUT", "/", 405),
    ("POST", "/api/search/title", 422),
    ("GET", "/static/x/nothing.js", 404),
    ("GET", "/static/../server.py", 404),
]


@pytest.mark.parametrize(("method", "path", "status"), REQUESTS)
def test_security_headers_are_on_every_answer(
    client: TestClient, method: str, path: str, status: int
) -> None:
    answer = client.request(method, path)
    assert answer.status_code == status
    assert len(answer.headers["x-request-id"]) == 16
    for name, value in HEADERS.items():
        assert answer.headers[name] == value
    page = path.startswith("/?") or path == "/docs"
    if status >= 400 and not page:
        assert answer.headers["content-type"] == "application/problem+json"
        assert answer.json()["status"] == status
        assert answer.json()["detail"].endswith(".")
    if status == 405:
        assert answer.headers["allow"]


def test_content_security_policy_allows_nothing_inline_and_no_other_host() -> None:
    policy = dict(part.split(" ", 1) for part in HEADERS["Content-Security-Policy"].split("; "))
    assert policy["default-src"] == "'none'"
    assert set(policy.values()) == {"'none'", "'self'"}


@pytest.mark.parametrize("given", ["abc-123", "A.b_c", "x" * 64])
def test_request_id_keeps_a_valid_id(client: TestClient, given: str) -> None:
    assert (
        client.get("/api/health", headers={"X-Request-ID": given}).headers["x-request-id"] == given
    )


@pytest.mark.parametrize("given", ["", "a b", "x" * 65, 'a"b', "<script>"])
def test_request_id_replaces_an_invalid_id(client: TestClient, given: str) -> None:
    assert (
        client.get("/api/health", headers={"X-Request-ID": given}).headers["x-request-id"] != given
    )


class Lines(logging.Handler):
    """Collects log lines in the format of the service."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))


@pytest.fixture
def lines() -> Any:
    """Collect the service's log."""
    from citeproof.web.logs import JsonLines

    handler = Lines()
    handler.setFormatter(JsonLines())
    logger = logging.getLogger("citeproof")
    level = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    yield handler.lines
    logger.removeHandler(handler)
    logger.setLevel(level)


def test_access_log_has_a_line_for_each_request(client: TestClient, lines: list[str]) -> None:
    client.get("/api/health", headers={"X-Request-ID": "abc"})
    line = json.loads(lines[-1])
    assert line["request_id"] == "abc"
    assert (line["method"], line["path"], line["status"]) == ("GET", "/api/health", 200)
    assert line["ms"] > 0
    assert line["client"] == "testclient"


def test_access_log_has_no_title(client: TestClient, lines: list[str]) -> None:
    client.get("/", params={"title": "Unpublished wonder"})
    client.get("/", params={"title": "fail Unpublished wonder"})
    client.post("/api/search/title", json={"title": "fail Unpublished wonder"})
    client.post(
        "/api/search/title/batch",
        json={"titles": ["fail Unpublished wonder", "Unpublished wonder"]},
    )
    client.post("/api/search/title", json={"title": "Unpublished wonder", "max_candidates": 0})
    text = "\n".join(lines)
    assert "RuntimeError" in text
    assert "Unpublished" not in text
