"""A document becomes a job, whatever it is sent as; what is none is refused with a sentence."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import pytest

from citeproof.web.api import verify

if TYPE_CHECKING:
    from pathlib import Path

    from starlette.testclient import TestClient

    from citeproof.web.backend import Backend

BIB = """@article{right, author = {Edgar F. Codd}, year = 1970, journal = {Commun. ACM},
  title = {A Relational Model of Data for Large Shared Data Banks}}
@article{wrong, author = {Leslie G. Valiant}, title = {A Theory of the Learnable}, year = 1999}
"""
FILE = {"file": ("C:\\refs\\my refs.bib", BIB.encode(), "application/octet-stream")}


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for a small job as long as it takes on a busy machine."""
    monkeypatch.setattr(verify, "SMALL_SECONDS", 60.0)


@pytest.mark.parametrize(
    ("sent", "name", "taken_for"),
    [
        ({"json": {"text": BIB}}, "", "bibtex"),
        ({"json": {"bibtex": BIB, "name": "a.bib"}}, "a.bib", "bibtex"),
        ({"files": FILE}, "my refs.bib", "bibtex"),
        ({"files": {"file": ("", b""), "text": (None, BIB)}}, "", "bibtex"),
    ],
)
def test_a_small_bibliography_is_answered_at_once(
    client: TestClient, sent: dict[str, Any], name: str, taken_for: str
) -> None:
    answer = client.post("/api/verify", **sent)
    assert answer.status_code == 200, answer.text
    job = answer.json()
    assert (job["state"], job["name"], job["taken_for"], job["total"]) == ("finished", name, taken_for, 2)
    assert [(result["key"], result["status"]) for result in job["run"]["results"]] == [
        ("right", "VALID"),
        ("wrong", "SUSPICIOUS"),
    ]
    assert answer.headers["location"] == f"/api/jobs/{job['id']}"


def test_references_as_objects(client: TestClient) -> None:
    references = [{"title": "A Theory of the Learnable", "authors": ["Leslie G. Valiant"]}, "Attention is all you need"]
    job = client.post("/api/verify", json={"references": references}).json()
    assert [result["status"] for result in job["run"]["results"]] == ["VALID", "VALID"]


def test_more_than_fifty_references_are_a_job(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verify, "SMALL_REFERENCES", 1)
    # The worker stops between two verdicts until the answer is there.
    go_on = threading.Event()
    monkeypatch.setattr("citeproof.web.jobs.worker.packed", lambda verdict: (go_on.wait(60) and b"") or b"{}")
    answer = client.post("/api/verify", json={"bibtex": BIB})
    go_on.set()
    assert answer.status_code == 202
    assert answer.json()["state"] == "running"
    assert "run" not in answer.json()
    client.delete(answer.headers["location"])


def test_what_cannot_be_read_says_why(client: TestClient) -> None:
    job = client.post("/api/verify", files={"file": ("a.pdf", b"%PDF-1.4 nothing")}).json()
    assert job["state"] == "failed"
    assert job["reason"].startswith("a.pdf: ")
    assert job["run"]["results"] == []


@pytest.mark.parametrize(
    ("sent", "status", "says"),
    [
        ({"json": {}}, 422, "exactly one of text, bibtex and references"),
        ({"json": {"text": "a", "bibtex": "b"}}, 422, "exactly one"),
        ({"json": {"text": "a", "format": "odt"}}, 422, "format"),
        ({"json": {"references": [1]}}, 422, "references"),
        ({"json": []}, 422, "JSON object"),
        ({"content": b"{", "headers": {"Content-Type": "application/json"}}, 422, "This is not valid JSON. Send a"),
        ({"content": b"@misc{a, title={b}}", "headers": {"Content-Type": "text/plain"}}, 422, "curl -F file=@refs.bib"),
        ({}, 422, "The request is empty. Send a file"),
        ({"files": {"other": ("a.bib", b"x")}}, 422, "'file'"),
        ({"files": {"file": ("a.bib", b"")}}, 422, "empty"),
        ({"content": b"rubbish", "headers": {"Content-Type": "multipart/form-data; boundary=x"}}, 400, "form"),
        ({"content": b"rubbish", "headers": {"Content-Type": "multipart/form-data"}}, 400, "form"),
    ],
)
def test_what_cannot_be_used_is_refused(client: TestClient, sent: dict[str, Any], status: int, says: str) -> None:
    answer = client.post("/api/verify", **sent)
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    assert says in answer.json()["detail"]


def test_a_method_that_an_address_does_not_answer_is_named_with_those_it_does(client: TestClient) -> None:
    answer = client.get("/api/verify")
    assert (answer.status_code, answer.headers["allow"]) == (405, "POST")
    assert answer.json()["detail"] == "This address does not answer GET; it answers POST."


def test_too_many_waiting_jobs(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("citeproof.web.jobs.queue.MOST_WAITING", 0)
    answer = client.post("/api/verify", json={"text": "A title"})
    assert answer.status_code == 503
    assert answer.headers["retry-after"] == "60"


def test_a_missing_database_and_too_large_a_document(client: TestClient, database_file: Path) -> None:
    assert client.post("/api/verify", headers={"Content-Length": str(40 << 20)}, content=b"x").status_code == 413
    database_file.unlink()
    assert client.post("/api/verify", json={"text": "A title"}).status_code == 404


@pytest.mark.parametrize(
    "body", [{}, {"title": "  "}, {"title": 3}, {"title": "A", "authors": "B"}, {"title": "A", "year": "2016"}]
)
def test_no_reference(client: TestClient, body: Any) -> None:
    assert client.post("/api/verify/reference", json=body).status_code == 422


def test_a_verification_that_fails_is_this_request_s_own(client: TestClient, backend: Backend) -> None:
    answer = client.post("/api/verify/reference", json={"title": "A"})
    assert (answer.status_code, answer.json()["detail"]) == (500, verify.FAILED)
