"""State, reports, events and deletion of a job."""

from __future__ import annotations

import csv
import io
import json
import re
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest

from citeproof.model.verdict import Status
from citeproof.report.schema import results_schema
from citeproof.store.runtime.jobs import JobDocument, new_job_id
from citeproof.verification.evidence.line import Evidence
from citeproof.verification.evidence.replay import replay
from citeproof.web.api import verify
from citeproof.web.reloading_database import open_reloading
from citeproof.web.searcher import Searches

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from starlette.testclient import TestClient

    from citeproof.web.backend import Backend

TITLES = (
    "Attention is all you need\nDeep Residual Learning for Image Recognition\nNo such title is in"
    " the sample"
)


@pytest.fixture
def job(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Return a finished job."""
    monkeypatch.setattr(verify, "_SMALL_SECONDS", 60.0)
    answer: dict[str, Any] = client.post("/api/verify", json={"text": TITLES}).json()
    return answer


@pytest.fixture
def running(backend: Backend) -> str:
    """Return the id of a running job."""
    store, job_id = backend.jobs.store, new_job_id()
    store.add(job_id, JobDocument(b"x"), 10)
    store.take()
    store.begin(job_id, 2)
    return job_id


def events(text: str) -> list[tuple[str, str, Any]]:
    """Return number, name and content of each event."""
    found = []
    for block in text.strip().split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.split("\n"))
        found.append((fields.get("id", ""), fields["event"], json.loads(fields["data"])))
    return found


def test_state_returns_the_run_so_far(client: TestClient, job: dict[str, Any]) -> None:
    answer = client.get(f"/api/jobs/{job['id']}").json()
    assert answer == job
    jsonschema.validate(answer["run"], results_schema())
    rest = client.get(f"/api/jobs/{job['id']}?first=2").json()["run"]["results"]
    assert rest == job["run"]["results"][2:]
    assert len(rest) == 1
    part = client.get(f"/api/jobs/{job['id']}?first=1&most=1").json()
    assert part["run"]["results"] == job["run"]["results"][1:2]
    assert (part["done"], part["by_status"], part["run"]["statistics"]["entries"]) == (
        3,
        job["by_status"],
        1,
    )
    assert client.get(f"/api/jobs/{job['id']}?most=0").json()["run"]["results"] == []
    assert client.get(f"/api/jobs/{job['id']}?most=-1").status_code == 422


def test_report_returns_each_kind(client: TestClient, job: dict[str, Any]) -> None:
    address = f"/api/jobs/{job['id']}/report"
    assert client.get(f"{address}.json").json() == job["run"]
    rows = list(csv.DictReader(io.StringIO(client.get(f"{address}.csv").text)))
    assert [row["status"] for row in rows] == ["VALID", "VALID", "UNVERIFIED"]
    assert "attachment" in client.get(f"{address}.csv").headers["content-disposition"]
    assert client.get(f"{address}.exe").status_code == 404
    assert client.get(f"{address}.bib").status_code == 404


def test_events_come_in_order_and_continue_after_the_last_id(
    client: TestClient, job: dict[str, Any]
) -> None:
    address = f"/api/jobs/{job['id']}/events"
    answer = client.get(address)
    assert answer.headers["content-type"].startswith("text/event-stream")
    sent = events(answer.text)
    assert [name for _, name, _ in sent] == ["verdict", "verdict", "verdict", "progress", "end"]
    verdicts = [content for _, name, content in sent if name == "verdict"]
    assert [content.pop("index") for content in verdicts] == [0, 1, 2]
    assert verdicts == job["run"]["results"]
    again = events(client.get(address, headers={"Last-Event-ID": "1"}).text)
    assert [(number, name) for number, name, _ in again] == [
        ("2", "verdict"),
        ("", "progress"),
        ("", "end"),
    ]
    assert again[-1][2] == {name: value for name, value in job.items() if name != "run"}
    everything = client.get(address, headers={"Last-Event-ID": "nonsense"}).text
    assert len(events(everything)) == len(sent)


def test_events_end_when_the_job_is_deleted(
    client: TestClient, backend: Backend, running: str
) -> None:
    with client.stream("GET", f"/api/jobs/{running}/events") as answer:
        assert answer.status_code == 200
        texts = answer.iter_text()
        first = next(texts)  # so that the job is watched before it is deleted
        backend.jobs.store.delete(running)
        assert all(name == "progress" for _, name, _ in events(first + "".join(texts)))


def test_report_of_a_running_job_is_409(client: TestClient, running: str) -> None:
    answer = client.get(f"/api/jobs/{running}").json()
    assert (answer["state"], answer["total"], answer["run"]["results"]) == ("running", 2, [])
    assert client.get(f"/api/jobs/{running}/report.json").status_code == 409


CITED = "\n\n".join(
    f"L. Valiant. A theory of the learnable. Commun. ACM, {year}." for year in (1984, 1999)
)


@pytest.fixture
def flagged(
    client: TestClient, backend: Backend, sample_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[str]:
    """Return the address of a finished job whose second entry is flagged; it is verified again in
    the sample.
    """
    monkeypatch.setattr(verify, "_SMALL_SECONDS", 60.0)
    reloading = open_reloading(sample_path)
    monkeypatch.setattr(backend.searcher, "_searches", Searches(reloading))
    yield f"/api/jobs/{client.post('/api/verify', json={'text': CITED}).json()['id']}"
    reloading.close()


def test_case_is_a_line_of_evidence_without_text_and_place(
    client: TestClient, flagged: str
) -> None:
    page = client.get(flagged.removeprefix("/api")).text
    (address,) = re.findall(r'href="([^"]*)" download>Report a wrong verdict', page)
    assert address == f"{flagged}/cases/1"
    answer = client.get(address)
    assert answer.headers["content-disposition"] == 'attachment; filename="case-2.json"'
    assert answer.text.count("\n") == 1
    case = Evidence.unpacked(answer.text)
    assert (case.reference.title, case.reference.year) == ("A theory of the learnable", 1999)
    assert not {"raw", "note", "place"} & set(answer.json()["reference"])
    assert case.verdict.status is Status.SUSPICIOUS
    assert replay(case).equal
    document = client.get("/openapi.json").json()
    schema = document["paths"]["/api/jobs/{job_id}/cases/{index}"]["get"]["responses"]["200"][
        "content"
    ]
    jsonschema.validate(
        answer.json(), schema["application/json"]["schema"] | {"components": document["components"]}
    )


def test_case_of_another_entry_is_404(client: TestClient, flagged: str) -> None:
    assert [client.get(f"{flagged}/cases/{index}").status_code for index in (0, 2, -1)] == [
        404,
        404,
        422,
    ]
    assert client.get("/api/jobs/unknown/cases/1").status_code == 404


def test_case_with_another_verdict_is_409(
    client: TestClient, backend: Backend, flagged: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def valid(*_: object) -> tuple[Status, str]:
        return Status.VALID, "{}"

    monkeypatch.setattr(backend.searcher, "ask", valid)
    answer = client.get(f"{flagged}/cases/1")
    assert (answer.status_code, "the verdict is now VALID" in answer.json()["detail"]) == (
        409,
        True,
    )


def test_delete_removes_the_job(client: TestClient, job: dict[str, Any]) -> None:
    address = f"/api/jobs/{job['id']}"
    assert client.delete(address).status_code == 204
    for path in ("", "/events", "/report.json"):
        assert client.get(address + path).status_code == 404
    assert client.delete(address).status_code == 404
