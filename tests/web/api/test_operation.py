"""``GET /api/health`` and ``GET /metrics``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from citeproof.model.version import __version__
from tests.web.conftest import FakeDatabase

if TYPE_CHECKING:
    from pathlib import Path

    import pytest
    from starlette.testclient import TestClient

    from citeproof.web.backend import Backend


def test_health_describes_the_database(client: TestClient) -> None:
    body = client.get("/api/health").json()
    age = body["database"].pop("age_seconds")
    assert 0 <= age < 100
    assert body == {
        "status": "ok",
        "version": __version__,
        "database": {
            "available": True,
            "file": "books.db",
            "records": 3,
            "method": "indexed",
            "indexes": ["word_index"],
        },
    }


def test_health_without_a_database_is_an_error_with_status_200(
    client: TestClient, database_file: Path
) -> None:
    database_file.unlink()
    answer = client.get("/api/health")
    assert answer.status_code == 200
    assert answer.json()["status"] == "error"
    assert answer.json()["database"] == {
        "available": False,
        "file": "books.db",
        "error": "the file does not exist",
    }


def test_health_with_a_file_that_is_no_database(client: TestClient, database_file: Path) -> None:
    database_file.write_text("something else")
    body = client.get("/api/health").json()
    assert body["status"] == "error"
    assert body["database"]["error"] == "cannot be read: DatabaseError"


def test_ready_while_titles_can_be_looked_up(client: TestClient, database_file: Path) -> None:
    answer = client.get("/api/ready")
    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})
    database_file.unlink()
    answer = client.get("/api/ready")
    assert answer.status_code == 503
    assert answer.headers["content-type"] == "application/problem+json"
    assert "the file does not exist" in answer.json()["detail"]
    assert client.head("/api/ready").status_code == 503


def test_ready_is_503_before_a_worker_has_answered(client: TestClient, backend: Backend) -> None:
    backend.jobs.ready = False
    answer = client.get("/api/ready")
    assert answer.status_code == 503
    assert "verification jobs" in answer.json()["detail"]
    assert client.get("/api/health").json()["status"] == "ok"


def test_health_answers_after_any_error_of_the_database(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: object) -> None:
        raise IndexError("bytearray index out of range")

    monkeypatch.setattr(FakeDatabase, "describe", fail)
    answer = client.get("/api/health")
    assert (answer.status_code, answer.json()["status"]) == (200, "error")
    assert client.get("/api/ready").status_code == 503


def test_metrics_count_requests_and_look_ups(client: TestClient, database_file: Path) -> None:
    client.get("/nowhere")
    client.request("BREW", "/nowhere/else")
    client.request("BREW", "/api/health")
    client.post("/api/search/title", json={"title": "Attention"})
    client.post("/api/search/title", json={})
    figures = client.get("/metrics").text.splitlines()
    assert 'citeproof_requests_total{method="other",route="unknown",status="404"} 2.0' in figures
    assert (
        'citeproof_requests_total{method="other",route="/api/health",status="405"} 1.0' in figures
    )
    assert not any("BREW" in line for line in figures)
    assert (
        'citeproof_requests_total{method="POST",route="/api/search/title",status="200"} 1.0'
        in figures
    )
    assert (
        'citeproof_requests_total{method="POST",route="/api/search/title",status="422"} 1.0'
        in figures
    )
    assert 'citeproof_lookup_seconds_count{method="indexed"} 1.0' in figures
    assert any(line.startswith("citeproof_database_age_seconds ") for line in figures)
    database_file.unlink()
    figures = client.get("/metrics").text.splitlines()
    assert not any(line.startswith("citeproof_database_age_seconds ") for line in figures)
