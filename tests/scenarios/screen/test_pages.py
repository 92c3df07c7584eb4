"""The overview and the dossier in a real browser: no accessibility fault, no broken word, filters
without a script.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, expect, sync_playwright

from citeproof.report.dossier import rendered
from citeproof.screen.results import dossier_of
from citeproof.screen.store import opened

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.scenarios.screen.conftest import Screen

pytestmark = [pytest.mark.browser, pytest.mark.slow]
EXAMPLES = Path(__file__).parents[3] / "examples" / "references.bib"
LINES = """all => all.map((one) => {
  const range = document.createRange();
  range.selectNodeContents(one);
  return range.getClientRects().length;
})"""
"""Script that returns the number of lines of each element."""
CHROMIUM = shutil.which("chromium")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Start Chromium once."""
    if not CHROMIUM:
        pytest.skip("needs Debian's chromium: apt-get install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def pages(screen: Screen) -> dict[str, str]:
    """Return the addresses of the overview of three papers and of a dossier."""
    screen.paper("one.bib", "Attention is All you Need", "Nobody Has Written This Yet")
    (screen.papers / "broken.pdf").write_bytes(b"%PDF-1.7 broken")
    shutil.copy(EXAMPLES, screen.papers / "worst.bib")
    screen()
    dossier = screen.folder / "dossier.html"
    with opened(screen.folder) as store:
        dossier.write_text(rendered(dossier_of(store, "worst.bib"), "html"), encoding="utf-8")
    return {
        "overview": (screen.folder / "overview.html").as_uri(),
        "dossier": dossier.as_uri(),
    }


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_pages_have_no_accessibility_fault_and_break_no_word(
    browser: Browser, pages: dict[str, str], width: int, scheme: str
) -> None:
    for address in pages.values():
        context = browser.new_context(
            viewport={"width": width, "height": 900},
            color_scheme="light" if scheme == "light" else "dark",
        )
        page = context.new_page()
        page.goto(address)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        results = Axe().run(page)
        assert results.violations_count == 0, results.generate_report()
        lines = page.locator("th:text-is('Times'), th:text-is('SUSPICIOUS')").evaluate_all(LINES)
        assert set(lines) <= {1}
        context.close()


def test_overview_filters_by_kind_without_a_script(browser: Browser, pages: dict[str, str]) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(pages["overview"])
    rows = page.locator("#papers tbody tr:visible")
    expect(rows).to_have_count(2)
    page.get_by_label("The work exists, but the reference describes it wrongly").check()
    expect(rows).to_have_count(1)
    expect(rows.first).to_contain_text("worst.bib")
    page.get_by_label("all kinds").check()
    expect(rows).to_have_count(2)
    expect(page.get_by_role("link", name="1 paper could not be read")).to_be_visible()
    context.close()
