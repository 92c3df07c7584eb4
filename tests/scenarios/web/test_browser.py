"""The page in a real browser: single, list, bad input, no database, no JavaScript, no accessibility fault.

Screenshots go to ``artefacts/web``, to be looked at.
"""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect, sync_playwright

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

pytestmark = [pytest.mark.browser, pytest.mark.slow]

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
PICTURES = Path(__file__).parents[3] / "artefacts" / "web"
LIST = """Attention is all you need
Deep Residual Learning for Speech Recognition
A Study of the Migration of Swallows under Load"""
BIB = """@article{a, title = {Deep {Residual} Learning for
  Image Recognition}, year = 2016}
@misc{b, booktitle = {Not this}, title = "Attention Is All You Need"}
"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Start Chromium once."""
    if not CHROMIUM:
        pytest.skip("needs Debian's chromium: apt-get install chromium")
    expect.set_options(timeout=20_000)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def server(start_server: Callable[..., Any], browser: Browser) -> Any:
    """Start a server over the sample."""
    return start_server()


@pytest.fixture
def page(browser: Browser, server: Any) -> Iterator[Page]:
    """Open the page, and see that it neither complains nor asks anyone else for anything."""
    context = browser.new_context()
    page = context.new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda request: complaints.append(request.url) if not is_own(request.url, server) else None)
    page.goto(address(server))
    yield page
    context.close()
    assert [one for one in complaints if "Failed to load resource" not in one] == []


def address(server: Any) -> str:
    return f"http://127.0.0.1:{server.options.port}/"


def is_own(url: str, server: Any) -> bool:
    return url.startswith((address(server), "blob:", "data:"))


def picture(page: Page, name: str) -> None:
    page.screenshot(path=PICTURES / f"{name}.png", full_page=True)


def look_up(page: Page, title: str) -> None:
    page.get_by_label("Title, DOI or arXiv id").fill(title)
    page.get_by_role("button", name="Look up").click()


def test_a_title_that_is_found(page: Page) -> None:
    look_up(page, "attention is ALL you need")
    row = page.locator(".result")
    expect(row.locator(".badge")).to_have_text("Found")
    expect(row).to_contain_text("100.0 %")
    expect(row).to_contain_text("Ashish Vaswani")
    expect(row.locator("mark")).to_have_count(0)
    expect(row.get_by_role("link")).to_have_attribute("href", re.compile("^https?://"))
    expect(page.locator("#history")).to_contain_text("attention is ALL you need")
    picture(page, "single-found")


def test_differing_words_are_marked_on_both_sides(page: Page) -> None:
    look_up(page, "Deep Residual Learning for Speech Recognition")
    row = page.locator(".result")
    expect(row.locator(".badge")).to_have_text("Near")
    expect(row.locator(".query mark")).to_have_text("Speech")
    expect(row.locator(".matched mark")).to_have_text("Image")


def test_what_is_related_to_a_miss_is_shown_with_the_records_beside_it(page: Page) -> None:
    look_up(page, "Attention is all you need: the paper")
    row = page.locator(".result")
    expect(row.locator(".badge")).to_have_text("Near")
    expect(row.locator(".note")).to_have_text("The same title but for a subtitle.")
    expect(row.locator(".further summary")).to_have_text("1 further record")
    look_up(page, "https://doi.org/10.1109/CVPR.2016.90")
    expect(row.locator(".badge")).to_have_text("Found")
    expect(row.locator(".note")).to_have_text("The work with this DOI.")
    expect(row.locator(".matched")).to_have_text("Deep Residual Learning for Image Recognition")
    picture(page, "identifier")


def test_a_list(page: Page) -> None:
    page.get_by_label("A list of titles, one a line").fill(LIST)
    expect(page.locator("#count")).to_have_text("3 titles")
    page.get_by_role("button", name="Look all up").click()
    expect(page.locator(".badge")).to_have_text(["Found", "Near", "Not found"])
    expect(page.locator("#said")).to_have_text("1 found, 1 near, 1 not found.")
    picture(page, "list")
    page.get_by_role("button", name="Near 1").click()
    expect(page.locator(".result:visible")).to_have_count(1)
    page.get_by_role("button", name="All 3").click()
    page.get_by_placeholder("Filter by words").fill("swallows")
    expect(page.locator(".result:visible")).to_have_count(1)
    expect(page.locator("#counters")).to_contain_text("Titles in batches3")


def test_a_long_list_shows_progress_and_can_be_stopped(page: Page) -> None:
    held: list[Any] = []

    def first_alone(route: Any) -> None:
        held.append(route)
        if len(held) == 1:
            route.continue_()

    page.route("**/batch", first_alone)
    page.get_by_label("A list of titles, one a line").fill("\n".join(f"Title number {n}" for n in range(90)))
    page.get_by_role("button", name="Look all up").click()
    expect(page.locator("#progress-text")).to_have_text("20 of 90 titles")
    expect(page.locator(".result")).to_have_count(20)
    page.get_by_role("button", name="Stop").click()
    expect(page.locator("#said")).to_contain_text("of 90 titles")
    expect(page.locator("#running")).to_be_hidden()
    page.unroute_all(behavior="ignoreErrors")


def test_a_chosen_text_file(page: Page) -> None:
    page.locator("#file").set_input_files({"name": "a.txt", "mimeType": "text/plain", "buffer": LIST.encode()})
    expect(page.get_by_label("A list of titles, one a line")).to_have_value(LIST)
    expect(page.locator("#count")).to_have_text("3 titles")


def test_a_dropped_bib_file(page: Page) -> None:
    files = page.evaluate_handle(
        """text => {
            const files = new DataTransfer();
            files.items.add(new File([text], "a.bib"));
            return files;
        }""",
        BIB,
    )
    page.dispatch_event("#titles", "drop", {"dataTransfer": files})
    titles = page.get_by_label("A list of titles, one a line")
    expect(titles).to_have_value("Deep Residual Learning for Image Recognition\nAttention Is All You Need")
    page.get_by_role("button", name="Look all up").click()
    expect(page.locator(".badge")).to_have_text(["Found", "Found"])


def test_csv_and_json_hold_what_is_shown(page: Page) -> None:
    page.get_by_label("A list of titles, one a line").fill(LIST + '\n=1+1 "quoted"')
    page.get_by_role("button", name="Look all up").click()
    expect(page.locator(".result")).to_have_count(4)
    with page.expect_download() as download:
        page.get_by_role("button", name="CSV").click()
    lines = Path(download.value.path()).read_text("utf-8").splitlines()
    assert lines[0].startswith('"query_title","status","title","similarity"')
    assert lines[1].startswith('"Attention is all you need","Found","Attention Is All You Need","1"'), lines[1]
    assert lines[4].startswith('"\'=1+1 ""quoted"""')
    page.get_by_role("button", name="Found 1", exact=True).click()
    with page.expect_download() as download:
        page.get_by_role("button", name="JSON").click()
    items = json.loads(Path(download.value.path()).read_text("utf-8"))
    assert [item["query_title"] for item in items] == ["Attention is all you need"]


def test_copying(page: Page) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_label("A list of titles, one a line").fill(LIST)
    page.get_by_role("button", name="Look all up").click()
    expect(page.locator(".result")).to_have_count(3)
    page.get_by_role("button", name="Copy").click()
    expect(page.locator("#said")).to_have_text("Copied.")
    lines = page.evaluate("navigator.clipboard.readText()").splitlines()
    assert [line.split("\t")[:2] for line in lines[1:]] == [
        [title, kind] for title, kind in zip(LIST.splitlines(), ("Found", "Near", "Not found"), strict=True)
    ]


def test_history_survives_a_reload_and_can_be_forgotten(page: Page) -> None:
    look_up(page, "Some title")
    expect(page.locator(".result")).to_have_count(1)
    page.reload()
    page.locator("#history").get_by_role("button", name="Some title").click()
    expect(page.locator(".query")).to_have_text("Some title")
    page.get_by_role("button", name="Forget them").click()
    page.reload()
    expect(page.locator("#history li")).to_have_count(0)


def test_bad_input_is_answered_with_a_sentence(page: Page) -> None:
    look_up(page, "   ")
    expect(page.get_by_role("alert")).to_have_text("Enter a title.")
    page.get_by_role("button", name="Look all up").click()
    expect(page.get_by_role("alert")).to_have_text("Enter at least one title.")
    page.locator("#title").evaluate("field => field.removeAttribute('maxlength')")
    look_up(page, "x" * 2001)
    expect(page.get_by_role("alert")).to_contain_text("must not be longer than 2,000 characters")
    picture(page, "bad-input")


def test_without_a_database(browser: Browser, start_server: Callable[..., Any], tmp_path: Path) -> None:
    server = start_server(database=tmp_path / "none.db")
    page = browser.new_page()
    page.goto(address(server))
    expect(page.locator("#state")).to_contain_text("not available")
    look_up(page, "Attention")
    expect(page.get_by_role("alert")).to_contain_text("database file does not exist")
    picture(page, "no-database")
    page.close()


def test_a_service_with_a_token(browser: Browser, start_server: Callable[..., Any]) -> None:
    server = start_server(token="open sesame")
    page = browser.new_page()
    page.goto(address(server))
    look_up(page, "Attention is all you need")
    expect(page.get_by_role("alert")).to_contain_text("bearer token")
    page.get_by_label("This service asks for a token").fill("open sesame")
    page.get_by_role("button", name="Use it").click()
    look_up(page, "Attention is all you need")
    expect(page.locator(".badge")).to_have_text("Found")
    page.close()


def test_a_service_that_is_gone(page: Page, server: Any) -> None:
    server.kill()
    look_up(page, "Attention")
    expect(page.get_by_role("alert")).to_contain_text("does not answer")


def test_without_javascript(browser: Browser, server: Any) -> None:
    page = browser.new_page(java_script_enabled=False)
    page.goto(address(server))
    expect(page.locator("#batch")).to_be_hidden()
    page.get_by_label("Title, DOI or arXiv id").fill("Deep Residual Learning for Image Recogniton")
    page.keyboard.press("Enter")
    expect(page.locator(".badge")).to_have_text("Near")
    expect(page.locator(".matched mark")).to_have_text("Recognition")
    expect(page.locator(".query mark")).to_have_text("Recogniton")
    expect(page.locator("#title")).to_have_value("Deep Residual Learning for Image Recogniton")
    picture(page, "no-javascript")
    page.goto(address(server) + "?title=+")
    expect(page.get_by_role("alert")).to_have_text("Enter a title.")
    page.close()


def test_the_keyboard_alone(page: Page) -> None:
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to content")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.locator("#title")).to_be_focused()
    page.keyboard.type("Attention is all you need")
    page.keyboard.press("Enter")
    expect(page.locator(".badge")).to_have_text("Found")


def test_the_documentation_sends_its_examples(page: Page, server: Any) -> None:
    page.goto(address(server) + "docs")
    form = page.locator("form.try").first
    form.get_by_role("button", name="Send").click()
    expect(form.locator(".status")).to_have_text("Status 200")
    expect(form.locator(".answer")).to_contain_text('"found": true')
    picture(page, "docs")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1200, 390])
def test_nothing_is_inaccessible_or_too_wide(browser: Browser, server: Any, scheme: Any, width: int) -> None:
    page = browser.new_page(color_scheme=scheme, viewport={"width": width, "height": 900})
    for name, path in (("page", ""), ("docs", "docs")):
        page.goto(address(server) + path)
        if name == "page":
            page.get_by_label("A list of titles, one a line").fill(LIST)
            page.get_by_role("button", name="Look all up").click()
            expect(page.locator(".result")).to_have_count(3)
            look_up(page, LIST.splitlines()[1])
            expect(page.locator(".result")).to_have_count(1)
        picture(page, f"{name}-{scheme}-{width}")
        faults = [(fault["id"], fault["nodes"][0]["html"]) for fault in Axe().run(page).response["violations"]]
        assert faults == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.close()
