"""The OpenAPI document describes the answers, and has an example for each body."""

from __future__ import annotations

from typing import TYPE_CHECKING

import jsonschema_rs
import pytest
from jsonschema import Draft202012Validator

from citeproof.json_model import model_of
from citeproof.web.api.answer_schemas import BatchAnswer, Health, LookupAnswer, Problem, RuntimeStatistics

if TYPE_CHECKING:
    from starlette.testclient import TestClient


def test_answers_have_the_documented_fields_and_no_others(client: TestClient) -> None:
    for title in ("Attention is All you Need", "Nothing of the kind"):
        answer = client.post("/api/search/title", json={"title": title}).json()
        model_of(LookupAnswer).model_validate(answer)
        assert set(answer) <= set(LookupAnswer.members())
    answer = client.post("/api/search/title/batch", json={"titles": ["a", "fail"]}).json()
    BatchAnswer.model_validate(answer)
    RuntimeStatistics.model_validate(client.get("/api/runtime/stats").json())
    Health.model_validate(client.get("/api/health").json())
    Problem.model_validate(client.get("/nowhere").json())


def test_every_operation_has_an_example_or_no_body(client: TestClient) -> None:
    document = client.get("/openapi.json").json()
    assert set(document["paths"]) == {
        "/api/health",
        "/api/ready",
        "/api/runtime/stats",
        "/api/search/title",
        "/api/search/title/batch",
        "/api/verify",
        "/api/verify/reference",
        "/api/jobs/{job_id}",
        "/api/jobs/{job_id}/events",
        "/api/jobs/{job_id}/report.{kind}",
    }
    schemas = document["components"]["schemas"]
    for body in ("TitleSearch", "TitleBatch", "LookupAnswer"):
        assert schemas[body]["examples"]
    text = client.get("/docs").text
    for path in document["paths"]:
        assert path in text


@pytest.mark.parametrize("title", ["\x1c", "\x1f", "\x85", "\u00a0", "\u2028", "\u3000", "\ufeff", " \t"])
def test_the_document_and_the_service_agree_on_what_is_blank(client: TestClient, title: str) -> None:
    schemas = client.get("/openapi.json").json()["components"]["schemas"]
    for schema, body in (("TitleSearch", {"title": title}), ("TitleBatch", {"titles": [title]})):
        assert not jsonschema_rs.is_valid(schemas[schema], body)
        assert not Draft202012Validator(schemas[schema]).is_valid(body)
    assert client.post("/api/search/title", json={"title": title}).status_code == 422
    assert client.post("/api/search/title/batch", json={"titles": [title]}).status_code == 400
