"""The page in a real browser: whatever is put into the box, without JavaScript, with a token, by
keyboard, on a phone.

Screenshots go to ``artefacts/web``, to be looked at.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from citeproof.model.verdict import Status
from citeproof.verification.evidence.line import Evidence
from tests.scenarios.pages.browsing import (
    BIB,
    BUTTON,
    LABEL,
    LISTED,
    NEAR,
    NOWHERE,
    PICTURES,
    address,
    look_up,
    picture,
    put,
    ready,
    suspended,
    verify,
)

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_a_bibliography_shows_problems_first_below_the_box_on_a_phone(page: Page) -> None:
    verify(page, BIB)
    heading = page.get_by_role("heading", name="Read as BibTeX")
    expect(heading).to_be_focused()
    expect(heading).to_be_in_viewport()
    expect(page.locator(".badge")).to_have_text(
        ["! Suspicious", "⚠ Error", "? Unverified", "✓ Valid"]
    )
    expect(page.locator(".badge").first).to_be_in_viewport()
    expect(page.locator(".result").first).to_contain_text("1984")
    expect(page.locator(".banner")).to_contain_text("sample")
    picture(page, "bibliography-360")
    page.set_viewport_size({"width": 1280, "height": 800})
    picture(page, "bibliography-1280")
    page.set_viewport_size({"width": 360, "height": 640})
    expect(page.locator(".result").nth(1)).not_to_contain_text("..")
    expect(page.locator(".result").first).to_contain_text("line 3")
    page.get_by_text("Download", exact=True).click()
    expect(page.get_by_role("link", name="Corrected .bib")).to_be_visible()
    page.get_by_role("link", name="! Suspicious 1").click()
    expect(page.locator(".result")).to_have_count(1)
    expect(page.get_by_role("link", name="! Suspicious 1")).to_be_focused()
    page.go_back()
    expect(page.locator(".result")).to_have_count(4)
    with page.expect_download() as download:
        page.get_by_role("link", name="JSON", exact=True).click()
    run = json.loads(Path(download.value.path()).read_text("utf-8"))
    assert [result["status"] for result in run["results"]] == [
        "VALID",
        "SUSPICIOUS",
        "UNVERIFIED",
        "ERROR",
    ]
    results = page.url
    page.go_back()
    expect(page.get_by_label(LABEL)).to_be_visible()
    page.goto(results)
    expect(page.locator(".result")).to_have_count(4)
    assert_saves_the_case(page)


def assert_saves_the_case(page: Page) -> None:
    """Save the flagged entry, the first one, with its evidence."""
    with page.expect_download() as download:
        page.locator(".result").first.get_by_role("link", name="Report a wrong verdict").click()
    assert download.value.suggested_filename == "case-2.json"
    case = Evidence.unpacked(Path(download.value.path()).read_bytes())
    assert (case.verdict.status, case.reference.key) == (Status.SUSPICIOUS, "wrong")


def test_the_heading_stays_at_the_top_when_results_come_later(page: Page) -> None:
    def running(route: Route) -> None:
        answer = route.fetch()
        shown = answer.text().replace('data-running="no"', 'data-running="yes"')
        route.fulfill(response=answer, body=re.sub(r"<ol .*</ol>", "", shown, flags=re.DOTALL))

    page.route("**/jobs/*", running, times=1)
    verify(page, BIB)
    expect(page.locator(".result")).to_have_count(4)
    assert (
        page.evaluate("Math.round(document.querySelector('#heading').getBoundingClientRect().top)")
        == 0
    )


@pytest.mark.parametrize(
    ("text", "taken_for", "shown"),
    [
        ("https://doi.org/10.1109/CVPR.2016.90", "a DOI", "✓ Found"),
        ("10.9999/nothing", "a DOI", "? Not found"),
        ("arXiv:1706.03762", "an arXiv id", "Found"),
        ("L. Valiant. A theory of the learnable. Commun. ACM, 1999.", "a reference", "1984"),
        (f"{LISTED}\n\n{LISTED.replace('learnable', 'provable')}", "a list of references", "1984"),
        (BIB, "BibTeX", "1984"),
    ],
)
def test_what_the_box_takes(page: Page, text: str, taken_for: str, shown: str) -> None:
    verify(page, text)
    expect(page.get_by_role("heading", name=f"Read as {taken_for}")).to_be_visible()
    expect(page.locator("#results")).to_contain_text(shown)


@pytest.mark.parametrize(
    ("text", "badge", "shown"),
    [
        (
            "Attention is all you need",
            "✓ Found",
            "100.0 % alike · NIPS · 2017 · conference or workshop paper",
        ),
        (NEAR, "≈ Near", "Kaiming He"),
        (NOWHERE, "? Not found", "The database has no similar title."),
    ],
)
def test_a_title_is_looked_up(page: Page, server: Any, text: str, badge: str, shown: str) -> None:
    look_up(page, text)
    expect(page.get_by_role("heading", name="Read as a title")).to_be_visible()
    expect(page.locator(".badge")).to_have_text(badge)
    expect(page.locator("#results")).to_contain_text(shown)
    counters = server.get("/api/runtime/stats")[1]["counters"]
    assert counters["single_search_requests"] == 1
    page.get_by_role("button", name="Verify it as a reference").click()
    expect(page.get_by_role("heading", name="Read as a reference")).to_be_visible()
    expect(page.locator(".badge")).not_to_contain_text("Valid")
    page.get_by_role("button", name="Look it up as a title").click()
    expect(page.get_by_role("heading", name="Read as a title")).to_be_visible()
    expect(page.locator(".badge")).to_have_text(badge)
    page.go_back()
    expect(page.get_by_role("heading", name="Read as a reference")).to_be_visible()


def test_a_list_of_titles_is_a_batch(page: Page, server: Any) -> None:
    look_up(page, f"Attention is all you need\n{NEAR}\n{NOWHERE}")
    expect(page.get_by_role("heading", name="Read as 3 titles, one per line")).to_be_visible()
    expect(page.locator("#sum")).to_have_text("1 found, 1 near, 1 not found")
    assert server.get("/api/runtime/stats")[1]["counters"]["batch_search_items_total"] == 3
    page.get_by_role("link", name=NOWHERE).click()
    expect(page.get_by_role("heading", name="Read as a title")).to_be_visible()
    page.go_back()
    page.get_by_label(LABEL).fill("Attention is all you need")
    page.keyboard.press("Enter")
    expect(page.locator(".badge")).to_have_text("✓ Found")


def test_the_work_that_was_meant_can_be_copied_as_bibtex(page: Page) -> None:
    verify(page, "10.1109/CVPR.2016.90")
    expect(page.locator("#results")).to_contain_text("Deep Residual Learning for Image Recognition")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.locator(".bibtex summary").click()
    page.get_by_role("button", name="Copy BibTeX").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()").startswith("@inproceedings{he2016deep,")
    picture(page, "doi-360")
    page.set_viewport_size({"width": 1280, "height": 800})
    picture(page, "doi-1280")


def test_a_dropped_file(page: Page) -> None:
    files = page.evaluate_handle(
        """text => {
            const files = new DataTransfer();
            files.items.add(new File([text], "refs.bib"));
            return files;
        }""",
        BIB,
    )
    page.dispatch_event("#box", "drop", {"dataTransfer": files})
    expect(page.get_by_role("heading", name="refs.bib, read as BibTeX")).to_be_visible()


def test_a_long_list_shows_its_results_as_they_come(page: Page, server: Any) -> None:
    entries = (
        f"N. Obody. A title that nobody wrote, part {n}. Commun. ACM, 1999." for n in range(1_000)
    )
    put(page, "\n\n".join(entries))
    page.wait_for_url("**/jobs/*")
    with suspended(server, page.url.rpartition("/")[2]):
        expect(page.locator("#job")).to_have_attribute("data-running", "yes")
        expect(page.get_by_role("img", name="so far")).to_be_visible()
        expect(page.locator(".result").first).to_be_visible()
        # In one step, because a look at the job could replace the element between the press and the
        # release of a click.
        page.locator(".result").first.get_by_text("Evidence").evaluate("one => one.click()")
        page.screenshot(path=PICTURES / "running.png")  # what is in view: the page is growing
    expect(page.locator("#job")).to_have_attribute("data-running", "no", timeout=120_000)
    expect(page.locator(".result")).to_have_count(50)
    expect(page.locator("details[open]")).to_have_count(1)
    page.get_by_role("link", name="Next").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#pages")).to_contain_text("51 to 100 of 1,000")
    expect(page.locator("#heading")).to_be_focused()
    assert page.url.endswith("?page=2")
    picture(page, "second-page")


def test_the_keyboard_alone(page: Page) -> None:
    expect(page.get_by_label(LABEL)).to_be_focused()
    page.keyboard.type("Attention is all you need")
    page.keyboard.press("Enter")
    expect(page.locator("#answers-title")).to_be_focused()
    expect(page.locator(".badge")).to_have_text("✓ Found")


def test_wrong_input_is_answered_with_a_sentence(page: Page) -> None:
    page.get_by_role("button", name=BUTTON).click()
    expect(page.get_by_role("alert")).to_contain_text("Enter a title")
    page.locator("#file").set_input_files(
        {"name": "a.pdf", "mimeType": "application/pdf", "buffer": b"%PDF-1.4 x"}
    )
    page.get_by_role("button", name=BUTTON).click()
    expect(page.locator("#job .problem")).to_contain_text("a.pdf")
    picture(page, "unreadable")
    page.goto(page.url + "x")
    expect(page.get_by_role("alert")).to_contain_text("no such job")
    page.goto(page.url.partition("/jobs")[0] + "/nowhere")
    expect(page.get_by_role("heading", name="No such page")).to_be_visible()


def test_without_javascript(browser: Browser, server: Any) -> None:
    page = browser.new_page(java_script_enabled=False)
    page.goto(address(server))
    verify(page, BIB)
    expect(page.locator(".result")).to_have_count(4)
    assert_saves_the_case(page)
    picture(page, "no-javascript")
    for text, badges in (
        (NEAR, ["≈ Near"]),
        (f"Attention is all you need\n{NOWHERE}", ["✓ Found", "? Not found"]),
    ):
        page.goto(address(server))
        put(page, text)
        expect(page.locator(".badge")).to_have_text(badges)
    counters = server.get("/api/runtime/stats")[1]["counters"]
    assert (counters["single_search_requests"], counters["batch_search_items_total"]) == (1, 2)
    page.goto(address(server) + "?title=Deep+Residual+Learning+in+Image+Recognition")
    expect(page.locator(".badge")).to_have_text("≈ Near")
    expect(page.locator(".matched mark").first).to_have_text("for")
    page.goto(address(server) + "?title=+")
    expect(page.get_by_role("alert")).to_have_text("Enter a title.")
    page.close()


def test_a_service_with_a_token(browser: Browser, start_server: Callable[..., Any]) -> None:
    server = ready(start_server(token="open sesame"))
    page = browser.new_page()
    page.goto(address(server))
    page.get_by_label(LABEL).fill("Attention is all you need")
    page.get_by_role("button", name=BUTTON).click()
    expect(page.get_by_role("alert")).to_contain_text("token")
    page.get_by_label("This service needs a token").fill("wrong")
    page.get_by_role("button", name="Use this token").click()
    expect(page.get_by_role("alert")).to_contain_text("The service does not accept this token.")
    expect(page.get_by_label("This service needs a token")).to_be_focused()
    page.get_by_label("This service needs a token").fill("open sesame")
    page.get_by_role("button", name="Use this token").click()
    expect(page.locator(".badge")).to_have_text("✓ Found")
    page.goto(address(server) + "?title=Attention+is+all+you+need")
    expect(page.locator(".badge")).to_have_text("✓ Found")
    verify(page, LISTED)
    expect(page.locator(".badge")).to_have_text("✓ Valid")
    page.get_by_text("Download", exact=True).click()
    with page.expect_download() as download:
        page.get_by_role("link", name="CSV").click()
    assert "VALID" in Path(download.value.path()).read_text("utf-8")
    page.goto(address(server) + "status")
    expect(page.locator("#documents-counters")).to_contain_text("Verified references1")
    expect(page.get_by_role("img", name="1 document, by hour")).to_be_visible()
    page.close()


def test_the_documentation_sends_its_examples(page: Page, server: Any) -> None:
    page.goto(address(server) + "docs")
    form = page.locator("form.try[data-path='/api/search/title']")
    form.get_by_role("button", name="Send").click()
    expect(form.locator(".status")).to_have_text("Status 200")
    expect(form.locator(".answer")).to_contain_text('"found": true')
