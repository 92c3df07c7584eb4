"""A job as a page: problems first, so many entries a page, and what is asked for."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from citeproof.models import Reference, Status, Verdict
from citeproof.runtime.jobs import JobDocument, JobHeader, new_job_id
from citeproof.web.jobs.verdicts import packed
from citeproof.web.page.job import ENTRIES, View

if TYPE_CHECKING:
    from starlette.testclient import TestClient

    from citeproof.web.backend import Backend

MANY = [Status.VALID] * 70 + [Status.INVALID] + [Status.VALID] * 50 + [Status.SUSPICIOUS]


@pytest.fixture
def address(backend: Backend) -> str:
    """Return the address of a running job with verdicts of :data:`MANY`."""
    store, job_id = backend.jobs.store, new_job_id()
    store.add(job_id, JobDocument(b"x", "thesis.bib"), 10)
    store.take()
    store.begin(job_id, JobHeader(len(MANY) + 1, "bibtex", tuple(f"note {number}" for number in range(9))))
    kept = [
        packed(Verdict(Reference(f"k{place}", title=f"Title {place}"), status, "reason", 0.5))
        for place, status in enumerate(MANY)
    ]
    store.record(job_id, 0, kept, {"VALID": 120, "INVALID": 1, "SUSPICIOUS": 1})
    return f"/jobs/{job_id}"


def entries(page: str) -> list[int]:
    return [int(number) for number in re.findall(r'id="entry-(\d+)"', page)]


def test_problems_come_first_and_a_page_is_bounded(client: TestClient, address: str) -> None:
    page = client.get(address).text
    assert entries(page) == [71, 122, *range(1, ENTRIES - 1)]
    assert "122 of 123 verified, 2 with problems so far" in page
    assert f"1 to {ENTRIES} of 122" in page
    assert "Next" in page
    assert "Previous" not in page


def test_every_entry_is_on_one_page(client: TestClient, address: str) -> None:
    pages = [client.get(f"{address}?page={number}").text for number in (1, 2, 3)]
    assert sorted(number for page in pages for number in entries(page)) == list(range(1, 123))
    assert "Next" not in pages[-1]
    assert "101 to 122 of 122" in pages[-1]


def test_one_status_is_shown_alone(client: TestClient, address: str) -> None:
    page = client.get(f"{address}?show=SUSPICIOUS").text
    assert entries(page) == [122]
    assert re.search(r'data-kind="SUSPICIOUS" aria-current="true"', page)


@pytest.mark.parametrize("asked", ["?page=0", "?page=-1", "?page=x", "?page=²", "?show=NOTHING", "?show=ERROR"])
def test_what_makes_no_sense_shows_the_first_page_of_all(client: TestClient, address: str, asked: str) -> None:
    assert entries(client.get(address + asked).text) == entries(client.get(address).text)


def test_a_page_behind_the_last_is_the_last() -> None:
    view = View.of(MANY, "", "99")
    assert (view.page, view.pages, len(view.positions)) == (3, 3, 22)


def test_many_notes_are_folded(client: TestClient, address: str) -> None:
    page = client.get(address).text
    assert "9 notes on the document" in page
    assert "note 8" in page
