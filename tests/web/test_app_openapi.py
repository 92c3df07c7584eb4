"""The OpenAPI document describes the answers, and has an example for each body."""

from __future__ import annotations

from typing import TYPE_CHECKING

import jsonschema
import jsonschema_rs
import pytest
from jsonschema import Draft202012Validator
from pydantic import TypeAdapter

from citeproof.report.schema import schema_of
from citeproof.store.runtime.store import RuntimeStatistics
from citeproof.web.api.shapes import BatchAnswer, Health, LookupAnswer
from citeproof.web.problems import Problem

if TYPE_CHECKING:
    from starlette.testclient import TestClient


def test_describe_has_exactly_the_fields_of_answers(client: TestClient) -> None:
    for title in ("Attention is All you Need", "Nothing of the kind"):
        answer = client.post("/api/search/title", json={"title": title}).json()
        jsonschema.validate(answer, schema_of(LookupAnswer))
        assert set(answer) <= set(LookupAnswer.__annotations__)
    answer = client.post("/api/search/title/batch", json={"titles": ["a", "fail"]}).json()
    jsonschema.validate(answer, schema_of(BatchAnswer))
    TypeAdapter(RuntimeStatistics).validate_python(client.get("/api/runtime/stats").json())
    Health.model_validate(client.get("/api/health").json())
    Problem.model_validate(client.get("/nowhere").json())


def test_describe_has_an_example_for_every_body(client: TestClient) -> None:
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
        "/api/jobs/{job_id}/cases/{index}",
        "/api/jobs/{job_id}/events",
        "/api/jobs/{job_id}/report.{kind}",
    }
    schemas = document["components"]["schemas"]
    for body in ("TitleSearch", "TitleBatch", "LookupAnswer"):
        assert schemas[body]["examples"]
    text = client.get("/docs").text
    for path in document["paths"]:
        assert path in text


@pytest.mark.parametrize(
    "title", ["\x1c", "\x1f", "\x85", "\u00a0", "\u2028", "\u3000", "\ufeff", " \t"]
)
def test_describe_agrees_with_the_service_on_blank_titles(client: TestClient, title: str) -> None:
    schemas = client.get("/openapi.json").json()["components"]["schemas"]
    for schema, body in (("TitleSearch", {"title": title}), ("TitleBatch", {"titles": [title]})):
        assert not jsonschema_rs.is_valid(schemas[schema], body)
        assert not Draft202012Validator(schemas[schema]).is_valid(body)
    assert client.post("/api/search/title", json={"title": title}).status_code == 422
    assert client.post("/api/search/title/batch", json={"titles": [title]}).status_code == 400
