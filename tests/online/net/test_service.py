from typing import Any

import pytest

from citeproof.online.net.service import Kind, Response, SourceError


@pytest.mark.parametrize(
    "content_type", ["application/json", "application/json, application/json", ""]
)
def test_json_object_parses_json(content_type: Any) -> None:
    assert Response(200, content_type, b'{"a": 1}').json_object() == {"a": 1}


@pytest.mark.parametrize(
    ("content_type", "body"),
    [
        ("text/html", b"<html>Checking your browser</html>"),
        ("application/json", b""),
        ("application/json", b'{"status":"ok","message":{"items":[{"DOI"'),
        ("application/json", b"\xff\xfe\x00"),
        ("application/json", b"[]"),
        ("application/json", b"[" * 100_000),
    ],
)
def test_json_object_raises_for_anything_else(content_type: Any, body: Any) -> None:
    with pytest.raises(SourceError) as caught:
        Response(200, content_type, body).json_object()
    assert caught.value.kind is Kind.BAD_ANSWER
