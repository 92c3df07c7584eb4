"""The metrics of verification jobs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from citeproof.store.runtime.jobs import JobDocument, new_job_id

if TYPE_CHECKING:
    from pathlib import Path

    from starlette.testclient import TestClient

    from citeproof.web.backend import Backend


def figures(client: TestClient) -> dict[str, float]:
    lines = client.get("/metrics").text.splitlines()
    return {
        line.rpartition(" ")[0]: float(line.rpartition(" ")[2])
        for line in lines
        if line.startswith("citeproof_job")
    }


def test_job_figures_count_jobs_by_state_and_their_seconds(
    client: TestClient, backend: Backend
) -> None:
    store = backend.jobs.store
    waiting, finished, failed = (new_job_id() for _ in range(3))
    for job_id in (finished, failed, waiting):
        store.add(job_id, JobDocument(b"x"), 10)
    for _ in range(2):
        store.take()
    store.begin(finished, 2)
    store.record(finished, 0, [b"{}", b"{}"], {"VALID": 2})
    assert figures(client)['citeproof_jobs{state="waiting"}'] == 1
    assert figures(client)['citeproof_jobs{state="running"}'] == 2
    store.finish(finished, 1.5)
    store.finish(failed, 0.25, reason="no")
    store.delete(waiting)
    assert figures(client) == {
        'citeproof_jobs{state="waiting"}': 0,
        'citeproof_jobs{state="running"}': 0,
        'citeproof_jobs_ended_total{state="finished"}': 1,
        'citeproof_jobs_ended_total{state="failed"}': 1,
        "citeproof_job_seconds_count": 2,
        "citeproof_job_seconds_sum": 1.75,
        "citeproof_job_references_total": 2,
    }


def test_render_without_a_store_has_the_other_metrics(client: TestClient, tmp_path: Path) -> None:
    (tmp_path / "runtime.db").unlink()
    answer = client.get("/metrics")
    assert answer.status_code == 200
    assert "citeproof_requests_total" in answer.text
    assert figures(client) == {}
