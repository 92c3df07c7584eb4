"""``POST /api/search/title``: the answer's fields and every row of its error table."""

from __future__ import annotations

from concurrent.futures import Future
from typing import TYPE_CHECKING, Any

import pytest

from citeproof.store.sql import CommitUnknownError

if TYPE_CHECKING:
    from pathlib import Path

    from starlette.testclient import TestClient

    from citeproof.store.runtime.store import RuntimeStore

URL = "/api/search/title"


def test_single_returns_a_match(client: TestClient) -> None:
    answer = client.post(URL, json={"title": "  attention is ALL   you need. ", "unknown": 1})
    assert answer.status_code == 200
    body = answer.json()
    assert isinstance(body.pop("duration_ms"), float)
    assert body == {
        "found": True,
        "query_title": "attention is ALL you need.",
        "title": "Attention is All you Need",
        "similarity": 1.0,
        "match": "title",
        "year": 2017,
        "venue": "Test",
        "pub_type": "inproceedings",
        "authors": ["Ada Author", "Bo Writer"],
        "key": "conf/test/0",
        "doi": "",
        "arxiv_id": "",
        "url": "",
        "source": "fake",
        "retraction": "",
        "concern": "",
        "others": [],
        "total": 1,
        "all": False,
        "method": "indexed",
        "index_used": "word_index",
        "candidates_examined": 3,
        "complete": True,
    }


def test_single_returns_the_nearest_title_below_the_threshold(client: TestClient) -> None:
    body = client.post(URL, json={"title": "Deep Residual Learning for Speech"}).json()
    assert body["found"] is False
    assert body["nearest"]["title"] == "Deep Residual Learning for Image Recognition"
    assert 0 < body["nearest"]["similarity"] < 0.9
    assert "title" not in body


def test_single_trims_a_title_before_checking_its_length(client: TestClient) -> None:
    title = f"{' ' * 3000}Deep Residual{' ' * 3000}Learning "
    assert client.post(URL, json={"title": title}).json()["query_title"] == "Deep Residual Learning"
    assert client.get("/", params={"title": title}).status_code == 200


def test_single_returns_further_titles_only_when_all_are_asked_for(
    client: TestClient, database_file: Path
) -> None:
    database_file.write_text("titles\nDeep Lamps for Sheep\nDeep Lamps for Sheeps\n")
    asked = {"title": "Deep lamps for sheep"}
    best, every = (
        client.post(URL, json=asked | {"all": wanted}).json() for wanted in (False, True)
    )
    assert (best["others"], best["total"], best["all"]) == ([], 1, False)
    assert [other["title"] for other in every["others"]] == ["Deep Lamps for Sheeps"]
    assert (every["total"], every["all"], every["title"]) == (2, True, best["title"])
    batch = client.post(f"{URL}/batch", json={"titles": ["Deep lamps for sheep"], "all": True})
    assert [item["total"] for item in batch.json()["items"]] == [2]


def test_single_passes_max_candidates_to_the_database(client: TestClient) -> None:
    body = client.post(URL, json={"title": "Deep Residual Learning", "max_candidates": 1}).json()
    assert body["candidates_examined"] == 1


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "title"),
        ({"title": ""}, "title"),
        ({"title": " \t\n\u00a0"}, "title"),
        ({"title": "\x1c\x85"}, "title"),
        ({"title": "\ufeff"}, "title"),
        ({"title": "x" * 2001}, "title"),
        ({"title": 5}, "title"),
        ({"title": None}, "title"),
        ({"title": ["a"]}, "title"),
        ({"title": "a", "max_candidates": 0}, "max_candidates"),
        ({"title": "a", "max_candidates": 500_001}, "max_candidates"),
        ({"title": "a", "max_candidates": -1}, "max_candidates"),
        ({"title": "a", "max_candidates": "5"}, "max_candidates"),
        ({"title": "a", "max_candidates": True}, "max_candidates"),
        ({"title": "a", "max_candidates": 1.5}, "max_candidates"),
        ({"title": "a", "max_candidates": None}, "max_candidates"),
        ({"title": "a", "all": "yes"}, "all"),
        ([], "body"),
        ("text", "body"),
        (None, "body"),
    ],
)
def test_single_with_an_invalid_body_is_422(
    client: TestClient, store: RuntimeStore, body: Any, field: str
) -> None:
    answer = client.post(URL, json=body)
    assert_problem(answer, 422)
    assert answer.json()["errors"][0]["field"] == field
    assert field in answer.json()["detail"]
    assert store.statistics().counters["single_search_requests"] == 0


@pytest.mark.parametrize(
    ("content", "content_type"),
    [
        (b'{"title": ', "application/json"),
        (b"", "application/json"),
        (b'{"title": "a"}', "text/plain"),
        (b"title=a", "application/x-www-form-urlencoded"),
        (b'{"title": "\\ud800"}', "application/json"),
    ],
)
def test_single_with_invalid_json_is_422(
    client: TestClient, content: bytes, content_type: str
) -> None:
    assert_problem(client.post(URL, content=content, headers={"Content-Type": content_type}), 422)


@pytest.mark.parametrize(
    "content", [b"\xff\xfe{", b"[" * 100_000, b'{"max_candidates": ' + b"9" * 5000 + b"}"]
)
def test_single_that_cannot_be_decoded_is_a_client_error(
    client: TestClient, content: bytes
) -> None:
    answer = client.post(URL, content=content, headers={"Content-Type": "application/json"})
    assert answer.status_code in (400, 422)
    assert_problem(answer, answer.status_code)


@pytest.mark.parametrize(
    ("content", "advice"),
    [
        (
            '{"title": "Ångström"}'.encode("latin-1"),
            "not UTF-8: no character begins at byte 12. Send JSON in UTF-8",
        ),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"max_candidates": ' + b"9" * 5000 + b"}", "cannot be read as JSON"),
    ],
)
def test_single_that_cannot_be_decoded_gets_advice(
    client: TestClient, content: bytes, advice: str
) -> None:
    answer = client.post(URL, content=content, headers={"Content-Type": "application/json"})
    assert_problem(answer, 400)
    assert advice in answer.json()["detail"]


def test_single_accepts_the_longest_title(client: TestClient) -> None:
    assert client.post(URL, json={"title": "x" * 2000}).status_code == 200


@pytest.mark.parametrize("candidates", [1, 500_000, 5.0])
def test_single_accepts_both_limits_of_max_candidates(
    client: TestClient, candidates: float
) -> None:
    assert client.post(URL, json={"title": "a", "max_candidates": candidates}).status_code == 200


def test_single_does_not_repeat_the_title_in_an_error(client: TestClient) -> None:
    answer = client.post(URL, json={"title": "Confidential title", "max_candidates": 0})
    assert answer.status_code == 422
    assert "max_candidates" in answer.text
    assert "Confidential" not in answer.text


def test_single_without_a_database_is_404(client: TestClient, database_file: Path) -> None:
    database_file.unlink()
    answer = client.post(URL, json={"title": "Attention"})
    assert_problem(answer, 404)
    assert "database" in answer.json()["detail"]


def test_single_that_fails_is_500_and_recorded(client: TestClient, store: RuntimeStore) -> None:
    answer = client.post(URL, json={"title": "fail here"})
    assert_problem(answer, 500)
    assert "fail here" not in answer.text
    counters = store.statistics().counters
    assert counters["single_search_requests"] == 1
    assert counters["single_search_errors"] == 1


def test_single_with_a_removed_store_is_500_and_logged(
    client: TestClient, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "runtime.db").unlink()
    answer = client.post(URL, json={"title": "Attention"})
    assert_problem(answer, 500)
    assert "cannot be written" in answer.json()["detail"]
    assert_problem(client.get("/api/runtime/stats"), 500)
    assert "was removed or replaced" in caplog.text


def test_single_records_every_search(client: TestClient, store: RuntimeStore) -> None:
    for title in ("Attention is All you Need", "No such title at all", "Attention is All you Need"):
        client.post(URL, json={"title": title})
    statistics = store.statistics()
    assert statistics.counters["single_search_requests"] == 3
    assert statistics.counters["single_search_found"] == 2
    assert statistics.counters["single_search_errors"] == 0
    assert statistics.tables["single_search_events"] == 3
    assert sum(hour.searches for hour in statistics.hours) == 3
    assert sum(hour.found for hour in statistics.hours) == 2


def assert_problem(answer: Any, status: int) -> None:
    assert answer.status_code == status
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.headers["x-request-id"]
    body = answer.json()
    assert body["status"] == status
    assert len(body["detail"]) > 10


def test_search_title_is_recorded_once_when_the_commit_is_unknown(
    client: TestClient, store: RuntimeStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    unknown: Future[None] = Future()
    unknown.set_exception(CommitUnknownError("the connection was lost"))
    recorded = []

    def record(*given: Any, **options: Any) -> Future[None]:
        recorded.append((given, options))
        return unknown

    monkeypatch.setattr(store, "record_single", record)
    answer = client.post(URL, json={"title": "Attention is all you need"})
    assert (answer.status_code, len(recorded)) == (500, 1)
    assert "not known whether this request was recorded" in answer.json()["detail"]
