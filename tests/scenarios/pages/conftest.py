"""Chromium, and a page of a real server in it."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.scenarios.pages.browsing import address, is_own, ready
from tests.scenarios.web.conftest import sample_path as sample_path  # noqa: PLC0414 - a fixture
from tests.scenarios.web.conftest import start_server as start_server  # noqa: PLC0414 - a fixture

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


CHROMIUM = shutil.which("chromium")


ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Start Chromium once."""
    if not CHROMIUM:
        pytest.skip("needs Debian's chromium: apt-get install chromium")
    expect.set_options(timeout=60_000)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def server(start_server: Callable[..., Any], browser: Browser) -> Any:
    """Start a server over the sample."""
    return ready(start_server())


@pytest.fixture
def page(browser: Browser, server: Any) -> Iterator[Page]:
    """Open the page, and see that it neither complains nor asks anyone else for anything."""
    context = browser.new_context(viewport={"width": 360, "height": 640})
    page = context.new_page()
    complaints: list[str] = []
    page.on(
        "console",
        lambda message: complaints.append(message.text) if message.type == "error" else None,
    )
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on(
        "request",
        lambda request: complaints.append(request.url) if not is_own(request.url, server) else None,
    )
    page.goto(address(server))
    yield page
    context.close()
    assert [one for one in complaints if "Failed to load resource" not in one] == []
