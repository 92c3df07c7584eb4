"""``GET /api/health`` and ``GET /metrics``."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING

from citeproof.model.version import __version__
from citeproof.store.runtime.jobs import JobStore
from citeproof.web.backend import BUSY, UNWRITABLE
from tests.web.conftest import FakeDatabase

if TYPE_CHECKING:
    from pathlib import Path

    import pytest
    from starlette.testclient import TestClient

    from citeproof.web.backend import Backend
    from tests.web.conftest import Holder


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


def test_ready_is_503_while_the_store_has_no_room(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        answer = client.get("/api/ready")
        upload = client.post("/api/verify", json={"text": "A title"})
    assert (answer.status_code, answer.json()["detail"]) == (503, UNWRITABLE)
    assert (upload.status_code, upload.json()["detail"]) == (500, UNWRITABLE)
    assert client.get("/api/ready").status_code == 200
    assert client.get("/api/runtime/stats").json()["counters"]["web_page_views"] == 0


def test_a_locked_store_is_named_at_every_address(
    client: TestClient, backend: Backend, tmp_path: Path, hold_lock: type[Holder]
) -> None:
    patient, path = backend.jobs.store, tmp_path / "runtime.db"
    backend.jobs.store = JobStore(path, lock_wait=0.2)
    with hold_lock(path):
        ready = client.get("/api/ready")
        answers = [
            client.post("/api/verify", json={"text": "A title"}),
            client.post("/", files={"text": (None, "@misc{a, title={A}}")}),
            client.delete("/api/jobs/unknown"),
        ]
    assert (ready.status_code, ready.json()["detail"]) == (503, BUSY)
    assert [(answer.status_code, BUSY in answer.text) for answer in answers] == [(500, True)] * 3
    backend.jobs.store.close()
    backend.jobs.store = patient
