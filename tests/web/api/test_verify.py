"""Sending documents in all forms, and invalid requests."""

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
    """Let requests wait for a small job on a busy machine."""
    monkeypatch.setattr(verify, "_SMALL_SECONDS", 60.0)


@pytest.mark.parametrize(
    ("sent", "name", "taken_for"),
    [
        ({"json": {"text": BIB}}, "", "bibtex"),
        ({"json": {"bibtex": BIB, "name": "a.bib"}}, "a.bib", "bibtex"),
        ({"files": FILE}, "my refs.bib", "bibtex"),
        ({"files": {"file": ("", b""), "text": (None, BIB)}}, "", "bibtex"),
    ],
)
def test_verify_answers_a_small_bibliography_at_once(
    client: TestClient, sent: dict[str, Any], name: str, taken_for: str
) -> None:
    answer = client.post("/api/verify", **sent)
    assert answer.status_code == 200, answer.text
    job = answer.json()
    assert (job["state"], job["name"], job["taken_for"], job["total"]) == (
        "finished",
        name,
        taken_for,
        2,
    )
    assert [(result["key"], result["status"]) for result in job["run"]["results"]] == [
        ("right", "VALID"),
        ("wrong", "SUSPICIOUS"),
    ]
    assert answer.headers["location"] == f"/api/jobs/{job['id']}"


def test_verify_accepts_references_as_objects(client: TestClient) -> None:
    references = [
        {"title": "A Theory of the Learnable", "authors": ["Leslie G. Valiant"]},
        "Attention is all you need",
    ]
    job = client.post("/api/verify", json={"references": references}).json()
    assert [result["status"] for result in job["run"]["results"]] == ["VALID", "VALID"]


def test_verify_makes_a_job_of_more_than_fifty_references(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verify, "SMALL_REFERENCES", 1)
    # The worker stops between two verdicts until the answer is there.
    go_on = threading.Event()
    monkeypatch.setattr(
        "citeproof.web.jobs.worker.packed", lambda verdict: (go_on.wait(60) and b"") or b"{}"
    )
    answer = client.post("/api/verify", json={"bibtex": BIB})
    go_on.set()
    assert answer.status_code == 202
    assert answer.json()["state"] == "running"
    assert "run" not in answer.json()
    client.delete(answer.headers["location"])


def test_verify_says_why_a_document_cannot_be_read(client: TestClient) -> None:
    job = client.post("/api/verify", files={"file": ("a.pdf", b"%PDF-1.4 nothing")}).json()
    assert job["state"] == "failed"
    assert job["reason"].startswith("a.pdf: ")
    assert job["run"]["results"] == []


@pytest.mark.parametrize(
    ("sent", "status", "says"),
    [
        ({"json": {}}, 422, "exactly one of text, bibtex and references"),
        ({"json": {"text": "a", "bibtex": "b"}}, 422, "exactly one"),
        ({"json": {"text": "a", "format": "sheep"}}, 422, "format"),
        ({"json": {"references": [1]}}, 422, "references"),
        ({"json": []}, 422, "JSON object"),
        (
            {"content": b"{", "headers": {"Content-Type": "application/json"}},
            422,
            "This is not valid JSON. Send a",
        ),
        (
            {"content": b"@misc{a, title={b}}", "headers": {"Content-Type": "text/plain"}},
            422,
            "curl -F file=@refs.bib",
        ),
        ({}, 422, "The request is empty. Send a file"),
        ({"files": {"other": ("a.bib", b"x")}}, 422, "'file'"),
        ({"files": {"file": ("a.bib", b"")}}, 422, "empty"),
        (
            {"content": b"rubbish", "headers": {"Content-Type": "multipart/form-data; boundary=x"}},
            400,
            "form",
        ),
        ({"content": b"rubbish", "headers": {"Content-Type": "multipart/form-data"}}, 400, "form"),
    ],
)
def test_verify_refuses_an_invalid_request(
    client: TestClient, sent: dict[str, Any], status: int, says: str
) -> None:
    answer = client.post("/api/verify", **sent)
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    assert says in answer.json()["detail"]


def test_verify_by_another_method_is_405_with_the_allowed_methods(client: TestClient) -> None:
    answer = client.get("/api/verify")
    assert (answer.status_code, answer.headers["allow"]) == (405, "POST")
    assert answer.json()["detail"] == "This address does not support GET; it supports POST."


def test_verify_is_503_when_the_queue_is_full(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("citeproof.web.jobs.queue._MOST_WAITING", 0)
    answer = client.post("/api/verify", json={"text": "A title"})
    assert answer.status_code == 503
    assert answer.headers["retry-after"] == "60"


def test_verify_is_404_without_a_database_and_413_for_a_large_document(
    client: TestClient, database_file: Path
) -> None:
    assert (
        client.post(
            "/api/verify", headers={"Content-Length": str(40 << 20)}, content=b"x"
        ).status_code
        == 413
    )
    database_file.unlink()
    assert client.post("/api/verify", json={"text": "A title"}).status_code == 404


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"title": "  "},
        {"title": 3},
        {"title": "A", "authors": "B"},
        {"title": "A", "year": "2016"},
    ],
)
def test_verify_reference_without_a_reference_is_422(client: TestClient, body: Any) -> None:
    assert client.post("/api/verify/reference", json=body).status_code == 422


def test_verify_reference_that_fails_is_500_and_logged(
    client: TestClient, backend: Backend
) -> None:
    answer = client.post("/api/verify/reference", json={"title": "A"})
    assert (answer.status_code, answer.json()["detail"]) == (500, verify.FAILED)


LATEX = r"""\documentclass{article}\begin{document}\begin{thebibliography}{9}
\bibitem{a} E. F. Codd. A Relational Model of Data for Large Shared Data Banks. Commun. ACM, 1970.
\end{thebibliography}\end{document}"""


@pytest.mark.parametrize(
    "body", [{}, {"format": "latex"}, {"name": "."}, {"name": "/"}, {"name": ".."}]
)
def test_verify_accepts_latex_without_a_file_name(client: TestClient, body: dict[str, str]) -> None:
    answer = client.post("/api/verify", json={"text": LATEX, **body}).json()
    assert (answer["state"], answer["reason"], answer["taken_for"], answer["done"]) == (
        "finished",
        "",
        "latex",
        1,
    )


def test_verify_refuses_large_json_and_recommends_a_file(client: TestClient) -> None:
    content = b'{"references": [' + b"[]," * 1_400_000 + b"[]]}"
    answer = client.post(
        "/api/verify", content=content, headers={"Content-Type": "application/json"}
    )
    assert answer.status_code == 413
    assert "larger than 4 MiB" in answer.json()["detail"]
