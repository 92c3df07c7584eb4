"""Nothing on any page is inaccessible, or wider than the window."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.scenarios.pages.browsing import (
    BIB,
    BUTTON,
    LABEL,
    LISTED,
    NEAR,
    NOWHERE,
    address,
    look_up,
    picture,
    suspended,
    verify,
)

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = [pytest.mark.browser, pytest.mark.slow]

WIDTHS = (360, 390, 768, 1280)
PICTURED = (390, 1280)


def assert_sound(page: Page, name: str) -> None:
    """See that a state of the page is accessible and never too wide; take its picture on a phone
    and on a desk.
    """
    expect(page.locator("h1")).to_have_count(1)
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width, (name, width)
    schemes: tuple[Literal["light", "dark"], ...] = ("light", "dark")
    for scheme in schemes:
        page.emulate_media(color_scheme=scheme)
        for width in PICTURED:
            page.set_viewport_size({"width": width, "height": 800})
            picture(page, f"{name}-{scheme}-{width}")
        faults = [
            (fault["id"], fault["nodes"][0]["html"])
            for fault in Axe().run(page).response["violations"]
        ]
        assert faults == [], (name, scheme)


def test_nothing_is_inaccessible_or_too_wide(browser: Browser, server: Any) -> None:
    page = browser.new_page()
    page.goto(address(server))
    verify(page, BIB)
    results = page.url.removeprefix(address(server))
    assert re.search("jobs/[\\w-]{20,}", results)
    page.goto(address(server))
    verify(page, LISTED)
    typed = page.url.removeprefix(address(server))
    page.goto(address(server))
    look_up(page, f"Attention is all you need\n{NEAR}\n{NOWHERE}\nA title like no other one")
    assert_sound(page, "titles")
    page.goto(address(server))
    page.locator("#file").set_input_files(
        {"name": "a.pdf", "mimeType": "application/pdf", "buffer": b"%PDF-1.4 x"}
    )
    page.get_by_role("button", name=BUTTON).click()
    expect(page.locator("#job .problem")).to_be_visible()
    states = {
        "page": "",
        "results": results,
        "one-status": f"{results}?show=SUSPICIOUS",
        "reference-typed": typed,
        "refused": page.url.removeprefix(address(server)),
        "gone": "jobs/there-is-no-such-job-as-this",
        "found": "?title=Attention+is+all+you+need",
        "near": "?title=Deep+Residual+Learning+in+Image+Recognition",
        "missed": "?title=Nothing+of+this+kind+was+ever+written",
        "no-title": "?title=+",
        "status": "status",
        "docs": "docs",
        "nowhere": "no/such/page",
    }
    for name, path in states.items():
        page.goto(address(server) + path)
        if name == "status":
            expect(page.locator("#state")).to_contain_text("records")
            expect(page.locator("#documents-chart svg")).to_be_visible()
        for details in page.locator("#job details").all():
            details.evaluate("one => one.open = true")
        assert_sound(page, name)
    page.close()


def test_a_running_job_is_accessible(browser: Browser, server: Any) -> None:
    titles = "\n".join(f"Title that nobody wrote number {n}" for n in range(5_000))
    job = server.post("/api/verify", {"text": titles, "format": "titles"})[1]
    page = browser.new_page()
    with suspended(server, job["id"]):
        page.goto(address(server) + job["address"].removeprefix("/"))
        expect(page.locator(".result").first).to_be_visible()
        expect(page.locator("#job")).to_have_attribute("data-running", "yes")
        expect(page.get_by_role("img", name="so far")).to_be_visible()
        page.route("**/jobs/*", lambda _: None)  # no further look replaces what is measured
        assert_sound(page, "running")
    page.close()


def test_a_wrong_token_is_accessible(browser: Browser, start_server: Callable[..., Any]) -> None:
    page = browser.new_page()
    page.goto(address(start_server(token="open sesame")))
    page.get_by_label(LABEL).fill("Attention is all you need")
    page.get_by_role("button", name=BUTTON).click()
    page.get_by_label("This service needs a token").fill("wrong")
    page.get_by_role("button", name="Use this token").click()
    expect(page.get_by_role("alert")).to_contain_text("The service does not accept this token.")
    assert_sound(page, "wrong-token")
    page.close()
