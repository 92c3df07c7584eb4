"""What tests of the pages do in a browser, and the texts that they put into the box."""

from __future__ import annotations

import os
import signal
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from playwright.sync_api import Page, expect

from tests.scenarios.web.processes import family, role

if TYPE_CHECKING:
    from collections.abc import Iterator

PICTURES = Path(__file__).parents[3] / "artefacts" / "web"
LISTED = "L. Valiant. A theory of the learnable. Commun. ACM, 1984."
BIB = """@article{right, author = {Edgar F. Codd}, year = 1970, journal = {Commun. ACM},
  title = {A Relational Model of Data for Large Shared Data Banks}}
@article{wrong, author = {Leslie G. Valiant}, title = {A Theory of the Learnable}, year = 1999,
  journal = {Commun. ACM}, volume = 27, number = 11, pages = {1134--1142}}
@misc{unknown, title = {Notes on a Workshop that Left No Trace}, author = {Quillon Marrowby}, year
= 2001}
@article{broken, title = {never closed
"""
LABEL = "Titles, a DOI, an arXiv id, a reference, or a whole bibliography"
BUTTON = "Search or verify"
NEAR = "Deep residual learning in image recognition"
NOWHERE = "Nothing of this kind was ever written"


def ready(server: Any) -> Any:
    """Return ``server`` once its worker of jobs, which has a low priority, has started."""
    server.wait_until(lambda: server.get("/api/ready")[0] == 200)
    return server


def address(server: Any) -> str:
    return f"http://127.0.0.1:{server.options.port}/"


def is_own(url: str, server: Any) -> bool:
    return url.startswith((address(server), "blob:", "data:"))


def picture(page: Page, name: str) -> None:
    page.screenshot(path=PICTURES / f"{name}.png", full_page=True)


def put(page: Page, text: str) -> None:
    page.get_by_label(LABEL).fill(text)
    page.get_by_role("button", name=BUTTON).click()


def look_up(page: Page, text: str) -> None:
    put(page, text)
    expect(page.locator("#answers-title")).to_be_focused()


def verify(page: Page, text: str) -> None:
    put(page, text)
    expect(page.locator("#job")).to_have_attribute("data-running", "no")


@contextmanager
def suspended(server: Any, job_id: str) -> Iterator[None]:
    """Suspend the workers of jobs once the job has a verdict and the number of its entries, so that
    it stays as it is inside the block.
    """

    def has_both() -> bool:
        job = server.get(f"/api/jobs/{job_id}?most=0")[1]
        return bool(job["done"] and job["total"])

    server.wait_until(has_both)
    workers = [pid for pid in family(server.process.pid) if role(pid) == "job"]
    for pid in workers:
        os.kill(pid, signal.SIGSTOP)
    yield
    for pid in workers:
        os.kill(pid, signal.SIGCONT)
