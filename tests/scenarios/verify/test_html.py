"""The HTML report in a real browser: read without a script, filtered and sorted with it, no
accessibility fault.

Screenshots go to ``artefacts/reports``, to be looked at.
"""

from __future__ import annotations

import io
import shutil
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect, sync_playwright

import citeproof
from citeproof.database.building.sample import sample_database
from citeproof.database.lookup import Database
from citeproof.report.formats.html import render

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = [pytest.mark.browser, pytest.mark.slow]

ROOT = Path(__file__).parents[3]
PICTURES = ROOT / "artefacts" / "reports"
CHROMIUM = shutil.which("chromium")
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Start Chromium once."""
    if not CHROMIUM:
        pytest.skip("needs Debian's chromium: apt-get install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the address of the report on half of the example bibliography."""
    examples = citeproof.read(ROOT / "examples" / "references.bib")
    with Database.open(sample_database()) as database:
        run = citeproof.check([replace(examples, entries=examples.entries[10:])], database)
    out = io.StringIO()
    render(run, out)
    path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(out.getvalue(), encoding="utf-8")
    return path.as_uri()


@pytest.fixture(params=[1280, 390])
def page(request: pytest.FixtureRequest, browser: Browser, report: str) -> Iterator[Page]:
    """Open the report, wide in light colours and narrow in dark ones, and see that it complains of
    nothing.
    """
    width = request.param
    context = browser.new_context(
        viewport={"width": width, "height": 900},
        color_scheme="light" if width > 1000 else "dark",
        offline=True,
    )
    page = context.new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("request", lambda asked: complaints.append(asked.url) if asked.url != report else None)
    page.goto(report)
    yield page
    context.close()
    assert [one for one in complaints if one != "data:,"] == []


def test_it_has_no_accessibility_fault_and_fits_the_screen(page: Page) -> None:
    assert page.viewport_size
    width = page.viewport_size["width"]
    page.screenshot(path=PICTURES / f"report-{width}.png", full_page=True)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.locator("details").evaluate_all(
        "all => all.slice(0, 12).forEach(one => { one.open = true })"
    )
    results = Axe().run(page)
    assert results.violations_count == 0, results.generate_report()


def test_it_can_be_filtered_and_sorted(page: Page) -> None:
    shown = page.locator("article:visible")
    expect(shown).to_have_count(16)
    page.get_by_role("checkbox", name="✓ VALID").uncheck()
    page.get_by_role("checkbox", name="UNVERIFIED").uncheck()
    expect(shown).to_have_count(10)
    expect(page.get_by_role("status")).to_have_text("10 of 16 entries are shown")
    page.get_by_label("Containing").fill("lamport")
    expect(shown).to_have_count(1)
    page.get_by_label("Containing").fill("")
    page.get_by_label("Order").select_option("place")
    assert shown.first.get_attribute("data-key") == "valiant88"
    page.get_by_label("Order").select_option("worst")
    assert shown.first.get_attribute("data-key") == "pierce2087"


def test_without_a_script_all_is_there(browser: Browser, report: str) -> None:
    context = browser.new_context(java_script_enabled=False, offline=True)
    page = context.new_page()
    page.goto(report)
    expect(page.locator("article")).to_have_count(16)
    expect(page.locator("form.controls")).to_be_hidden()
    expect(page.get_by_text("The year is 1984, not 1988; the rest agrees.").first).to_be_visible()
    page.emulate_media(media="print")
    expect(page.locator(".evidence").first).to_be_hidden()
    context.close()
