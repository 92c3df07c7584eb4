import json
from typing import Any

import httpx2
import pytest

from citeproof.online.language_model import Reader
from citeproof.online.net.client import Client
from citeproof.online.net.service import Access, Kind, SourceError

FIELDS = {"title": "T", "authors": ["A"], "year": 2001, "venue": "", "doi": "", "arxiv_id": ""}


def completion(content: str) -> dict[str, Any]:
    return {
        "id": "x",
        "object": "chat.completion",
        "choices": [{"index": 0, "message": {"content": content}}],
    }


def reader(clock: Any, content: object, requests: list[httpx2.Request]) -> Reader:
    def handler(request: httpx2.Request) -> httpx2.Response:
        requests.append(request)
        return httpx2.Response(200, json=content)

    client = Client(clock, transport=httpx2.MockTransport(handler), configured_hosts={"localhost"})
    return Reader(client, Access("http://localhost:11434/v1", "s3cret"), "qwen3:8b")


def test_read_sends_one_request_with_a_schema_at_temperature_zero(manual_clock: Any) -> None:
    requests: list[httpx2.Request] = []
    fields = reader(manual_clock, completion(json.dumps(FIELDS)), requests).read("A. T. 2001.")
    assert (fields.title, fields.authors, fields.year) == ("T", ("A",), 2001)
    (request,) = requests
    assert str(request.url) == "http://localhost:11434/v1/chat/completions"
    assert request.headers["authorization"] == "Bearer s3cret"
    body = json.loads(request.content)
    assert (body["model"], body["temperature"]) == ("qwen3:8b", 0)
    assert body["messages"][-1] == {"role": "user", "content": "A. T. 2001."}
    assert body["response_format"]["json_schema"]["strict"]
    assert set(body["response_format"]["json_schema"]["schema"]["required"]) == set(FIELDS)


@pytest.mark.parametrize(
    "content",
    [
        completion("I am sorry, I cannot do that."),
        completion("[]"),
        completion(json.dumps({**FIELDS, "year": "recently"})),
        completion(json.dumps({**FIELDS, "verdict": "VALID"})),
        completion(json.dumps({**FIELDS, "title": "x" * 1001})),
        {"choices": []},
        {"error": {"message": "model not found"}},
    ],
)
def test_read_raises_for_any_other_completion(manual_clock: Any, content: object) -> None:
    with pytest.raises(SourceError) as caught:
        reader(manual_clock, content, []).read("raw")
    assert caught.value.kind is Kind.BAD_ANSWER


def test_read_reports_that_the_raw_text_was_sent(manual_clock: Any) -> None:
    asked = reader(manual_clock, completion(json.dumps(FIELDS)), [])
    asked.read("raw")
    (sent,) = asked._client.outgoing.by_host()
    assert sent.fields == ("raw",)
