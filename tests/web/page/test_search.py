"""The input box: titles are looked up and counted, other input is verified."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from httpx import Response
    from starlette.testclient import TestClient

    from citeproof.store.runtime.store import RuntimeStore

REFERENCE = "L. Valiant. A theory of the learnable. Commun. ACM, 1984."
BIB = "@article{a, title = {A Theory of the Learnable}, author = {Leslie G. Valiant}}"


def put(client: TestClient, text: str, **fields: str) -> Response:
    """Send ``text`` as the page's form does."""
    files = {name: (None, value) for name, value in {"text": text, **fields}.items()}
    return client.post("/", files=files, follow_redirects=False)  # type: ignore[return-value]


def counted(store: RuntimeStore) -> dict[str, int]:
    return {
        name: count
        for name, count in store.statistics().counters.items()
        if count and "search" in name
    }


def test_sent_looks_a_title_up_and_counts_a_single_search(
    client: TestClient, store: RuntimeStore
) -> None:
    page = put(client, "Attention is all you need").text
    assert "Read as a title" in page
    assert "✓ Found" in page
    assert "Verify it as a reference" in page
    assert "Valid" not in page
    assert counted(store) == {"single_search_requests": 1, "single_search_found": 1}
    assert store.statistics().tables["single_search_events"] == 1
    assert "? Not found" in put(client, "Nothing of the kind was written").text
    assert counted(store)["single_search_requests"] == 2
    assert store.statistics().tables["jobs"] == 0


def test_sent_looks_several_titles_up_as_a_batch(client: TestClient, store: RuntimeStore) -> None:
    page = put(client, "Attention is all you need\nNothing of the kind was written\n").text
    assert "Read as 2 titles, one per line" in page
    assert "1 found, 1 not found" in page
    assert re.findall(r'data-kind="(\w+)"', page) == ["found", "missing"]
    assert counted(store) == {
        "batch_search_requests": 1,
        "batch_search_items_total": 2,
        "batch_search_found_total": 1,
    }


def test_sent_refuses_too_many_titles_and_offers_to_verify_them(client: TestClient) -> None:
    answer = put(client, "\n".join(f"A study of the number {number}" for number in range(201)))
    assert answer.status_code == 400
    assert "Batch size exceeds limit" in answer.text
    assert "Verify it as references" in answer.text


@pytest.mark.parametrize("text", [REFERENCE, "10.1109/CVPR.2016.90", "arXiv:1706.03762", BIB])
def test_sent_verifies_what_is_no_title(client: TestClient, store: RuntimeStore, text: str) -> None:
    answer = put(client, text)
    assert (answer.status_code, answer.headers["location"][:6]) == (303, "/jobs/")
    assert counted(store) == {}


def test_sent_takes_a_text_as_it_is_told(client: TestClient, store: RuntimeStore) -> None:
    page = put(client, REFERENCE, **{"as": "lookup"}).text
    assert "Read as a title" in page
    job = put(client, "A theory of the learnable", **{"as": "verify"})
    assert job.status_code == 303
    page = client.get(job.headers["location"]).text
    assert "Read as a reference" in page
    assert "✓ Found" in page
    assert "The title is found" in page
    assert "✓ Valid" not in page
    assert counted(store)["single_search_requests"] == 1


def test_job_page_of_a_reference_offers_to_look_it_up(client: TestClient) -> None:
    page = client.get(put(client, REFERENCE).headers["location"]).text
    assert "Look it up as a title" in page
    assert f'name="text" value="{REFERENCE}"' in page
    assert (
        "Look" not in client.get(put(client, BIB).headers["location"]).text.partition("<section")[2]
    )


@pytest.mark.parametrize(
    ("text", "status", "said"),
    [
        ("", 422, "The form has no document"),
        ("x" * 2001, 422, "A title has at most 2,000 characters."),
        ("fail", 500, "The look-up failed"),
    ],
)
def test_sent_answers_what_cannot_be_looked_up_with_a_sentence(
    client: TestClient, text: str, status: int, said: str
) -> None:
    answer: Any = put(client, text, **{"as": "lookup"})
    assert (answer.status_code, said in answer.text) == (status, True)


@pytest.mark.parametrize(("chosen", "status"), [("", 422), ("lookup", 422), ("verify", 303)])
def test_a_text_that_is_too_long_to_look_up_is_refused_with_the_limit(
    client: TestClient, chosen: str, status: int
) -> None:
    sent = {"text": (None, "letters " * 40_000), "as": (None, chosen)}
    answer = client.post("/", files=sent, follow_redirects=False)
    assert answer.status_code == status
    assert ("has at most 200,000 bytes" in answer.text) == (status == 422)
