"""Static files and their caching."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from citeproof.web.page.rendering import STATIC_FILES, STATIC_VERSION

if TYPE_CHECKING:
    from starlette.testclient import TestClient


@pytest.mark.parametrize("name", STATIC_FILES)
def test_static_files_have_their_type_and_etag(client: TestClient, name: str) -> None:
    answer = client.get(f"/static/{STATIC_VERSION}/{name}")
    assert answer.status_code == 200
    assert answer.content == STATIC_FILES[name].content
    assert answer.headers["content-type"].split(";")[0] == STATIC_FILES[name].media_type
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    again = client.get(
        f"/static/{STATIC_VERSION}/{name}", headers={"If-None-Match": answer.headers["etag"]}
    )
    assert again.status_code == 304
    assert again.content == b""
    assert again.headers["etag"] == answer.headers["etag"]


def test_static_files_of_another_version_are_not_cached(client: TestClient) -> None:
    answer = client.get("/static/older/box.js", headers={"If-None-Match": '"other", W/"one"'})
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "public, no-cache"


def test_render_names_this_version(client: TestClient) -> None:
    for path in ("/", "/docs"):
        assert f"/static/{STATIC_VERSION}/style.css" in client.get(path).text


def test_render_loads_nothing_from_other_hosts(client: TestClient) -> None:
    for path in ("/", "/docs"):
        text = client.get(path).text
        assert "//" not in text.replace("<!doctype", "").replace("https://arxiv", "")[:600]
        assert "<style" not in text
        assert "onclick" not in text
        assert text.count("<script") == text.count('<script type="module" src="/static/')
