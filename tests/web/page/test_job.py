"""The page of a job."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from citeproof.model.reference import Reference
from citeproof.model.verdict import Status, Verdict
from citeproof.store.runtime.jobs import JobDocument, new_job_id
from citeproof.web.jobs.verdicts import packed
from citeproof.web.page.job import _ENTRIES, View

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
    store.begin(job_id, len(MANY) + 1, "bibtex", tuple(f"note {number}" for number in range(9)))
    kept = [
        packed(Verdict(Reference(f"k{place}", title=f"Title {place}"), status, "reason", 0.5))
        for place, status in enumerate(MANY)
    ]
    store.record(job_id, 0, kept, {"VALID": 120, "INVALID": 1, "SUSPICIOUS": 1})
    return f"/jobs/{job_id}"


def entries(page: str) -> list[int]:
    return [int(number) for number in re.findall(r'id="entry-(\d+)"', page)]


def test_job_page_shows_problems_first_and_fifty_entries(client: TestClient, address: str) -> None:
    page = client.get(address).text
    assert entries(page) == [71, 122, *range(1, _ENTRIES - 1)]
    assert "122 of 123 verified, 2 with problems so far" in page
    assert f"1 to {_ENTRIES} of 122" in page
    assert "Next" in page
    assert "Previous" not in page


def test_job_page_has_every_entry_once(client: TestClient, address: str) -> None:
    pages = [client.get(f"{address}?page={number}").text for number in (1, 2, 3)]
    assert sorted(number for page in pages for number in entries(page)) == list(range(1, 123))
    assert "Next" not in pages[-1]
    assert "101 to 122 of 122" in pages[-1]


def test_job_page_shows_one_status(client: TestClient, address: str) -> None:
    page = client.get(f"{address}?show=SUSPICIOUS").text
    assert entries(page) == [122]
    assert re.search(r'data-kind="SUSPICIOUS" aria-current="true"', page)


@pytest.mark.parametrize(
    "asked", ["?page=0", "?page=-1", "?page=x", "?page=²", "?show=NOTHING", "?show=ERROR"]
)
def test_job_page_with_an_invalid_selection_shows_the_first_page(
    client: TestClient, address: str, asked: str
) -> None:
    assert entries(client.get(address + asked).text) == entries(client.get(address).text)


def test_view_of_a_page_after_the_last_is_the_last() -> None:
    view = View.of([(status, "reason") for status in MANY], "", "99")
    assert (view.page, view.pages, len(view.positions)) == (3, 3, 22)


def test_job_page_folds_many_notes(client: TestClient, address: str) -> None:
    page = client.get(address).text
    assert "9 notes on the document" in page
    assert "note 8" in page


def test_view_of_several_pages_has_each_group_in_one_run() -> None:
    reasons = ["title_not_found", "out_of_scope"]
    kinds = [(Status.UNVERIFIED, reasons[place % 2]) for place in range(3 * _ENTRIES)]
    shown = [place for page in ("1", "2", "3") for place in View.of(kinds, "", page).positions]
    assert shown == [*range(1, 3 * _ENTRIES, 2), *range(0, 3 * _ENTRIES, 2)]


def test_job_page_says_once_what_entries_of_one_reason_share(
    backend: Backend, client: TestClient
) -> None:
    store, job_id = backend.jobs.store, new_job_id()
    store.add(job_id, JobDocument(b"x", "thesis.bib"), 10)
    store.take()
    store.begin(job_id, 5, "bibtex", ())
    reasons = [
        "title_not_found",
        "out_of_scope",
        "title_not_found",
        "out_of_scope",
        "title_not_found",
    ]
    kept = [
        packed(
            Verdict(
                Reference(f"k{place}", title=f"Title {place}", venue="V"),
                Status.UNVERIFIED,
                reason,
                0.5,
            )
        )
        for place, reason in enumerate(reasons)
    ]
    store.record(job_id, 0, kept, {"UNVERIFIED": 5})
    store.finish(job_id, 1.0)
    page = client.get(f"/jobs/{job_id}").text
    assert page.count("Could not find the title") == 1
    assert page.count('<li class="group">') == 2
    assert entries(page) == [2, 4, 1, 3, 5]
    assert "Not found: 5 other works (not queried: openalex)." in page


@pytest.mark.parametrize(
    ("count", "others", "shown"),
    [
        (2, False, "A0; A1 · "),
        (2, True, "A0; A1 and others · "),
        (8, False, "A0; A1; A2; A3; A4; A5 and 2 more · "),
    ],
)
def test_job_page_says_that_names_are_left_out(
    client: TestClient, backend: Backend, count: int, others: bool, shown: str
) -> None:
    store, job_id = backend.jobs.store, new_job_id()
    store.add(job_id, JobDocument(b"x", "thesis.bib"), 10)
    store.take()
    store.begin(job_id, 1, "bibtex", ())
    people = tuple(f"A{number}" for number in range(count))
    cited = Reference("k", title="Title", authors=people, and_others=others, venue="STOC")
    store.record(job_id, 0, [packed(Verdict(cited, Status.VALID, "reason", 0.5))], {"VALID": 1})
    assert f'<p class="place">{shown}STOC' in client.get(f"/jobs/{job_id}").text
